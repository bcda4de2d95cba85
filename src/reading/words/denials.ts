/**
 * What a statement denies: for every negation the word it bears on. A denial counts against another statement only where
 * that one says the denied word; "without any trouble" takes nothing back of the rest of a sentence.
 */
import { matchesOf } from '../matches.js'
import { NOUN, partOf, partsOf, VERB } from './dictionary.js'
import { NEGATION } from './lists.js'
import type { FoundNumber, Word } from './tokens.js'

/** Negations that limit or round off and deny nothing. */
const IDLE =
  /\b(?:not (?:only|just|least|merely)|(?:nobody|no[ -]?one|nothing|none|nowhere|anywhere) (?:else|other|but)|not anywhere else|no(?:t)? (?:later|earlier|sooner|more|fewer|less) than|no (?:doubt|matter|fewer|less|more)|not (?:more|less|fewer)|no hotter|nor)\b/gi
/** "Not closed again until 12:25" says when it was. */
const UNTIL = /^[^.;:]{0,80}\b(?:until|till)\b/
const OF_THINGS = /^(?:no|without|nil|zero|lacks?|lacked|absence of|free of)$/i
const END_OF_CLAUSE = /[.;:,]/

export interface Denial {
  /** Lemma of what is denied; empty where nothing is said behind it. */
  head: string
  /** A thing that there is none of, not something that is not so. */
  thing: boolean
  /** Lemmas that tell which of these things: there may be others. */
  kinds: string[]
}

export function denialsIn(text: string, words: readonly Word[], numbers: readonly FoundNumber[]): Denial[] {
  const isLimit = (at: number): boolean => numbers.some(({ start, negated }) => negated !== undefined && at >= negated && at < start)
  const negations = matchesOf(NEGATION, text)
  if (negations.length === 0) return []
  const idle = matchesOf(IDLE, text).map(match => [match.index, match.index + match[0].length] as const)
  const denied: Denial[] = []
  for (const match of negations) {
    const at = match.index
    const end = at + match[0].length
    if (isLimit(at) || idle.some(([from, to]) => at >= from && at < to)) continue
    if (UNTIL.test(text.slice(end))) continue
    const behind = words.filter(word => word.start >= end && !END_OF_CLAUSE.test(text.slice(end, word.start)))
    const single = !text.includes('single', end) ? null : /^\s(?:(?:\p{L}+\s){0,3}?an?\s)?single\s/u.exec(text.slice(end))
    const thing = OF_THINGS.test(match[0]) || single !== null
    const phrase = thing
      ? phraseOf(
          behind.filter(word => word.start >= end + (single?.[0].length ?? 0)),
          text,
        )
      : []
    const head = (thing ? phrase.at(-1) : actOf(behind))?.lemma ?? ''
    denied.push({
      head,
      thing: thing && head !== '' && !/^without$/i.test(match[0]),
      kinds: phrase.slice(0, -1).map(word => word.lemma),
    })
  }
  return denied
}

/** "known drug allergies": up to the noun that ends the phrase. */
function phraseOf(behind: readonly Word[], text: string): Word[] {
  const phrase: Word[] = []
  for (const word of behind) {
    const last = phrase.at(-1)
    if (last && !/^[\s-]*$/.test(text.slice(last.end, word.start))) break
    if (last && partOf(word.lemma) === VERB && partOf(last.lemma) === NOUN && word.form !== word.lemma) break
    phrase.push(word)
  }
  return phrase
}

/** What did not happen or is not so: adverbs and how it was are left out. */
function actOf(behind: readonly Word[]): Word | undefined {
  return behind.find(word => word.name || (partsOf(word.lemma) & 7) !== 0 || partsOf(word.lemma) === 0) ?? behind[0]
}
