/**
 * Two sentences in the same words but for a few, which one verb says of the same thing: "are copper and were fitted in 1988", "are galvanised steel and
 * were fitted in 1988". So much of the same wording shows that they speak of one thing, whatever its words are.
 */
import { ATTRIBUTIVE, type FrameWord, IS_VERB, NAME } from '../document/frames.js'
import { isSame, lemmaOf, NOUN, partOf } from '../words/dictionary.js'
import { FUNCTION_WORDS, NEGATION, PREPOSITION } from '../words/lists.js'
import { samePeriod } from './compare-values.js'
import type { Found } from './differences.js'
import type { StatementView } from './views.js'

const MOST_WORDS = 4
const LEAST_COMMON = 6
const BE = /^(?:is|are|was|were|be|been)$/
/** What stands between a verb and what it says. */
const LINK = /^(?:an?|the|its|as|only|every|in|on|at|to|into|from|by|with|under)$/
/** Asked of one word after the other, so it must not remember where it was. */
const DENIES = new RegExp(NEGATION.source, 'i')
const WHERE = /^(?:in|on|at|to|into|from|under)$/

export function twinDifference(s: StatementView, t: StatementView): Found | null {
  const [x, y] = [s.claim.told, t.claim.told]
  if (x === undefined || y === undefined || s.document === t.document) return null
  const shorter = Math.min(x.length, y.length)
  let from = 0
  while (from < shorter && x[from] === y[from]) from++
  let behind = 0
  while (behind < shorter - from && x.at(-1 - behind) === y.at(-1 - behind)) behind++
  const [left, right] = [x.slice(from, x.length - behind), y.slice(from, y.length - behind)]
  const longer = Math.max(left.length, right.length)
  if (left.length === 0 || right.length === 0 || longer > MOST_WORDS) return null
  if (from + behind < Math.max(LEAST_COMMON, 2 * longer) || isOtherTime(s, t) || saysSame(left, right)) return null
  const isAnswer = answers(s, x.slice(0, from), left) && answers(t, y.slice(0, from), right)
  const isHolder = from === 0 && isNamed(s, left) && isNamed(t, right) && isPost(x.slice(left.length))
  if (!isAnswer && !isHolder) return null
  return { kind: 'twin', a: left.join(' '), b: right.join(' '), left: framed(s, left), right: framed(t, right) }
}

/**
 * Words or a code behind the verb. What somebody has, plays or sells may be several things, and what is in a town is in its country:
 * those are no answers, and neither is who did what ("written by", "translated by"). Figures and what is denied are
 * compared by what they say.
 */
function answers(view: StatementView, before: readonly string[], words: readonly string[]): boolean {
  const isCode = words.length === 1 && [...view.identifiers].some(id => id === words[0] || id.endsWith(` ${words[0]}`))
  if (!isCode && words.some(word => /\d/.test(word) || DENIES.test(word) || PREPOSITION.test(word))) return false
  const isVerb = (word: string): boolean => BE.test(word) || framed(view, [word]).some(([, flags]) => (flags & IS_VERB) !== 0)
  let at = before.length - 1
  // "courtroom 3": of what it is the number.
  if (isCode && at >= 0 && !isVerb(before[at]!)) at--
  const link = at + 1
  while (at >= 0 && LINK.test(before[at]!)) at--
  if (at < 0 || !isVerb(before[at]!)) return false
  const isWhere = before.slice(at + 1, link).some(word => WHERE.test(word))
  if (isWhere) return !isNamed(view, words)
  const isSaidOf = BE.test(before[at]!) || (at > 0 && BE.test(before[at - 1]!))
  return isSaidOf || framed(view, words).some(([, flags]) => (flags & ATTRIBUTIVE) !== 0)
}

const framed = ({ frame }: StatementView, words: readonly string[]): FrameWord[] =>
  frame.words.filter(([own]) => words.some(word => own === word || own === lemmaOf(word)))

const isNamed = (view: StatementView, words: readonly string[]): boolean => framed(view, words).some(([, flags]) => (flags & NAME) !== 0)

/** "is class teacher of 4B": what one is without an article, one alone is. */
function isPost([verb, ...behind]: readonly string[]): boolean {
  const end = behind.findIndex(word => PREPOSITION.test(word))
  const post = behind.slice(0, end)
  return /^(?:is|was)$/.test(verb ?? '') && end > 0 && end < 4 && post.every(word => partOf(lemmaOf(word)) === NOUN)
}

function isOtherTime({ frame: a }: StatementView, { frame: b }: StatementView): boolean {
  return a.whens.join() !== b.whens.join() || a.dates.length !== b.dates.length || a.dates.some((day, at) => !samePeriod(day, b.dates[at]!))
}

/** One of them says what the other says, or something of it: "steel", "galvanised steel". */
function saysSame(left: readonly string[], right: readonly string[]): boolean {
  const lemmas = (words: readonly string[]): string[] =>
    words.filter(word => !FUNCTION_WORDS.has(word) || words.length === 1).map(word => lemmaOf(word))
  const [x, y] = [lemmas(left), lemmas(right)]
  return x.length === 0 || y.length === 0 || x.some(word => y.some(other => isSame(word, other)))
}
