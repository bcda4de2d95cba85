/**
 * The frame of a statement: what comparing needs of it and nothing else, small enough to be kept with every claim. Words as
 * lemmas with their place, names, identifiers, dates, figures, role and polarity, and the same of what stands above it.
 */
import { matchesOf } from '../matches.js'
import type { Period } from '../types.js'
import { MONTHS } from '../values/periods.js'
import { CUE } from '../words/cues.js'
import { denialsIn } from '../words/denials.js'
import { ADJECTIVE, lemmaOf, NOUN, partOf, partsOf, VERB } from '../words/dictionary.js'
import { DOING, ROLES } from '../words/lists.js'
import type { Tokens, Word } from '../words/tokens.js'
import { type Above, periodOf, type ReadLines } from './read-lines.js'
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
  /** Given only as what was before, as what is wrong, or to be measured against. */
  prior?: 'before' | 'denied' | 'beside'
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
}

const RATE =
  /(?:\bper (?!the |cent|annum|our |its )|\bfor (?:each|every) )(\p{Ll}+(?: (?:foot|feet|metre|meter|kilometre|mile)s?)?)|\b(?:[Ee]ach|every) (month|day|week|year|hour|night|user|person|patient|unit|head|piece|item|share|claim|visit)s?\b|(?<=\d )(?:each|apiece)\b|^(?:Each|One(?! of))\b|\ba (month|day|year|week|head|piece|person|unit|night|hour)\b|\/\s?(m²|m2|kg|day|h|hour|month|year|unit)\b/gu
const PRICED = /(?:[€$£]\s?\d[\d.,]*|\d(?:p|\s(?:euros?|dollars|pounds|pence|EUR|USD|GBP|CHF)))\s(?:an?|per)\s(\p{Ll}{3,})/gu
const RHYTHM = /\b(month|week|hour|dai)ly\b/gi

/** "two boxes of 28 tablets": so many in each of them. */
const EACH_OF = /\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve) \p{Ll}+s of (?:about )?\d|\b\p{Ll}+s of \d+(?=[.,;)]|$)/u

function ratesOf(text: string, { cues, digit }: Cued): string[] {
  const rates = new Set<string>()
  if ((cues & CUE.rate) !== 0 || text.includes('/'))
    for (const [whole, named, eachOf, spoken, slashed] of matchesOf(RATE, text)) {
      if (/^per (?:cent|annum|diem|se)$/i.test(whole)) continue
      rates.add((named ?? eachOf ?? spoken ?? slashed ?? 'each').toLowerCase().replace(/s$/, ''))
    }
  // "£28 a metre": behind an amount stands what it is for.
  if (digit && (cues & CUE.article) !== 0) for (const [, noun] of matchesOf(PRICED, text)) rates.add(noun!.toLowerCase().replace(/s$/, ''))
  if ((cues & CUE.rate) !== 0)
    for (const [, stem] of matchesOf(RHYTHM, text)) rates.add(stem!.toLowerCase() === 'dai' ? 'day' : stem!.toLowerCase())
  if (digit && text.includes('s of ') && EACH_OF.test(text)) rates.add('each')
  rates.delete('year')
  return rates.size === 0 ? [] : [...rates].sort()
}

const BASIS =
  /\b(before|after|since|excluding|excl\.?|exclusive of|without|net of|less|including|incl\.?|inclusive of|with|plus)\s(?:the\s|any\s|its\s)?([\p{L}-]{3,})/giu

const ADDED = /\b([\p{L}-]{3,}) (included|added|excluded|deducted|extra)\b/giu

function basesOf(text: string): Frame['bases'] {
  const behind = (/included|added|excluded|deducted|extra/iu.test(text) ? matchesOf(ADDED, text) : [])
    .slice(0, 2)
    .map(([, of, way]): Frame['bases'][number] => [/^(?:in|ad)/i.test(way!) ? '+' : '-', lemmaOf(of!)])
  const before = matchesOf(BASIS, text)
    .slice(0, 4)
    .map(([, way, of]): Frame['bases'][number] => [/^(?:after|since|incl|with$|plus)/i.test(way!) ? '+' : '-', lemmaOf(of!)])
  return [...before, ...behind]
}

function singleIn(text: string): string | null {
  if (!/^[AEO]/.test(text)) return null
  const noun = /^(?:An?|One|Every|Each)\s((?:\p{Ll}[\p{L}-]*\s){1,3})/u
    .exec(text)?.[1]
    ?.trim()
    .split(' ')
    .map(lemmaOf)
    .find(lemma => partOf(lemma) === NOUN)
  return noun ?? null
}

const WHEN =
  /\b(?:((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)s?|(January|February|March|April|May|June|July|August|September|October|November|December)|(?:in|the|last|this|next|late|early) (spring|summer|autumn|winter)|(?:in|the|this|that|every|at|by) (morning|afternoon|evening|night)|(last|this|next) (?:year|month|week|winter|summer|season|term))\b/g
const TIMELY = CUE.when | CUE.month | CUE.partOfDay
const KINDS_OF_TIME = ['day', 'month', 'season', 'part', 'turn']

/** Each with its kind: a Monday and a morning may be the same time. */
function whensIn(text: string, { dates, cues }: Tokens): string[] {
  if (dates.length === 0 && (cues & TIMELY) === 0) return []
  const found = new Set<string>()
  for (const match of (cues & TIMELY) === 0 ? [] : matchesOf(WHEN, text)) {
    const at = match.slice(1).findIndex(part => part !== undefined)
    const inDate = dates.some(({ start, end }) => match.index >= start && match.index < end)
    if (!inDate || at !== 1) found.add(`${KINDS_OF_TIME[at]} ${match[at + 1]!.toLowerCase()}`)
  }
  for (const { period } of dates)
    if (period.grain === 'day' || period.grain === 'month') found.add(`month ${MONTHS[Number(period.from.slice(5, 7)) - 1]}`)
  return [...found]
}

/** A month without day or year: "in January", "the August records". */
const MONTH =
  /(?<![\d.]\s)\b(January|February|March|April|(?<=\b(?:in|of|for|since|during|until) )May|June|July|August|September|October|November|December)\b(?!,?\s\d)/g

const monthsIn = (text: string): number[] => [
  ...new Set(matchesOf(MONTH, text).map(([, month]) => MONTHS.indexOf(month!.toLowerCase()) + 1)),
]

const PARTIAL =
  /\b(?:of (?:which|these|them|those|whom)|in part|partly|including|thereof|only the|the (?:rest|remainder|others?)|among (?:them|these|those)|aged|(?:over|under) the age)\b/i
/** "nine of its loaders": some of those it has. */
const SOME_OF =
  /\b(?:\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) of (?:its|their|our|your|his|her|the|these|those) \p{L}/iu
const PART_OF = /^of (?:the|all|this|these|those)\b/i
const PRESENT = /\b(?:is|are|has|have|remains?|stands?|holds?|owns?|employs?|operates?|consists?|amounts?|currently|now)\b/
const PAST =
  /\b(?:was|were|had|did|\p{L}{2,}ed|took|gave|went|came|made|found|paid|sold|sent|held|left|lost|met|rose|fell|grew|began|built|bought|cut|led|ran|said|saw|won|wrote)\b/u

/** What cues can tell of a text and of every part of it. */
/** What was so until a day is not what is so since. */
const UNTIL =
  /\b(?:[Uu]ntil|[Uu]p to)(?<!from [^.;]{1,30}(?:[Uu]ntil|[Uu]p to)) (?:the end of )?(?:\d{1,2} )?(?:(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber|(?:19|20)\d\d)\b/
const SHIFTED =
  /^(?:\p{L}+ ){1,3}(?:years?|months?|weeks?|days?|decades?) (?:after|before)\b|\b(?:years?|months?|weeks?|days?|decades?) (?:later|earlier|ago)\b/iu
type Cued = Pick<Tokens, 'cues' | 'digit'>

/** "promised to deliver", "agreed to pay": what somebody does to do something is not done yet. */
function isGoverned(text: string): boolean {
  for (const [, governor, verb] of matchesOf(/(?<!\p{L})(\p{L}{3,}) to (\p{Ll}{3,})\b/gu, text)) {
    const [first, second] = [lemmaOf(governor!), lemmaOf(verb!)]
    if (partOf(first) === VERB && second === verb && (partsOf(second) & VERB) !== 0 && partOf(second) === VERB && !DOING.has(first))
      return true
  }
  return false
}

export function frameOf(statement: Statement, lines: ReadLines): { frame: Frame; tokens: Tokens } {
  const { text, labelEnd, kind } = statement
  const tokens = lines.tokens(text, labelEnd)
  const { cues } = tokens
  const has = (cue: number): boolean => (cues & cue) !== 0
  const plain = has(CUE.negation) ? text.replace(/\b(?:no|No|nos|Nos)\.(?=\s?[\d:(\p{Lu}])/gu, '   ') : text
  const denials = has(CUE.negation) ? denialsIn(plain, tokens.words, tokens.numbers) : []
  const denied = denials.map(({ head }) => head)
  return {
    tokens,
    frame: {
      kind,
      words: tokens.words.slice(0, 40).map(word => frameWord(word, labelEnd)),
      identifiers: [
        ...tokens.identifiers.map(each => each.key),
        ...(has(CUE.letter) && labelEnd > 0 ? lettersIn(text.slice(0, labelEnd)) : []),
      ].slice(0, 8),
      dates: tokens.dates.map(periodOf).slice(0, 6),
      numbers: [],
      ...flagsOf(plain, statement, tokens, lines),
      denials: denied.length,
      denied,
      absent: denials.filter(({ thing }) => thing).map(({ head, kinds }) => [head, kinds]),
      asOf: tokens.dates.some(({ start }) => AS_OF.test(plain.slice(Math.max(0, start - 24), start))),
      tense: kind === 'sentence' ? tenseOf(plain, tokens.words) : null,
      above: lines.above(statement.above, statement.before),
      section: statement.heading === '' ? [] : lines.section(statement.heading),
      corrects: false,
      single: singleIn(plain),
      average: has(CUE.average) && /\b(?:averag\w+|mean|median|typical(?:ly)?)\b/i.test(plain),
      whens: whensIn(plain, tokens),
      months: has(CUE.month) ? monthsIn(plain) : [],
    },
  }
}

function frameWord({ lemma, start, name, lead, predicate, head, narrowing }: Word, labelEnd: number): FrameWord {
  const main = partOf(lemma)
  const flags =
    (name ? NAME : 0) |
    (predicate ? PREDICATE : 0) |
    (head ? ATTRIBUTIVE : 0) |
    (narrowing ? NARROWING : 0) |
    (labelEnd > 0 ? (start < labelEnd ? LABEL : ANSWER) : 0) |
    (main === NOUN ? IS_NOUN : 0) |
    (main === VERB ? IS_VERB : 0) |
    (main === ADJECTIVE ? IS_ADJECTIVE : 0)
  return head ? [lemma, flags, lead, head] : [lemma, flags, lead]
}

function tenseOf(text: string, words: readonly Word[]): Frame['tense'] {
  if (PRESENT.test(text)) return 'present'
  if (PAST.test(text)) return 'past'
  return words.some(isInflected) ? 'present' : null
}

const AS_OF =
  /\b(?:as (?:of|at|on)|by|until|till|since|position (?:at|on)|status (?:at|on|of)|(?:up|prior) to)\s(?:the\s)?(?:end of\s)?(?:\p{Lu}\p{Ll}+day,?\s)?$/iu

/** "The house falls into band E": a verb with its ending, behind what it is said of. */
function isInflected({ form, lemma, start, name }: Word): boolean {
  return start > 0 && !name && form.endsWith('s') && form !== lemma && (partsOf(lemma) & VERB) !== 0
}

/** In which sense a text, or a part of one with these cues, gives its figures. */
export function flagsOf(
  text: string,
  { above }: Statement,
  cued: Cued,
  lines: ReadLines,
): Pick<Frame, 'roles' | 'partial' | 'rates' | 'bases'> {
  const has = (cue: number): boolean => (cued.cues & cue) !== 0
  return {
    roles: rolesOf(text, above, cued.cues, lines),
    partial: (has(CUE.partial) && PARTIAL.test(text)) || (has(CUE.of) && (PART_OF.test(text) || SOME_OF.test(text))),
    rates: ratesOf(text, cued),
    bases: has(CUE.basis) ? basesOf(text) : [],
  }
}

/** "Winding U": a single letter in a label names a part. */
function lettersIn(label: string): string[] {
  return matchesOf(/(?:^|\s)(\p{Lu})(?=[\s:]|$)/gu, label).map(([, letter]) => `letter ${letter!.toLowerCase()}`)
}

function rolesOf(text: string, above: readonly string[], cues: number, lines: ReadLines): string[] {
  const roles = new Set<string>()
  for (const [role, cue, form] of ROLES) if ((cues & cue) !== 0 && form.test(text)) roles.add(role)
  if ((cues & CUE.prior) !== 0 && (UNTIL.test(text) || SHIFTED.test(text))) roles.add('prior')
  if ((cues & CUE.to) !== 0 && isGoverned(text)) roles.add('plan')
  if ((cues & CUE.limit) !== 0 && /\bmay (?!be\b)|\b(?:lets|allows|entitles|permits) /.test(text)) roles.add('limit')
  for (const role of lines.titledRoles(above)) roles.add(role)
  return [...roles]
}
