/**
 * Slots: what a round does to the live claims of the slots it touches, in figures that add up. Only the touched slots
 * are looked at, so a round costs the same in a large scope as in a small one.
 *
 * A slot with more live claims than are handed in is `crowded`: `live` and `bestMicros` come from what was kept, and
 * when its best claim ends, the best of what is visible takes its place.
 */

export interface SlotClaim {
  claimId: string
  slotKey: string
  /** `confidenceMicros` of the claim's confidence. */
  micros: number
}

export interface SlotStanding {
  slotKey: string
  live: number
  /** Of the best live claim; 0 when there is none. */
  bestMicros: number
  /** The newest live claims; all of them unless the slot is crowded. */
  claims: readonly SlotClaim[]
}

export interface SlotMove {
  claimsLive: number
  slotsLive: number
  bestConfidenceMicros: number
  slotsAdded: number
  slotsDropped: number
  /** Every touched slot as it stands afterwards; figures only. */
  after: { slotKey: string; live: number; bestMicros: number }[]
}

/**
 * `ended` are claims that stop being live, among them claims of `begun` that another claim of the same round retires.
 * Slots missing from `before` were empty.
 */
export function moveSlots(before: readonly SlotStanding[], begun: readonly SlotClaim[], ended: readonly SlotClaim[]): SlotMove {
  const standings = new Map(before.map(slot => [slot.slotKey, slot]))
  const begunBySlot = groupBySlot(begun)
  const endedBySlot = groupBySlot(ended)
  const move: SlotMove = { claimsLive: 0, slotsLive: 0, bestConfidenceMicros: 0, slotsAdded: 0, slotsDropped: 0, after: [] }
  for (const slotKey of new Set([...begunBySlot.keys(), ...endedBySlot.keys()])) {
    const standing = standings.get(slotKey) ?? { slotKey, live: 0, bestMicros: 0, claims: [] }
    const after = moveSlot(standing, begunBySlot.get(slotKey) ?? [], endedBySlot.get(slotKey) ?? [])
    move.after.push(after)
    move.claimsLive += after.live - standing.live
    move.bestConfidenceMicros += after.bestMicros - standing.bestMicros
    if (standing.live === 0 && after.live > 0) move.slotsAdded++
    if (standing.live > 0 && after.live === 0) move.slotsDropped++
  }
  move.slotsLive = move.slotsAdded - move.slotsDropped
  return move
}

function moveSlot(standing: SlotStanding, begun: readonly SlotClaim[], ended: readonly SlotClaim[]) {
  const gone = new Set(ended.map(claim => claim.claimId))
  const live = Math.max(0, standing.live + begun.length - ended.length)
  const visible = [...standing.claims, ...begun].filter(claim => !gone.has(claim.claimId))
  const best = visible.reduce((most, claim) => Math.max(most, claim.micros), 0)
  const crowded = standing.live > standing.claims.length
  const bestEnded = ended.some(claim => claim.micros >= standing.bestMicros)
  const bestMicros = live === 0 ? 0 : crowded && !bestEnded ? Math.max(standing.bestMicros, best) : best
  return { slotKey: standing.slotKey, live, bestMicros }
}

function groupBySlot(claims: readonly SlotClaim[]): Map<string, SlotClaim[]> {
  const groups = new Map<string, SlotClaim[]>()
  for (const claim of claims) {
    const group = groups.get(claim.slotKey)
    if (group) group.push(claim)
    else groups.set(claim.slotKey, [claim])
  }
  return groups
}
