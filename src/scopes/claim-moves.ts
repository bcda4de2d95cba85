/**
 * What follows when claims stop counting or count again by an act of a person: slots, contradictions and possible conflicts
 * that close or open by themselves. Reads only; the round decides whether it happens.
 */

import { closingFindings, closingPossible } from '../kernel/document-content.js'
import { type EffectParts, noParts } from '../kernel/effect.js'
import type { PossibleMoves } from '../kernel/round-types.js'
import { confidenceMicros } from '../kernel/scores.js'
import type { SlotClaim } from '../kernel/slots.js'
import { listTouched, type TouchedRow } from '../store/findings/findings-resolution.js'
import { readClosedPossible, readOpenPossible } from '../store/findings/possible-conflicts.js'
import type { StoredScope } from '../store/scopes/rounds.js'
import type { TenantTransaction } from '../store/server/database.js'
import { readStandings } from './act.js'

export interface MovedClaim {
  claim_no: number
  claim_id: string
  slot_key: string
  confidence: number
}

export interface ClaimMoves {
  parts: EffectParts
  /** Contradictions that lose the last live claim of a side. */
  closes: string[]
  /** Contradictions that had closed themselves and have live claims on both sides again. */
  reopens: { contradictionNo: number; contradictionId: string }[]
  possible: PossibleMoves
}

/** `except` are contradictions the act itself decides. */
export async function moveClaims(
  tx: TenantTransaction,
  stored: StoredScope,
  { ended, revived, except }: { ended: readonly MovedClaim[]; revived: readonly MovedClaim[]; except: ReadonlySet<number> },
): Promise<ClaimMoves> {
  const gone = ended.map(toSlotClaim)
  const back = revived.map(toSlotClaim)
  const touched = (await listTouched(tx, stored, numbersOf([...ended, ...revived]))).filter(each => !except.has(each.contradiction_no))
  const others = withRevived(touched, back)
  const closing = closingFindings(others.map(toStanding), gone, { supporters: [] })
  const goneIds = new Set(gone.map(claim => claim.claimId))
  const reopens = others.filter(each => each.status === 'resolved' && each.closed_itself && bothSidesLive(each, goneIds))
  const possible = await movePossible(tx, stored, { ended, revived })
  return {
    parts: {
      ...noParts(),
      slots: await readStandings(tx, stored, [...gone, ...back]),
      begun: back,
      ended: gone,
      closed: closing.map(each => each.severity),
      reopened: reopens.map(each => each.severity),
      possibleOpened: possible.reopens.length,
      possibleClosed: possible.closes.length,
    },
    closes: closing.map(each => each.contradictionId),
    reopens: reopens.map(each => ({ contradictionNo: each.contradiction_no, contradictionId: each.contradiction_id })),
    possible,
  }
}

async function movePossible(
  tx: TenantTransaction,
  stored: StoredScope,
  { ended, revived }: { ended: readonly MovedClaim[]; revived: readonly MovedClaim[] },
): Promise<PossibleMoves> {
  const open = await readOpenPossible(tx, stored, numbersOf(ended))
  const closed = await readClosedPossible(tx, stored, numbersOf(revived))
  const endedIds = ended.map(claim => ({ claimId: claim.claim_id }))
  const gone = new Set(ended.map(claim => claim.claim_id))
  const back = new Set(revived.map(claim => claim.claim_id))
  const counts = (id: string, live: boolean) => (live || back.has(id)) && !gone.has(id)
  return {
    closes: closingPossible(open, endedIds),
    reopens: closed.filter(each => counts(each.a, each.aLive) && counts(each.b, each.bLive)).map(each => each.possibleConflictId),
  }
}

export function numbersOf(claims: readonly Pick<MovedClaim, 'claim_no'>[]): number[] {
  return claims.map(claim => claim.claim_no)
}

function toSlotClaim({ claim_id, slot_key, confidence }: MovedClaim): SlotClaim {
  return { claimId: claim_id, slotKey: slot_key, micros: confidenceMicros(confidence) }
}

function withRevived(touched: readonly TouchedRow[], revived: readonly SlotClaim[]): TouchedRow[] {
  const back = new Set(revived.map(claim => claim.claimId))
  return touched.map(each => {
    const again = [...each.members_a, ...each.members_b].filter(id => back.has(id))
    return { ...each, live: [...each.live, ...again] }
  })
}

function toStanding(touched: TouchedRow) {
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
