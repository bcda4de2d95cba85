/**
 * What narrows a statement: where, with whom, about what. "No leak was found in the eastern wing" does not deny one in the
 * western wing, while a named place may be one of those a general word speaks of.
 */
import { termOf } from './slots.js'
import { tag } from './tagging.js'
import type { View } from './view.js'
import { isNumeric, stem, type Token, tokenize } from './words.js'

const NARROWS = new Set('in at on about with for from between under to within near'.split(' '))
/** Of whichever: narrows nothing. */
const WHICHEVER = new Set('any all each every both no either this these that those our'.split(' '))
/** Times are compared elsewhere; the others belong to their verb. */
const IDLE = new Set(
  `january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday
   spring summer autumn winter year years quarter month months week weeks day days period time date night morning evening end beginning half
   writing place force effect line accordance order total full part addition particular general principle question respect use service operation compliance
   breach dispute file schedule hold site board fact detail person advance turn case connection relation view favour`
    .split(/\s+/)
    .filter(Boolean),
)

/** "in good condition" says how, not where. */
const STATES = new Set('condition order state shape repair'.split(' ').map(word => stem(word)))

const HAVE = new Set('has have had holds held owns owned carries carry carried contains contained'.split(' '))
const HOLDER = '='

interface Narrowing {
  words: string[]
  /** A name: one of several. */
  named: boolean
}

function phraseFrom(text: string, tokens: readonly Token[], from: number): Narrowing | null {
  if (WHICHEVER.has(tokens[from]?.lower ?? '')) return null
  const words: string[] = []
  let named = false
  for (let i = from; i < tokens.length && i < from + 5; i++) {
    const { lower, text: written } = tokens[i]!
    if (i > from && /[,.;:()]/.test(text.slice(tokens[i - 1]!.end, tokens[i]!.start))) break
    if (tag(lower) === 'D' && !words.length) continue
    if (tag(lower) !== 'N' || isNumeric(lower)) break
    if (!words.length && IDLE.has(lower)) return null
    if (!words.length) named = /^\p{Lu}/u.test(written)
    words.push(...termOf(lower).filter(term => term.length > 2))
  }
  return words.length && !STATES.has(words.at(-1)!) ? { words, named } : null
}

function narrowingsOf(text: string): ReadonlyMap<string, readonly Narrowing[]> {
  const found = new Map<string, Narrowing[]>()
  const tokens = tokenize(text.slice(0, 300))
  for (let i = 0; i < tokens.length - 1; i++) {
    const { lower } = tokens[i]!
    // Who has it.
    const holder = HAVE.has(lower) && i > 0 && i < 5 && !found.has(HOLDER) ? phraseFrom(text, tokens.slice(0, i), 0) : null
    if (holder) found.set(HOLDER, [holder])
    const phrase = NARROWS.has(lower) ? phraseFrom(text, tokens, i + 1) : null
    if (phrase) found.set(lower, [...(found.get(lower) ?? []), phrase])
  }
  return found
}

function differ(x: Narrowing, y: Narrowing, a: View, b: View): boolean {
  const onlyX = x.words.filter(term => !y.words.includes(term) && !b.context.has(term))
  const onlyY = y.words.filter(term => !x.words.includes(term) && !a.context.has(term))
  if (!onlyX.length || !onlyY.length || x.named !== y.named) return false
  // "the eastern wing" and "the western wing", or words that have nothing in common.
  return onlyX.length < x.words.length ? onlyY.length < y.words.length : onlyY.length === y.words.length
}

/** The one speaks only of what is within reach of something of which the other says nothing. */
export function narrowedBeyond(a: View, b: View): boolean {
  for (const [word, phrases] of a.ofQuote(narrowingsOf))
    if ((word === 'within' || word === 'near') && phrases.some(phrase => !phrase.words.some(term => b.context.has(term)))) return true
  return false
}

/** Both say where, with whom or about what by the same preposition, and mean different ones. */
export function narrowedApart(a: View, b: View): boolean {
  const left = a.ofQuote(narrowingsOf)
  if (!left.size) return false
  const right = b.ofQuote(narrowingsOf)
  for (const [word, phrases] of left) {
    const others = right.get(word)
    if (others && phrases.every(x => others.every(y => differ(x, y, a, b)))) return true
  }
  return false
}
