/**
 * A person decides a contradiction. Recorded as a round and a decision, never deletes a claim, and reversible: deciding
 * again replaces the verdict before and revives the claims it had retired.
 */

import { invariant } from '../platform/errors.js'
import { endClaims } from '../store/claims/claims.js'
import { type ContradictionRow, findContradiction } from '../store/findings/findings.js'
import { reopenContradictions, reviveClaims, saveResolution } from '../store/findings/findings-resolution.js'
import type { StoredScope } from '../store/scopes/rounds.js'
import type { TenantTransaction } from '../store/server/database.js'
import { announceReopened, sayOfFinding, type Word } from './act.js'
import { numbersOf } from './claim-moves.js'
import { toContradictionRecords } from './contradictions.js'
import type { ScopesDeps } from './deps.js'
import type { Said } from './person.js'
import { noResolution, planResolution, type ResolutionPlan } from './resolution-plan.js'
import type { ReopenedContradiction, ResolutionAct, ResolutionResult, Verdict } from './types.js'

export interface ResolveInput extends Said {
  tenantId: string
  contradictionId: string
  verdict: Verdict
}

export function resolveContradiction(deps: ScopesDeps, input: ResolveInput): Promise<ResolutionResult> {
  return decide(deps, input) as Promise<ResolutionResult>
}

/** Takes back what a person decided: the contradiction is open again, and what the decision retired counts again. */
export function reopenContradiction(deps: ScopesDeps, input: Omit<ResolveInput, 'verdict'>): Promise<ReopenedContradiction> {
  return decide(deps, { ...input, verdict: 'reopen' }) as Promise<ReopenedContradiction>
}

const contradiction = { name: 'contradiction' as const, find: findContradiction, records: toContradictionRecords }

function decide(deps: ScopesDeps, input: Omit<ResolveInput, 'verdict'> & { verdict: ResolutionAct }) {
  const { contradictionId, verdict } = input
  return sayOfFinding(deps, contradiction, { ...input, findingId: contradictionId }, async (tx, stored, row) => {
    const word = await resolutionWord(tx, stored, row, input)
    const { retired: claims_retired, revived: claims_revived } = word.detail
    return {
      ...word,
      about: { contradiction_id: contradictionId, verdict },
      answer: verdict === 'reopen' ? { claims_revived } : { claims_retired, claims_revived },
    }
  })
}

/** A resolution that was held, as its round recorded it; rejected, it does nothing. */
export async function heldResolution(
  tx: TenantTransaction,
  stored: StoredScope,
  recorded: Record<string, unknown>,
  approved: boolean,
): Promise<Word> {
  const { contradiction_id: id, verdict, reason, by } = recorded as unknown as Decided & { contradiction_id: string }
  const row = await findContradiction(tx, id)
  invariant(row !== null, 'a held resolution is about a contradiction that is gone')
  return resolutionWord(tx, stored, row, { verdict, reason, by }, approved)
}

interface Decided {
  verdict: ResolutionAct
  reason: string
  by: string
}

async function resolutionWord(
  tx: TenantTransaction,
  stored: StoredScope,
  row: ContradictionRow,
  decided: Decided,
  approved = true,
): Promise<Word> {
  const { verdict } = decided
  const plan = approved ? await planResolution(tx, stored, row, verdict) : noResolution()
  const { parts, retired, revived, closes, possible } = plan
  return {
    round: { kind: 'resolution', contradictionId: row.contradiction_id, verdict, severity: row.severity, parts, retired, closes, possible },
    detail: { retired: retired.map(each => each.claimId), revived: revived.map(each => each.claim_id) },
    after: ({ round }) => applyResolution(tx, stored, row, plan, { ...decided, round }),
  }
}

async function applyResolution(
  tx: TenantTransaction,
  stored: StoredScope,
  row: ContradictionRow,
  plan: ResolutionPlan,
  { verdict, reason, by, round }: Decided & { round: number },
): Promise<void> {
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
