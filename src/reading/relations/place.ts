/**
 * Gives the claims of a document their place in the scope: the slot that says which fact a claim is about, and the words
 * under which its rivals are looked up. Nothing here depends on which documents came before.
 */

import { cut } from '../../platform/storable-text.js'
import { completeClaim, type ReadClaim, type Reading } from '../document/extract.js'
import { ALIAS, LABEL, type SaidWord, type Says, STATE, stemsOf } from '../document/says.js'
import type { DocumentFacts, Extraction, Glossary, PlacedClaim, Topic } from '../types.js'

const CONTEXT_TERMS = 4

export function placeClaims(args: {
  extraction: Extraction
  documentId: string
  revision: number
  name: string
  /** What its submitter says it is about. */
  about?: string | null
  glossary: Glossary
  claimId: (index: number) => string
}): { claims: (PlacedClaim & ReadClaim)[]; facts: DocumentFacts } {
  const { extraction, documentId, revision, name, about = null, glossary, claimId } = args
  const facts = factsOf(extraction.profile, { name, revision, about })
  const aliases = aliasesOf(glossary)
  const claims = extraction.claims.map((claim, index): PlacedClaim & ReadClaim => {
    const read = withAliases(completeClaim(claim), aliases)
    // In this order: with as many members behind what is spread, making the object costs eight times as much.
    return { claimId: claimId(index), documentId, revision, ...read, slotKey: slotOf(read), lookupKeys: termsOf(read.says, facts.topic) }
  })
  return { claims, facts }
}

/** What comparing needs to know of a document, from what it tells about itself. */
export function factsOf(
  profile: Partial<Reading['profile']>,
  { name, revision, about }: { name: string; revision: number; about: string | null },
): DocumentFacts {
  const { title = null, issuer = null, issuedOn = null, reference = null, version = null, kind = null, period = null } = profile
  const { supersedes = [], topic, named = [], corrects = false, reader, passages } = profile
  const facts = { title, name, issuer, issuedOn, reference, version, revision, kind, supersedes, corrects, named, period, about }
  return { ...facts, ...(topic && { topic }), ...(reader && { reader }), ...(passages !== undefined && { passages }) }
}

/** One fact of one subject at one time. */
function slotOf({ subjectKey, attributeKey, period, role, value }: ReadClaim): string {
  return cut(`${subjectKey}|${attributeKey}|${period?.label ?? ''}|${role}|${value.type}`, 240)
}

/**
 * Every word of the statement, and its label whole, so that a short one is found too. A claim is looked for and found by the same
 * words: so a pair is met whichever of the two came first.
 */
export function termsOf(says: Says, topic: Topic | undefined): string[] {
  const words = says.words.map(([stem]) => stem)
  const label = wholeTerm(says)
  // A short label is told of what stands above it.
  const above =
    says.kind !== 'sentence' && words.length < 4
      ? [...says.above.ids, ...says.above.names, ...(topic?.identifiers ?? []), ...(topic?.words ?? [])]
      : []
  return [...new Set([...(label === null ? [] : [label]), ...says.ids, ...words, ...above.slice(0, CONTEXT_TERMS)])]
}

/** Of a claim that was stored without them. */
export function lookupKeysOf(claim: PlacedClaim, { topic }: DocumentFacts): string[] {
  const { says } = claim as PlacedClaim & Partial<ReadClaim>
  return says === undefined ? [] : termsOf(says, topic)
}

/** A label whole, or a sentence of few words. */
function wholeTerm({ words, kind }: Says): string | null {
  const whole = kind === 'sentence' ? askedIn(words) : words.filter(([, flags]) => (flags & LABEL) !== 0)
  const stems = [...new Set(whole.map(([stem]) => stem))].sort()
  return stems.length === 0 || (kind === 'sentence' && stems.length > 2) ? null : cut(`=${stems.join(' ')}`, 80)
}

/** "The van was white" asks for the van, as a label does; in more words than that all of them are asked for. */
export const askedIn = (words: readonly SaidWord[]): readonly SaidWord[] =>
  words.length > 3 ? words : words.filter(([, flags]) => (flags & STATE) === 0)

/** How much it tells that two claims share a word; a whole label is enough by itself. */
export const weightOf = (term: string): number => (term.startsWith('=') ? LEAST_SHARED : 1)

/** What two claims must share at least for the one to be looked at. */
export const LEAST_SHARED = 2

/** How much each of the words tells under which the rivals of these claims are looked up. */
export function lookupWeights(claims: readonly PlacedClaim[]): [term: string, weight: number][] {
  return [...new Set(claims.flatMap(claim => claim.lookupKeys))].map(term => [term, weightOf(term)])
}

type Alias = { forms: string[]; stands: string[] }

/** What a scope's user says about words: every way to write a thing stands for the others. */
function aliasesOf(glossary: Glossary): Alias[] {
  const groups = [
    ...Object.entries(glossary.terms).map(([canonical, forms]) => [canonical, ...forms]),
    ...Object.entries(glossary.entities).map(([canonical, forms]) => [canonical, ...forms]),
  ]
  return groups
    .flatMap(forms =>
      forms.map(form => ({ forms: stemsOf(form), stands: [...new Set(forms.filter(other => other !== form).flatMap(stemsOf))] })),
    )
    .filter(({ forms }) => forms.length > 0)
}

/** Other ways to say what is said count as said; what they stand for is then shared. */
function withAliases(claim: ReadClaim, aliases: readonly Alias[]): ReadClaim {
  if (aliases.length === 0) return claim
  const { says } = claim
  const own = new Set([...says.words.map(([stem]) => stem), ...says.above.words])
  const further = aliases.filter(({ forms }) => forms.every(form => own.has(form))).flatMap(({ stands }) => stands)
  if (further.length === 0) return claim
  const added = [...new Set(further)].filter(stem => !says.words.some(([own]) => own === stem)).map((stem): SaidWord => [stem, ALIAS, stem])
  return { ...claim, says: { ...says, words: [...says.words, ...added] } }
}
