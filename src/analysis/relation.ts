/** What two claims are to each other, and what of their documents matters for it. */
import { entityKey, isOrganisationWord } from './entities.js'
import { related } from './names-alike.js'
import { overlaps } from './periods.js'
import type { DocumentFacts, PlacedClaim } from './types.js'

export type RelationKind = 'repeated' | 'refined' | 'evolving' | 'superseding' | 'contradicting' | 'unsure'

export interface Relation {
  kind: RelationKind
  /** Which of the two is superseded; only for superseding. */
  loser: 'old' | 'new'
  /** Larger is surer; ranks rivals for one winner. */
  weight: number
  reason: string
  /** The new claim cites the other's value, or the text sets the two against each other. */
  cites?: boolean
}

/** Makes a relation of two claims with the reason in words. */
export type Make = (kind: RelationKind, why: string, loser?: 'old' | 'new') => Relation

export interface Situation {
  sameDocument: boolean
  sameIssuer: boolean
  /** The new claim's document is the later one, or both have no date. */
  later: boolean
  oldDocument: DocumentFacts | null
  newDocument: DocumentFacts
  /** The new document says it replaces the old one. */
  replaces: boolean
}

/**
 * The subject carries a word only organisations carry, or one of the two documents names it as one. Documents of one issuer are
 * about the same organisation, whatever their titles say.
 */
export function isOrganisation({ subject, subjectKey }: PlacedClaim, s: Situation): boolean {
  if (s.sameIssuer) return false
  if (entityKey(subject) === subjectKey && isOrganisationWord(subject.slice(subject.lastIndexOf(' ') + 1))) return true
  return namesOrganisation(s.oldDocument, subjectKey) || namesOrganisation(s.newDocument, subjectKey)
}

function namesOrganisation(facts: DocumentFacts | null, key: string): boolean {
  for (const known of facts?.organisations ?? []) if (related(known, key)) return true
  return false
}

export function words(kind: string, a: PlacedClaim, b: PlacedClaim, detail: string): string {
  return `${kind}: "${a.valueText}" against "${b.valueText}" for ${b.attribute || 'the same thing'}; ${detail}`
}

/** Whether the words place the two in times that do not meet: "in 2019" against a report of 2025. */
export function atOtherTimes(a: PlacedClaim, b: PlacedClaim, s: Situation): boolean {
  const [x, y] = [a, b].map(({ hints, period }) => (hints?.['explicit'] === true ? period : null))
  if (x && y) return !overlaps(x, y)
  const [said, facts] = x ? [x, s.newDocument] : [y, s.oldDocument]
  return said !== null && said !== undefined && !!facts?.issuedOn && said.to <= facts.issuedOn.slice(0, 4)
}
