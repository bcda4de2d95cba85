/**
 * The frame of a statement: what comparing needs of it and nothing else, small enough to be kept with every claim. Words as
 * lemmas with their place, names, identifiers, dates, figures, role and polarity, and the same of what stands above it.
 */
import { matchesOf } from '../matches.js'
import type { Period } from '../types.js'
import { denialsIn } from '../words/denials.js'
import { ADJECTIVE, lemmaOf, NOUN, partOf, partsOf, VERB } from '../words/dictionary.js'
import type { Identifier } from '../words/identifiers.js'
import { DOING, ROLES, VERSIONS } from '../words/lists.js'
import { type Share, shareIn } from '../words/shares.js'
import { type FoundDate, NO_YEAR, type Tokens, tokensOf, type Word } from '../words/tokens.js'
import type { Statement } from './statements.js'

export const NAME = 1
export const PREDICATE = 2
export const ATTRIBUTIVE = 4
export const LABEL = 8
export const ANSWER = 16
export const IS_NOUN = 32
export const IS_VERB = 64
export const IS_ADJECTIVE = 128
export const NARROWING = 256

/** Lemma, flags, the preposition before it, and the noun it tells more about. */
export type FrameWord = [lemma: string, flags: number, lead: string, head?: string]

export interface FrameNumber {
  /** Kind and unit in the base of its dimension: what can be compared with each other is equal. */
  unit: string
  low: number
  high: number
  counted: string | null
  /** Given only as what was before. */
  prior?: true
  /** Stands in the label. */
  label?: true
  /** A remark on the figure before it. */
  aside?: true
}

export interface Frame {
  kind: Statement['kind']
  words: FrameWord[]
  identifiers: string[]
  dates: Period[]
  numbers: FrameNumber[]
  roles: string[]
  /** Negations in it. */
  denials: number
  /** What each negation bears on, as a lemma; empty for what nothing is said of. */
  denied: string[]
  /** Things that there are none of, with what tells which of them. */
  absent: [thing: string, kinds: string[]][]
  /** The date says as of when something was so, not when it happened. */
  asOf: boolean
  tense: 'present' | 'past' | null
  above: Above
  /** Lemmas of the nearest heading. */
  section: string[]
  /** Says of itself that it puts something right. */
  corrects: boolean
  /** Of a part or share of something: "of which", "alone". */
  partial: boolean
  /** Per what: "each month", "per square foot". */
  rates: string[]
  /** How many of the things it speaks of. */
  share: Share | null
  /** "A seat costs": the thing one of which is spoken of. */
  single: string | null
  /** With or without what a figure is given: "before VAT", "including service". */
  bases: [sign: '+' | '-', of: string][]
  /** A mean of several. */
  average: boolean
  /** Months, seasons, days of the week and parts of the day it names without a date. */
  whens: string[]
  /** Months it names without a year. */
  months: number[]
  /** Before or after something: tax, treatment, repair. */
  side: 'before' | 'after' | null
}

/** A heading or label with a name in it: two of the same words with other names head two things. */
export type Slot = [words: string, names: string[]]

export interface Above {
  words: string[]
  names: string[]
  identifiers: string[]
  periods: Period[]
  slots: Slot[]
}

const RATE =
  /\bper (?!the |cent|annum|our |its )(\p{Ll}+(?: (?:foot|feet|metre|meter|kilometre|mile)s?)?)|\b(?:[Ee]ach|every) (month|day|week|year|hour|night|user|person|patient|unit|head|piece|item|share|claim|visit)s?\b|(?<=\d )(?:each|apiece)\b|^(?:Each|One(?! of))\b|\ba (month|day|year|week|head|piece|person|unit|night|hour)\b|\/\s?(m²|m2|kg|day|h|hour|month|year|unit)\b/gu
const PRICED = /(?:[€$£]\s?\d[\d.,]*|\d(?:p|\s(?:euros?|dollars|pounds|pence|EUR|USD|GBP|CHF)))\s(?:an?|per)\s(\p{Ll}{3,})/gu
const RHYTHMS: readonly (readonly [RegExp, string])[] = [
  [/\bmonthly\b/i, 'month'],
  [/\bdaily\b/i, 'day'],
  [/\bweekly\b/i, 'week'],
  [/\bhourly\b/i, 'hour'],
]

function ratesOf(text: string): string[] {
  const rates = new Set<string>()
  for (const [whole, named, eachOf, spoken, slashed] of matchesOf(RATE, text)) {
    if (/^per (?:cent|annum|diem|se)$/i.test(whole)) continue
    rates.add((named ?? eachOf ?? spoken ?? slashed ?? 'each').toLowerCase().replace(/s$/, ''))
  }
  // "£28 a metre": behind an amount stands what it is for.
  for (const [, noun] of matchesOf(PRICED, text)) rates.add(noun!.toLowerCase().replace(/s$/, ''))
  for (const [form, rate] of RHYTHMS) if (form.test(text)) rates.add(rate)
  // "two boxes of 28 tablets": so many in each of them.
  if (/\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve) \p{Ll}+s of (?:about )?\d|\b\p{Ll}+s of \d+(?=[.,;)]|$)/u.test(text))
    rates.add('each')
  rates.delete('year')
  return [...rates].sort()
}

const BASIS =
  /\b(before|after|since|excluding|excl\.?|exclusive of|without|net of|less|including|incl\.?|inclusive of|with|plus)\s(?:the\s|any\s|its\s)?([\p{L}-]{3,})/giu

const ADDED = /\b([\p{L}-]{3,}) (included|added|excluded|deducted|extra)\b/giu

function basesOf(text: string): Frame['bases'] {
  const behind = matchesOf(ADDED, text)
    .slice(0, 2)
    .map(([, of, way]): Frame['bases'][number] => [/^(?:in|ad)/i.test(way!) ? '+' : '-', lemmaOf(of!)])
  const before = matchesOf(BASIS, text)
    .slice(0, 4)
    .map(([, way, of]): Frame['bases'][number] => [/^(?:after|since|incl|with$|plus)/i.test(way!) ? '+' : '-', lemmaOf(of!)])
  return [...before, ...behind]
}

function singleIn(text: string): string | null {
  const noun = /^(?:An?|One|Every|Each)\s((?:\p{Ll}[\p{L}-]*\s){1,3})/u
    .exec(text)?.[1]
    ?.trim()
    .split(' ')
    .map(lemmaOf)
    .find(lemma => partOf(lemma) === NOUN)
  return noun ?? null
}

const WHEN =
  /\b(?:((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)s?|(January|February|March|April|May|June|July|August|September|October|November|December)|(?:in|the|last|this|next|late|early) (spring|summer|autumn|winter)|(?:in|the|this|that|every) (morning|afternoon|evening|night)|(last|this|next) (?:year|month|week|winter|summer|season|term))\b/g
const KINDS_OF_TIME = ['day', 'month', 'season', 'part', 'turn']

/** Each with its kind: a Monday and a morning may be the same time. */
function whensIn(text: string, dates: readonly FoundDate[]): string[] {
  const found = new Set<string>()
  for (const match of matchesOf(WHEN, text)) {
    const at = match.slice(1).findIndex(part => part !== undefined)
    const inDate = dates.some(({ start, end }) => match.index >= start && match.index < end)
    if (!inDate || at !== 1) found.add(`${KINDS_OF_TIME[at]} ${match[at + 1]!.toLowerCase()}`)
  }
  for (const { period } of dates)
    if (period.grain === 'day' || period.grain === 'month') found.add(`month ${MONTHS[Number(period.from.slice(5, 7)) - 1]}`)
  return [...found]
}

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']

/** A month without day or year: "in January", "the August records". */
const MONTH =
  /(?<![\d.]\s)\b(January|February|March|April|(?<=\b(?:in|of|for|since|during|until) )May|June|July|August|September|October|November|December)\b(?!,?\s\d)/g

const monthsIn = (text: string): number[] => [
  ...new Set(matchesOf(MONTH, text).map(([, month]) => MONTHS.indexOf(month!.toLowerCase()) + 1)),
]

const PARTIAL =
  /\b(?:of (?:which|these|them|those|whom)|^of (?:the|all|this|these|those)\b|in part|partly|including|thereof|only the|the (?:rest|remainder|others?)|among (?:them|these|those))\b/i
const PRESENT = /\b(?:is|are|has|have|remains?|stands?|holds?|owns?|employs?|operates?|consists?|amounts?|currently|now)\b/
const PAST =
  /\b(?:was|were|had|did|\p{L}{2,}ed|took|gave|went|came|made|found|paid|sold|sent|held|left|lost|met|rose|fell|grew|began|built|bought|cut|led|ran|said|saw|won|wrote)\b/u
/** A heading or title under which every figure has a role. */
const TITLED_ROLES: readonly (readonly [string, RegExp])[] = [
  ['target', /\b(?:targets|goals|objectives)\b/i],
  ['plan', /\b(?:budget|business plan|planned)\b/i],
  ['forecast', /\b(?:forecast|projections?|outlook|guidance)\b/i],
  ['limit', /\b(?:limits|thresholds)\b/i],
  ['condition', /\b(?:scenario|stress test|assumptions?)\b/i],
]

/** What was so until a day is not what is so since. */
const UNTIL =
  /(?<!from [^.;]{1,30})\b(?:[Uu]ntil|[Uu]p to) (?:the end of )?(?:\d{1,2} )?(?:(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber|(?:19|20)\d\d)\b/

const SHIFTED =
  /^(?:\p{L}+ ){1,3}(?:years?|months?|weeks?|days?|decades?) (?:after|before)\b|\b(?:years?|months?|weeks?|days?|decades?) (?:later|earlier|ago)\b/iu

/** "promised to deliver", "agreed to pay": what somebody does to do something is not done yet. */
function isGoverned(text: string): boolean {
  for (const [, governor, verb] of matchesOf(/(?<!\p{L})(\p{L}{3,}) to (\p{Ll}{3,})\b/gu, text)) {
    const [first, second] = [lemmaOf(governor!), lemmaOf(verb!)]
    if (partOf(first) === VERB && second === verb && (partsOf(second) & VERB) !== 0 && partOf(second) === VERB && !DOING.has(first))
      return true
  }
  return false
}

/** A document of nothing but wishes or guesses says so in the first words of its title. */
const WHOLE_ROLES: readonly (readonly [string, RegExp])[] = [
  ['target', /^(?:\p{L}+ ){0,2}(?:targets?|goals?|objectives?|promise|pledge|commitments?|ambitions?)\b/iu],
  ['plan', /^(?:\p{L}+ ){0,1}(?:budget|timetable|schedule|plan) (?:for|of|19|20)/iu],
  ['forecast', /^(?:\p{L}+ ){0,2}(?:forecast|projections?|outlook)\b/iu],
  ['estimate', /^(?:\p{L}+ ){0,2}(?:estimate|preliminary|provisional|draft|interim)\b/iu],
]

/** The lines above are the same for many statements of a document: each is read once. */
export type ReadLines = Map<string, Tokens>

export function frameOf(statement: Statement, year: number | null, lines: ReadLines): { frame: Frame; tokens: Tokens } {
  const { text, labelEnd, kind } = statement
  const tokens = lineOf(text, year, labelEnd, lines)
  const words = tokens.words.map(({ lemma, start, name, lead, predicate, head, narrowing }): FrameWord => {
    const parts = partsOf(lemma)
    const main = partOf(lemma)
    const flags =
      (name ? NAME : 0) |
      (predicate ? PREDICATE : 0) |
      (head ? ATTRIBUTIVE : 0) |
      (narrowing ? NARROWING : 0) |
      (labelEnd > 0 ? (start < labelEnd ? LABEL : ANSWER) : 0) |
      (main === NOUN || parts === 0 ? IS_NOUN : 0) |
      (main === VERB ? IS_VERB : 0) |
      (main === ADJECTIVE ? IS_ADJECTIVE : 0)
    return head ? [lemma, flags, lead, head] : [lemma, flags, lead]
  })
  const plain = text.replace(/\b(?:no|No|nos|Nos)\.(?=\s?[\d:(\p{Lu}])/gu, '   ')
  const inNumber = (at: number): boolean => tokens.numbers.some(({ start, end }) => at >= start && at < end)
  const inLimit = (at: number): boolean => tokens.numbers.some(({ start, negated }) => negated !== undefined && at >= negated && at < start)
  const denials = denialsIn(plain, tokens.words, inNumber, inLimit)
  const denied = denials.filter(({ counted }) => !counted).map(({ head }) => head)
  return {
    tokens,
    frame: {
      kind,
      words: words.slice(0, 40),
      identifiers: [...tokens.identifiers.map(each => each.key), ...lettersIn(text.slice(0, labelEnd))].slice(0, 8),
      dates: tokens.dates.map(periodOf).slice(0, 6),
      numbers: [],
      ...flagsOf(plain, statement),
      denials: denied.length,
      denied,
      absent: denials.filter(({ thing }) => thing).map(({ head, kinds }) => [head, kinds]),
      asOf: tokens.dates.some(({ start }) => AS_OF.test(plain.slice(Math.max(0, start - 24), start))),
      tense:
        kind === 'sentence'
          ? PRESENT.test(plain)
            ? 'present'
            : PAST.test(plain)
              ? 'past'
              : tokens.words.some(isInflected)
                ? 'present'
                : null
          : null,
      above: aboveOf(statement.above, statement.before, year, lines),
      section: sectionOf(statement, year, lines),
      corrects: false,
      share: shareIn(plain.slice(labelEnd)),
      single: singleIn(plain),
      average: /\b(?:averag\w+|mean|median|typical(?:ly)?)\b/i.test(plain),
      whens: whensIn(plain, tokens.dates),
      months: monthsIn(plain),
    },
  }
}

const AS_OF =
  /\b(?:as (?:of|at|on)|by|until|till|since|position (?:at|on)|status (?:at|on|of)|(?:up|prior) to)\s(?:the\s)?(?:end of\s)?(?:\p{Lu}\p{Ll}+day,?\s)?$/iu

/** "The house falls into band E": a verb with its ending, behind what it is said of. */
function isInflected({ form, lemma, start, name }: Word): boolean {
  return start > 0 && !name && form.endsWith('s') && form !== lemma && (partsOf(lemma) & VERB) !== 0
}

/** In which sense a text gives its figures. */
export function flagsOf(text: string, { above, title }: Statement): Pick<Frame, 'roles' | 'partial' | 'rates' | 'bases' | 'side'> {
  return {
    roles: rolesOf(text, above.slice(-3), title),
    partial: PARTIAL.test(text),
    rates: ratesOf(text),
    bases: basesOf(text),
    side: /\bbefore\b|\bpre-/i.test(text) ? 'before' : /\bafter\b|\bpost-/i.test(text) ? 'after' : null,
  }
}

/** "Winding U": a single letter in a label names a part. */
function lettersIn(label: string): string[] {
  return matchesOf(/(?:^|\s)(\p{Lu})(?=[\s:]|$)/gu, label).map(([, letter]) => `letter ${letter!.toLowerCase()}`)
}

/** A date without a year is compared without one. */
export function periodOf({ period, yearGuessed }: FoundDate): Period {
  return yearGuessed && Number(period.from.slice(0, 4)) === NO_YEAR ? { ...period, label: period.from.slice(5) } : period
}

/** The words of a line that are no names, and the names and numbers it gives. */
export function slotOf(words: readonly Word[], identifiers: readonly Identifier[]): Slot | null {
  const named = words.filter(word => word.name && word.lemma.length > 1 && !VERSIONS.has(word.lemma))
  const names = [...named.map(word => word.lemma), ...identifiers.map(each => each.key)]
  const plain = [...new Set(words.filter(word => !word.name && word.lemma.length > 1).map(word => word.lemma))].sort()
  const kinds = identifiers.map(each => each.key.split(' ')[0]!).filter(word => /^\p{L}+$/u.test(word))
  const key = [...plain, ...kinds].slice(0, 6).join(' ')
  return names.length === 0 || key === '' ? null : [key, names.slice(0, 8)]
}

function rolesOf(text: string, headings: readonly string[], title: string): string[] {
  const own = ROLES.filter(([, form]) => form.test(text)).map(([role]) => role)
  const titled = TITLED_ROLES.filter(([, form]) => headings.some(heading => heading.length < 90 && form.test(heading))).map(
    ([role]) => role,
  )
  if (UNTIL.test(text) || SHIFTED.test(text)) own.push('prior')
  if (isGoverned(text)) own.push('plan')
  if (/\bmay (?!be\b)|\b(?:lets|allows|entitles|permits) /.test(text)) own.push('limit')
  const whole = WHOLE_ROLES.filter(([, form]) => form.test(title)).map(([role]) => role)
  return [...new Set([...own, ...titled, ...whole])]
}

function lineOf(text: string, year: number | null, labelEnd: number, lines: ReadLines): Tokens {
  const key = `${labelEnd} ${text}`
  const known = lines.get(key)
  if (known !== undefined) return known
  const tokens = tokensOf(text, year, labelEnd)
  lines.set(key, tokens)
  return tokens
}

function sectionOf({ heading }: Statement, year: number | null, lines: ReadLines): string[] {
  return heading === ''
    ? []
    : [...new Set(lineOf(heading.slice(0, 160), year, 1000, lines).words.map(word => word.lemma))]
        .filter(lemma => lemma.length > 1)
        .slice(0, 8)
}

/** What was said before in a paragraph names what is spoken of, but dates nothing behind it. */
function aboveOf(headings: readonly string[], before: readonly string[], year: number | null, read: ReadLines): Above {
  const above = {
    words: new Set<string>(),
    names: new Set<string>(),
    identifiers: new Set<string>(),
    periods: [] as Period[],
    slots: [] as Slot[],
  }
  for (const [at, line] of [...headings, ...before].entries()) {
    const { words, identifiers, dates } = lineOf(at < headings.length ? line.slice(-400) : line, year, 0, read)
    for (const word of words) {
      above.words.add(word.lemma)
      if (word.name) above.names.add(word.lemma)
    }
    for (const each of identifiers) above.identifiers.add(each.key)
    if (at >= headings.length) continue
    for (const each of dates) above.periods.push(periodOf(each))
    const slot = slotOf(words, identifiers)
    if (slot) above.slots.push(slot)
  }
  return {
    words: [...above.words].slice(0, 40),
    names: [...above.names].slice(0, 16),
    identifiers: [...above.identifiers].slice(0, 8),
    periods: above.periods.slice(0, 4),
    slots: above.slots.slice(-6),
  }
}
