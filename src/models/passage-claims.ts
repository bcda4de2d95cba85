/**
 * Claims made of passages where a finding needs one: the claim that says the same there already, or a new one. Of the document
 * that is read they are added to its reading; of another one they are lent to it with the round that needs them.
 */
import { cut } from '../platform/storable-text.js'
import type { ClaimValue, ExtractedClaim } from '../reading/types.js'
import { searchWords } from './search-words.js'
import { findWords, type TypedValue, typedValue } from './typed-value.js'

export interface Passage {
  start: number
  end: number
  quote: string
  /** The words that differ; null for the whole passage. */
  words: string | null
  subject: string
  attribute: string
  year: number | null
  /** Of its words in a scan, how sure the least sure was, where one is in doubt. */
  recognised?: number | undefined
}

/** What is known of a claim that may be the one meant. */
export interface KnownClaim {
  start: number
  end: number
  value: ClaimValue
  valueText: string
}

const confidence = 0.85

/** Words that are not in the passage are none: it stands as a whole then. */
export function typedIn({ quote, words, year }: Pick<Passage, 'quote' | 'words' | 'year'>): TypedValue {
  return typedValue(quote, words, year) ?? (typedValue(quote, null, year) as TypedValue)
}

/** Which of these claims says what the passage says; of several the one that covers it best. */
export function claimAt<T extends KnownClaim>(claims: readonly T[], passage: Passage): T | null {
  const typed = typedIn(passage)
  const fitting = claims.filter(claim => says(claim, passage, typed))
  const shared = ({ start, end }: KnownClaim) => Math.min(end, passage.end) - Math.max(start, passage.start)
  return fitting.reduce<T | null>((best, each) => (best === null || shared(each) > shared(best) ? each : best), null)
}

function says(claim: KnownClaim, passage: Passage, typed: TypedValue): boolean {
  if (claim.start >= passage.end || passage.start >= claim.end) return false
  if (passage.words === null) return claim.start === passage.start && claim.end === passage.end && claim.value.type === 'boolean'
  if (claim.value.type === 'boolean') return typed.value.type === 'name' && covers(claim, passage)
  return findWords(claim.valueText, passage.words) !== null || findWords(passage.words, claim.valueText) !== null
}

/** The words that differ stand in the claim, which is not much longer than the passage. */
function covers(claim: KnownClaim, { start, end, quote, words }: Passage): boolean {
  const place = words === null ? null : findWords(quote, words)
  if (place === null || claim.end - claim.start > 2 * (end - start)) return false
  const at = start + [...quote.slice(0, place.start)].length
  return claim.start <= at && at + [...quote.slice(place.start, place.end)].length <= claim.end
}

export function claimOf(passage: Passage): ExtractedClaim {
  const { start, end, quote, subject, attribute, recognised } = passage
  const typed = typedIn(passage)
  const { value } = typed
  return ordered({
    start,
    end,
    quote,
    subject: cut(subject, 120),
    subjectKey: cut(searchWords(subject).join(' '), 120),
    attribute: cut(attribute, 120),
    attributeKey: cut([...new Set(searchWords(attribute))].sort().join(' '), 120),
    role: 'actual',
    unit: value.type === 'money' ? value.currency : value.type === 'percent' ? '%' : value.type === 'quantity' ? value.unit : null,
    period: null,
    polarity: typed.negated ? 'negated' : 'affirmed',
    value,
    valueText: cut(typed.text, 200),
    confidence: Math.min(confidence, recognised ?? 1),
    ...(recognised !== undefined && { recognised }),
  })
}

/** With its members in the order of their names: it is hashed as it is, and storage gives them back in an order of its own. */
export function ordered<T>(value: T): T {
  if (Array.isArray(value)) return value.map(ordered) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, member]) => [name, ordered(member)])) as T
}
