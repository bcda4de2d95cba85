/**
 * What a statement says, as two statements are compared: its words by their stems, in order, with names and what is denied;
 * its figures and days; in which sense they are meant; and what stands above it and is said of it as well. Plain data, kept
 * with the claim: comparing needs no text.
 */
import { matchesOf } from '../matches.js'
import { memo } from '../memo.js'
import type { Period } from '../types.js'
import { dimensionOf, figureOf } from '../values/compare-values.js'
import { DIGIT, kindAt, LETTER, lettersEnd } from '../words/characters.js'
import type { Names } from '../words/names.js'
import { basesIn, ratesIn, rolesIn } from '../words/roles.js'
import { NEGATION, PUTS_RIGHT, stemOf } from '../words/stems.js'
import { type FoundNumber, periodOf, type Tokens, tokensOf, type Word } from '../words/tokens.js'
import type { Statement } from './statements.js'

export const NAME = 1
export const LABEL = 2
export const PREDICATE = 4
/** Not said, but another way to say what is said. */
export const ALIAS = 8
/** Right before the next word: it tells which kind of it is meant. */
export const CLOSE = 16
/** "the stretch of the canal": a part of what follows. */
export const OF = 64
/** "set by": an act, before who did it. */
export const BY = 128
/** Behind "in" or "at": where something is. */
export const PLACE = 32

/** Behind "is": what its subject is. */
export const STATE = 256

export type SaidWord = [stem: string, flags: number, form: string]

export interface SaidNumber {
  unit: string
  low: number
  high: number
  /** How far each end was widened. */
  slack: number
  /** Null for a range, a bound or a time of day. */
  exact: number | null
  coarse: number
  text: string
  /** The words behind it: what it counts. */
  counted: string[]
  /** Stands in the label. */
  label?: true
  /** "was 5": what was before; "not 5": what is denied; "against 5": what stands beside it. */
  prior?: 'before' | 'denied' | 'beside'
}

export interface Above {
  words: string[]
  /** Named by a heading or label above. */
  heads: string[]
  /** Named anywhere above. */
  names: string[]
  ids: string[]
  periods: Period[]
  /** Of each period the question that it answers, empty where it is the time of what stands below; left out where all are. */
  asked?: string[]
}

export interface Says {
  kind: Statement['kind']
  words: SaidWord[]
  ids: string[]
  /** Of these, what stands behind the verb or the label: it may be what is told. */
  toldIds: string[]
  numbers: SaidNumber[]
  dates: Period[]
  /** How many of the dates stand in the label. */
  labelDates: number
  negated: boolean
  /** What each negation bears on: the words behind it; empty where nothing follows. */
  negates: string[]
  /** What is said not to be: "X, not Y". */
  denied: string[]
  roles: string[]
  rates: string[]
  bases: string[]
  corrects: boolean
  above: Above
}

const MOST_WORDS = 40
/** How much of a line above is read: its end. */
const LINE = 400
/** Negations that limit or round off and deny nothing. */
const IDLE =
  /\b(?:not (?:only|just|least|merely)|no(?:t)? (?:later|earlier|sooner|more|fewer|less) than|no (?:doubt|matter|fewer|less|more|worries|problem)|not (?:more|less|fewer|above|below|over|under|exceed\w*)|never(?= (?:a day|outside|above|below|rose|fell|exceed))|without (?:any )?(?:delay|trouble|problems?|deduction|incident)|n(?:o|r|os)\.(?=\s?\d)|nos?\.?(?=\s?[:#]))/gi
/** ", not Y" and "not the Y but": what is said not to be stands beside what is. */
const NOT_THAT = /[,;–-]\s(?:and )?not (?=[^,;.]*(?:[,;.]|$))([^,;.]{1,60})(?=[,;.]|$)|\b(?:instead of|rather than)\s([^,;.]{1,60})/gi

export class SaysReader {
  private readonly year: number | null
  private readonly names: Names
  private readonly lines = new Map<string, Above>()

  constructor(year: number | null, names: Names) {
    this.year = year
    this.names = names
  }

  read(statement: Statement): { says: Says; tokens: Tokens } {
    const { text, labelEnd, kind } = statement
    const tokens = labelEnd === 0 && text.length <= LINE ? this.tokens(text) : tokensOf(text, this.year, { labelEnd, names: this.names })
    const denials = deniedIn(text, labelEnd)
    const isDenied = (at: number): boolean => denials.some(({ start, end }) => at >= start && at < end)
    const words: SaidWord[] = []
    const denied: string[] = []
    for (const [at, { stem, form, start, end, name, predicate, state }] of tokens.words.entries()) {
      const next = tokens.words[at + 1]?.start
      if (isDenied(start)) denied.push(stem)
      else if (words.length < MOST_WORDS)
        words.push([stem, flagsOf({ name, predicate, state, start, end, close: next === end + 1 }, text, labelEnd), form])
    }
    const isTold = (at: number): boolean =>
      labelEnd > 0
        ? at >= labelEnd
        : tokens.words.some(word => word.predicate && word.start < at) ||
          /\b(?:number|no|nr|id|code|reference|ref)\b.*\s(?:is|was)\s$/i.test(text.slice(0, at))
    const negates = negatedIn(text, tokens, denials)
    return {
      tokens,
      says: {
        kind,
        words,
        ids: tokens.identifiers.map(({ key }) => key).slice(0, 8),
        toldIds: tokens.identifiers
          .filter(({ start }) => isTold(start))
          .map(({ key }) => key)
          .slice(0, 8),
        numbers: tokens.numbers.slice(0, 8).map(number => numberOf(number, statement, tokens, isDenied(number.start))),
        dates: tokens.dates.map(periodOf).slice(0, 6),
        labelDates: tokens.dates.filter(({ start }) => start < labelEnd).length,
        negated: negates.length > 0,
        negates,
        denied,
        roles: rolesIn(text),
        rates: ratesIn(text),
        bases: basesIn(text),
        corrects: PUTS_RIGHT.test(text),
        above: this.above(statement),
      },
    }
  }

  /** Headings and labels above. Many statements stand below the same lines. */
  private above({ above: lines, heads, beside }: Statement): Above {
    const key = [lines, heads, beside].map(each => each.join('\n')).join('\0')
    const known = this.lines.get(key)
    if (known) return known
    const [stems, headed, named, ids] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()]
    const periods: [asked: string, period: Period][] = []
    for (const line of lines) {
      const { words, identifiers, dates } = this.tokens(line)
      const isHead = heads.includes(line)
      for (const { stem, name } of words) {
        stems.add(stem)
        if (name) named.add(stem)
        if (name && isHead) headed.add(stem)
      }
      for (const each of identifiers) ids.add(each.key)
      if (!beside.includes(line)) for (const date of dates) periods.push([askedBy(line.slice(0, date.start)), periodOf(date)])
    }
    const made = {
      words: [...stems].slice(0, 60),
      heads: [...headed].slice(0, 12),
      names: [...named].slice(0, 16),
      ids: [...ids].slice(0, 8),
      periods: periods.slice(-3).map(([, period]) => period),
      ...(periods.slice(-3).some(([asked]) => asked !== '') && { asked: periods.slice(-3).map(([asked]) => asked) }),
    }
    this.lines.set(key, made)
    return made
  }

  /** Of a line above, or of a sentence. */
  readonly tokens = memo(2_000, (line: string): Tokens => tokensOf(line.slice(-LINE), this.year, { names: this.names }))
}

/** "Date of incorporation", "delivery date": what happened on that day. Of a reading or a count it is when it was so. */
const HAPPENED = /^(?:date|day)(?: and time)? of (?:the )?\p{L}|\p{L} date$/iu
const LOOKED =
  /\b(?:collect|read|sampl|measur|count|test|weigh|observ|record|monitor|check|analys|visit|survey|inspect|stock|balance|report|valu|assess|examin|audit|review|status|closing|key|cut|reference|accounting|statement|position|meeting|hearing|session|shift|period|week|month)/i

function askedBy(before: string): string {
  const label = before.trim().toLowerCase()
  return HAPPENED.test(label) && !LOOKED.test(label) ? label : ''
}

function flagsOf(
  { name, predicate, state, start, end, close }: Pick<Word, 'name' | 'predicate' | 'state' | 'start' | 'end'> & { close: boolean },
  text: string,
  labelEnd: number,
): number {
  return (
    (name ? NAME : 0) |
    (start < labelEnd ? LABEL : 0) |
    (predicate ? PREDICATE : 0) |
    (state ? STATE : 0) |
    (close ? CLOSE : 0) |
    (/^(?: [A-Z\d])? of /.test(text.slice(end, end + 6)) ? OF : 0) |
    (text.startsWith(' by ', end) ? BY : 0) |
    (isPlaced(text, start) ? PLACE : 0)
  )
}

const isPlaced = (text: string, start: number): boolean =>
  /\b(?:in|at|from) (?:the |its |our |their )?$/.test(text.slice(Math.max(0, start - 12), start))

interface Span {
  start: number
  end: number
}

function deniedIn(text: string, labelEnd: number): Span[] {
  return matchesOf(NOT_THAT, text)
    .map(({ 0: all, 1: what, 2: which, index }) => ({ start: index + all.length - (what ?? which!).length, end: index + all.length }))
    .filter(({ start }) => start > Math.max(labelEnd + 4, 8))
}

function negatedIn(text: string, { words }: Tokens, denials: readonly Span[]): string[] {
  const found = matchesOf(NEGATION, text)
  const idle = matchesOf(IDLE, text).map(match => ({ start: match.index, end: match.index + match[0].length }))
  const isIdle = (at: number): boolean => idle.some(({ start, end }) => at >= start && at < end)
  const isDenial = (at: number, { length }: string): boolean => denials.some(({ start }) => start >= at && start - at <= length + 2)
  return found.flatMap(({ index, 0: word }) => {
    if (isIdle(index) || isDenial(index, word)) return []
    const end = index + word.length
    const clause = end + (text.slice(end).search(/[.;:,]\s/) + 1 || text.length)
    const behind = words.filter(({ start }) => start >= end && start < clause).slice(0, 2)
    return behind.length === 0 ? [''] : behind.map(({ stem }) => stem)
  })
}

const PRIOR =
  /(?:(\(\s?was|\b(?:previously|formerly|originally|initially|(?:down|up|raised|increased|reduced|changed|changes|lowered|cut|revised|extended|postponed|moved|rose|fell|rising|falling) from))|(\b(?:instead of|rather than|corrected from)|, (?:and )?not)|\b(?:prior|earlier|vs\.?|versus|compared (?:with|to)|against))(?:\s(?:reported|stated|given|put)?\s?(?:as|at|of|the|approximately|about)?)?\s?$/i

/** "The window of 3 days no longer applies": what is said to be over is not what is. */
const OVER =
  /^[^.;:,]*?\b(?:(?:no longer|not|ceased? to|ceases to) (?:be )?(?:appl(?:y|ies|ied)|valid|in (?:force|effect|use)|holds?|stands?|exists?|required|granted|charged|due|payable|offered|paid|used)|(?:was|were|is|are|has been|have been|has|have) (?:now |since )?(?:lapsed|expired|abolished|repealed|revoked|withdrawn|cancelled|lifted|discontinued|scrapped|dropped))\b/i

/** "A window of 3 days": how large it is. "A total of 3 flights" counts what there is. */
const SIZED = /(?<!\b(?:total|number|sum|group|set|fleet)\s)\bof (?:about )?$/i

function numberOf({ value, bound, text, start, end }: FoundNumber, statement: Statement, { words }: Tokens, isDenied: boolean): SaidNumber {
  const { text: whole, labelEnd } = statement
  const { interval, exact, coarse, slack } = figureOf(value, bound)
  const [found, before, denied] = PRIOR.exec(whole.slice(Math.max(0, start - 32), start)) ?? []
  const isDated = /^\s*(?:\p{L}+\s){0,3}(?:in|at|on|for) (?:\w+ )?(?:19|20)\d{2}\b/u.test(whole.slice(end, end + 40))
  const isOver = labelEnd === 0 && SIZED.test(whole.slice(Math.max(0, start - 20), start)) && OVER.test(whole.slice(end))
  const prior = isDenied || denied || isOver ? 'denied' : before && !isDated ? 'before' : found === undefined ? undefined : 'beside'
  return {
    unit: dimensionOf(value),
    // An open end is kept as a number that survives JSON.
    low: Math.max(interval.low, -Number.MAX_VALUE),
    high: Math.min(interval.high, Number.MAX_VALUE),
    slack,
    exact: bound === null ? exact : null,
    coarse,
    text,
    counted: value.type === 'quantity' && value.unit === null ? countedBehind(whole, end, words) : [],
    ...(start < labelEnd && { label: true as const }),
    ...(prior && { prior }),
  }
}

/** The words right behind a number, up to where something else begins. */
function countedBehind(text: string, end: number, words: Tokens['words']): string[] {
  const found: string[] = []
  let at = end
  for (const word of words) {
    if (word.start < end) continue
    if (!/^[\s-]*(?:of (?:the |our |its |their )?)?$/.test(text.slice(at, word.start)) || found.length >= 3 || word.name) break
    found.push(word.stem)
    at = word.end
  }
  return found
}

export function stemsOf(text: string): string[] {
  const stems: string[] = []
  for (let start = 0; start < text.length; ) {
    const kind = kindAt(text, start)
    let end = start + 1
    if ((kind & LETTER) !== 0) end = lettersEnd(text, end, "'’-")
    else if ((kind & DIGIT) !== 0) while ((kindAt(text, end) & DIGIT) !== 0) end++
    if ((kind & (LETTER | DIGIT)) !== 0) stems.push(stemOf(text.slice(start, end)))
    start = end
  }
  return stems
}
