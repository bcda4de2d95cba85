/** What a replay reads: the rounds of a scope in their order, with everything that was recorded beside them. */

import type { DecisionRecord, Proposal, ScopeState } from '../../kernel/proposals.js'
import type { ConvergencePoint } from '../../kernel/types.js'
import type { Glossary, Goal, Risk } from '../../reading/types.js'
import { type ClaimRange, type ClaimRow, claimRowColumns, type StoredClaim, toClaim } from '../claims/claims.js'
import { aboutSql } from '../documents/about.js'
import type { RevisionRef } from '../documents/documents.js'
import type { Transaction } from '../server/database.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from './scopes.js'

export interface ReplayedScope extends ScopePlace {
  scopeId: string
  chainHash: string | null
  glossary: Glossary
  mode: 'auto' | 'review' | 'strict'
  rounds: number
}

export async function findReplayedScope(tx: Transaction, tenantId: string, scopeId: string): Promise<ReplayedScope | null> {
  return tx.row<ReplayedScope>(
    `select s.tenant_id as "tenantId", s.scope_no as "scopeNo", s.scope_id as "scopeId", s.generation, s.chain_hash as "chainHash", s.glossary,
       s.mode, coalesce(t.round, 0) as rounds
     from scopes s left join scope_states t on t.tenant_id = s.tenant_id and t.scope_no = s.scope_no and t.generation = s.generation
     where s.tenant_id = $1 and s.scope_id = $2`,
    [tenantId, scopeId],
  )
}

export interface RecordedRoundRow {
  round: number
  kind: string
  document_id: string | null
  revision: number | null
  input: Record<string, unknown>
  point: ConvergencePoint
  recorded_at: string
}

export async function readRounds(tx: Transaction, place: ScopePlace, after: number, limit: number): Promise<RecordedRoundRow[]> {
  return tx.rows<RecordedRoundRow>(
    `select round, kind, document_id, revision, input, point, recorded_at from rounds
     where ${ofPlace} and round > $4 order by round limit $5`,
    [...placeOf(place), after, limit],
  )
}

export interface RecordedDecisionRow {
  round: number
  proposal: Proposal
  state: ScopeState
  record: DecisionRecord
  erased: boolean
}

export async function readDecisions(
  tx: Transaction,
  place: ScopePlace,
  rounds: { first: number; last: number },
): Promise<RecordedDecisionRow[]> {
  const rows = await tx.rows<DecisionRecord & { round: number; proposal: Proposal; state: ScopeState; erased: boolean }>(
    `select round, proposal, state, seq, proposal_digest, state_digest, policy_hash, outcome, policies, reasons, reasons_digest, salt, obligations, prev_hash, hash,
       erased_at is not null as erased
     from decisions where ${ofPlace} and round between $4 and $5 order by seq`,
    [...placeOf(place), rounds.first, rounds.last],
  )
  return rows.map(({ round, proposal, state, erased, ...record }) => ({ round, proposal, state, record, erased }))
}

export interface ReplayedDocument {
  name: string
  type: string
  source: string | null
  about: string | null
  /** Null once erased, or removed because of its age. */
  text: string | null
  erased: boolean
  textHash: string
  extractor: string | null
  extractorVersion: string | null
  profile: Record<string, unknown> | null
  /** The last round that read it again. */
  rereadRound: number | null
}

export async function readReplayedDocument(tx: Transaction, place: ScopePlace, document: RevisionRef): Promise<ReplayedDocument | null> {
  return tx.row<ReplayedDocument>(
    `select name, type, source, text, erased_at is not null as erased, encode(text_hash, 'hex') as "textHash", extractor, extractor_version as "extractorVersion", profile,
       reread_round as "rereadRound", ${aboutSql('documents')} as about
     from documents where ${ofPlace} and document_id = $4 and revision = $5`,
    [...placeOf(place), document.documentId, document.revision],
  )
}

export async function readClaimsOfRound(
  tx: Transaction,
  place: ScopePlace,
  range: ClaimRange,
): Promise<{ claim: StoredClaim; body: string | null }[]> {
  if (range.count === 0) return []
  const rows = await tx.rows<ClaimRow>(
    `select ${claimRowColumns} from claims c
     where ${inPlace('c')} and c.claim_no >= $4 and c.claim_no < $5 order by c.claim_no`,
    [...placeOf(place), range.firstClaimNo, range.firstClaimNo + range.count],
  )
  return rows.map(row => ({ claim: toClaim(row), body: row.body }))
}

export async function readContentOfRound(
  tx: Transaction,
  place: ScopePlace,
  document: RevisionRef,
): Promise<{ goals: Goal[]; risks: Risk[] }> {
  const values = [...placeOf(place), document.documentId, document.revision]
  const where = `${ofPlace} and document_id = $4 and revision = $5 order by ordinal`
  const [goals, risks] = await Promise.all([
    tx.rows<Goal>(
      `select start_at as start, end_at as end, '' as quote, coalesce(what, '') as what, owner, due, done from goals where ${where}`,
      values,
    ),
    tx.rows<Risk>(
      `select start_at as start, end_at as end, '' as quote, coalesce(what, '') as what, level from risks where ${where}`,
      values,
    ),
  ])
  return { goals, risks }
}

export interface RecordedFinding {
  contradiction_id: string
  kind: string
  severity: string
  slot_key: string | null
  group_a: string | null
  group_b: string | null
}

export async function readFindingsOfRound(tx: Transaction, place: ScopePlace, round: number): Promise<RecordedFinding[]> {
  return tx.rows<RecordedFinding>(
    `select contradiction_id, kind, severity, slot_key, group_a, group_b from contradictions
     where ${ofPlace} and detected_round = $4 order by contradiction_no`,
    [...placeOf(place), round],
  )
}
