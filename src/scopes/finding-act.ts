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
import { concludeAct, loadStored, refusedByPolicy } from './act.js'
import type { ScopesDeps } from './deps.js'
import { type Decided, type FindingPlan, type FindingTarget, type FindingVerdict, planFinding } from './finding-plan.js'
import { lockScopeByNo } from './idempotent.js'
import { personOf } from './person.js'
import { toPossibleRecords } from './possible-conflicts.js'
import { announceReopened } from './resolution.js'
import { isStorable } from './storable.js'
import { toSupersessionRecords } from './supersessions.js'
import type { PossibleConflictResult, SupersessionResult } from './types.js'

export interface FindingInput {
  tenantId: string
  findingId: string
  reason: string
  by: string
  /** The key that acts is this person's alone. */
  bound?: boolean
}

export function decidePossibleConflict(
  deps: ScopesDeps,
  input: FindingInput & { verdict: 'promote' | 'dismiss' },
): Promise<PossibleConflictResult> {
  return actOnPossible(deps, input)
}

/** Takes back what was decided, if it was that. */
export function reopenPossibleConflict(deps: ScopesDeps, input: FindingInput & { decided: Decided }): Promise<PossibleConflictResult> {
  return actOnPossible(deps, { ...input, verdict: 'withdraw' })
}

async function actOnPossible(
  deps: ScopesDeps,
  input: FindingInput & { verdict: FindingVerdict; decided?: Decided },
): Promise<PossibleConflictResult> {
  return act(deps, input, async tx => {
    const row = isStorable(input.findingId) ? await findPossible(tx, input.findingId) : null
    if (row === null) throw possibleNotFound()
    const read = async (scope: StoredScope, decisionId: string) => {
      const after = await findPossible(tx, input.findingId)
      const [record] = after === null ? [] : await toPossibleRecords(tx, scope, [after])
      invariant(record !== undefined, 'a possible conflict disappeared while it was decided')
      return { ...record, decision_id: decisionId }
    }
    return { scopeNo: row.scope_no, target: () => possibleTarget(tx, input.findingId, input.decided), read }
  })
}

export function objectToSupersession(deps: ScopesDeps, input: FindingInput): Promise<SupersessionResult> {
  return actOnSupersession(deps, { ...input, verdict: 'object' })
}

export function restoreSupersession(deps: ScopesDeps, input: FindingInput): Promise<SupersessionResult> {
  return actOnSupersession(deps, { ...input, verdict: 'withdraw' })
}

async function actOnSupersession(deps: ScopesDeps, input: FindingInput & { verdict: FindingVerdict }): Promise<SupersessionResult> {
  return act(deps, input, async tx => {
    const row = isStorable(input.findingId) ? await findSupersession(tx, input.findingId) : null
    if (row === null) throw supersessionNotFound()
    const read = async (scope: StoredScope, decisionId: string) => {
      const after = await findSupersession(tx, input.findingId)
      const [record] = after === null ? [] : await toSupersessionRecords(tx, scope, [after])
      invariant(record !== undefined, 'a supersession disappeared while somebody objected to it')
      return { ...record, decision_id: decisionId }
    }
    return { scopeNo: row.scope_no, target: () => supersessionTarget(tx, input.findingId), read }
  })
}

interface Addressed<T> {
  scopeNo: number
  /** Read again under the lock. */
  target: () => Promise<FindingTarget>
  read: (scope: StoredScope, decisionId: string) => Promise<T>
}

async function act<T>(
  deps: ScopesDeps,
  input: FindingInput & { verdict: FindingVerdict },
  address: (tx: TenantTransaction) => Promise<Addressed<T>>,
): Promise<T> {
  const outcome = await deps.db.inTenant(input.tenantId, async tx => {
    const addressed = await address(tx)
    const scope = await lockScopeByNo(tx, addressed.scopeNo)
    const stored = await loadStored(tx, scope.scopeNo)
    const target = await addressed.target()
    const { verdict, reason, by } = input
    const plan = await planFinding(tx, stored, target, verdict)
    const { result, decisionId } = await concludeAct(deps, tx, stored, {
      input: { kind: 'finding', actor: personOf(input), reason, ...findingPart(target, verdict, plan) },
      detail: { reason, by, ...findingDetail(target, verdict, plan) },
      moves: { nextContradictionNo: stored.nextContradictionNo + plan.opened.length },
      apply: ({ round }) => applyFinding(tx, stored, target, plan, { verdict, reason, by, round }),
    })
    if (!result.applied) return refusedByPolicy(result, decisionId)
    invariant(decisionId !== null, 'a word on a finding was not put to policy')
    return addressed.read(stored, decisionId)
  })
  deps.hints.notify('events')
  if (outcome instanceof AppError) throw outcome
  return outcome
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
  await insertFindings(
    tx,
    stored,
    plan.opened.map(({ sides: _sides, ...opened }) => ({ ...opened, round })),
    plan.opened.flatMap(each => each.sides),
  )
  await reviveClaims(
    tx,
    stored,
    plan.revived.map(claim => claim.claim_no),
  )
  await endClaims(
    tx,
    stored,
    plan.retired.map(({ claim, byClaimId, reason: why }) => ({ claimNo: claim.claim_no, byClaimId, reason: why, round })),
  )
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

export async function possibleTarget(tx: TenantTransaction, findingId: string, decided?: Decided): Promise<FindingTarget> {
  const row = await findPossible(tx, findingId)
  if (row === null) throw possibleNotFound()
  return { of: 'possible_conflict', row, decided }
}

export async function supersessionTarget(tx: TenantTransaction, findingId: string): Promise<FindingTarget> {
  const row = await findSupersession(tx, findingId)
  if (row === null) throw supersessionNotFound()
  return { of: 'supersession', row }
}

function findingIdOf(target: FindingTarget): string {
  return target.of === 'supersession' ? target.row.supersession_id : target.row.possible_conflict_id
}

function possibleNotFound(): AppError {
  return new AppError('POSSIBLE_CONFLICT_NOT_FOUND', { detail: 'The tenant has no possible conflict of this name.' })
}

function supersessionNotFound(): AppError {
  return new AppError('SUPERSESSION_NOT_FOUND', { detail: 'The tenant has no supersession of this name.' })
}
