/**
 * Finds claims that are entries of a list: one document gives more values under one name than a thing can have, so its name
 * does not say which thing is meant and no entry may accuse another document.
 */
import { valueKey } from './compare.js'
import { isStatement } from './rivals.js'
import type { PlacedClaim } from './types.js'

const MAX_VALUES = 3

/** Whether a document says so much under one key that a name could have too many values: hardly any does. */
function crowdedIn(claims: readonly PlacedClaim[]): (claim: PlacedClaim) => boolean {
  const counts = new Map<string, Map<string, number>>()
  for (const { documentId, slotKey } of claims) {
    let slots = counts.get(documentId)
    if (!slots) {
      slots = new Map()
      counts.set(documentId, slots)
    }
    slots.set(slotKey, (slots.get(slotKey) ?? 0) + 1)
  }
  return ({ documentId, slotKey }) => counts.get(documentId)!.get(slotKey)! > MAX_VALUES
}

/** The ids of claims whose document gives their name more than three different values. */
export function listedIn(claims: readonly PlacedClaim[]): Set<string> {
  const slots = new Map<string, { values: Set<string>; ids: string[] }>()
  const crowded = crowdedIn(claims)
  for (const claim of claims) {
    if (isStatement(claim) || !crowded(claim)) continue
    const { hints } = claim
    const key = [
      claim.documentId,
      claim.slotKey,
      claim.attributeKey,
      claim.subjectKey,
      claim.role,
      claim.part ?? '',
      claim.period?.label ?? '',
      hints?.['marks'] ?? '',
      hints?.['above'] ?? '',
      hints?.['path'] ?? '',
    ].join('\u0000')
    const slot = slots.get(key) ?? { values: new Set(), ids: [] }
    slots.set(key, slot)
    slot.values.add(valueKey(claim.value))
    slot.ids.push(claim.claimId)
  }
  const listed = new Set<string>()
  for (const slot of slots.values()) if (slot.values.size > MAX_VALUES) for (const id of slot.ids) listed.add(id)
  return listed
}
