/** Passages a model quotes as claims of the document: the claim of the rules that says the same there, or one that is added. */
import { cut } from '../platform/storable-text.js'
import type { ExtractedClaim, Period } from '../reading/types.js'
import type { LocatedQuote } from './quotes.js'
import { searchWords } from './search-words.js'
import { findWords, type TypedValue } from './typed-value.js'

export interface Passage {
  place: LocatedQuote
  typed: TypedValue
  /** The words of the value as the model gave them. */
  words: string | null
  subject: string
  attribute: string
}

/** Of one document; more than that adds nothing a person would read. */
const mostAdded = 60
const addedConfidence = 0.85

export function ownClaims(rules: readonly ExtractedClaim[]) {
  const added: ExtractedClaim[] = []
  return {
    added,
    /** Never the claim of number `besides`: two sides of one sentence are two claims. Null when there are too many already. */
    claimOf(passage: Passage, besides: number | null = null): { index: number; period: Period | null } | null {
      const all = [...rules, ...added]
      const same = all.findIndex((claim, index) => index !== besides && isSame(claim, passage))
      if (same >= 0) return { index: same, period: all[same]?.period ?? null }
      if (added.length >= mostAdded) return null
      added.push(newClaim(passage))
      return { index: all.length, period: null }
    },
  }
}

/** The same passage once: what overlaps and gives the value, or, where the passage is itself what is said, covers it. */
function isSame(claim: ExtractedClaim, { place, typed, words }: Passage): boolean {
  if (!overlaps(claim, place)) return false
  if (words === null) return claim.value.type === 'boolean' || claim.quote === place.quote
  if (claim.value.type === 'boolean') return claim.quote.length <= 2 * place.quote.length && typed.value.type === 'name'
  return findWords(claim.valueText, words) !== null || findWords(words, claim.valueText) !== null
}

function overlaps(claim: Pick<ExtractedClaim, 'start' | 'end'>, place: Pick<LocatedQuote, 'start' | 'end'>): boolean {
  return claim.start < place.end && place.start < claim.end
}

function newClaim({ place, typed, subject, attribute }: Passage): ExtractedClaim {
  const { value, negated } = typed
  return {
    ...place,
    subject: cut(subject, 120),
    subjectKey: cut(searchWords(subject).join(' '), 120),
    subjectCertain: subject !== '',
    attribute: cut(attribute, 120),
    attributeKey: cut([...new Set(searchWords(attribute))].sort().join(' '), 120),
    role: 'actual',
    basis: [],
    part: null,
    unit: value.type === 'money' ? value.currency : value.type === 'percent' ? '%' : value.type === 'quantity' ? value.unit : null,
    period: null,
    polarity: negated ? 'negated' : 'affirmed',
    modality: 'fact',
    value,
    valueText: cut(typed.text, 200),
    confidence: addedConfidence,
    stance: { disputes: false, corrects: false, echoes: false, supersedes: false },
  }
}
