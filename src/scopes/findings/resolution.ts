/**
 * A person decides a contradiction. Recorded as a round and a decision, never deletes a claim, and reversible: deciding
 * again replaces the verdict before and revives the claims it had retired.
 */

import { isDismissal, verdictOf } from '../../kernel/standing.js'
import { recordOf } from '../../kernel/standing-difference.js'
import { invalidMember, invariant } from '../../platform/errors.js'
import { reopenContradictions, saveResolution } from '../../store/findings/finding-rows.js'
import { type ContradictionRow, findContradiction } from '../../store/findings/findings.js'
import { nothingSettled, planSettling, queueSettled, type Settling, writeSettling } from '../../store/findings/settling.js'
import type { StoredScope } from '../../store/scopes/rounds.js'
import type { TenantTransaction } from '../../store/server/database.js'
import { overtaken, sayOfFinding, type Word } from '../act.js'
import type { ScopesDeps } from '../deps.js'
import type { Said } from '../person.js'
import type { ReopenedContradiction, ResolutionAct, ResolutionResult, Verdict } from '../types.js'
import { answering, requireAnswered } from './answered-word.js'
import { contradiction } from './contradictions.js'

export interface ResolveInput extends Said {
  tenantId: string
  contradictionId: string
  verdict: Verdict
  /** Of a clerical error, and of nothing else. */
  side?: 'a' | 'b' | undefined
}

export async function resolveContradiction(deps: ScopesDeps, input: ResolveInput): Promise<ResolutionResult> {
  if (input.verdict === 'clerical_error' && input.side === undefined) throw invalidMember('/side', 'is required: which side is the slip')
  if (input.verdict !== 'clerical_error' && input.side !== undefined) throw invalidMember('/side', 'belongs to `clerical_error` alone')
  return decide(deps, input) as Promise<ResolutionResult>
}

/** Takes back what a person decided: the contradiction is open again, and what the decision retired counts again. */
export function reopenContradiction(deps: ScopesDeps, input: Omit<ResolveInput, 'verdict' | 'side'>): Promise<ReopenedContradiction> {
  return decide(deps, { ...input, verdict: 'reopen' }) as Promise<ReopenedContradiction>
}

function decide(deps: ScopesDeps, input: Omit<ResolveInput, 'verdict'> & { verdict: ResolutionAct }) {
  const { contradictionId, verdict, side } = input
  return sayOfFinding(deps, contradiction, { ...input, findingId: contradictionId }, async (tx, stored, row) => {
    const word = await resolutionWord(tx, stored, row, input)
    const { retired: claims_retired, revived: claims_revived } = word.detail
    return {
      ...word,
      about: { contradiction_id: contradictionId, verdict, ...(side === undefined ? {} : { side }) },
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
  const { contradiction_id: id, verdict, side, reason, by } = recorded as unknown as Decided & { contradiction_id: string }
  const row = await findContradiction(tx, id)
  invariant(row !== null, 'a held resolution is about a contradiction that is gone')
  if (approved) requireAnswered(recorded, row.resolution)
  const word = await resolutionWord(tx, stored, row, { verdict, side, reason, by }, approved)
  // The round of a review has a verdict of its own.
  return approved ? { ...word, detail: { ...word.detail, contradiction_id: id, said: verdict } } : word
}

interface Decided {
  verdict: ResolutionAct
  side?: 'a' | 'b' | undefined
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
  const settling = approved ? await planResolution(tx, stored, row, decided) : nothingSettled()
  const { difference, parts, rereads } = settling
  const retired = difference.ended.map(({ claim: { claimId }, byClaimId }) => ({ claimId, byClaimId }))
  return {
    round: {
      kind: 'resolution',
      contradictionId: row.contradiction_id,
      verdict,
      severity: row.severity,
      parts,
      retired,
      closes: difference.closes.map(each => each.id),
      possible: difference.possible,
    },
    detail: { ...recordOf(difference), ...answering(row.resolution) },
    queues: rereads.length,
    apply: ({ round }) => applyResolution(tx, stored, row, settling, { ...decided, round }),
  }
}

/** The word is a fact; what counts follows from it. */
async function planResolution(
  tx: TenantTransaction,
  stored: StoredScope,
  row: ContradictionRow,
  { verdict, side, reason, by }: Decided,
): Promise<Settling> {
  refuseOvertaken(row, verdict)
  const no = row.contradiction_no
  const word = verdict === 'reopen' ? null : { verdict: verdictOf(verdict, side), at: (stored.kept.kept?.round ?? 0) + 1 }
  return planSettling(tx, stored, { claimNos: [], contradictionNos: [no] }, kept => ({
    ...kept,
    contradictions: kept.contradictions.map(each =>
      each.no === no ? { ...each, word, onRecord: false, why: `Decided by ${by}: ${reason}` } : each,
    ),
  }))
}

/** What a round has closed since, and what nobody has decided, is a conflict of states. */
function refuseOvertaken({ status, closed_itself: closedItself, resolution }: ContradictionRow, verdict: ResolutionAct): void {
  if (verdict !== 'reopen') {
    if (closedItself) throw overtaken('It closed automatically: one of its statements no longer counts.')
    return
  }
  if (status === 'open' && resolution === null) throw overtaken('The contradiction is open.')
  if (closedItself) throw overtaken('Nobody decided it: one of its statements no longer counts.')
}

async function applyResolution(
  tx: TenantTransaction,
  stored: StoredScope,
  row: ContradictionRow,
  settling: Settling,
  { verdict, side, reason, by, round }: Decided & { round: number },
): Promise<void> {
  const no = row.contradiction_no
  if (verdict === 'reopen') await reopenContradictions(tx, stored, [no])
  else
    await saveResolution(tx, stored, no, {
      status: isDismissal(verdict) ? 'dismissed' : 'resolved',
      resolution: {
        verdict,
        ...(side === undefined ? {} : { side }),
        ...{ reason, by, resolved_at: stored.recordedAt, round },
      },
    })
  await writeSettling(tx, stored, settling, { reason: 'What a person decided no longer lets it count.', round, told: new Set([no]) })
  await queueSettled(tx, stored, settling, {
    reason: 'Statements of it count again since a person decided, and other documents came meanwhile.',
  })
}
