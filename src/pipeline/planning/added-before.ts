/**
 * What a model had added to the reading of a text, where it is read again and the model answers not at all or about some of its parts
 * only. The text is the same, so what was added is still in it; a whole answer alone takes its place. Claims that findings of later
 * documents made of its passages stay in any case: those findings hang on them.
 */

import { type FoundReading, type ModelRead, noReading } from '../../models/model-read.js'
import type { ExtractedClaim } from '../../reading/types.js'
import { toExtracted } from '../../store/claims/claims.js'
import type { AttachedFindings, FormerClaim } from '../../store/findings/attached-findings.js'
import { valueKey } from './carry-over.js'

/** With the claims that findings of later documents made of its passages. */
export interface Attached extends AttachedFindings {
  lent: ExtractedClaim[]
}

/**
 * What hangs on each run of its claims as one: first those of the reading itself, then those that are lent, which still count. Once it was
 * read again, what was lent is among those of the reading itself: it is known by the findings that hang on it, and that neither the rules
 * nor a model read it there.
 */
export function joinAttached([first, ...rest]: readonly AttachedFindings[], ruled: () => ExtractedClaim[]): Attached | null {
  if (first === undefined) return null
  const all = [first, ...rest]
  const attached = {
    former: all.flatMap(each => each.former),
    contradictions: once(all.flatMap(each => each.contradictions)),
    possible: once(all.flatMap(each => each.possible)),
    supersessions: once(all.flatMap(each => each.supersessions)),
    model: first.model,
  }
  const held = heldClaims(attached)
  // What a verdict ended is still what it is about: taken back, it counts again.
  const own = first.former.filter(row => held.has(row.claim_id))
  const lent = rest.flatMap(each => each.former).filter(row => row.ended === null || held.has(row.claim_id))
  if (own.length + lent.length === 0) return { ...attached, lent: [] }
  const extracted = (row: FormerClaim) => toExtracted(row, row.quote ?? '')
  const read = own.length === 0 ? [] : [...ruled(), ...addedBy(attached)]
  const isRead = (old: ExtractedClaim) => read.some(claim => isSuccessor(claim, old))
  return { ...attached, lent: [...lent.map(extracted), ...own.map(extracted).filter(claim => !isRead(claim))] }
}

/** Claims in findings of models and people. */
function heldClaims({ contradictions, possible, supersessions }: AttachedFindings): Set<string> {
  const members = [
    ...contradictions.filter(each => each.foundBy !== null || each.personal).flatMap(({ a, b }) => [...a, ...b]),
    ...possible.filter(each => each.foundBy !== null).flatMap(({ a, b }) => [a, b]),
    ...supersessions.filter(each => each.foundBy !== null).flatMap(({ claim, by }) => [claim, by]),
  ]
  return new Set(members.map(member => member.claimId))
}

function once<T extends { no: number }>(findings: readonly T[]): T[] {
  return [...new Map(findings.map(each => [each.no, each])).values()].sort((a, b) => a.no - b.no)
}

type Before = Pick<Attached, 'model' | 'lent'>

/** Without a new answer. Its links are findings by now. */
export function addedBefore(attached: Before | null): FoundReading | null {
  if (attached === null || (attached.model === null && attached.lent.length === 0)) return null
  return { ...noReading, foundBy: attached.model?.foundBy ?? '', added: [...addedBy(attached), ...attached.lent] }
}

/**
 * Those that the new answer lacks stand behind its own, for its links count claims by their place. One that overlaps and says the same
 * value is the successor by which findings go on (see `carry-over`).
 */
export function withAddedBefore(read: ModelRead, attached: Before | null): ModelRead {
  if (read.reading === null || attached === null) return read
  const { added } = read.reading
  const before = [...(read.outcome === 'answered' ? [] : addedBy(attached)), ...attached.lent]
  const lacking = before.filter(old => !added.some(claim => isSuccessor(claim, old)))
  return lacking.length === 0 ? read : { ...read, reading: { ...read.reading, added: [...added, ...lacking] } }
}

function addedBy({ model }: Pick<Before, 'model'>): ExtractedClaim[] {
  return (model?.added ?? []) as ExtractedClaim[]
}

function isSuccessor(claim: ExtractedClaim, old: ExtractedClaim): boolean {
  return claim.start < old.end && old.start < claim.end && valueKey(claim) === valueKey(old)
}
