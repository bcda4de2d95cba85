/**
 * What ties two statements of different wording together: the sums both cite, and what a statement is about, by the
 * noun before its verb or the thing it says is resolved.
 */
import { NEUTRAL } from './lexicon.js'
import { matchesOf, pattern } from './pattern.js'
import { contextTerms, termOf } from './slots.js'
import { isTopic } from './topics.js'
import { FUNCTION_WORDS, isNumeric, wordsOf } from './words.js'

const SUM =
  /(?:(?:EUR|USD|GBP|CHF|[€$£])\s?(\d[\d,.]*)\s?(bn|billion|m|million|k|thousand)?|(?<![\w.,])(\d[\d,.]*)\s?(bn|billion|million|%|MW|GWh|MWh))(?![\p{L}\d])/giu
const SCALE: Record<string, number> = { bn: 1e9, billion: 1e9, m: 1e6, million: 1e6, k: 1e3, thousand: 1e3 }

/** Sums cited in a text as marks: the same sum in two statements is a strong sign that they speak of one thing. */
export function sumsIn(text: string): string[] {
  const sums = new Set<string>()
  for (const match of matchesOf(SUM, text.slice(0, 600))) {
    const digits = (match[1] ?? match[3] ?? '').replace(/[.,]$/, '')
    const unit = (match[2] ?? match[4] ?? '').toLowerCase()
    const value = Number(digits.replace(/,/g, ''))
    if (!Number.isFinite(value) || digits.replace(/\D/g, '').length < 2) continue
    sums.add(`sum ${SCALE[unit] || !unit ? 'amount' : unit}:${Math.round(value * (SCALE[unit] ?? 1) * 1000) / 1000}`)
    if (sums.size >= 4) break
  }
  return [...sums]
}

export const isSum = (mark: string): boolean => mark.startsWith('sum ')

const ENDS = pattern(
  /\b(?:resolv(?:es|ed)|remediat(?:es|ed)|clos(?:es|ed)|withdr(?:aws|ew|awn)|address(?:es|ed)|eliminat(?:es|ed)|lift(?:s|ed)|rescind(?:s|ed)|mitigat(?:es|ed)|replac(?:es|ed)|supersed(?:es|ed)|settl(?:es|ed)|repeal(?:s|ed)|revok(?:es|ed)|correct(?:s|ed)|complet(?:es|ed)|conclud(?:es|ed))\s+(?:the\s|its\s|their\s|our\s|all\s|both\s)?([^.;:(]{3,120})/i,
)
/** "Internal Audit is satisfied that the gap is closed": who speaks is not what it is about. */
const SPEAKS = pattern(
  /^.{2,60}?\b(?:(?:is|are|was|were) (?:satisfied|confident|aware|pleased)|notes?|noted|confirms?|confirmed|considers?|believes?|reports?|reported|concludes?|concluded|finds?|found|understands?|states?|stated)\s(?:that|to report that)\s/i,
)
const PASSIVE = pattern(/\s(?:has|have|had|is|are|was|were|remains?|will|shall|must|can|cannot|could|may|does|do|did)\s/i)

/** "The risk identified in the technical report": where it was said is not what it is about. */
const RELATIVE = pattern(
  /\s(?:identified|reported|raised|noted|described|mentioned|found|observed|that|which|who|listed|flagged|documented|relating to)\s.*$/i,
)

/** Telling words of what a statement is about: what it ends, else what stands before its verb or colon. */
export function aboutOf(text: string): string[] {
  const bounded = SPEAKS.replace(text.slice(0, 300), '')
  const verb = PASSIVE.exec(bounded)
  const ends = ENDS.exec(bounded)
  const passive = ends !== null && /\b(?:been|is|are|was|were|be|being)\s(?:\p{L}+\s){0,2}$/iu.test(bounded.slice(0, ends.index))
  if (ends && !passive) {
    const object = ends[1]!.replace(/\s(?:by|through|with|via|following|after|on|as|in accordance)\s.*$/i, '')
    const found = matterIn(object)
    // "Norland concluded its review": who did it says which review.
    return found.length ? found : matterIn(`${bounded.slice(0, ends.index)} ${object}`)
  }
  const label = /^([^:—–]{3,90}?)\s?(?::|—|–)\s/.exec(bounded)
  const active = /\s[\p{Ll}-]{3,}ed\s/u.exec(bounded)
  const before =
    label && (!verb || label[0].length <= verb.index)
      ? label[1]!
      : verb
        ? bounded.slice(0, verb.index)
        : active
          ? bounded.slice(0, active.index)
          : ''
  return matterIn(RELATIVE.replace(before, ''))
}

/** The words that name a matter: plain ones count beside a telling one ("the mandate-based approach"). */
function matterIn(text: string): string[] {
  const terms = contextTerms(text, 10).filter(term => term.length > 2 && !NEUTRAL.has(term) && !/^\d/.test(term))
  return terms.some(isTopic) ? terms : []
}

function topicsIn(text: string): string[] {
  const terms = new Set<string>()
  for (const token of wordsOf(text)) {
    if (FUNCTION_WORDS.has(token.lower) || isNumeric(token.lower)) continue
    for (const term of termOf(token.lower)) if (isTopic(term)) terms.add(term)
  }
  return [...terms].slice(0, 8)
}

/** The words that can begin a part; most sentences have none. */
const BREAKING = pattern(/\b(?:but|while|whereas|although|though|however|yet|and (?:I|we|it|they|he|she|there|no|none|nothing|nobody))\b/)
const BREAKS =
  /;\s+|,\s+(?=(?:but|while|whereas|although|though|however|yet)\b)|\s+(?=(?:but|whereas|although|though)\s)|,?\s+(?=and\s(?:I|we|it|they|he|she|there|no|none|nothing|nobody)\s)|\s(?:—|–|--)\s/g

/** The parts of a sentence that each state something of their own: "approved, but unsigned". Short parts stay together. */
export function partsOf(sentence: string): string[] {
  if (!BREAKING.test(sentence) && !/[;—–]|--/.test(sentence)) return [sentence]
  const parts: string[] = []
  let from = 0
  for (const match of matchesOf(BREAKS, sentence)) {
    const part = sentence.slice(from, match.index)
    if (part.length < 24 || sentence.length - match.index - match[0].length < 16) continue
    parts.push(part)
    from = match.index + match[0].length
  }
  parts.push(sentence.slice(from))
  return parts
}

const POINTS_BACK = /^(?:and\s|but\s|however,?\s)?(?:this|these|it|they|both|such|that|all (?:of )?(?:these|them|two|three|four))\b/i

/** A part without a subject of its own: "but unsigned", "however are now blocked". */
const SUBJECTLESS =
  /^(?:but|yet|while|although|though|however|whereas)?,?\s*(?:\p{L}+ly\s|now\s|still\s|also\s|currently\s|as\s)?(?:un\p{L}+|not|never|no|[\p{Ll}]+ed|is|are|was|were|has|have|had|remains?|in|at|as|an?|pending|subject|without)\b/u

/** Telling words a statement takes over from what stands before it: "This was not included", "but unsigned". */
export function takenOver(text: string, before: string, part = false): string[] {
  return before && ((part && SUBJECTLESS.test(text)) || POINTS_BACK.test(text)) ? topicsIn(before.slice(0, 240)).slice(0, 6) : []
}
