/**
 * Acts of people on a scope are rounds like any other: policy is asked, convergence and finality follow, all recorded
 * in the transaction of the act. Whatever a worker has computed meanwhile is repeated, because the version rises.
 */

import { saltsFrom } from '../kernel/decision-record.js'
import { type DerivedKind, derivedIds } from '../kernel/derived-ids.js'
import { restoreScope } from '../kernel/restore.js'
import type { RoundInput, RoundResult, SaidOfFinding } from '../kernel/round-types.js'
import { runRound } from '../kernel/scope-round.js'
import type { Outcome, Workload } from '../kernel/types.js'
import { AppError, invariant } from '../platform/errors.js'
import { newSecret } from '../platform/ids.js'
import { movePossible } from '../store/findings/finding-rows.js'
import { loadScope, type RoundWrite, type StoredScope, saveRounds } from '../store/scopes/rounds.js'
import { raiseVersion } from '../store/scopes/scopes.js'
import type { TenantTransaction } from '../store/server/database.js'
import type { ScopesDeps } from './deps.js'
import { type Found, lockFound } from './idempotent.js'
import { personOf, type Said } from './person.js'
import { governingSet } from './policy-sets.js'
import type { ListedScope } from './scope-list.js'

export interface Act {
  input: RoundInput
  /** What a replay reads beyond the round's figures. */
  detail: Record<string, unknown>
  document?: RoundWrite['document']
  reviews?: RoundWrite['reviews']
  /** Things that wait no longer once this round closes, unless policy holds it: held documents, held decisions, queued documents. */
  settles?: { documents?: number; pending?: number; queued?: number }
  /** Documents that wait from this round on, if policy admits it. */
  queues?: number
  /** The same, also where policy rejects it. */
  queuesUnlessHeld?: number
  /** Counters the act moves when it is applied. */
  moves?: Partial<Pick<StoredScope, 'nextClaimNo' | 'nextContradictionNo' | 'nextSupersessionNo' | 'claimsDigest' | 'readers'>>
  /** Refuses the act for what the round would come to: thrown, nothing of it is recorded. */
  require?: (result: RoundResult) => void
  /** Writes what the act itself changes, if policy admits it: before the scope is certified, so that the certificate tells of it. */
  apply?: (result: RoundResult) => Promise<void>
  /** The same for what follows from the act whatever policy says: the state of the document it is about. */
  settle?: (result: RoundResult) => Promise<void>
}

export interface Concluded {
  result: RoundResult
  /** The person's own record; null where no policy is asked. */
  decisionId: string | null
}

/** Under the scope's lock. What an act changes and no certificate tells of, the caller may also write itself if `result.applied`. */
export async function concludeAct(deps: ScopesDeps, tx: TenantTransaction, stored: StoredScope, act: Act): Promise<Concluded> {
  const policySet = await governingSet(tx, stored)
  const workload = (outcome: Outcome) => waiting(stored, act, outcome)
  const result = runRound(restoreScope(stored.kept), act.input, { policySet, workload, saltOf: saltsFrom(newSecret()) })
  act.require?.(result)
  const after = { ...stored, ...(result.applied ? act.moves : {}) }
  if (result.applied) await act.apply?.(result)
  await act.settle?.(result)
  await movePossible(tx, stored, [result])
  const certificate = result.finality.to === 'resolved' ? await deps.certify(tx, after, [result]) : undefined
  const reviews = result.outcome === 'hold' ? undefined : act.reviews
  await saveRounds(tx, after, [{ result, document: act.document ?? null, detail: act.detail, reviews, certificate }])
  await raiseVersion(tx, stored.scopeNo)
  return { result, decisionId: result.decisions[0]?.proposal.kind === 'finality' ? null : (result.decisions[0]?.decisionId ?? null) }
}

/** What waits once policy has answered. A review that is held leaves what it is about waiting; any other act that is held waits itself. */
function waiting(
  { counts, pending }: StoredScope,
  { input, settles = {}, queues = 0, queuesUnlessHeld = 0 }: Act,
  outcome: Outcome,
): Workload {
  if (outcome === 'hold') return { ...counts, held: counts.held + pending + (input.kind === 'review' ? 0 : 1) }
  return {
    queued: Math.max(0, counts.queued - (settles.queued ?? 0)) + queuesUnlessHeld + (outcome === 'admit' ? queues : 0),
    processing: counts.processing,
    held: Math.max(0, counts.held - (settles.documents ?? 0)) + Math.max(0, pending - (settles.pending ?? 0)),
  }
}

export async function loadStored(tx: TenantTransaction, scopeNo: number): Promise<StoredScope> {
  const stored = await loadScope(tx, tx.tenantId, scopeNo)
  invariant(stored !== undefined, 'a locked scope disappeared')
  return stored
}

export function idOf(kind: DerivedKind, scope: StoredScope, number: number): string {
  return derivedIds(kind, scope).idOf(number)
}

/** An act that policy may refuse: the refusal is recorded as well, and thrown once its transaction is committed. */
export async function commitAct<T>(deps: ScopesDeps, tenantId: string, act: (tx: TenantTransaction) => Promise<T | AppError>): Promise<T> {
  const outcome = await deps.db.inTenant(tenantId, act)
  deps.hints.notify('events')
  if (outcome instanceof AppError) throw outcome
  return outcome
}

/** What a person says of a finding, worked out on the scope as it stands now. A round of its own, or what a review approves. */
export interface Word {
  round: SaidOfFinding
  /** What a replay and a review need: ids and figures, no words of the documents. */
  detail: Record<string, unknown>
  moves?: Act['moves']
  queues?: Act['queues']
  apply?: Act['apply']
}

export interface FindingKind<Row, Item> extends Found<Row> {
  /** The rows as readers see them. */
  records(tx: TenantTransaction, scope: ListedScope, rows: readonly Row[]): Promise<Item[]>
}

/** A person decides about a finding: recorded as a round and a decision, and answered with the finding as it stands then. */
export async function sayOfFinding<Row extends { scope_no: number }, Item>(
  deps: ScopesDeps,
  kind: FindingKind<Row, Item>,
  { findingId, tenantId, ...said }: Said & { tenantId: string; findingId: string },
  say: (tx: TenantTransaction, stored: StoredScope, row: Row) => Promise<Word & { about?: object; answer?: object }>,
): Promise<Item & { decision_id: string }> {
  return commitAct(deps, tenantId, async tx => {
    const { scope, row } = await lockFound(tx, findingId, kind)
    const stored = await loadStored(tx, scope.scopeNo)
    const { round, detail, moves, queues, apply, about, answer } = await say(tx, stored, row)
    const { reason, by } = said
    const { result, decisionId } = await concludeAct(deps, tx, stored, {
      input: { ...round, actor: personOf(said), reason },
      detail: { ...about, reason, by, ...detail },
      moves,
      queues,
      apply,
    })
    if (!result.applied) return refusedByPolicy(result, decisionId)
    invariant(decisionId !== null, 'a word on a finding was not put to policy')
    const decided = await kind.find(tx, findingId)
    const [record] = decided === null ? [] : await kind.records(tx, stored, [decided])
    invariant(record !== undefined, 'a finding disappeared while somebody decided about it')
    return { ...record, ...answer, decision_id: decisionId }
  })
}

/** What a person says of something that has moved on since. */
export function overtaken(detail: string): AppError {
  return new AppError('STATE_CONFLICT', { detail })
}

export function refusedByPolicy(result: RoundResult, decisionId: string | null): AppError {
  return refused(result, result.outcome === 'hold' ? `It is held as ${decisionId} until a person reviews it.` : 'It is rejected.')
}

/** A review waits for nobody itself: what it was about does, as before. */
export function reviewRefused(result: RoundResult, heldId: string): AppError {
  return refused(result, `The review has no effect: ${heldId} still waits for one.`)
}

function refused(result: RoundResult, next: string): AppError {
  const reasons = result.decisions[0]?.record.reasons.join(' ') ?? ''
  return new AppError('STATE_CONFLICT', { detail: `${reasons} ${next}`.trim() })
}
