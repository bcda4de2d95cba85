/**
 * Reads one document: layout, profile, statements, then claims, goals and risks. Pure and deterministic; every quote is an
 * exact slice of the submitted text, in code points.
 *
 * A claim is one value of a statement: a figure, a day, a short answer, or the statement as a whole. The first claim of a
 * statement stands for all of it.
 */

import { cut } from '../../platform/storable-text.js'
import { blocksOf } from '../layout/blocks.js'
import { codePointOffsets } from '../normalize/code-points.js'
import { type NormalizedText, normalize } from '../normalize/normalize.js'
import { dimensionOf, intervalOf } from '../relations/compare-values.js'
import type { ClaimRole, ClaimValue, DocumentInput, ExtractedClaim, Extraction } from '../types.js'
import { findValues } from '../values/values.js'
import { READER_NAME, READER_VERSION } from '../version.js'
import { CUE } from '../words/cues.js'
import { NOUN, partOf, partsOf, VERB } from '../words/dictionary.js'
import { CORRECTION } from '../words/lists.js'
import type { FoundNumber, Tokens, Word } from '../words/tokens.js'
import { attributeOf, capitalized, lemmaKey, subjectOf, topicSubject } from './claim-names.js'
import { breaksIn, clauseFrame, clauseOf, type Span } from './clauses.js'
import { type Frame, type FrameNumber, frameOf } from './frames.js'
import { goalsOf } from './goals.js'
import { isIdentification, type Profile, profileOf } from './profile.js'
import { periodOf, ReadLines } from './read-lines.js'
import { risksOf } from './risks.js'
import { type Statement, statementsOf } from './statements.js'

const MAX_CLAIMS = 2_000
const MAX_QUOTE = 1_000
const VALUES_A_STATEMENT = 4

/** Takes back or denies what was said right before it. */
const REFUTES =
  /\b(?:this|that|the (?:claim|allegation|story|report|rumou?r|statement|assertion|figure)|it|which|such talk) (?:is|was|were|has been|proved|turned out)(?: to be)? (?:\p{L}+ly )?(?:false|wrong|untrue|incorrect|unfounded|nonsense|invented|mistaken|not (?:so|true|correct|the case|accepted)|refuted|rejected|denied|disproved|rubbish|a mistake|an error)\b|\b(?:reject(?:s|ed)?|den(?:y|ies|ied)|refute[sd]?|disputes?|disputed|contradicts?|does not accept|did not accept|dismiss(?:es|ed)) (?:this|that|the (?:claim|allegation|story|report|rumou?r|statement|suggestion))\b|\b(?:found|considers?|considered|proved|showed|judged|held) (?:this|that|it|the \p{L}+)(?: \p{L}+)? (?:to be )?(?:untrue|false|wrong|refuted|unfounded|mistaken|baseless)\b|\bdid not believe (?:him|her|them|this|that)\b|^It (?:was|is|did|does) not\.$|\b(?:calls?|called|describe[sd]?) (?:this|that|it|the \p{L}+) (?:as )?(?:a lie|nonsense|untrue|false|invented|unfounded|wrong|rubbish)\b/iu

export interface ReadClaim extends ExtractedClaim {
  frame: Frame
  bound: 'min' | 'max' | null
  counted: string | null
  of: number | null
  /** Lemmas of the words around the value: what it is a value of. */
  near: string[]
  /** Lemmas of the nouns it is a figure of: the nearest before and behind it, or the label's last. */
  heads: string[]
  /** Where the document gives the same label other values elsewhere: the words above that say which one is meant. */
  tells: string[] | null
  /** How many figures of its kind the document gives, or claims where it is no figure: the more, the more it takes to know one. */
  crowd: number
  /** How many claims its document makes. */
  among: number
  /** The words of a sentence as they stand there, in a document that says little. */
  told?: string[]
  /** Which of the figures of its kind in the statement it is, and of how many. */
  nth: [at: number, of: number]
}

/** Claims from which on a document speaks of many things. */
export const LONG = 10

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}](?:[\p{L}\p{N}.,'’/-]*[\p{L}\p{N}])?/gu)
    ?.slice(0, 80) ?? []

export interface Reading extends Extraction {
  claims: ReadClaim[]
  /** What the document adds to each of its statements, for comparing. */
  profile: Extraction['profile'] & Pick<Profile, 'topic' | 'corrects'> & { named: string[]; reader: string }
}

export function extract(input: DocumentInput): Reading {
  const normalized = normalize(input.text, input.type)
  const { text } = normalized
  const blocks = blocksOf(text)
  const profile = profileOf(input, text, blocks)
  const slice = slicer(input.text, normalized)
  const claims: ReadClaim[] = []
  const lines = new ReadLines(profile.year, profile.title ?? '')
  const document = { profile, topic: topicSubject(profile), lines, slice }
  const named = new Set<string>([...profile.topic.names, ...profile.topic.identifiers])
  let last: { frame: Frame; end: number } | null = null
  for (const statement of statementsOf(text, blocks)) {
    if (claims.length >= MAX_CLAIMS) break
    const { frame, tokens } = frameOf(statement, lines)
    for (const word of tokens.words) if (word.name) named.add(word.lemma)
    for (const each of tokens.identifiers) named.add(each.key)
    for (const name of frame.above.names) named.add(name)
    // "The office has checked and rejects this": what was said before is only told.
    if (last && statement.start - last.end < 4 && (tokens.cues & CUE.refuted) !== 0 && REFUTES.test(statement.text))
      last.frame.roles.push('hearsay')
    last = { frame, end: statement.end }
    claims.push(...claimsOf(statement, frame, tokens, document))
  }
  const { year, topic, corrects, ...told } = profile
  return {
    extractor: READER_NAME,
    version: READER_VERSION,
    profile: {
      ...told,
      principalSubject: topic.names.length > 0 ? topic.names.slice(0, 3).map(capitalized).join(' ') : null,
      topic,
      corrects,
      named: [...named].slice(0, 300),
      reader: READER_VERSION,
    },
    claims: withCrowds(withAmbiguity(claims.slice(0, MAX_CLAIMS))),
    goals: goalsOf(text, blocks, year).map(({ start, end, ...goal }) => ({ ...slice(start, end), ...goal })),
    risks: risksOf(text, blocks).map(({ start, end, ...risk }) => ({ ...slice(start, end), ...risk })),
  }
}

/** "SCR ratio impact" under five scenarios asks for five things: what stands above each tells which one. */
function withAmbiguity(claims: ReadClaim[]): ReadClaim[] {
  const groups = new Map<string, ReadClaim[]>()
  for (const claim of claims) {
    if (claim.frame.kind === 'sentence' || claim.nth[0] !== 0) continue
    const key = `${claim.attributeKey}|${claim.value.type}|${claim.frame.dates.map(date => date.label).join()}`
    const group = groups.get(key)
    if (group) group.push(claim)
    else groups.set(key, [claim])
  }
  for (const group of groups.values()) {
    if (new Set(group.map(claim => claim.valueText)).size < 2) continue
    const above = group.map(({ frame }) => new Set([...frame.section, ...frame.above.names, ...frame.above.identifiers]))
    for (const [at, claim] of group.entries())
      claim.tells = [...above[at]!].filter(word => !above.every(other => other.has(word))).slice(0, 12)
  }
  return claims
}

function withCrowds(claims: ReadClaim[]): ReadClaim[] {
  const kinds = claims.map(({ value }) => ('low' in value ? dimensionOf(value) : null))
  const crowds = new Map<string | null, number>()
  for (const kind of kinds) crowds.set(kind, (crowds.get(kind) ?? 0) + 1)
  for (const [at, claim] of claims.entries()) {
    claim.among = claims.length
    if (claims.length <= LONG && claim.frame.kind === 'sentence') claim.told = wordsOf(claim.quote)
    claim.crowd = kinds[at] === null ? claims.length : crowds.get(kinds[at]!)!
  }
  return claims
}

type Slicer = (start: number, end: number) => { start: number; end: number; quote: string }

function slicer(source: string, normalized: NormalizedText): Slicer {
  const codePoint = codePointOffsets(source)
  return (start, end) => {
    const span = normalized.sourceSpan(start, Math.min(end, start + MAX_QUOTE))
    return { start: codePoint(span.start), end: codePoint(span.end), quote: source.slice(span.start, span.end) }
  }
}

/** What all statements of a document are read with. */
interface InHand {
  profile: Profile
  topic: ReturnType<typeof topicSubject>
  lines: ReadLines
  slice: Slicer
}

function claimsOf(statement: Statement, frame: Frame, tokens: Tokens, { profile, topic, lines, slice }: InHand): ReadClaim[] {
  const answers = tokens.numbers
    .filter(number => number.start >= statement.labelEnd && !isAside(statement.text, number))
    .map(number => withLabelUnit(number, statement))
  completeFrame(frame, statement, tokens)
  const whole = frame
  const said = { start: statement.labelEnd, end: statement.text.length }
  const breaks = answers.length === 0 ? [] : breaksIn(statement.text, statement.labelEnd, answers)
  const quoted = slice(statement.start, statement.end)
  const make = (value: ClaimValue, valueText: string, at: number, found: FoundNumber | null): ReadClaim => {
    const figure = found ? answers.indexOf(found) : -1
    const clause = figure < 0 ? null : clauseOf(breaks, said, answers, figure)
    const frame = clause ? clauseFrame(statement, whole, tokens, answers, clause, lines) : whole
    const subject = subjectOf(tokens, frame, statement, topic)
    const attribute = attributeOf(statement, tokens, at, found)
    const period = value.type === 'date' ? null : (frame.dates[0] ?? frame.above.periods.at(-1) ?? profile.period)
    // Written out in full: an object made in one piece costs a fraction of one that is spread together.
    return {
      start: quoted.start,
      end: quoted.end,
      quote: quoted.quote,
      subject: subject.text,
      subjectKey: subject.key,
      subjectCertain: subject.certain,
      attribute: attribute.text,
      attributeKey: attribute.key,
      role: found && priorOf(statement.text, found) ? 'prior' : roleOf(frame),
      basis: [],
      part: null,
      unit: found ? unitOf(found.value) : null,
      period: period && Number(period.from.slice(0, 4)) >= 1905 ? period : null,
      polarity: frame.denials % 2 === 1 ? 'negated' : 'affirmed',
      modality:
        frame.roles.includes('plan') || frame.roles.includes('forecast')
          ? 'plan'
          : frame.roles.includes('condition')
            ? 'possibility'
            : 'fact',
      value,
      valueText: cut(valueText, 200),
      confidence: statement.kind === 'sentence' ? (found ? 0.92 : 0.88) : 0.95,
      stance: { disputes: false, corrects: frame.corrects, echoes: false, supersedes: profile.corrects },
      frame,
      bound: found?.bound ?? null,
      counted: found?.counted ?? null,
      of: found?.of ?? null,
      near: nearOf(statement, tokens, found),
      heads: headsOf(statement, tokens, found),
      tells: null,
      crowd: 1,
      among: 1,
      nth: found ? nthOf(found, answers, clause) : [0, 1],
    }
  }
  if (answers.length > 0) return answers.slice(0, VALUES_A_STATEMENT).map(found => make(found.value, found.text, found.start, found))
  const behind = tokens.dates.filter(each => each.start >= statement.labelEnd)
  const days = behind.filter(({ period }) => period.grain === 'day')
  const date = days.length === 1 ? days[0] : behind[0]
  if (date && (statement.kind !== 'sentence' || days.length === 1 || tokens.dates.length === 1)) {
    const period = periodOf(date)
    return [
      make(
        { type: 'date', from: period.from, to: period.to, grain: period.grain },
        statement.text.slice(date.start, date.end),
        date.start,
        null,
      ),
    ]
  }
  if (statement.kind !== 'sentence') {
    const answer = statement.text.slice(statement.labelEnd).trim()
    if (answer.length <= 1 && !/^[A-G\d]$/.test(answer)) return []
    const value: ClaimValue = isIdentification(answer)
      ? { type: 'name', value: cut(answer, 120) }
      : {
          type: 'category',
          set: lemmaKey(statement.text.slice(0, statement.labelEnd)),
          value: cut(answer, 120).toLowerCase(),
          rank: null,
        }
    return [make(value, answer, statement.labelEnd, null)]
  }
  if (!isTelling(tokens, frame)) return []
  return [make({ type: 'boolean', value: frame.denials % 2 === 0 }, statement.text, 0, null)]
}

/** What of a frame takes the figures and the text of the whole statement. */
export function completeFrame(frame: Frame, { text, labelEnd }: Pick<Statement, 'text' | 'labelEnd'>, { numbers, cues }: Tokens): void {
  frame.numbers = numbers.slice(0, 8).map(number => {
    const { low, high } = intervalOf(number.value, number.bound)
    const prior = priorOf(text, number)
    return {
      unit: dimensionOf(number.value),
      // An open end is kept as a number that survives JSON.
      low: Math.max(low, -Number.MAX_VALUE),
      high: Math.min(high, Number.MAX_VALUE),
      counted: number.counted,
      ...(number.start < labelEnd && { label: true as const }),
      ...(isAside(text, number) && { aside: true as const }),
      ...(prior && { prior }),
    }
  })
  frame.corrects = (cues & CUE.correction) !== 0 && CORRECTION.test(text)
}

/** "(95% CI: 3.2-5.4)", "(n=74)", "(range 3 to 22)": a remark on the figure before it. */
function isAside(text: string, { start }: FoundNumber): boolean {
  const open = text.lastIndexOf('(', start)
  return (
    open > 0 &&
    text.indexOf(')', open) > start &&
    /^\((?:95\s?%|90\s?%|99\s?%|[np]\s?[=<>]|range|CI|IQR|SD|±|of\s|vs\.?\s|ref)/i.test(text.slice(open, open + 8))
  )
}

const PRIOR =
  /(?:(\(\s?was|\b(?:previously|formerly|originally|initially|(?:down|up|raised|increased|reduced|changed|changes|lowered|cut|revised|extended|postponed|moved|rose|fell|rising|falling) from))|(\b(?:instead of|rather than|corrected from)|, (?:and )?not)|\b(?:prior|earlier|vs\.?|versus))(?:\s(?:reported|stated|given|put)?\s?(?:as|at|of|the|approximately|about)?)?\s?$/i

/** "(previously EUR 61.3M)", "from 5.6% to": what was before. "6 hours, not 31": what was never so. "12 vs 14": what stands beside it. */
function priorOf(text: string, { start }: FoundNumber): FrameNumber['prior'] {
  const [found, before, denied] = PRIOR.exec(text.slice(Math.max(0, start - 32), start)) ?? []
  if (found === undefined) return undefined
  return before ? 'before' : denied ? 'denied' : 'beside'
}

const NEAR_BEFORE = 64
const NEAR_BEHIND = 44

/** In a sentence the words next to the figure; a label is near all of its answer. */
function nearOf({ labelEnd }: Statement, { words }: Tokens, found: FoundNumber | null): string[] {
  if (found === null) return []
  const near = words.filter(word =>
    labelEnd > 0
      ? word.start < labelEnd || Math.abs(word.start - found.end) < 24
      : word.end > found.start - NEAR_BEFORE && word.start < found.end + NEAR_BEHIND,
  )
  return [...new Set(near.filter(word => !word.name || labelEnd > 0).map(word => word.lemma))].slice(0, 16)
}

/** A figure is of what it counts, of the noun behind "of", and of the noun before it. */
function headsOf({ text, labelEnd }: Statement, { words }: Tokens, found: FoundNumber | null): string[] {
  if (found === null) return []
  const isThing = ({ lemma, name }: Word): boolean => !name && partOf(lemma) === NOUN
  const before = words.filter(word => word.end <= (labelEnd > 0 ? labelEnd : found.start) && isThing(word)).at(-1)
  const behind = /^\s(?:of )/.test(text.slice(found.end, found.end + 4))
    ? words.find(word => word.start >= found.end && isThing(word))
    : undefined
  return [...new Set([found.counted, before?.lemma, behind?.lemma].filter(lemma => lemma != null))]
}

function nthOf(found: FoundNumber, all: readonly FoundNumber[], clause: Span | null): [number, number] {
  const alike = all.filter(
    each =>
      (clause === null || (each.start >= clause.start && each.end <= clause.end)) && dimensionOf(each.value) === dimensionOf(found.value),
  )
  return [alike.indexOf(found), alike.length]
}

/** A sentence says something that another document could deny: it has a verb and a thing that is named or rare. */
function isTelling({ words, identifiers, dates }: Tokens, frame: Frame): boolean {
  if (words.length < 2 || words.length > 40) return false
  const acts =
    frame.tense !== null || (words.length >= 4 && words.some(({ lemma, head }) => head === null && (partsOf(lemma) & VERB) !== 0))
  return acts && (identifiers.length > 0 || dates.length > 0 || words.length >= 3)
}

const LABEL_UNIT =
  /\b(?:(EUR|USD|GBP|CHF|SEK|NOK|DKK)(?:[ -](thousand|million|billion|mn|bn|m|k))?|(hours|days|minutes|months|weeks|years|km|kg|tonnes|litres|mg|MWh|GWh|kWh|MW))\b|(%|\bper ?cent\b)/

/** "Net debt (EUR million)": the unit of a bare figure may stand in its label or column. */
function withLabelUnit(number: FoundNumber, { text, labelEnd }: Statement): FoundNumber {
  if (labelEnd === 0 || number.value.type !== 'quantity' || number.value.unit !== null || number.counted !== null) return number
  const [, currency, scale = '', unit, percent] = LABEL_UNIT.exec(text.slice(0, labelEnd)) ?? []
  if (currency === undefined && unit === undefined && percent === undefined) return number
  const written = currency ? `${currency} ${number.text} ${scale}`.trim() : `${number.text} ${unit ?? '%'}`
  const [found] = findValues(written, () => -1)
  return found && found.end - found.start === written.length ? { ...number, value: found.value } : number
}

function roleOf({ roles }: Frame): ClaimRole {
  const named: readonly [string, ClaimRole][] = [
    ['condition', 'hypothetical'],
    ['target', 'target'],
    ['limit', 'limit'],
    ['plan', 'budget'],
    ['forecast', 'forecast'],
    ['estimate', 'estimate'],
    ['request', 'proposed'],
    ['prior', 'prior'],
  ]
  return named.find(([role]) => roles.includes(role))?.[1] ?? 'actual'
}

function unitOf(value: FoundNumber['value']): string | null {
  if (value.type === 'money') return value.currency
  return value.type === 'percent' ? (value.points ? 'pp' : '%') : value.unit
}
