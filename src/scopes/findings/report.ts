/**
 * A contradiction that was found elsewhere, or that a person saw, reported to a scope: a round of its own, so that convergence sees it
 * at once. One in words makes its scope on first use; one about passages is about documents that are there.
 */

import type { Actor } from '../../kernel/proposals.js'
import { invalidMember, invariant } from '../../platform/errors.js'
import { insertReported, type ReportedContradiction } from '../../store/findings/finding-rows.js'
import { findContradiction } from '../../store/findings/findings.js'
import type { StoredScope } from '../../store/scopes/rounds.js'
import type { ScopeRef } from '../../store/scopes/scopes.js'
import type { TenantTransaction } from '../../store/server/database.js'
import { concludeAct, idOf, loadStored } from '../act.js'
import type { ScopesDeps } from '../deps.js'
import { refuseOverQuota } from '../documents/attach.js'
import { type Answer, actOnScope } from '../idempotent.js'
import { personOf } from '../person.js'
import type { ContradictionRecord, ReportInput } from '../types.js'
import { toContradictionRecords } from './contradictions.js'
import { type NamedPassage, type PassageClaim, passageClaims, passageMoves, writePassages } from './reported-passages.js'

/** What usage counts for a contradiction, whatever its words. */
const countedBytes = 1024

export async function reportContradiction(
  deps: ScopesDeps,
  tenantId: string,
  { bound = false, ...input }: ReportInput & { bound?: boolean },
  idempotencyKey?: string,
): Promise<Answer<ContradictionRecord>> {
  const { by, severity } = input
  const told = passagesIn(input) ?? wordsIn(input)
  const more = { documents: 0, bytes: countedBytes + ('words' in told ? Buffer.byteLength(Object.values(told.words).join('')) : 0) }
  const act = {
    ...{ tenantId, scopeId: input.scope_id, operation: 'report', request: { ...input }, idempotencyKey },
    ...('words' in told ? { makesScopeFor: more } : {}),
  }
  return actOnScope(deps, act, async (tx, scope) => {
    await refuseOverQuota(tx, more)
    const stored = await loadStored(tx, scope.scopeNo)
    const actor: Actor = by === undefined ? { kind: 'tenant', id: tenantId } : personOf({ by, bound })
    const report = { actor, severity, reason: told.reason, foundBy: by === undefined ? null : `person:${by}` }
    if ('words' in told) return record(deps, tx, scope, stored, { ...report, reported: told.words, claims: null })
    return record(deps, tx, scope, stored, { ...report, reported: null, claims: await passageClaims(tx, stored, told) })
  })
}

interface TellsWords {
  words: Record<string, unknown>
  reason: string
}

function wordsIn(input: ReportInput): TellsWords {
  const word = (member: 'claim_a' | 'claim_b' | 'source_a' | 'source_b'): string => {
    const given = input[member]
    if (given === undefined) throw invalidMember(`/${member}`, 'is required where no passages are named')
    return given
  }
  const words = { claim_a: word('claim_a'), claim_b: word('claim_b'), source_a: word('source_a'), source_b: word('source_b') }
  const { round, reason = `Reported: what ${words.source_a} says and what ${words.source_b} says cannot both hold.` } = input
  return { words: round === undefined ? words : { ...words, round }, reason }
}

/** Null for a report in words. Who names passages says who they are, and why. */
function passagesIn({ a, b, by, reason, claim_a, claim_b }: ReportInput): { a: NamedPassage; b: NamedPassage; reason: string } | null {
  if (a === undefined && b === undefined) return null
  const required = <T>(member: string, given: T | undefined): T => {
    if (given === undefined) throw invalidMember(`/${member}`, 'is required where passages are named')
    return given
  }
  required('by', by)
  return { a: { ...required('a', a), words: claim_a }, b: { ...required('b', b), words: claim_b }, reason: required('reason', reason) }
}

interface Report extends Pick<ReportedContradiction, 'severity' | 'reason' | 'foundBy' | 'reported'> {
  actor: Actor
  claims: { a: PassageClaim; b: PassageClaim } | null
}

async function record(
  deps: ScopesDeps,
  tx: TenantTransaction,
  scope: ScopeRef,
  stored: StoredScope,
  { actor, claims, ...report }: Report,
): Promise<ContradictionRecord> {
  const { severity } = report
  const contradictionNo = stored.nextContradictionNo
  const contradictionId = idOf('contradiction', stored, contradictionNo)
  const moves = claims === null ? null : passageMoves(stored, claims)
  const { result } = await concludeAct(deps, tx, stored, {
    input: { kind: 'report', actor, contradictionId, severity, ...(moves === null ? {} : { passages: moves.passages }) },
    // No words: a round keeps what it was given, and erasing a document looks for words elsewhere.
    detail: { contradiction_id: contradictionId, severity, ...moves?.detail },
    moves: { nextContradictionNo: contradictionNo + 1, ...moves?.counters },
    apply: async ({ round }) => {
      await insertReported(tx, stored, { ...report, contradictionNo, contradictionId, slot: moves?.slot ?? null, round })
      if (claims !== null) await writePassages(tx, stored, { contradictionNo, claims, round })
    },
  })
  invariant(result.applied, 'a report was put to policy')
  const row = await findContradiction(tx, contradictionId)
  const [answer] = row === null ? [] : await toContradictionRecords(tx, scope, [row])
  invariant(answer !== undefined, 'a reported contradiction disappeared')
  return answer
}
