/**
 * A person decides a contradiction. Recorded as a round and a decision, never deletes a claim, and reversible: deciding
 * again replaces the verdict before and revives the claims it had retired.
 */

import type { ResolutionRound } from '../kernel/round-types.js'
import { AppError, invariant } from '../platform/errors.js'
import { endClaims } from '../store/claims/claims.js'
import { appendEvents } from '../store/events/events.js'
import { type ContradictionRow, findContradiction } from '../store/findings/findings.js'
import { reopenContradictions, reviveClaims, saveResolution } from '../store/findings/findings-resolution.js'
import type { StoredScope } from '../store/scopes/rounds.js'
import type { TenantTransaction } from '../store/server/database.js'
import { commitAct, concludeAct, loadStored, refusedByPolicy } from './act.js'
import { numbersOf } from './claim-moves.js'
import { toContradictionRecords, toResolution } from './contradictions.js'
import type { ScopesDeps } from './deps.js'
import { lockScopeByNo } from './idempotent.js'
import { personOf, type Said } from './person.js'
import { decidingFault, planResolution, type ResolutionPlan, reopeningFault } from './resolution-plan.js'
import { isStorable } from './storable.js'
import type { ReopenedContradiction, ResolutionAct, ResolutionResult, Verdict } from './types.js'

export interface ResolveInput extends Said {
  tenantId: string
  contradictionId: string
  verdict: Verdict
}

export async function resolveContradiction(deps: ScopesDeps, input: ResolveInput): Promise<ResolutionResult> {
  return decide(deps, input, async (tx, stored, plan, decisionId) => {
    const { row, record } = await readDecided(tx, stored, input.contradictionId)
    return {
      ...record,
      resolution: toResolution(row),
      claims_retired: plan.retired.map(each => each.claimId),
      claims_revived: plan.revived.map(each => each.claim_id),
      decision_id: decisionId,
    }
  })
}

/** Takes back what a person decided: the contradiction is open again, and what the decision retired counts again. */
export async function reopenContradiction(deps: ScopesDeps, input: Omit<ResolveInput, 'verdict'>): Promise<ReopenedContradiction> {
  return decide(deps, { ...input, verdict: 'reopen' }, async (tx, stored, plan, decisionId) => {
    const { record } = await readDecided(tx, stored, input.contradictionId)
    return { ...record, claims_revived: plan.revived.map(each => each.claim_id), decision_id: decisionId }
  })
}

async function decide<T>(
  deps: ScopesDeps,
  input: Omit<ResolveInput, 'verdict'> & { verdict: ResolutionAct },
  read: (tx: TenantTransaction, stored: StoredScope, plan: ResolutionPlan, decisionId: string) => Promise<T>,
): Promise<T> {
  const { verdict, reason, by } = input
  return commitAct(deps, input.tenantId, async tx => {
    const { scope, row } = await lockContradiction(tx, input.contradictionId)
    const stored = await loadStored(tx, scope.scopeNo)
    const fault = verdict === 'reopen' ? await reopeningFault(tx, stored, row) : decidingFault(row)
    if (fault !== null) throw new AppError('STATE_CONFLICT', { detail: fault })
    const plan = await planResolution(tx, stored, row, verdict)
    const { result, decisionId } = await concludeAct(deps, tx, stored, {
      input: { kind: 'resolution', actor: personOf(input), reason, ...roundPart(row, verdict, plan) },
      detail: { contradiction_id: row.contradiction_id, verdict, reason, by, ...idsOf(plan) },
    })
    if (!result.applied) return refusedByPolicy(result, decisionId)
    await applyResolution(tx, stored, row, plan, { verdict, reason, by, round: result.round })
    invariant(decisionId !== null, 'a resolution was not put to policy')
    return read(tx, stored, plan, decisionId)
  })
}

/** The part of a resolution that a round and its later review share. */
export function roundPart(
  row: ContradictionRow,
  verdict: ResolutionAct,
  plan: ResolutionPlan,
): Omit<ResolutionRound, 'kind' | 'actor' | 'reason'> {
  const { parts, retired, closes, possible } = plan
  return { contradictionId: row.contradiction_id, verdict, severity: row.severity, parts, retired, closes, possible }
}

export async function applyResolution(
  tx: TenantTransaction,
  stored: StoredScope,
  row: ContradictionRow,
  plan: ResolutionPlan,
  decided: { verdict: ResolutionAct; reason: string; by: string; round: number },
): Promise<void> {
  const { verdict, reason, by, round } = decided
  const why = `Decided by ${by}: ${reason}`
  const ends = plan.retired.map(({ claimNo, byClaimId }) => ({ claimNo, byClaimId, reason: why, round }))
  await endClaims(tx, stored, ends)
  await reviveClaims(tx, stored, numbersOf(plan.revived))
  if (verdict === 'reopen') await reopenContradictions(tx, stored, [row.contradiction_no])
  else
    await saveResolution(tx, stored, row.contradiction_no, {
      status: verdict === 'dismiss' ? 'dismissed' : 'resolved',
      resolution: { verdict, reason, by, resolved_at: stored.recordedAt, round, retired: plan.retiredIds },
    })
  await announceReopened(tx, stored, plan.reopens, round)
}

/** Contradictions that had closed themselves and have live claims on both sides again. */
export async function announceReopened(
  tx: TenantTransaction,
  stored: StoredScope,
  reopens: ResolutionPlan['reopens'],
  round: number,
): Promise<void> {
  if (reopens.length === 0) return
  const numbers = reopens.map(each => each.contradictionNo)
  await reopenContradictions(tx, stored, numbers)
  const reopened = reopens.map(({ contradictionId }) => ({
    type: 'contradiction.reopened',
    data: { scope_id: stored.scopeId, contradiction_id: contradictionId, round },
  }))
  await appendEvents(tx, stored, reopened)
}

/** Finds the contradiction, waits for its scope, and reads it again. A foreign one is not there. */
export async function lockContradiction(tx: TenantTransaction, contradictionId: string) {
  const found = isStorable(contradictionId) ? await findContradiction(tx, contradictionId) : null
  if (found === null) throw contradictionNotFound()
  const scope = await lockScopeByNo(tx, found.scope_no)
  const row = await findContradiction(tx, contradictionId)
  if (row === null) throw contradictionNotFound()
  return { scope, row }
}

export function idsOf(plan: ResolutionPlan): Record<string, unknown> {
  return { retired: plan.retired.map(each => each.claimId), revived: plan.revived.map(each => each.claim_id) }
}

async function readDecided(tx: TenantTransaction, scope: StoredScope, contradictionId: string) {
  const row = await findContradiction(tx, contradictionId)
  const [record] = row === null ? [] : await toContradictionRecords(tx, scope, [row])
  invariant(row !== null && record !== undefined, 'a contradiction disappeared while it was decided')
  return { row, record }
}

function contradictionNotFound(): AppError {
  return new AppError('CONTRADICTION_NOT_FOUND', { detail: 'The tenant has no contradiction with this id.' })
}
