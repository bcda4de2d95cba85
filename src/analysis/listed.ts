/**
 * Finds claims that are entries of a list: one document gives more values under one name than a thing can have, so its name
 * does not say which thing is meant and no entry may accuse another document.
 */
import { valueKey } from './compare.js'
import { isStatement } from './rivals.js'
import type { PlacedClaim } from './types.js'

const MAX_VALUES = 3

/** The claims of documents that say so much under one key that a name could have too many values: hardly any does. */
function crowded(claims: readonly PlacedClaim[]): PlacedClaim[] {
  const slots = new Map<string, Map<string, PlacedClaim[]>>()
  for (const claim of claims) {
    if (isStatement(claim)) continue
    let ofDocument = slots.get(claim.documentId)
    if (!ofDocument) {
      ofDocument = new Map()
      slots.set(claim.documentId, ofDocument)
    }
    const slot = ofDocument.get(claim.slotKey)
    if (slot) slot.push(claim)
    else ofDocument.set(claim.slotKey, [claim])
  }
  return [...slots.values()].flatMap(ofDocument => [...ofDocument.values()].filter(slot => slot.length > MAX_VALUES)).flat()
}

/** The ids of claims whose document gives their name more than three different values. */
export function listedIn(claims: readonly PlacedClaim[]): Set<string> {
  const slots = new Map<string, { values: Set<string>; ids: string[] }>()
  for (const claim of crowded(claims)) {
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
