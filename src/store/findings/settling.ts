/**
 * The one way what counts is changed: a fact changes, and the caches follow as `kernel/standing.ts` says. Acts of people plan it before
 * policy is asked, with the change they propose; a commit of documents settles what its facts lead to. Under the scope's lock.
 */

import type { EffectParts } from '../../kernel/effect.js'
import { type Difference, differenceOf, type KeptCase, type KeptStatement, partsOf } from '../../kernel/standing-difference.js'
import { endClaims, handClaims, reviveClaims } from '../claims/claim-ends.js'
import { readStandings } from '../claims/slot-standings.js'
import { askModelToo, listComparable, listComparedByModel, queueRereads, type RereadableRow } from '../documents/rereads.js'
import { appendEvents } from '../events/events.js'
import type { StoredScope } from '../scopes/rounds.js'
import { ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'
import { markWords, reopenContradictions, showWords, withdrawSupersessions } from './finding-rows.js'
import { readKeptCase, type Touched } from './standing-facts.js'

export interface Settling {
  /** The facts as they are after the change. */
  kept: KeptCase
  difference: Difference
  parts: EffectParts
  /** Documents of what counts again, where others came meanwhile: it was not held against those. */
  rereads: RereadableRow[]
  /** Others of them, that are not to be queued: those that wait already are among them. */
  waiting: string[]
}

/** What would follow if the facts were as `change` makes them. Reads only. */
export async function planSettling(
  tx: Transaction,
  scope: StoredScope,
  touched: Touched,
  change: (kept: KeptCase) => KeptCase = kept => kept,
): Promise<Settling> {
  return settlingOf(tx, scope, change(await readKeptCase(tx, scope, touched)))
}

/** What follows from facts that were read, and perhaps changed, before. */
export async function settlingOf(tx: Transaction, scope: StoredScope, kept: KeptCase): Promise<Settling> {
  const difference = differenceOf(kept)
  const { begun, ended } = difference.figures
  return {
    kept,
    difference,
    parts: partsOf(difference, await readStandings(tx, scope, [...begun, ...ended])),
    ...(await rereadsOf(tx, scope, difference.revived)),
  }
}

async function rereadsOf(
  tx: Transaction,
  scope: StoredScope,
  revived: readonly KeptStatement[],
): Promise<Pick<Settling, 'rereads' | 'waiting'>> {
  if (revived.length === 0) return { rereads: [], waiting: [] }
  const newest = await readNewestRound(tx, scope, scope.nextClaimNo - 1)
  const documentIds = [...new Set(revived.filter(each => newest >= (each.supersededRound ?? 0)).map(each => each.documentId))]
  const rereads = documentIds.length === 0 ? [] : await listComparable(tx, scope, documentIds)
  const queued = new Set(rereads.map(each => each.document_id))
  return { rereads, waiting: documentIds.filter(each => !queued.has(each)) }
}

/** The round of the claim that came last; where that cannot be said, others may have come. */
async function readNewestRound(tx: Transaction, scope: ScopePlace, claimNo: number): Promise<number> {
  const [round] = await tx.column<number>(`select recorded_round from claims where ${ofPlace} and claim_no = $4`, [
    ...placeOf(scope),
    claimNo,
  ])
  return round ?? Number.MAX_SAFE_INTEGER
}

export interface SettledBy {
  round: number
  /** Why claims end that nothing takes the place of. */
  reason: string
  /** Contradictions whose opening the round itself tells of. */
  told?: ReadonlySet<number>
}

/**
 * Everything but the findings that close and the possible conflicts, which are written with the round, and the rereads (`queueSettled`).
 * Before the scope is certified.
 */
export async function writeSettling(
  tx: Transaction,
  scope: StoredScope,
  { difference }: Settling,
  { round, reason, told = new Set() }: SettledBy,
): Promise<void> {
  const { ended, revived, handed, reopens, decides, words, withdrawn } = difference
  const ends = ended.map(({ claim: { claimNo }, byClaimId, why }) => ({ claimNo, byClaimId, reason: why ?? reason, round }))
  await endClaims(tx, scope, ends)
  await reviveClaims(
    tx,
    scope,
    revived.map(each => each.claimNo),
  )
  await handClaims(
    tx,
    scope,
    handed.map(({ claim: { claimNo }, byClaimId, why }) => ({ claimNo, byClaimId, reason: why })),
  )
  await withdrawSupersessions(
    tx,
    scope,
    withdrawn.map(each => each.no),
  )
  await reopenContradictions(
    tx,
    scope,
    reopens.filter(each => each.word === null).map(each => each.no),
  )
  await showWords(tx, scope, {
    open: reopens.filter(each => each.word !== null).map(each => each.no),
    decided: decides.map(each => each.no),
  })
  await markWords(tx, scope, words, round)
  const events = reopens
    .filter(each => !told.has(each.no))
    .map(({ id }) => ({ type: 'contradiction.reopened', data: { scope_id: scope.scopeId, contradiction_id: id, round } }))
  if (events.length > 0) await appendEvents(tx, scope, events)
}

/**
 * The rereads that follow, in the transaction of `writeSettling` and with nothing slow behind it: a scope that gets a backlog locks the turn of
 * its tenant until the commit, and all other scopes of the tenant that become due wait for it. No certificate tells of rereads, since a scope in which
 * something waits is not certified. What a model had compared it is asked about again: what it found meanwhile against a statement that did not
 * count was kept by nobody, and rules do not find it. That holds for those, too, that wait to be read again by the rules alone.
 */
export async function queueSettled(
  tx: Transaction,
  scope: StoredScope,
  { rereads, waiting }: Settling,
  /** `depth` is that of the rereading this follows from; 0 where it follows from none. */
  { reason, depth = 0 }: { reason: string; depth?: number },
): Promise<void> {
  await askModelToo(tx, scope, waiting, depth + 1)
  const asked = await listComparedByModel(
    tx,
    scope,
    rereads.map(each => each.document_id),
  )
  for (const model of [false, true]) {
    const those = rereads.filter(each => asked.has(each.document_id) === model)
    await queueRereads(tx, scope, those, { model, by: null, reason, depth: depth + 1 })
  }
}

/** Of an act that is not to happen: a held one that a person rejects. */
export function nothingSettled(): Settling {
  const kept = { statements: [], contradictions: [], replacements: [], possible: [] }
  const difference = differenceOf(kept)
  return { kept, difference, parts: partsOf(difference, []), rereads: [], waiting: [] }
}
