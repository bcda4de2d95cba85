/**
 * Passages that a person says contradict each other: checked against the stored text, and made claims of, which stand on the sides of
 * the contradiction. They belong to their documents like those a later finding needs: a new reading takes them over, a revision ends
 * them, erasing takes their words. Each has a slot of its own: what a person saw is held against nothing else.
 */

import { sha256 } from '../../kernel/canonical.js'
import { toSlotClaim } from '../../kernel/document-content.js'
import type { ReportRound } from '../../kernel/round-types.js'
import { AppError, invalidMember, invariant } from '../../platform/errors.js'
import { cut } from '../../platform/storable-text.js'
import { placeClaims } from '../../reading/relations/place.js'
import type { ExtractedClaim, Extraction, PlacedClaim } from '../../reading/types.js'
import { claimBody } from '../../store/claims/claim-body.js'
import { insertClaims } from '../../store/claims/claims.js'
import { joinStatements, listDivided } from '../../store/claims/statements.js'
import { findAdmitted, lendReported } from '../../store/documents/passages.js'
import { insertSides, type ReportedContradiction } from '../../store/findings/finding-rows.js'
import { findReportBetween } from '../../store/findings/reports.js'
import type { StoredScope } from '../../store/scopes/rounds.js'
import type { TenantTransaction } from '../../store/server/database.js'
import { type Act, idOf } from '../act.js'
import { documentNotFound } from '../documents/documents.js'
import { isStorable } from '../storable.js'

export interface NamedPassage {
  document_id: string
  revision: number
  start: number
  end: number
  /** What the passage says, where the report says that too. */
  words: string | undefined
}

export interface PassageClaim {
  claimNo: number
  claim: PlacedClaim
}

interface Pair<T> {
  a: T
  b: T
}

const longestPassage = 2000

export async function passageClaims(tx: TenantTransaction, stored: StoredScope, { a, b }: Pair<NamedPassage>): Promise<Pair<PassageClaim>> {
  if (a.document_id === b.document_id && a.start < b.end && b.start < a.end) {
    throw invalidMember('/b', 'overlaps `a`: a contradiction is between two passages')
  }
  const quotes = { a: await quoteOf(tx, stored, '/a', a), b: await quoteOf(tx, stored, '/b', b) }
  await refuseReported(tx, stored, { a, b })
  return { a: claimOf(stored, 0, a, quotes.a), b: claimOf(stored, 1, b, quotes.b) }
}

/** Two people who see the same would leave one thing to be decided twice. */
async function refuseReported(tx: TenantTransaction, stored: StoredScope, { a, b }: Pair<NamedPassage>): Promise<void> {
  const place = ({ document_id: documentId, start, end }: NamedPassage) => ({ documentId, start, end })
  const known = await findReportBetween(tx, stored, [place(a), place(b)])
  if (known === null) return
  const next = known.status === 'open' ? 'Decide that one.' : 'It is decided; take that back first.'
  throw conflict(`These two passages were reported already, as the contradiction ${known.id}. ${next}`)
}

interface PassageMoves {
  passages: NonNullable<ReportRound['passages']>
  slot: NonNullable<ReportedContradiction['slot']>
  detail: Record<string, unknown>
  counters: NonNullable<Act['moves']>
}

/** What the round does to the scope's numbers, and what a replay needs to do it again. */
export function passageMoves(stored: StoredScope, { a, b }: Pair<PassageClaim>): PassageMoves {
  const [one, other] = [a.claim, b.claim]
  const lines = [one, other].map(({ documentId, revision, start, end }) => `${documentId} ${revision} ${start} ${end}`)
  const slot = { slotKey: one.slotKey, groupA: `claim ${one.claimId}`, groupB: `claim ${other.claimId}` }
  return {
    // Slots of their own were empty before.
    passages: { a: one.claimId, b: other.claimId, parts: { slots: [], begun: [toSlotClaim(one), toSlotClaim(other)] } },
    slot,
    detail: { first_lent_no: a.claimNo, lent_claims: 2 },
    counters: { nextClaimNo: stored.nextClaimNo + 2, claimsDigest: sha256(`${stored.claimsDigest}\n${lines.join('\n')}`) },
  }
}

export async function writePassages(
  tx: TenantTransaction,
  stored: StoredScope,
  { contradictionNo, claims, round }: { contradictionNo: number; claims: Pair<PassageClaim>; round: number },
): Promise<void> {
  const made = [claims.a, claims.b]
  await insertClaims(
    tx,
    stored,
    made.map(({ claimNo, claim }) => ({ claimNo, claim, body: claimBody(claim), round, ended: null })),
  )
  await insertSides(tx, stored, [
    { contradictionNo, side: 'a', claimNo: claims.a.claimNo, lead: true },
    { contradictionNo, side: 'b', claimNo: claims.b.claimNo, lead: true },
  ])
  for (const { claimNo, claim } of made) await lendReported(tx, stored, claim, claimNo)
  await joinStatements(tx, stored, [...new Set(made.map(({ claim }) => claim.documentId))])
  for (const [side, { claimNo }] of Object.entries(claims)) {
    if ((await listDivided(tx, stored, [claimNo])).length > 0)
      throw conflict(`What \`${side}\` says does not count any more: it was decided or replaced. Take that back first.`)
  }
}

/** The slice as the document has it. Code points, as everywhere. */
async function quoteOf(tx: TenantTransaction, stored: StoredScope, pointer: string, passage: NamedPassage): Promise<string> {
  const { document_id: documentId, revision, start, end, words } = passage
  if (start >= end) throw invalidMember(`${pointer}/end`, 'must be behind `start`')
  if (end - start > longestPassage) throw invalidMember(`${pointer}/end`, `a passage has at most ${longestPassage} code points`)
  const found = isStorable(documentId) ? await findAdmitted(tx, stored, documentId) : null
  if (found === null) throw documentNotFound()
  if (found.revision === null) throw conflict(`The document ${JSON.stringify(documentId)} is ${found.status}: nothing of it counts.`)
  if (found.revision !== revision) throw conflict(`Revision ${found.revision} of ${JSON.stringify(documentId)} counts, not ${revision}.`)
  if (found.text === null) throw conflict(`The text of ${JSON.stringify(documentId)} is not kept.`)
  const points = [...found.text]
  if (end > points.length) throw invalidMember(`${pointer}/end`, `the text has ${points.length} code points`)
  const quote = points.slice(start, end).join('')
  if (quote.trim() === '') throw invalidMember(pointer, 'is empty')
  if (words !== undefined && words !== quote) throw invalidMember(`/claim_${pointer.slice(1)}`, 'is not what the passage says')
  return quote
}

function conflict(detail: string): AppError {
  return new AppError('STATE_CONFLICT', { detail })
}

function claimOf(stored: StoredScope, index: number, passage: NamedPassage, quote: string): PassageClaim {
  const claimNo = stored.nextClaimNo + index
  const claimId = idOf('claim', stored, claimNo)
  const { document_id: documentId, revision, start, end } = passage
  const said: ExtractedClaim = {
    ...{ start, end, quote, subject: '', subjectKey: '', attribute: '', attributeKey: '' },
    ...{ role: 'actual', unit: null, period: null, polarity: 'affirmed' },
    value: { type: 'name', value: cut(quote, 120) },
    valueText: cut(quote, 200),
    confidence: 1,
  }
  const extraction = { profile: {}, claims: [said] } as unknown as Extraction
  const glossary = { terms: {}, entities: {} }
  const { claims } = placeClaims({ extraction, documentId, revision, name: '', glossary, claimId: () => claimId })
  const [placed] = claims
  invariant(placed !== undefined, 'a passage has no place')
  return { claimNo, claim: { ...placed, slotKey: `passage ${claimId}`, lookupKeys: [] } }
}
