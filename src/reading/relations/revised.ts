/**
 * What a new revision of a document makes of the claims of the one before, all of which end with it: each gives way to the claim that says
 * the same, also under another title; else to what is said in its place now, each to one of its own; else to nothing, and is withdrawn.
 */
import type { PlacedClaim } from '../types.js'

export interface Revised {
  old: PlacedClaim
  /** Null where the new revision simply no longer says it. */
  by: PlacedClaim | null
  /** Whether both say the same. */
  same: boolean
}

export function revisedClaims(before: readonly PlacedClaim[], claims: readonly PlacedClaim[]): Revised[] {
  const said = groupedBy(claims, sayingOf)
  const again = new Map(before.map(old => [old, nearest(old, said.get(sayingOf(old)))]))
  const taken = new Set(again.values())
  const changed = new Map<PlacedClaim, PlacedClaim>()
  const give = (old: PlacedClaim, by: PlacedClaim | undefined): void => {
    if (by === undefined) return
    changed.set(old, by)
    taken.add(by)
  }
  const unsaid = before.filter(old => again.get(old) === undefined)
  const inPlace = groupedBy(claims, placeOf)
  for (const old of unsaid)
    give(
      old,
      inPlace.get(placeOf(old))?.find(claim => !taken.has(claim)),
    )
  // Under another title only where there is no doubt which.
  const ofAttribute = groupedBy(claims, attributeOf)
  for (const [attribute, left] of groupedBy(
    unsaid.filter(old => !changed.has(old)),
    attributeOf,
  )) {
    const free = ofAttribute.get(attribute)?.filter(claim => !taken.has(claim)) ?? []
    const [old, by] = [left[0], free[0]]
    if (old !== undefined && left.length === 1 && free.length === 1) give(old, by)
  }
  return before.map(old => {
    const same = again.get(old)
    return { old, by: same ?? changed.get(old) ?? null, same: same !== undefined }
  })
}

const attributeOf = ({ attributeKey }: PlacedClaim): string => attributeKey
const placeOf = ({ subjectKey, attributeKey }: PlacedClaim): string => `${subjectKey}|${attributeKey}`

/** A sentence that is one claim says its words; of any other its value tells. */
function sayingOf({ attributeKey, role, polarity, unit, period, value, valueText }: PlacedClaim): string {
  const words = value.type === 'boolean' ? valueText.toLowerCase().replace(/\s+/gu, ' ') : null
  return JSON.stringify([attributeKey, role, polarity, unit, inOrder(period), inOrder(value), words])
}

/** What was stored may come back with its members in another order. */
function inOrder(of: object | null): [string, unknown][] {
  return Object.entries(of ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
}

function nearest(old: PlacedClaim, candidates: readonly PlacedClaim[] = []): PlacedClaim | undefined {
  return candidates.find(claim => claim.subjectKey === old.subjectKey) ?? candidates[0]
}

function groupedBy(claims: readonly PlacedClaim[], keyOf: (claim: PlacedClaim) => string): Map<string, PlacedClaim[]> {
  const groups = new Map<string, PlacedClaim[]>()
  for (const claim of claims) {
    const group = groups.get(keyOf(claim))
    if (group) group.push(claim)
    else groups.set(keyOf(claim), [claim])
  }
  return groups
}
