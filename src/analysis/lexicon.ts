/**
 * The words of the fields read most: ways to write the same thing, and words that qualify a value instead of naming it.
 * Phrases are matched on stems; the canonical form is a single term. A scope's glossary adds to it.
 */
import { nameTerms } from './slots.js'
import { SYNONYMS } from './synonyms.js'
import { stem } from './words.js'

/** Words that never tell two quantities of one document set apart. */
export const NEUTRAL = new Set(
  `total overall figure amount value level number count position current currently latest reported stated recorded actual actually
   aggregate sum full entire whole headline resulting corresponding respective said above below listed given new now today
   report note summary section document table result detail basis case item view assessment
   restated revised corrected updated amended recalculated recalibrated final finalised preliminary interim provisional adopted agreed
   previous previously prior original originally former formerly initial initially earlier old existing
   approved performed calculated computed measured observed achieved incurred lodged disclosed published declared documented registered
   approximate estimate estimated rounded precise exact correct true unchanged confirmed verified official
   management board company group business organisation organization entity firm
   period quarter year month end date time as-at asat day
   approx ca roughly certain specific relevant material key main principal
   remaining only additional own per n consolidated trajectory comparison overview history breakdown profile development highlight metric performance evolution
   reconciliation resulting finding conclusion executive analysis claim claims update background introduction`
    .split(/\s+/)
    .map(word => stem(word)),
)

/** Modifiers that are a basis of measurement: two values compare only when these agree. */
export const BASIS = new Set(
  `net gross adjusted audited unaudited standalone diluted basic proforma organic underlying statutory normalised normalized
   external annual annualised annualized monthly quarterly weekly daily average mean median peak cumulative blended weighted nominal real
   pretax posttax aftertax beforetax direct indirect fixed variable domestic foreign onshore offshore scope restricted unrestricted
   recurring nonrecurring deferred contingent billed unbilled committed uncommitted funded unfunded insured uninsured secured unsecured
   minimum maximum target planned budget forecast projected additional incremental marginal partial first second third last next
   male female adult paediatric pediatric national regional industry peer sector benchmark`
    .split(/\s+/)
    .map(word => stem(word)),
)

/** Head nouns so common that the word before them carries the meaning. */
export const GENERIC_HEADS = new Set(
  'total amount value number level figure rate ratio count sum date time period point position result percentage share proportion range cost charge case change increase decrease risk status data procedure instance occurrence'
    .split(/\s+/)
    .map(word => stem(word)),
)

/** Heads that only say a number follows: "SAE rate" and "SAE" in percent are one thing. */
export const EMPTY_HEADS = new Set(
  'rate ratio number count total amount value level figure percentage share proportion sum result case procedure instance occurrence quantity extent size'
    .split(' ')
    .map(word => stem(word)),
)

/** Heads that a unit says already: "volume of diesel" in litres, "stay in the dock" in days. */
export const BY_UNIT = new Set(
  'volume quantity extent size length duration area weight mass stay term span lasted'.split(' ').map(word => stem(word)),
)

interface AliasNode {
  next: Map<string, AliasNode>
  canonical: string | null
}

/** The shipped lexicon, which never changes, and what a scope adds; where both know a phrase, the scope's word counts. */
export interface AliasTable {
  shipped: AliasNode
  own: AliasNode | null
}

const node = (): AliasNode => ({ next: new Map(), canonical: null })

/** A phrase as the terms of a name are read: without function words, compounds taken apart, stems. */
const termsIn = (phrase: string): string[] => phrase.toLowerCase().split(/\s+/).flatMap(nameTerms)

function add(root: AliasNode, phrase: string, canonical: string): void {
  const terms = termsIn(phrase)
  // "Own funds" is read as "funds": a phrase that lost its meaning with a function word cannot be known again.
  if (terms.length < 2 && /\s/.test(phrase)) return
  let at = root
  for (const key of terms) {
    let next = at.next.get(key)
    if (!next) {
      next = node()
      at.next.set(key, next)
    }
    at = next
  }
  at.canonical = canonical
}

function shippedAliases(): AliasNode {
  const root = node()
  for (const phrases of SYNONYMS) {
    const canonical = termsIn(phrases[0]!).join('+')
    for (const phrase of phrases) add(root, phrase, canonical)
  }
  return root
}

const SHIPPED = shippedAliases()

/** The shipped lexicon, with a scope's own terms and definitions on top. */
export function aliasTable(extra: Iterable<readonly [phrase: string, canonical: string]> = []): AliasTable {
  const own = node()
  for (const [phrase, canonical] of extra) if (phrase.trim() && phrase.length <= 120) add(own, phrase.trim(), canonical)
  return { shipped: SHIPPED, own: own.next.size ? own : null }
}

/** The longest phrase that begins at the offset; null when none does. */
function aliasAt({ shipped, own }: AliasTable, terms: readonly string[], from: number): { canonical: string; length: number } | null {
  let a: AliasNode | undefined = shipped
  let b: AliasNode | undefined = own ?? undefined
  let found: { canonical: string; length: number } | null = null
  for (let j = from; j < terms.length && j < from + 6; j++) {
    a = a?.next.get(terms[j]!)
    b = b?.next.get(terms[j]!)
    if (!a && !b) break
    const canonical = b?.canonical ?? a?.canonical
    if (canonical) found = { canonical, length: j - from + 1 }
  }
  return found
}

/** Replaces known phrases in a sequence of stems by their canonical term, longest first; gives back the sequence itself when it has none. */
export function applyAliases(table: AliasTable, terms: readonly string[]): readonly string[] {
  let out: string[] | null = null
  for (let i = 0; i < terms.length; ) {
    const found = aliasAt(table, terms, i)
    if (found) {
      out ??= terms.slice(0, i)
      out.push(found.canonical)
      i += found.length
    } else {
      out?.push(terms[i]!)
      i++
    }
  }
  return out ?? terms
}

/** What the stem at an offset became: itself, or the term of the phrase it is part of. */
export function aliasOver(table: AliasTable, terms: readonly string[], at: number): string | undefined {
  for (let i = 0; i <= at; ) {
    const found = aliasAt(table, terms, i)
    if (found && i + found.length > at) return found.canonical
    i += found?.length ?? 1
  }
  return terms[at]
}
