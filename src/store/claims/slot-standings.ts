/** Slots as they stand, through the window that rounds look at them through. */

import { confidenceMicros } from '../../kernel/scores.js'
import type { SlotClaim, SlotStanding } from '../../kernel/slots.js'
import type { ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'
import { readCrowds, readLiveBySlots, windowClaims } from './claims.js'

/** The touched slots as they stand before the round. */
export async function readStandings(tx: Transaction, scope: ScopePlace, touched: readonly SlotClaim[]): Promise<SlotStanding[]> {
  const slotKeys = [...new Set(touched.map(claim => claim.slotKey))]
  const [live, crowds] = await Promise.all([readLiveBySlots(tx, scope, new Set(slotKeys)), readCrowds(tx, scope, slotKeys)])
  const claims = new Map<string, SlotClaim[]>()
  for (const { claimId, slotKey, confidence } of live) {
    claims.set(slotKey, [...(claims.get(slotKey) ?? []), { claimId, slotKey, micros: confidenceMicros(confidence) }])
  }
  const kept = new Map(crowds.map(crowd => [crowd.slotKey, crowd]))
  return slotKeys.map(slotKey => {
    const visible = claims.get(slotKey) ?? []
    const best = visible.reduce((most, claim) => Math.max(most, claim.micros), 0)
    // Kept figures count only while the slot is too crowded to be seen whole.
    const crowd = visible.length >= windowClaims ? kept.get(slotKey) : undefined
    return { slotKey, live: crowd?.live ?? visible.length, bestMicros: crowd?.bestMicros ?? best, claims: visible }
  })
}
