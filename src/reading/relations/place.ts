/**
 * Gives the claims of a document their place in the scope: the slot that says which fact a claim is about, and the rare
 * words under which its rivals are looked up. Nothing here depends on which documents came before.
 */

import { cut } from '../../platform/storable-text.js'
import { completeClaim } from '../document/complete-claim.js'
import type { ReadClaim, Reading } from '../document/extract.js'
import { NAME } from '../document/frames.js'
import type { DocumentFacts, Extraction, Glossary, PlacedClaim } from '../types.js'
import { lemmaOf, rarity } from '../words/dictionary.js'
import { termWeight } from './vocabulary.js'

const TERMS = 8
const CONTEXT_TERMS = 3
/** Nearly every document has a word below it. */
const COMMON = 0.75

export function placeClaims(args: {
  extraction: Extraction
  documentId: string
  revision: number
  name: string
  glossary: Glossary
  claimId: (index: number) => string
}): { claims: (PlacedClaim & ReadClaim)[]; facts: DocumentFacts } {
  const { extraction, documentId, revision, name, glossary, claimId } = args
  const facts = factsOf(extraction.profile, { name, revision })
  const aliases = aliasesOf(glossary, extraction.profile.definitions)
  const claims = extraction.claims.map((claim, index): PlacedClaim & ReadClaim => {
    const read = withAliases(completeClaim(claim), aliases)
    // In this order: with as many members behind what is spread, making the object costs eight times as much.
    return { claimId: claimId(index), documentId, revision, ...read, slotKey: slotOf(read), lookupKeys: termsOf(read, facts) }
  })
  return { claims, facts }
}

/** What comparing needs to know of a document, from what it tells about itself. */
export function factsOf(profile: Partial<Reading['profile']>, { name, revision }: { name: string; revision: number }): DocumentFacts {
  const {
    title = null,
    issuer = null,
    issuedOn = null,
    reference = null,
    version = null,
    kind = null,
    supersedes = [],
    topic,
    named = [],
    corrects = false,
    period = null,
    reader,
  } = profile
  const facts = { title, name, issuer, issuedOn, reference, version, revision, kind, supersedes, corrects, named, period }
  return { ...facts, ...(topic && { topic }), ...(reader && { reader }) }
}

/** One fact of one subject at one time. */
function slotOf({ subjectKey, attributeKey, period, role, value }: ReadClaim): string {
  return cut(`${subjectKey}|${attributeKey}|${period?.label ?? ''}|${role}|${value.type}`, 240)
}

/** The rarest words and identifiers of the statement; of a bare label also what stands above it. */
function termsOf({ frame }: ReadClaim, facts: DocumentFacts): string[] {
  const weigh = (lemma: string, name: boolean): number => (/\d/.test(lemma) ? 6 : name ? Math.max(4, rarity(lemma)) : rarity(lemma))
  const own = new Map<string, number>()
  for (const [lemma, flags] of frame.words) if (lemma.length > 1) own.set(lemma, weigh(lemma, (flags & NAME) !== 0))
  for (const id of frame.identifiers) own.set(id, 6)
  const rarest = [...own]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, TERMS)
    .map(([term]) => term)
  if (frame.kind === 'sentence' && rarest.length > 4) return rarest
  const above = [
    ...frame.above.identifiers,
    ...frame.above.names,
    ...(facts.topic?.identifiers ?? []),
    ...(facts.topic?.names ?? []),
  ].filter(term => term.length > 1 && !rarest.includes(term))
  return [...rarest, ...[...new Set(above)].slice(0, CONTEXT_TERMS)]
}

/** How much each of the words tells under which the rivals of these claims are looked up. */
export function lookupWeights(claims: readonly PlacedClaim[]): [term: string, weight: number][] {
  return [...new Set(claims.flatMap(claim => claim.lookupKeys))].map(term => [term, termWeight(term)])
}

/** Every word a claim can be found by: those of its statement, and those its rivals are looked up by. */
export function findableTerms(claim: PlacedClaim): string[] {
  const { frame } = claim as PlacedClaim & Partial<ReadClaim>
  const own = frame?.words.map(([lemma]) => lemma).filter(lemma => lemma.length > 1 && rarity(lemma) >= COMMON) ?? []
  return [...new Set([...own, ...(frame?.identifiers ?? []), ...claim.lookupKeys])]
}

type Alias = { forms: string[]; stands: string[] }

/** What a scope's user or the document itself says about words: every way to write a thing stands for the others. */
function aliasesOf(glossary: Glossary, definitions: Record<string, string>): Alias[] {
  const lemmas = (text: string): string[] => (text.match(/\p{L}[\p{L}'’-]*/gu) ?? []).map(word => lemmaOf(word))
  const groups = [
    ...Object.entries(glossary.terms).map(([canonical, forms]) => [canonical, ...forms]),
    ...Object.entries(glossary.entities).map(([canonical, forms]) => [canonical, ...forms]),
    ...Object.entries(definitions).map(([short, long]) => [short, long]),
  ]
  return groups
    .flatMap(forms =>
      forms.map(form => ({ forms: lemmas(form), stands: [...new Set(forms.filter(other => other !== form).flatMap(lemmas))] })),
    )
    .filter(({ forms }) => forms.length > 0)
}

/** Other ways to say what is said stand above the statement: they cover what the other side says, and ask for nothing. */
function withAliases(claim: ReadClaim, aliases: readonly Alias[]): ReadClaim {
  if (aliases.length === 0) return claim
  const own = new Set([...claim.frame.words.map(([lemma]) => lemma), ...claim.frame.above.words])
  const further = aliases.filter(({ forms }) => forms.every(form => own.has(form))).flatMap(({ stands }) => stands)
  if (further.length === 0) return claim
  const { above } = claim.frame
  return { ...claim, frame: { ...claim.frame, above: { ...above, words: [...new Set([...above.words, ...further])] } } }
}
