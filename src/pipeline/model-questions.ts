/**
 * From what the rules made of a document, and what its scope holds, to the questions a model is asked about it; and from the
 * answers to what planning adds. One question for a document of ordinary length, one for each part of a long one.
 */

import type { Answer } from '../models/answer-schema.js'
import { type Chunk, chunksOf } from '../models/chunks.js'
import { joinStatements } from '../models/joined-statements.js'
import {
  askAbout,
  type EarlierStatement,
  listedSize,
  longestQuote,
  type Question,
  type QuestionDocument,
  type RuleContradiction,
} from '../models/question.js'
import { rankingLimits, rankStatements } from '../models/ranking.js'
import { type NumberedContradiction, type VerifiedReading, verifyAnswer } from '../models/verify.js'
import type { StoredClaim } from '../store/claims/claims.js'
import type { StatementRow } from '../store/documents/model-readings.js'

/** Longer texts are asked about in parts. */
const longestText = 24_000

export interface AskedDocument extends QuestionDocument {
  documentId: string
  /** Those of the rules, numbered as they will be. */
  claims: readonly StoredClaim[]
}

interface Statement extends EarlierStatement {
  claims: StatementRow[]
}

export interface AskedQuestion {
  question: Question
  verify: (answer: Answer) => VerifiedReading
  /** Number of the first claim of S1, S2 and so on. */
  listed: number[]
}

export interface Around {
  /** Claims of other documents, as far as they share words with this one. */
  rows: readonly StatementRow[]
  /** Contradictions of the rules, by ids of their leading claims. */
  contradictions: readonly { a: string; b: string }[]
  /** Claims that count in the scope. */
  total: number
}

export function questionsAbout(document: AskedDocument, around: Around): AskedQuestion[] {
  const statements = statementsOf(around.rows)
  return chunksOf(document.text, longestText).map(chunk => questionOf(document, chunk, statements, around))
}

function questionOf(document: AskedDocument, chunk: Chunk, statements: readonly Statement[], around: Around): AskedQuestion {
  const own = document.claims.filter(claim => claim.start >= chunk.start && claim.start < chunk.end)
  const numbered = numberedIn(own, document, statements, around)
  const needed = new Set(numbered.flatMap(({ statement }) => statement ?? []))
  const chosen = chooseStatements(own, statements, needed, around.total)
  const { documentId, text, claims, ...about } = document
  const contradictions = numbered.map(({ rule }) => rule)
  const question = askAbout({ document: { ...about, text: chunk.text }, statements: chosen, contradictions })
  const listed = question.listed as readonly Statement[]
  return {
    question,
    listed: listed.map(statement => statement.claims[0]?.claimNo ?? 0),
    verify: answer =>
      verifyAnswer({ answer, document: { ...about, text, claims }, listed, contradictions: numbered.map(({ pair }) => pair) }),
  }
}

function statementsOf(rows: readonly StatementRow[]): Statement[] {
  const ordered = [...rows].sort((a, b) => a.claimNo - b.claimNo)
  return joinStatements(ordered.map(row => ({ ...row, about: aboutOf(row) }))).map(statement => {
    const { documentName, issuer, issuedOn } = statement.claims[0]
    return { ...statement, documentName, issuer, issuedOn }
  })
}

/** Row and column of a cell where its own words do not tell. */
function aboutOf({ isCell, quote, subject, attribute }: StatementRow): string | null {
  if (!isCell) return null
  const parts = [subject, attribute].filter(part => part !== '' && !quote.includes(part))
  return parts.length === 0 ? null : parts.join(', ')
}

function chooseStatements(
  own: readonly StoredClaim[],
  statements: readonly Statement[],
  needed: ReadonlySet<Statement>,
  total: number,
): Statement[] {
  const first = [...needed].slice(0, rankingLimits.statements)
  const spent = first.reduce((sum, statement) => sum + listedSize(statement), 0)
  const candidates = statements.flatMap(statement =>
    needed.has(statement)
      ? []
      : [{ ...statement, text: statement.quote.slice(0, 2 * longestQuote), size: listedSize(statement), statement }],
  )
  const passages = [...new Map(own.map(claim => [claim.start, claim.quote])).values()]
  const limits = {
    ...rankingLimits,
    statements: rankingLimits.statements - first.length,
    characters: Math.max(0, rankingLimits.characters - spent),
  }
  return [...first, ...rankStatements(passages, candidates, total, limits).map(({ statement }) => statement)]
}

interface Numbered {
  pair: NumberedContradiction
  rule: RuleContradiction
  statement: Statement | null
}

/** Contradictions that have a side in this part of the document, and another in it or among the statements. */
function numberedIn(
  own: readonly StoredClaim[],
  document: AskedDocument,
  statements: readonly Statement[],
  { contradictions }: Around,
): Numbered[] {
  const inPart = new Set(own.map(claim => claim.claimId))
  const ours = new Map(document.claims.map(claim => [claim.claimId, claim]))
  return contradictions.flatMap(({ a, b }): Numbered[] => {
    const [mine, other] = inPart.has(b) ? [b, a] : [a, b]
    const claim = ours.get(mine)
    if (claim === undefined || !inPart.has(mine)) return []
    const within = ours.get(other)
    if (within !== undefined) {
      return [{ pair: { a: within, b: claim }, rule: { quote: claim.quote, against: { quote: within.quote } }, statement: null }]
    }
    const statement = statements.find(each => each.claims.some(row => row.claimId === other))
    const row = statement?.claims.find(each => each.claimId === other)
    if (statement === undefined || row === undefined) return []
    return [{ pair: { a: earlierClaim(row), b: claim }, rule: { quote: claim.quote, against: { statement } }, statement }]
  })
}

/** As far as an acquittal can be refuted by it. */
function earlierClaim(row: StatementRow): NumberedContradiction['a'] {
  const { claimId, start, end, quote, subject, attribute, value, valueText, period } = row
  return {
    ...{ claimId, start, end, quote, subject, attribute, value, valueText, period },
    ...{ subjectKey: row.subjectKey, subjectCertain: row.subjectCertain, role: row.role, polarity: row.polarity },
    ...{ attributeKey: '', basis: [], part: null, unit: null, modality: 'fact', confidence: 1 },
    stance: { disputes: false, corrects: false, echoes: false, supersedes: false },
  }
}
