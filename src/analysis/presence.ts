/**
 * What a text says is absent or present: "no rent arrears exist", "three tenants are in arrears".
 */
import { MEASURE_WORDS, termOf } from './slots.js'
import { tag } from './tagging.js'
import { isTopic } from './topics.js'
import { unitOf } from './units.js'
import { isPast } from './verbs.js'
import { AUXILIARIES, COUNTS, isNumeric, stem, type Token } from './words.js'

/** Things a text says are absent, each by its words with the noun last: "no claims or disputes" names two. Empty when nothing is. */
export function absentIn(tokens: readonly Token[]): string[][] {
  for (let i = 0; i < tokens.length - 1; i++) {
    const lower = tokens[i]!.lower
    if (!NOTHING.has(lower)) continue
    const next = tokens[i + 1]!.lower
    if (lower === 'none' && next !== 'of') {
      const labelled = labelledBefore(tokens, i)
      if (labelled.length) return [labelled]
      continue
    }
    // "without them the share rises": nothing of the share is absent.
    if (HOLLOW.has(next) || (lower === 'without' && /^(?:them|it|him|her|us|this|that|these|those|the)$/.test(next))) continue
    const from = behindCase(tokens, lower === 'none' ? i + 2 : i + 1)
    // "express no opinion on it": of what stands before, not at all.
    if (tokens.slice(from + 1, from + 4).some((token, k, all) => tag(token.lower) === 'P' && BACK.has(all[k + 1]?.lower ?? ''))) continue
    const whither = whereto(tokens, from)
    const things = [nounsFrom(tokens, from), ...alternatives(tokens, from)].filter(words => words.some(isTopic))
    if (!things.length || saidOfNone(tokens, from) || (lower === 'without' && [...whither, ...things[0]!].filter(isTopic).length < 2))
      continue
    return things.map(words => [...whither, ...withoutCase(words)])
  }
  return []
}

const BACK = new Set(['it', 'them', 'this', 'these'])
const NOTHING = new Set(['no', 'zero', 'nil', 'without', 'none'])
/** "no case of fraud": of what the case is, is absent. */
const CASES = new Set(
  'case cases instance instances occurrence occurrences sign signs incident incidents event events episode episodes'.split(' '),
)

function behindCase(tokens: readonly Token[], from: number): number {
  return CASES.has(tokens[from]?.lower ?? '') && tokens[from + 1]?.lower === 'of' ? from + 2 : from
}

/** "no default event": a default. */
const withoutCase = (words: string[]): string[] => (words.length > 2 && CASE_STEMS.has(words.at(-1)!) ? words.slice(0, -1) : words)
const CASE_STEMS = new Set([...CASES].map(word => stem(word)))

/** "Steering board: none foreseen". */
function labelledBefore(tokens: readonly Token[], at: number): string[] {
  if (at < 1 || at > 6) return []
  const label = tokens.slice(0, at)
  if (label.some(token => !/^[NDP]$/.test(tag(token.lower)))) return []
  const words = nounsFrom(tokens.slice(0, at), 0)
  return words.some(isTopic) ? words : []
}

/** "no claims, disputes or appeals": what else is absent. */
function alternatives(tokens: readonly Token[], from: number): string[][] {
  const found: string[][] = []
  for (let i = from + 1; i < tokens.length - 1 && i < from + 12 && found.length < 3; i++) {
    const kind = tag(tokens[i]!.lower)
    if (kind === 'X' || kind === 'P') break
    const listed = tokens[i]!.start - tokens[i - 1]!.end > 1 && kind === 'N'
    if (!listed && tokens[i]!.lower !== 'or' && tokens[i]!.lower !== 'nor') continue
    const words = nounsFrom(tokens, listed ? i : i + 1)
    if (words.some(isTopic)) found.push(words)
  }
  return found
}

/** "no pump was late" says something of pumps; "no leak was found" that there is none. */
function saidOfNone(tokens: readonly Token[], start: number): boolean {
  for (let i = start + 1; i < tokens.length && i < start + 8; i++) {
    // "no pump passed the test".
    const { lower } = tokens[i]!
    const mere = FINDS.has(lower) || KNOWN.has(lower) || THERE.has(lower) || AUXILIARIES.has(lower)
    if (!mere && isPast(lower) && tag(tokens[i + 1]?.lower ?? 'of') === 'D') return true
    // "no master holds shares".
    if (!mere && tag(lower) === 'X' && lower.endsWith('s')) return true
    if (!AUXILIARIES.has(tokens[i]!.lower)) continue
    while (i < tokens.length && (AUXILIARIES.has(tokens[i]!.lower) || tag(tokens[i]!.lower) === 'A')) i++
    const said = tokens[i]?.lower
    return said !== undefined && tag(said) !== 'P' && !FINDS.has(said) && !THERE.has(said) && !KNOWN.has(said)
  }
  return false
}

const KNOWN = new Set(
  'known available present evident visible apparent outstanding made given left received submitted filed kept held provided seen disclosed produced raised granted booked imposed agreed included used employed engaged declared charged'.split(
    ' ',
  ),
)

/** "no link to the buyer" is no denial of other links. */
function whereto(tokens: readonly Token[], start: number): string[] {
  for (let i = start + 1; i < tokens.length && i < start + 5; i++) {
    const kind = tag(tokens[i]!.lower)
    if (kind === 'P') return /^(?:to|with|between|from|of)$/.test(tokens[i]!.lower) ? nounsFrom(tokens, i + 1) : []
    if (kind === 'X') return []
  }
  return []
}

/** The counted noun behind "no" as written, with a participle said of it: "no batches were rejected". */
export function absentPhrase(text: string, tokens: readonly Token[]): { text: string; word: string } | null {
  for (let i = 0; i < tokens.length - 1 && i < 40; i++) {
    const { lower } = tokens[i]!
    if ((lower !== 'no' && lower !== 'zero' && lower !== 'nil') || HOLLOW.has(tokens[i + 1]!.lower)) continue
    let last = -1
    for (let k = i + 1; k < tokens.length && k < i + 6; k++) {
      const kind = tag(tokens[k]!.lower)
      if (
        kind !== 'N' ||
        THERE.has(tokens[k]!.lower) ||
        (last > 0 && /^[a-z]{4,}ed$/.test(tokens[k]!.lower)) ||
        (k > i + 1 && /[,.;:()]/.test(text.slice(tokens[k - 1]!.end, tokens[k]!.start)))
      )
        break
      last = k
    }
    if (last < 0 || !/s$/.test(tokens[last]!.lower) || /ss$/.test(tokens[last]!.lower)) continue
    return { text: `${text.slice(tokens[i + 1]!.start, tokens[last]!.end)}${doneTo(tokens, last + 1)}`, word: tokens[i]!.text }
  }
  return null
}

/** "no crates were exported": of those exported there are none. */
function doneTo(tokens: readonly Token[], from: number): string {
  let at = from
  while (at < tokens.length && at < from + 3 && AUXILIARIES.has(tokens[at]!.lower)) at++
  const said = at > from ? (tokens[at]?.lower ?? '') : ''
  return isPast(said) && !FINDS.has(said) && !KNOWN.has(said) ? ` ${said}` : ''
}

const HOLLOW = new Set(
  'longer later less more doubt other such matter way means need reason further one impact effect change material point tolerance'.split(
    ' ',
  ),
)

function nounsFrom(tokens: readonly Token[], start: number): string[] {
  const words: string[] = []
  for (let i = start; i < tokens.length && i < start + 6; i++) {
    const token = tokens[i]!
    const kind = tag(token.lower)
    if (kind === 'D' || (kind === 'A' && !words.length)) continue
    // "no signed deed".
    const adjective = kind === 'X' && !words.length && token.lower.endsWith('ed') && tag(tokens[i + 1]?.lower ?? 'of') === 'N'
    // A comma ends it.
    if (words.length && token.start - tokens[i - 1]!.end > 1) break
    if (
      (kind !== 'N' && !adjective) ||
      THERE.has(token.lower) ||
      (words.length && (KNOWN.has(token.lower) || /^[a-z]{4,}ed$/.test(token.lower)))
    )
      break
    words.push(...termOf(token.lower).filter(term => term.length > 2 && !isNumeric(term) && !COUNTS.has(token.lower)))
  }
  return words
}

const THERE = new Set('exist exists existed remain remains occur occurs occurred apply applies arise arises arose'.split(' '))

const FINDS = new Set(
  'found finds show shows showed shown reveal reveals revealed identified identifies detected observed recorded records lists listed owes owed confirmed documented discovered noted contains counted occurred uses use has have had includes reported reports notes'.split(
    ' ',
  ),
)

/** Things a text says are there: counted, found, shown, owed, come about, brought in, or named as what somebody is in. */
export function presentIn(tokens: readonly Token[]): string[] {
  const words = new Set<string>()
  for (let i = 0; i < tokens.length && words.size <= 12; i++) for (const word of presentAt(tokens, i)) words.add(word)
  return [...words]
}

function presentAt(tokens: readonly Token[], i: number): string[] {
  const { lower } = tokens[i]!
  const next = tokens[i + 1]?.lower ?? ''
  // "taken after rinsing of the cup".
  if (lower === 'after' && /^[a-z]{3,}ing$/.test(next)) return nounsFrom(tokens, i + 1)
  if (COMES.has(lower)) return subjectWords(tokens, i)
  if (isNumeric(lower) || COUNTS.has(lower) || FINDS.has(lower))
    return [...nounsFrom(tokens, behindCase(tokens, i + 1)), ...foundBefore(tokens, i)]
  if (lower === 'there' && /^(?:is|are|was|were|have|has)$/.test(next)) return nounsFrom(tokens, behindCase(tokens, i + 2))
  // "is in dispute", "are in arrears".
  if (lower === 'in' && BE.has(tokens[i - 1]?.lower ?? '')) return nounsFrom(tokens, i + 1)
  // "lodged a claim", "suffered an injury".
  if (BRINGS.has(lower) && !BE.has(tokens[i - 1]?.lower ?? ''))
    return nounsFrom(tokens, COUNTS.has(next) || isNumeric(next) ? i + 2 : i + 1)
  if (BRINGS.has(lower)) return foundBefore(tokens, i)
  // "The leak of 3 May": it is dated, so it was there.
  if (lower === 'the' && i === 0) return datedFrom(tokens)
  return hadAt(tokens, i)
}

/** "carries a deductible", "fitted with locks", "done by subcontractors", "a provision of EUR 2 million". */
function hadAt(tokens: readonly Token[], i: number): string[] {
  const { lower } = tokens[i]!
  const next = tokens[i + 1]?.lower ?? ''
  const before = tokens[i - 1]?.lower ?? ''
  if (HAS.has(lower) && (/^an?$/.test(next) || isNumeric(next) || COUNTS.has(next))) return nounsFrom(tokens, i + 1)
  if (THROUGH.get(lower)?.has(before)) return nounsFrom(tokens, i + 1)
  const amount = lower === 'of' && isAmount(tokens, i + 1) && !tokens.some(token => WANTED.has(token.lower))
  return amount ? subjectWords(tokens, i) : []
}

/** "EUR 2 million", "14 days", "1.5%"; a plain count may be of anything. */
function isAmount(tokens: readonly Token[], at: number): boolean {
  const { lower } = tokens[at] ?? { lower: '' }
  const next = tokens[at + 1]?.lower ?? ''
  return MEASURE_WORDS.has(lower) || (isNumeric(lower) && (lower.includes('.') || MEASURE_WORDS.has(next) || unitOf(next) !== null))
}

const HAS = new Set(
  'carries carry carried holds hold held operates operate employs employ maintains maintain provides provide makes make runs run owns own keeps keep offers bears bear contains contain'.split(
    ' ',
  ),
)
/** Prepositions that bring in what is there, by the word before. */
const THROUGH: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['with', new Set('fitted equipped furnished provided supplied protected lined'.split(' '))],
  ['on', new Set('runs run relies rely operates'.split(' '))],
  ['by', new Set('done performed out executed supplied provided handled undertaken covered secured backed'.split(' '))],
])
/** An amount that is only asked for is not there. */
const WANTED = new Set(
  'requested requests request proposed proposes propose claimed claims claim sought seeks asked asks demanded demands applied refused rejected denied declined possible potential would could may might if threatened estimated expected'.split(
    ' ',
  ),
)

/** "A claim was lodged", "Two leaks have been found". */
function foundBefore(tokens: readonly Token[], at: number): string[] {
  return BE.has(tokens[at - 1]?.lower ?? '') || tag(tokens[at - 1]?.lower ?? '') === 'A' ? subjectWords(tokens, at - 1) : []
}

/** Words of the noun phrase before a verb. */
function subjectWords(tokens: readonly Token[], at: number): string[] {
  let end = at
  while (end > 0 && tag(tokens[end - 1]!.lower) !== 'N') end--
  let from = end
  while (from > 0 && from > end - 8 && /^[NPD]$/.test(tag(tokens[from - 1]!.lower))) from--
  return tokens
    .slice(from, end)
    .flatMap(token => (tag(token.lower) === 'N' && !isNumeric(token.lower) ? termOf(token.lower).filter(term => term.length > 2) : []))
}

function datedFrom(tokens: readonly Token[]): string[] {
  const words = nounsFrom(tokens, 1)
  for (let i = 2; i < tokens.length && i < 9; i++) {
    if (tag(tokens[i]!.lower) === 'X') return []
    if (!/^(?:of|on|dated)$/.test(tokens[i]!.lower)) continue
    return tokens.slice(i + 1, i + 4).some(token => isNumeric(token.lower)) ? words : []
  }
  return []
}

const BE = new Set(['is', 'are', 'was', 'were', 'been'])
/** Verbs that bring something about or receive it. */
const BRINGS = new Set(
  'lodged filed raised brought developed suffered sustained experienced received issued submitted established introduced installed appointed created adopted opened launched imposed initiated set'.split(
    ' ',
  ),
)
/** What they are said of has come about. */
const COMES = new Set('occurred occurs arose happened exists exist existed emerged'.split(' '))
