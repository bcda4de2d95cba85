/**
 * What a person's verdict on a contradiction would do: which claims it retires, which claims of an earlier verdict it
 * revives, which other contradictions thereby close or open again. Reads only; the round decides whether it happens. What a
 * round has closed since, and what cannot be open again, is a conflict of states.
 */

import { noParts } from '../kernel/effect.js'
import { AppError } from '../platform/errors.js'
import type { ContradictionRow } from '../store/findings/findings.js'
import { listMembers, listRevivable, type MemberRow } from '../store/findings/findings-resolution.js'
import type { StoredScope } from '../store/scopes/rounds.js'
import type { TenantTransaction } from '../store/server/database.js'
import { type ClaimMoves, moveClaims } from './claim-moves.js'
import type { ResolutionAct } from './types.js'

export interface ResolutionPlan extends ClaimMoves {
  retired: { claimNo: number; claimId: string; byClaimId: string | null }[]
  revived: MemberRow[]
  /** Every claim that is retired under this verdict, by this act or by the one before it. */
  retiredIds: string[]
}

export async function planResolution(
  tx: TenantTransaction,
  stored: StoredScope,
  row: ContradictionRow,
  verdict: ResolutionAct,
): Promise<ResolutionPlan> {
  refuseOvertaken(row, verdict)
  const members = row.reported === null ? await listMembers(tx, stored, row.contradiction_no) : []
  const revivable = new Set(await listRevivable(tx, stored, retiredBefore(row, members)))
  const holds = (member: MemberRow) => member.live || revivable.has(member.claim_no)
  const isHeld = (side: 'a' | 'b') => members.some(member => member.side === side && holds(member))
  if (verdict === 'reopen' && row.reported === null && !(isHeld('a') && isHeld('b'))) {
    throw overtaken('One side has no claim that still counts.')
  }
  const losing = members.filter(member => member.side === loserOf(verdict) && holds(member))
  const winner = winnerOf(members, verdict, holds)
  const losers = new Set(losing.map(member => member.claim_no))
  const retired = losing.filter(member => member.live)
  const revived = members.filter(member => !member.live && revivable.has(member.claim_no) && !losers.has(member.claim_no))
  const moves = await moveClaims(tx, stored, { ended: retired, revived, except: new Set([row.contradiction_no]) })
  return {
    ...moves,
    parts: {
      ...moves.parts,
      closed: [...(row.status === 'open' && verdict !== 'reopen' ? [row.severity] : []), ...moves.parts.closed],
      reopened: [...(verdict === 'reopen' ? [row.severity] : []), ...moves.parts.reopened],
    },
    retired: retired.map(({ claim_no, claim_id }) => ({ claimNo: claim_no, claimId: claim_id, byClaimId: winner })),
    revived,
    retiredIds: losing.map(member => member.claim_id),
  }
}

function refuseOvertaken({ status, closed_itself: closedItself }: ContradictionRow, verdict: ResolutionAct): void {
  if (verdict !== 'reopen') {
    if (closedItself) throw overtaken('It closed automatically: one of its claims no longer counts.')
    return
  }
  if (status === 'open') throw overtaken('The contradiction is open.')
  if (closedItself) throw overtaken('Nobody decided it: one of its claims no longer counts.')
}

export function overtaken(detail: string): AppError {
  return new AppError('STATE_CONFLICT', { detail })
}

/** What a refused act does. */
export function noResolution(): ResolutionPlan {
  return { parts: noParts(), retired: [], revived: [], retiredIds: [], closes: [], reopens: [], possible: { closes: [], reopens: [] } }
}

/** Claims the verdict before this one retired, and that nothing else has ended since. */
function retiredBefore(row: ContradictionRow, members: readonly MemberRow[]): number[] {
  const { retired, round } = (row.resolution ?? {}) as { retired?: string[]; round?: number }
  const named = new Set(retired ?? [])
  return members.filter(member => named.has(member.claim_id) && !member.live && wasRetiredBy(member, round)).map(member => member.claim_no)
}

/** A verdict that repeats its predecessor's leaves claims retired by the round of the first. */
function wasRetiredBy(member: MemberRow, round: number | undefined): boolean {
  return member.superseded_round !== null && round !== undefined && member.superseded_round <= round
}

function loserOf(verdict: ResolutionAct): 'a' | 'b' | null {
  return verdict === 'a' ? 'b' : verdict === 'b' ? 'a' : null
}

/** The claim that leads the winning side, or another one of it that holds. */
function winnerOf(members: readonly MemberRow[], verdict: ResolutionAct, holds: (member: MemberRow) => boolean): string | null {
  const side = members.filter(member => member.side === verdict)
  const lead = side.find(member => member.lead)
  const best = lead !== undefined && holds(lead) ? lead : (side.find(holds) ?? lead)
  return best?.claim_id ?? null
}
