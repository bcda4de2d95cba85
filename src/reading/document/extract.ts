/**
 * Reads one document: layout, profile, statements, then claims, goals and risks. Pure and deterministic; every quote is an
 * exact slice of the submitted text, in code points.
 *
 * A claim is one value of a statement: a figure, a day, a short answer, or the statement as a whole. Every claim keeps what
 * its statement says, so that it can be compared without the text.
 */

import { cut } from '../../platform/storable-text.js'
import { blocksOf } from '../layout/blocks.js'
import { sentencesOf } from '../layout/sentences.js'
import { codePointOffsets } from '../normalize/code-points.js'
import { type NormalizedText, normalize } from '../normalize/normalize.js'
import { remarksOf, saidOf } from '../normalize/remarks.js'
import type { ClaimRole, ClaimValue, DocumentInput, DoubtfulWord, ExtractedClaim, Extraction } from '../types.js'
import { COMPARER_VERSION, READER_NAME, READER_VERSION, RULES_VERSION } from '../version.js'
import { NO_NAMES, namesOf } from '../words/names.js'
import { periodOf, type Tokens } from '../words/tokens.js'
import { leastWithin } from './doubtful-words.js'
import { goalsOf } from './goals.js'
import { type Mentions, mentionsOf } from './mentions.js'
import { isIdentification, type Profile, profileOf } from './profile.js'
import { risksOf } from './risks.js'
import { type Says, SaysReader } from './says.js'
import { type Statement, statementsOf } from './statements.js'
import { attributeOf, lemmaKey, subjectAbove, subjectOf } from './subjects.js'

const MAX_CLAIMS = 2_000
const MAX_QUOTE = 1_000
const VALUES_A_STATEMENT = 4
const LONG_REMARK = 300
/** By whom, when and on what. */
const REMARK_HEAD = /^Paragraph \d+, (?:deleted[^:]*|comment(?:(?! on “)[^:])*(?: on “[^”]*”)?): /
/** A statement that nothing stands above. */
const BARE: Statement = { kind: 'sentence', start: 0, end: 0, text: '', labelEnd: 0, above: [], heads: [], beside: [], heading: '' }

export interface ReadClaim extends ExtractedClaim {
  says: Says
  /** Which of the figures of its statement it is; null where it is none. */
  figure: number | null
}

export interface Reading extends Extraction {
  claims: ReadClaim[]
  /** What the document adds to each of its statements, for comparing. */
  profile: Extraction['profile'] &
    Pick<Profile, 'topic' | 'corrects'> &
    Mentions & { named: string[]; reader: string; comparer: string; passages: number }
}

export function extract(input: DocumentInput): Reading {
  const normalized = normalize(saidOf(input.text, input.type), input.type)
  const { text } = normalized
  const blocks = blocksOf(text)
  const names = namesOf(text)
  const profile = profileOf(input, text, blocks, names)
  const slice = slicer(input.text, normalized)
  const reader = new SaysReader(profile.year, names)
  const named = new Set<string>([...profile.topic.names, ...profile.topic.identifiers])
  const claims: ReadClaim[] = []
  const statements = statementsOf(text, blocks)
  const subjects = new Map<readonly string[], { text: string } | null>()
  for (const statement of statements) {
    if (claims.length >= MAX_CLAIMS) break
    const { says, tokens } = reader.read(statement)
    for (const word of tokens.words) if (word.name) named.add(word.stem)
    for (const each of tokens.identifiers) named.add(each.key)
    for (const name of says.above.names) named.add(name)
    const lines = statement.above
    if (!subjects.has(lines)) subjects.set(lines, subjectAbove(lines, reader.tokens))
    claims.push(...claimsOf({ statement, says, tokens, profile, above: subjects.get(lines) ?? null, slice }))
  }
  claims.push(...remarkClaims(input, reader, profile))
  const { year, topic, called, corrects, ...told } = profile
  return {
    extractor: READER_NAME,
    version: RULES_VERSION,
    profile: {
      ...told,
      principalSubject: called || null,
      topic,
      corrects,
      named: [...named].slice(0, 300),
      reader: READER_VERSION,
      comparer: COMPARER_VERSION,
      passages: statements.length,
      ...mentionsOf({ name: input.name, title: profile.title, text }),
    },
    claims: doubted(claims.slice(0, MAX_CLAIMS), input.doubtful ?? []),
    goals: goalsOf(text, blocks, year).map(({ start, end, ...goal }) => ({ ...slice(start, end), ...goal })),
    risks: risksOf(text, blocks).map(({ start, end, ...risk }) => ({ ...slice(start, end), ...risk })),
  }
}

/** A claim is as sure as the least sure of the words it is quoted from. */
function doubted(claims: ReadClaim[], words: readonly DoubtfulWord[]): ReadClaim[] {
  if (words.length === 0) return claims
  return claims.map(claim => {
    const recognised = leastWithin(words, claim)
    return recognised === null ? claim : { ...claim, recognised, confidence: Math.min(claim.confidence, recognised) }
  })
}

/** What was deleted and commented is found and compared with nothing; what was inserted is said above. A long one is several. */
function remarkClaims({ text, type }: DocumentInput, reader: SaysReader, profile: Profile): ReadClaim[] {
  const codePoint = codePointOffsets(text)
  return remarksOf(text, type).flatMap(({ kind, start, end }) => {
    if (kind === 'inserted') return []
    const pieces = end - start <= LONG_REMARK ? [{ start, end }] : sentencesOf(text, start, end)
    return pieces.flatMap(piece => {
      const quote = text.slice(piece.start, Math.min(piece.end, piece.start + MAX_QUOTE))
      const slice = () => ({ start: codePoint(piece.start), end: codePoint(piece.start + quote.length), quote })
      const statement = { ...BARE, ...piece, text: quote }
      const { says, tokens } = reader.read(statement)
      const [first] = claimsOf({ statement, says, tokens, profile, above: null, slice })
      if (first === undefined) return []
      const attribute = kind === 'deleted' ? 'deleted text' : 'comment'
      const valueText = cut(quote.replace(REMARK_HEAD, ''), 200)
      // Its figures are not what the document gives.
      const value: ClaimValue = { type: 'boolean', value: true }
      return [{ ...first, role: kind, attribute, attributeKey: attribute, value, valueText, unit: null, figure: null }]
    })
  })
}

type Slicer = (start: number, end: number) => { start: number; end: number; quote: string }

function slicer(source: string, normalized: NormalizedText): Slicer {
  const codePoint = codePointOffsets(source)
  return (start, end) => {
    const span = normalized.sourceSpan(start, Math.min(end, start + MAX_QUOTE))
    return { start: codePoint(span.start), end: codePoint(span.end), quote: source.slice(span.start, span.end) }
  }
}

interface Read {
  statement: Statement
  says: Says
  tokens: Tokens
  profile: Profile
  above: { text: string } | null
  slice: Slicer
}

function claimsOf({ statement, says, tokens, profile, above, slice }: Read): ReadClaim[] {
  const { text, labelEnd, kind } = statement
  const quoted = slice(statement.start, statement.end)
  const subject = subjectOf(statement, tokens, above, profile)
  const role = roleOf(says)
  const make = (value: ClaimValue, valueText: string, at: number, figure: number | null): ReadClaim => {
    const attribute = attributeOf(statement, at)
    const period = value.type === 'date' ? null : (says.dates[0] ?? says.above.periods.at(-1) ?? profile.period)
    return {
      start: quoted.start,
      end: quoted.end,
      quote: quoted.quote,
      subject: subject.text,
      subjectKey: subject.key,
      attribute: attribute.text,
      attributeKey: attribute.key,
      role: figure !== null && says.numbers[figure]?.prior ? 'prior' : role,
      unit: figure === null ? null : unitOf(value),
      period: period && Number(period.from.slice(0, 4)) >= 1905 ? period : null,
      polarity: says.negated ? 'negated' : 'affirmed',
      value,
      valueText: cut(valueText, 200),
      confidence: kind === 'sentence' ? (figure === null ? 0.88 : 0.92) : 0.95,
      says,
      figure,
    }
  }
  const answers: ReadClaim[] = []
  for (let at = 0; at < says.numbers.length && answers.length < VALUES_A_STATEMENT; at++) {
    const number = tokens.numbers[at]!
    if (number.start >= labelEnd) answers.push(make(number.value, number.text, number.start, at))
  }
  if (answers.length > 0) return answers
  const date = answerDate(statement, tokens)
  if (date) {
    const { from, to, grain } = periodOf(date)
    return [make({ type: 'date', from, to, grain }, text.slice(date.start, date.end), date.start, null)]
  }
  if (kind !== 'sentence') {
    const answer = text.slice(labelEnd).trim()
    if (!/[\p{L}\p{N}]/u.test(answer)) return []
    const value: ClaimValue = isIdentification(answer)
      ? { type: 'name', value: cut(answer, 120) }
      : { type: 'category', set: lemmaKey(text.slice(0, labelEnd)), value: cut(answer, 120).toLowerCase(), rank: null }
    return [make(value, answer, labelEnd, null)]
  }
  if (tokens.words.length < 2 || tokens.words.length > 60) return []
  return [make({ type: 'boolean', value: !says.negated }, text, 0, null)]
}

/** The day a statement gives as its answer: the only one, or the only one that is a day. */
function answerDate({ kind, labelEnd }: Statement, { dates }: Tokens): Tokens['dates'][number] | undefined {
  const behind = dates.filter(each => each.start >= labelEnd)
  const days = behind.filter(({ period }) => period.grain === 'day')
  const date = days.length === 1 ? days[0] : behind[0]
  return date && (kind !== 'sentence' || days.length === 1 || dates.length === 1) ? date : undefined
}

/** A claim that another extractor read becomes comparable: its words are read from its quote. */
export function completeClaim(claim: ExtractedClaim | ReadClaim): ReadClaim {
  if ('says' in claim) return claim
  const text = cut(claim.quote.replace(/\s+/g, ' '), 900)
  const label = /^[\p{L}\d][^:.!?\n]{1,80}:\s/u.exec(text)?.[0].trimEnd() ?? ''
  const statement: Statement = {
    kind: label === '' ? 'sentence' : 'pair',
    start: claim.start,
    end: claim.end,
    text,
    labelEnd: label.length,
    above: claim.subject === '' ? [] : [claim.subject],
    heads: claim.subject === '' ? [] : [claim.subject],
    beside: [],
    heading: '',
  }
  const { says, tokens } = new SaysReader(null, NO_NAMES).read(statement)
  const { value } = claim
  const at = tokens.numbers.findIndex(number => 'low' in value && number.value.low === value.low && number.value.high === value.high)
  return { ...claim, attributeKey: lemmaKey(claim.attribute), says, figure: at < 0 ? null : at }
}

const CLAIM_ROLES: readonly (readonly [role: string, as: ClaimRole])[] = [
  ['condition', 'hypothetical'],
  ['target', 'target'],
  ['limit', 'limit'],
  ['plan', 'budget'],
  ['forecast', 'forecast'],
  ['estimate', 'estimate'],
  ['request', 'proposed'],
  ['prior', 'prior'],
]

const roleOf = ({ roles }: Says): ClaimRole => CLAIM_ROLES.find(([role]) => roles.includes(role))?.[1] ?? 'actual'

function unitOf(value: ClaimValue): string | null {
  if (value.type === 'money') return value.currency
  if (value.type === 'percent') return value.points ? 'pp' : '%'
  return value.type === 'quantity' ? value.unit : null
}
