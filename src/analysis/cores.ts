/**
 * The core of a statement: what is so or not so of what ("the seals were intact", "records are missing"). Opposite words
 * count as a denial, and what was done counts the same as noun and as verb: "no inspection of the hull took place".
 */

import { EVENTS, NOMINALS, thingOf } from './nominals.js'
import { hasOpposite, meaningOf, phraseAt } from './opposites.js'
import { MEASURE_WORDS, termOf } from './slots.js'
import { tag } from './tagging.js'
import { isTopic } from './topics.js'
import { unitOf } from './units.js'
import { actOf, isPast } from './verbs.js'
import { AUXILIARIES, COUNTS, isNumeric, isShouting, stem, type Token } from './words.js'

export interface Core {
  head: string
  /** Further words of what the statement is about. */
  about: string[]
  predicate: string
  negated: boolean
  /** "No passwords were stolen": of none of them. */
  none?: boolean
  /** "All pumps are tested": of every one; "nine of the ten pumps": of some and not of others. */
  whole?: boolean
  part?: boolean
  /** Who acts, where that is said; empty when it is not known. */
  agent?: string[]
}

const DENIES = new Set(['not', 'never', "n't"])
const JOINS = new Set(['that', 'which', 'who', 'if', 'whether', 'when', 'because', 'unless', 'and', 'but', 'while'])
const SAYS = new Set(['following', 'there', 'it', 'this', 'these'])
/** Documents that only carry what is said, unless something tells which. */
const CARRIES = new Set(['report', 'note', 'section', 'document', 'table'])

/** Where the verb of "X is Y" stands; -1 when there is none. */
function verbAt(tokens: readonly Token[]): number {
  const found = tokens.findIndex(
    (token, i) =>
      i > 0 && AUXILIARIES.has(token.lower) && !/^(?:do|does|did|will|would|shall|should|can|could|may|might|must)$/.test(token.lower),
  )
  return found > 14 ? -1 : found
}

/** The core of a part of a sentence; null when no plain "X is Y" stands in it. */
export function coreOf(text: string, tokens: readonly Token[]): Core | null {
  const verb = verbAt(tokens)
  if (verb < 1) return null
  let k = verb
  // "must not be used", "cannot be read", "will never be paid".
  let negated = /^(?:not|never|cannot)$/.test(tokens[verb - 1]!.lower)
  while (k < tokens.length && isHelping(tokens, k)) {
    if (DENIES.has(tokens[k]!.lower)) negated = true
    if (tokens[k]!.lower === 'no' && tokens[k + 1]?.lower === 'longer') negated = true
    k++
  }
  k += judgedBy(tokens, k)
  // "is four months behind schedule", "was eleven days late"
  if (
    tokens[k + 2] &&
    (isNumeric(tokens[k]!.lower) || COUNTS.has(tokens[k]!.lower)) &&
    (phraseAt(tokens, k + 2) || hasOpposite(tokens[k + 2]!.lower))
  )
    k += 2
  const said = tokens[k]
  const next = tokens[k + 1]
  const loud = said !== undefined && isShouting(said.text) && (isPast(said.lower) || hasOpposite(said.lower))
  if (!said || isNumeric(said.lower) || !(loud || /^[a-z]/.test(said.text))) return null
  const before = behindOpening(text, tokens.slice(0, verb))
  const state = stateAt(tokens, k)
  if (state) {
    const subject = (state.predicate === PUNCTUAL ? nominal(before) : null) ?? subjectOf(before)
    if (!subject) return null
    const { head, about } = subject
    return { head, about, predicate: state.predicate, negated: (negated || isNone(before)) !== state.negated }
  }
  // "Four entries are missing from the register": that is not complete.
  if (MISSES.has(said.lower) && next?.lower === 'from' && !negated) {
    const whole = subjectOf(tokens.slice(k + 2, k + 8))
    if (whole) return { ...whole, predicate: 'complete', negated: true }
  }
  const second = secondOf(tokens, k) ?? without(tokens, k)
  if (second) return saidOf(before, second, true)
  // "is a contract": a noun is no state; "was released on" and "is complete." are.
  const plain = tag(said.lower) === 'N' || tag(said.lower) === 'X'
  const ends = !next || /[,.;:()]/.test(text.slice(said.end, next.start))
  if (!plain || (!ends && tag(next.lower) === 'N' && !WHEREABOUTS.has(next.lower) && !/(?:ed|en|wn)$/.test(said.lower))) return null
  // "was not signed by the tenant": perhaps by another.
  if (negated && !BEFALLEN.has(said.lower) && tokens[k + 1]?.lower === 'by' && tag(tokens[k + 2]?.lower ?? '') === 'D') {
    const who = subjectOf(phraseFrom(text, tokens, k + 2))
    const core = who ? saidOf(before, said.lower, negated) : null
    return core && who ? { ...core, agent: [BY, who.head, ...who.about] } : null
  }
  if (negated && tokens[k + 2]?.lower === 'by' && PERFORMS.has(said.lower)) return null
  return saidOf(before, said.lower, negated)
}

/** Marks whoever did not do it where that is all that is denied. */
const BY = '=by'

function phraseFrom(text: string, tokens: readonly Token[], from: number): readonly Token[] {
  let to = from
  while (
    to < tokens.length &&
    to < from + 6 &&
    /^[ND]$/.test(tag(tokens[to]!.lower)) &&
    !(to > from && /[,.;:()]/.test(text.slice(tokens[to - 1]!.end, tokens[to]!.start)))
  )
    to++
  return tokens.slice(from, to)
}

const OPENS = new Set(
  'along with in on at for from by after since under during despite following before until within according based due given having upon without although though while'.split(
    ' ',
  ),
)

/** "With the new study, a filter is required": the subject stands behind what opens the sentence. */
export function behindOpening(text: string, before: readonly Token[]): readonly Token[] {
  if (!OPENS.has(before[0]?.lower ?? '')) return before
  for (let i = before.length - 1; i > 0; i--) if (text.slice(before[i - 1]!.end, before[i]!.start).includes(',')) return before.slice(i)
  // "In the spring of 2030 the boat was lent": a noun phrase behind another.
  for (let i = before.length - 1; i > 1; i--) {
    if (!ARTICLES.has(before[i]!.lower)) continue
    const last = before[i - 1]!.lower
    if (isNumeric(last) || MONTHS.has(last) || (tag(last) === 'N' && !ARTICLES.has(last))) return before.slice(i)
  }
  return before
}
const ARTICLES = new Set('the a an no all its their his her our'.split(' '))

/** Auxiliaries, adverbs and denials between the subject and what is said of it. */
function isHelping(tokens: readonly Token[], at: number): boolean {
  const { lower } = tokens[at]!
  if (AUXILIARIES.has(lower) || DENIES.has(lower) || ADVERBS.has(lower)) return true
  return tag(lower) === 'A' && phraseAt(tokens, at) === null
}

/** "was found to be broken", "is regarded as broken", "was found broken": how many words only say who thinks so. */
function judgedBy(tokens: readonly Token[], at: number): number {
  if (!JUDGED.has(tokens[at]?.lower ?? '')) return 0
  const next = tokens[at + 1]?.lower ?? ''
  if (next === 'as') return 2
  if (next === 'to' && tokens[at + 2]?.lower === 'be') return 3
  return hasOpposite(next) ? 1 : 0
}

/** A phrase that says how something is: "in good order", "out of service". */
function stateAt(tokens: readonly Token[], at: number): { predicate: string; negated: boolean } | null {
  const condition = tokens[at]!.lower === 'in' ? CONDITION.get(tokens[at + 1]?.lower ?? '') : undefined
  if (condition !== undefined && /^(?:condition|order|repair|state|shape)$/.test(tokens[at + 2]?.lower ?? ''))
    return { predicate: 'condition', negated: condition }
  // "were delivered seven weeks late".
  const delay = isPast(tokens[at]!.lower) && tokens[at + 3]?.lower === 'late' && unitOf(tokens[at + 2]!.lower) !== null
  if (delay) return { predicate: PUNCTUAL, negated: true }
  const late = isPast(tokens[at]!.lower) ? WHEN.get(tokens[at + 1]?.lower ?? '') : undefined
  if (late !== undefined) return { predicate: PUNCTUAL, negated: late }
  return phraseAt(tokens, at) ?? (at + 1 < tokens.length ? besides(tokens, at + 1) : null)
}

/** "will be carried out free of charge", "were delivered on time": that is what is said, not that it is done. */
function besides(tokens: readonly Token[], at: number): { predicate: string; negated: boolean } | null {
  for (let i = at; i < tokens.length && i < at + 3; i++) {
    const { lower } = tokens[i]!
    if (lower === 'free' || lower === 'at' || lower === 'within' || (lower === 'on' && tokens[i + 1]?.lower === 'time'))
      return phraseAt(tokens, i)
  }
  return null
}

/** "was drafted but never sent": what was not done is what is said. */
function secondOf(tokens: readonly Token[], at: number): string | null {
  // "was shipped uninsured".
  const bare = tokens[at + 1]?.lower ?? ''
  if (/^un[a-z]{3,}ed$/.test(bare) && meaningOf(bare).negated && tag(tokens[at + 2]?.lower ?? 'of') !== 'N') return bare.slice(2)
  if (!/^(?:but|and|yet|though)$/.test(tokens[at + 1]?.lower ?? '') || !DENIES.has(tokens[at + 2]?.lower ?? '')) return null
  const said = tokens[at + 3]?.lower ?? ''
  return isPast(said) ? said : null
}

/** "was released without testing": what was not done is what is said. */
function without(tokens: readonly Token[], at: number): string | null {
  for (let i = at + 1; i < tokens.length - 1 && i < at + 6; i++) {
    if (tokens[i]!.lower !== 'without') continue
    const from = /^(?:any|prior|further|previous|being|an?)$/.test(tokens[i + 1]!.lower) ? i + 2 : i + 1
    const said = tokens[from]?.lower ?? ''
    if (tokens[from + 1] && /^(?:of|N)$/.test(tokens[from + 1]!.lower === 'of' ? 'of' : tag(tokens[from + 1]!.lower))) return null
    return NOMINALS.get(said) ?? (tokens[i + 1]!.lower === 'being' && isPast(said) ? said : null)
  }
  return null
}

/** Prepositions that are told from nouns only here. */
const WHEREABOUTS = new Set('throughout among along inside outside behind beside beyond near alongside together'.split(' '))
const MISSES = new Set(['missing', 'absent', 'omitted'])
const PUNCTUAL = 'punctual'
/** "was delivered late". */
const WHEN: ReadonlyMap<string, boolean> = new Map([
  ['late', true],
  ['belatedly', true],
  ['punctually', false],
])

const BEFALLEN = new Set('affected covered caused governed bound required'.split(' '))
const EVERY = new Set('all every each both throughout always whole entire'.split(' '))

/** Whether something is said of all of them or only of some: "nine of the ten pumps". */
export function quantityOf(tokens: readonly Token[]): { whole: boolean; part: boolean } {
  const all = tokens.findIndex(token => EVERY.has(token.lower))
  const whole = all >= 0 && tokens[all - 1]?.lower !== 'not'
  for (let i = 0; i < tokens.length - 2 && i < 8; i++) {
    const { lower } = tokens[i]!
    if (!isNumeric(lower) && !COUNTS.has(lower) && lower !== 'only') continue
    if (lower === 'only' && i < 2) return { whole: false, part: true }
    if (tokens[i + 1]!.lower !== 'of' || !/^(?:the|its|our|their|all|these|those)$/.test(tokens[i + 2]!.lower)) continue
    // "17 of the 17 stations" are all of them.
    return { whole: tokens[i + 3]?.lower === lower, part: tokens[i + 3]?.lower !== lower }
  }
  return { whole, part: false }
}

const NOBODY = new Set('none nobody nothing no-one'.split(' '))

export const isNone = (tokens: readonly Token[]): boolean =>
  NOBODY.has(tokens[0]?.lower ?? '') || tokens.some(token => token.lower === 'no')

/** What is said of the subject in these words. */
export function saidOf(before: readonly Token[], said: string, negated: boolean): Core | null {
  // What happens to a report is said of it.
  const subject = subjectOf(before, HANDLED.has(actOf(said)))
  if (!subject) return null
  const none = isNone(before)
  const held = PERFORMS.has(said)
  const stops = STOPS.has(said)
  const acted = held || stops || AHEAD.has(said) ? nominal(before) : null
  const took = acted === null && ((held && (EVENTS.has(subject.head) || !GIVES.has(said))) || (none && AHEAD.has(said)))
  const meaning = took ? { predicate: PERFORM, negated: false } : meaningOf(acted?.verb ?? said)
  return {
    head: acted?.head ?? subject.head,
    about: acted?.about ?? subject.about,
    predicate: meaning.predicate,
    negated: ((negated || none) !== meaning.negated) !== (stops && acted !== null),
    none: none && !acted,
  }
}

/** "is or has been a political officer", "is not a dealer": whether somebody is of a kind. */
export function kindOf(text: string, tokens: readonly Token[]): Core | null {
  for (let i = 1; i < tokens.length - 2 && i < 40; i++) {
    if (!IS.has(tokens[i]!.lower)) continue
    let k = i + 1
    let negated = false
    while (k < tokens.length && (DENIES.has(tokens[k]!.lower) || ADVERBS.has(tokens[k]!.lower)))
      if (DENIES.has(tokens[k++]!.lower)) negated = true
    if (!/^an?$/.test(tokens[k]?.lower ?? '')) continue
    const terms: string[] = []
    for (k++; k < tokens.length && terms.length < 6; k++) {
      const kind = tag(tokens[k]!.lower)
      if (terms.length && /[,.;:()]/.test(text.slice(tokens[k - 1]!.end, tokens[k]!.start))) break
      if (kind !== 'N' && kind !== 'A') break
      if (kind === 'N' && !isNumeric(tokens[k]!.lower)) terms.push(...termOf(tokens[k]!.lower).filter(term => term.length > 2))
    }
    if (terms.length < 2 || !terms.some(isTopic)) continue
    const before = tokens.slice(0, i)
    const none = before.some(token => token.lower === 'none' || token.lower === 'no' || token.lower === 'neither')
    const who = none ? null : subjectOf(before)
    return {
      head: terms.at(-1)!,
      about: terms.slice(0, -1),
      predicate: '=kind',
      negated: negated !== none,
      none,
      agent: who ? [who.head, ...who.about] : [],
    }
  }
  return null
}

/** "is planned", "is considered necessary": what may yet be done. */
const AHEAD = new Set('planned intended foreseen envisaged expected proposed considered necessary required needed'.split(' '))
/** "Monitoring of the wells was interrupted", "the suspension of trade was lifted": it is not done. */
const STOPS = new Set(
  'refused declined interrupted suspended halted stopped omitted skipped discontinued abandoned cancelled canceled lifted revoked withdrawn reversed'.split(
    ' ',
  ),
)
/** "was carried out": that it was done is all they say of an event. */
/** What is done to papers. */
const HANDLED = new Set('given signed published withdrawn approved'.split(' ').map(word => meaningOf(word).predicate))
const GIVES = new Set('held given provided delivered'.split(' '))
const PERFORMS = new Set([
  ...'recorded noted observed found detected identified occurred carried made performed done conducted undertaken effected took taken'.split(
    ' ',
  ),
  ...GIVES,
])
export const PERFORM = actOf('perform')

const TO = new Set(['damage', 'injury', 'injuries', 'change', 'changes', 'modification'])

/** "No suspension of payments is planned", "no staff training was given": payments are not suspended, staff not trained. */
export function nominal(tokens: readonly Token[]): { head: string; about: string[]; verb: string } | null {
  const end = tokens.findIndex((token, i) => i > 0 && tag(token.lower) === 'P')
  const last = end < 0 ? tokens.length - 1 : end - 1
  const verb = NOMINALS.get(tokens[last]?.lower ?? '')
  if (verb === undefined) return null
  const of = end > 0 && (tokens[end]!.lower === 'of' || (tokens[end]!.lower === 'to' && TO.has(tokens[last]!.lower)))
  // "a payment of USD 500".
  if (of && (isNumeric(tokens[end + 1]?.lower ?? '') || /^[A-Z]{3}$/.test(tokens[end + 1]?.text ?? ''))) return null
  const subject = subjectOf(of ? tokens.slice(end + 1) : tokens.slice(0, last))
  return subject ? { head: subject.head, about: subject.about, verb } : null
}

const IS = new Set(['is', 'are', 'was', 'were', 'been', 'be', 'remains'])

/** "in good order", "in poor condition": whether that is a denial. */
const CONDITION = new Map([
  ['good', false],
  ['excellent', false],
  ['perfect', false],
  ['poor', true],
  ['bad', true],
])

/** "was found to be inadequate" says it is. */
const JUDGED = new Set('made kept found considered deemed judged assessed regarded shown reported rated'.split(' '))

export const ADVERBS = new Set(
  'yet now still fully already also currently therefore longer since always last first ever thus thereby'.split(' '),
)

const MONTHS = new Set('january february march april may june july august september october november december'.split(' '))

export const PARTITIVE = new Set(
  'part number majority rest most copy set series member container box bag tonne litre piece'.split(' ').map(word => stem(word)),
)

/** "an allowance of GBP 6 million", "an extension of 14 days": how much it is does not say which. */
export function isOfAmount(tokens: readonly Token[], at: number): boolean {
  const { lower } = tokens[at]!
  if (MEASURE_WORDS.has(lower)) return true
  const before = tokens[at - 1]?.lower ?? ''
  return tokens[at - 2]?.lower === 'of' && (isNumeric(before) || COUNTS.has(before)) && unitOf(lower) !== null
}

const CONCERNS = new Set(['concerning', 'regarding', 'relating', 'covering'])

export function subjectOf(tokens: readonly Token[], carries = false): { head: string; about: string[] } | null {
  let from = 0
  for (let i = 0; i < tokens.length; i++)
    if ((JOINS.has(tokens[i]!.lower) && tokens[i]!.lower !== 'and') || tokens[i]!.lower === 'no') from = i + 1
  const terms: string[] = []
  let head: string | null = null
  for (let i = from; i < tokens.length; i++) {
    const token = tokens[i]!
    const kind = tag(token.lower)
    // "parts of the archive", "a number of seals": what they are of is meant.
    if (token.lower === 'of' && terms.length === 1 && PARTITIVE.has(terms[0]!)) terms.length = 0
    if ((kind === 'P' || CONCERNS.has(token.lower)) && terms.length) head ??= terms.at(-1)!
    // "the persons involved", "the parts removed".
    if (terms.length && /^[a-z]{3,}ed$/.test(token.lower) && isPast(token.lower) && tag(tokens[i + 1]?.lower ?? 'of') !== 'N') continue
    if (kind !== 'N' || /\d/.test(token.lower) || COUNTS.has(token.lower) || MONTHS.has(token.lower) || isOfAmount(tokens, i)) continue
    terms.push(...(token.lower === 'upper' ? ['upper'] : termOf(token.lower)).filter(term => term.length > 2))
  }
  head ??= terms.at(-1) ?? null
  if (!head || SAYS.has(head) || terms.length > 8 || (!carries && CARRIES.has(head) && !terms.some(isTopic))) return null
  return { head: thingOf(head), about: [...new Set(terms.filter(term => term !== head))] }
}

const PRONOUN = /^(?:but\s|and\s|however,?\s)?(?:it|they|this|these)\s(?=(?:is|are|was|were|has|have|had|will|does|do|did|remains?)\b)/i

/** "but never sent", "but is unsigned": the subject stands before. */
const ELLIPSIS = /^(?:but|yet|and|however,?|though)\s(was|were|is|are|has|have|had|remains?|not|never|un[a-z]+ed)\b/i

/** "It has not been granted" with what "it" is, taken from the statement before. */
export function resolved(text: string, before: string, tokens: readonly Token[]): string {
  const pronoun = PRONOUN.exec(text)
  const ellipsis = pronoun ? null : ELLIPSIS.exec(text)
  if (!(pronoun ?? ellipsis) || !before) return text
  const verb = tokens.findIndex((token, i) => i > 0 && AUXILIARIES.has(token.lower))
  if (ellipsis) {
    const helps = AUXILIARIES.has(ellipsis[1]!.toLowerCase())
    const kept = verb > 0 ? tokens[helps ? verb - 1 : verb] : undefined
    return kept && kept.end <= 120 ? `${before.slice(0, kept.end)} ${text.slice(ellipsis[0].length - ellipsis[1]!.length)}` : text
  }
  const last = verb > 0 ? tokens[verb - 1] : undefined
  // "The experts think that nothing was gained. They …": not of nothing.
  if (tokens.slice(0, Math.max(0, verb)).some(token => token.lower === 'that' || token.lower === 'no' || NOBODY.has(token.lower)))
    return text
  return last && last.end <= 120 ? `${before.slice(0, last.end)} ${text.slice(pronoun![0].length)}` : text
}
