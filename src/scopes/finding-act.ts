/**
 * A person's word on a possible conflict or a supersession: promotion, dismissal, objection, and taking one of these back.
 * A round and a decision like a resolution, recorded, reversible, and refused once overtaken.
 */

import type { FindingRound } from '../kernel/round-types.js'
import { AppError, invariant } from '../platform/errors.js'
import { endClaims } from '../store/claims/claims.js'
import { insertFindings } from '../store/findings/claims-findings.js'
import { reviveClaims, saveResolution } from '../store/findings/findings-resolution.js'
import { decidePossible, findPossible } from '../store/findings/possible-conflicts.js'
import { findSupersession, objectTo } from '../store/findings/supersessions.js'
import type { StoredScope } from '../store/scopes/rounds.js'
import type { TenantTransaction } from '../store/server/database.js'
import { commitAct, concludeAct, loadStored, refusedByPolicy } from './act.js'
import { numbersOf } from './claim-moves.js'
import type { ScopesDeps } from './deps.js'
import { type Decided, type FindingPlan, type FindingTarget, type FindingVerdict, planFinding } from './finding-plan.js'
import { lockScopeByNo } from './idempotent.js'
import { personOf, type Said } from './person.js'
import { toPossibleRecords } from './possible-conflicts.js'
import { announceReopened } from './resolution.js'
import { isStorable } from './storable.js'
import { toSupersessionRecords } from './supersessions.js'
import type { PossibleConflictRecord, PossibleConflictResult, SupersessionRecord, SupersessionResult } from './types.js'

export interface FindingInput extends Said {
  tenantId: string
  findingId: string
}

export function decidePossibleConflict(
  deps: ScopesDeps,
  input: FindingInput & { verdict: 'promote' | 'dismiss' },
): Promise<PossibleConflictResult> {
  return act(deps, { ...input, of: 'possible_conflict' }, readPossible)
}

/** Takes back what was decided, if it was that. */
export function reopenPossibleConflict(deps: ScopesDeps, input: FindingInput & { decided: Decided }): Promise<PossibleConflictResult> {
  return act(deps, { ...input, of: 'possible_conflict', verdict: 'withdraw' }, readPossible)
}

export function objectToSupersession(deps: ScopesDeps, input: FindingInput): Promise<SupersessionResult> {
  return act(deps, { ...input, of: 'supersession', verdict: 'object' }, readSupersession)
}

export function restoreSupersession(deps: ScopesDeps, input: FindingInput): Promise<SupersessionResult> {
  return act(deps, { ...input, of: 'supersession', verdict: 'withdraw' }, readSupersession)
}

type Read<T> = (tx: TenantTransaction, scope: StoredScope, findingId: string) => Promise<T | undefined>

const readPossible: Read<PossibleConflictRecord> = async (tx, scope, findingId) => {
  const row = await findPossible(tx, findingId)
  return row === null ? undefined : (await toPossibleRecords(tx, scope, [row]))[0]
}

const readSupersession: Read<SupersessionRecord> = async (tx, scope, findingId) => {
  const row = await findSupersession(tx, findingId)
  return row === null ? undefined : (await toSupersessionRecords(tx, scope, [row]))[0]
}

function act<T>(deps: ScopesDeps, input: FindingInput & Address & { verdict: FindingVerdict }, read: Read<T>) {
  const { findingId, verdict, reason, by } = input
  return commitAct(deps, input.tenantId, async tx => {
    const { row } = await findTarget(tx, input)
    const scope = await lockScopeByNo(tx, row.scope_no)
    const stored = await loadStored(tx, scope.scopeNo)
    // Read again under the lock.
    const target = await findTarget(tx, input)
    const plan = await planFinding(tx, stored, target, verdict)
    const { result, decisionId } = await concludeAct(deps, tx, stored, {
      input: { kind: 'finding', actor: personOf(input), reason, ...findingPart(target, verdict, plan) },
      detail: { reason, by, ...findingDetail(target, verdict, plan) },
      moves: { nextContradictionNo: stored.nextContradictionNo + plan.opened.length },
      apply: ({ round }) => applyFinding(tx, stored, target, plan, { verdict, reason, by, round }),
    })
    if (!result.applied) return refusedByPolicy(result, decisionId)
    invariant(decisionId !== null, 'a word on a finding was not put to policy')
    const record = await read(tx, stored, findingId)
    invariant(record !== undefined, 'a finding disappeared while somebody decided about it')
    return { ...record, decision_id: decisionId }
  })
}

/** The part of the act that its round and a later review share. */
export function findingPart(
  target: FindingTarget,
  verdict: FindingVerdict,
  plan: FindingPlan,
): Omit<FindingRound, 'kind' | 'actor' | 'reason'> {
  return {
    of: target.of,
    findingId: findingIdOf(target),
    verdict,
    severity: plan.severity,
    parts: plan.parts,
    opens: plan.opened.map(({ contradictionId, found: { kind, severity, a, b } }) => ({ contradictionId, kind, severity, a, b })),
    dismisses: plan.dismissed.map(each => each.contradiction_id),
    retired: plan.retired.map(({ claim, byClaimId }) => ({ claimId: claim.claim_id, byClaimId })),
    closes: plan.closes,
    possible: plan.possible,
  }
}

/** What a replay and a review need: ids and figures, no words of the documents. */
export function findingDetail(target: FindingTarget, verdict: FindingVerdict, plan: FindingPlan): Record<string, unknown> {
  return {
    finding: {
      of: target.of,
      finding_id: findingIdOf(target),
      verdict,
      ...(target.of === 'possible_conflict' && target.decided !== undefined ? { decided: target.decided } : {}),
      opens: plan.opened.map(({ contradictionId, found }) => ({
        contradiction_id: contradictionId,
        severity: found.severity,
        slot_key: found.slotKey,
        group_a: found.groupA,
        group_b: found.groupB,
        a: found.a,
        b: found.b,
      })),
      dismisses: plan.dismissed.map(each => each.contradiction_id),
    },
    retired: plan.retired.map(({ claim }) => claim.claim_id),
    revived: plan.revived.map(claim => claim.claim_id),
  }
}

export async function applyFinding(
  tx: TenantTransaction,
  stored: StoredScope,
  target: FindingTarget,
  plan: FindingPlan,
  decided: { verdict: FindingVerdict; reason: string; by: string; round: number },
): Promise<void> {
  const { verdict, reason, by, round } = decided
  const said = { reason, by, decided_at: stored.recordedAt, round }
  const [opened, sides] = [plan.opened.map(each => ({ ...each, round })), plan.opened.flatMap(each => each.sides)]
  const ends = plan.retired.map(({ claim, byClaimId, reason: why }) => ({ claimNo: claim.claim_no, byClaimId, reason: why, round }))
  await insertFindings(tx, stored, opened, sides)
  await reviveClaims(tx, stored, numbersOf(plan.revived))
  await endClaims(tx, stored, ends)
  for (const { contradiction_no: no } of plan.dismissed) {
    const resolution = { verdict: 'dismiss', reason, by, resolved_at: stored.recordedAt, round, retired: [] }
    await saveResolution(tx, stored, no, { status: 'dismissed', resolution })
  }
  await announceReopened(tx, stored, plan.reopens, round)
  if (target.of === 'supersession') return objectTo(tx, stored, plan.pairs, verdict === 'object' ? said : null)
  const { possible_no: no } = target.row
  if (verdict === 'withdraw') return decidePossible(tx, stored, no, { status: 'open', decision: null, contradictionNo: null })
  const contradictionNo = plan.opened[0]?.contradictionNo ?? null
  const decision = { verdict: verdict === 'promote' ? ('promote' as const) : ('dismiss' as const), ...said }
  return decidePossible(tx, stored, no, { status: verdict === 'promote' ? 'promoted' : 'dismissed', decision, contradictionNo })
}

/** What a finding is found by; `decided` as in its target. */
export interface Address {
  of: FindingTarget['of']
  findingId: string
  decided?: Decided
}

export async function findTarget(tx: TenantTransaction, { of, findingId, decided }: Address): Promise<FindingTarget> {
  const known = isStorable(findingId)
  if (of === 'supersession') {
    const row = known ? await findSupersession(tx, findingId) : null
    if (row === null) throw new AppError('SUPERSESSION_NOT_FOUND', { detail: 'The tenant has no supersession with this id.' })
    return { of, row }
  }
  const row = known ? await findPossible(tx, findingId) : null
  if (row === null) throw new AppError('POSSIBLE_CONFLICT_NOT_FOUND', { detail: 'The tenant has no possible conflict with this id.' })
  return { of, row, decided }
}

function findingIdOf(target: FindingTarget): string {
  return target.of === 'supersession' ? target.row.supersession_id : target.row.possible_conflict_id
}
