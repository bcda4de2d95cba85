/**
 * What a person's verdict on a contradiction would do: which claims it retires, which claims of an earlier verdict it
 * revives, which other contradictions thereby close or open again. Reads only; the round decides whether it happens.
 */

import { closingFindings } from '../kernel/document-content.js'
import { type EffectParts, noParts } from '../kernel/effect.js'
import { confidenceMicros } from '../kernel/scores.js'
import type { SlotClaim } from '../kernel/slots.js'
import type { TenantTransaction } from '../store/database.js'
import type { ContradictionRow } from '../store/findings.js'
import { listMembers, listRevivable, listTouched, type MemberRow, type TouchedRow } from '../store/findings-resolution.js'
import type { StoredScope } from '../store/rounds.js'
import { readStandings } from './act.js'
import type { Verdict } from './findings-types.js'

export interface ResolutionPlan {
  parts: EffectParts
  retired: { claimNo: number; claimId: string; byClaimId: string | null }[]
  revived: { claimNo: number; claimId: string }[]
  /** Every claim that is retired under this verdict, by this act or by the one before it. */
  retiredIds: string[]
  /** Other contradictions that lose the last live claim of a side. */
  closes: string[]
  /** Contradictions that had closed themselves and have live claims on both sides again. */
  reopens: { contradictionNo: number; contradictionId: string }[]
}

export async function planResolution(
  tx: TenantTransaction,
  stored: StoredScope,
  row: ContradictionRow,
  verdict: Verdict,
): Promise<ResolutionPlan> {
  const members = row.reported === null ? await listMembers(tx, stored, row.contradiction_no) : []
  const revivable = new Set(await listRevivable(tx, stored, retiredBefore(row, members)))
  const holds = (member: MemberRow) => member.live || revivable.has(member.claim_no)
  const losing = members.filter(member => member.side === loserOf(verdict) && holds(member))
  const winner = winnerOf(members, verdict, holds)
  const losers = new Set(losing.map(member => member.claim_no))
  const retired = losing.filter(member => member.live)
  const revived = members.filter(member => !member.live && revivable.has(member.claim_no) && !losers.has(member.claim_no))
  const ended = retired.map(toSlotClaim)
  const begun = revived.map(toSlotClaim)
  const touched = await listTouched(
    tx,
    stored,
    [...retired, ...revived].map(member => member.claim_no),
  )
  const others = withRevived(
    touched.filter(each => each.contradiction_no !== row.contradiction_no),
    revived,
  )
  const closing = closingFindings(others.map(toStanding), ended, { supporters: [] })
  const gone = new Set(ended.map(claim => claim.claimId))
  const reopens = others.filter(each => each.status === 'resolved' && each.closed_itself && bothSidesLive(each, gone))
  return {
    parts: {
      ...noParts(),
      slots: await readStandings(tx, stored, [...ended, ...begun]),
      begun,
      ended,
      closed: [...(row.status === 'open' ? [row.severity] : []), ...closing.map(each => each.severity)],
      reopened: reopens.map(each => each.severity),
    },
    retired: retired.map(({ claim_no, claim_id }) => ({ claimNo: claim_no, claimId: claim_id, byClaimId: winner })),
    revived: revived.map(({ claim_no, claim_id }) => ({ claimNo: claim_no, claimId: claim_id })),
    retiredIds: losing.map(member => member.claim_id),
    closes: closing.map(each => each.contradictionId),
    reopens: reopens.map(each => ({ contradictionNo: each.contradiction_no, contradictionId: each.contradiction_id })),
  }
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

function loserOf(verdict: Verdict): 'a' | 'b' | null {
  return verdict === 'a' ? 'b' : verdict === 'b' ? 'a' : null
}

/** The claim that leads the winning side, or another one of it that holds. */
function winnerOf(members: readonly MemberRow[], verdict: Verdict, holds: (member: MemberRow) => boolean): string | null {
  const side = members.filter(member => member.side === verdict)
  const lead = side.find(member => member.lead)
  const best = lead !== undefined && holds(lead) ? lead : (side.find(holds) ?? lead)
  return best?.claim_id ?? null
}

function toSlotClaim(member: MemberRow): SlotClaim {
  return { claimId: member.claim_id, slotKey: member.slot_key, micros: confidenceMicros(member.confidence) }
}

function withRevived(touched: readonly TouchedRow[], revived: readonly MemberRow[]): TouchedRow[] {
  const back = new Set(revived.map(member => member.claim_id))
  return touched.map(each => {
    const again = [...each.members_a, ...each.members_b].filter(id => back.has(id))
    return { ...each, live: [...each.live, ...again] }
  })
}

export function toStanding(touched: TouchedRow) {
  const live = new Set(touched.live)
  return {
    contradictionId: touched.contradiction_id,
    status: touched.status,
    severity: touched.severity,
    a: { live: touched.members_a.filter(id => live.has(id)), more: false },
    b: { live: touched.members_b.filter(id => live.has(id)), more: false },
  }
}

function bothSidesLive(touched: TouchedRow, gone: ReadonlySet<string>): boolean {
  const holds = (id: string) => touched.live.includes(id) && !gone.has(id)
  return touched.members_a.some(holds) && touched.members_b.some(holds)
}
