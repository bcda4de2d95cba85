/**
 * What deciding a contradiction reads and writes: the claims of its sides, other contradictions those claims stand in,
 * claims that are retired and revived. Under the scope's lock.
 */

import { inPlace, ofPlace, placeOf, type RecordedPlace, type ScopePlace } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import type { Transaction } from '../server/database.js'

interface JudgedClaim {
  claim_no: number
  claim_id: string
  live: boolean
  slot_key: string
  confidence: number
}

export interface MemberRow extends JudgedClaim {
  side: 'a' | 'b'
  lead: boolean
  superseded_round: number | null
}

/** Every claim on either side, oldest first. */
export async function listMembers(tx: Transaction, scope: ScopePlace, contradictionNo: number): Promise<MemberRow[]> {
  return tx.rows<MemberRow>(
    `select c.claim_no, c.claim_id, m.side, m.lead, c.superseded_at is null as live, c.superseded_round, c.body->>'slotKey' as slot_key,
       c.confidence
     from contradiction_sides m
     join claims c on c.tenant_id = m.tenant_id and c.scope_no = m.scope_no and c.generation = m.generation and c.claim_no = m.claim_no
     where ${inPlace('m')} and m.contradiction_no = $4 order by c.claim_no`,
    [...placeOf(scope), contradictionNo],
  )
}

/** A claim as far as an act about it needs it. */
export interface ClaimState extends JudgedClaim {
  superseded_by: string | null
  subject: string
  attribute: string
  value_type: string
}

export async function readClaimStates(tx: Transaction, scope: ScopePlace, claimNos: readonly number[]): Promise<Map<number, ClaimState>> {
  const rows = await tx.rows<ClaimState>(
    `select c.claim_no, c.claim_id, c.superseded_at is null as live, c.superseded_by, c.body->>'slotKey' as slot_key, c.confidence, c.subject,
       c.attribute, coalesce(c.body#>>'{value,type}', '') as value_type
     from claims c where ${inPlace('c')} and c.claim_no = any ($4::bigint[])`,
    [...placeOf(scope), claimNos],
  )
  return new Map(rows.map(row => [row.claim_no, row]))
}

/**
 * Whether a claim would still hold if nothing else had ended it: its document has not been erased, and neither a later revision nor a
 * later reading of it has taken its place.
 */
export const stillSaidSql = (claim: string) => `not exists (
  select from documents d
  where d.tenant_id = ${claim}.tenant_id and d.scope_no = ${claim}.scope_no and d.generation = ${claim}.generation
    and d.document_id = ${claim}.document_id
    and (d.erased_at is not null or d.former_claims @> ${claim}.claim_no or (d.revision > ${claim}.revision and d.status = 'indexed' and not d.unchanged)))`

/** Which of these claims would still hold. */
export async function listRevivable(tx: Transaction, scope: ScopePlace, claimNos: readonly number[]): Promise<number[]> {
  if (claimNos.length === 0) return []
  return tx.column<number>(
    `select c.claim_no from claims c
     where ${inPlace('c')} and c.claim_no = any ($4::bigint[]) and c.superseded_at is not null
       and ${stillSaidSql('c')}
     order by c.claim_no`,
    [...placeOf(scope), claimNos],
  )
}

/** Makes claims live again and keeps when they were not, for questions about what was known then. */
export async function reviveClaims(tx: Transaction, scope: RecordedPlace, claimNos: readonly number[]): Promise<void> {
  if (claimNos.length === 0) return
  await tx.run(
    `with kept as (
       insert into claim_retirements (tenant_id, scope_no, generation, claim_no, superseded_at, revived_at, superseded_by, superseded_reason)
       select tenant_id, scope_no, generation, claim_no, superseded_at, $5, superseded_by, superseded_reason from claims
       where ${ofPlace} and claim_no = any ($4::bigint[]) and superseded_at is not null
       on conflict do nothing)
     update claims set superseded_at = null, superseded_round = null, superseded_by = null, superseded_reason = null
     where ${ofPlace} and claim_no = any ($4::bigint[])`,
    [...placeOf(scope), claimNos, scope.recordedAt],
  )
}

/** A claim that stays replaced, by another claim than before. */
export interface HandedClaim {
  claimNo: number
  byClaimId: string
  reason: string
}

export async function handClaims(tx: Transaction, scope: ScopePlace, handed: readonly HandedClaim[]): Promise<void> {
  if (handed.length === 0) return
  await tx.run(
    `update claims c set superseded_by = h.by_id, superseded_reason = h.reason
     from unnest($4::bigint[], $5::text[], $6::text[]) as h (claim_no, by_id, reason)
     where ${inPlace('c')} and c.claim_no = h.claim_no and c.superseded_at is not null`,
    [...placeOf(scope), ...columnsOf(handed, 'claimNo', 'byClaimId', 'reason')],
  )
}

export interface TouchedRow {
  contradiction_no: number
  contradiction_id: string
  status: 'open' | 'resolved' | 'dismissed'
  severity: 'low' | 'medium' | 'high' | 'critical'
  /** The system closed it because a side had no live claim left. */
  closed_itself: boolean
  members_a: string[]
  members_b: string[]
  live: string[]
}

/** Contradictions that any of these claims stand in, with the claims of both sides and which of them are live. */
export async function listTouched(tx: Transaction, scope: ScopePlace, claimNos: readonly number[]): Promise<TouchedRow[]> {
  if (claimNos.length === 0) return []
  return tx.rows<TouchedRow>(
    `with touched as materialized (
       select distinct contradiction_no from contradiction_sides
       where ${ofPlace} and claim_no = any ($4::bigint[]))
     select x.contradiction_no, x.contradiction_id, x.status, x.severity, x.closed_itself,
       coalesce(array_agg(c.claim_id order by c.claim_no) filter (where m.side = 'a'), '{}') as members_a,
       coalesce(array_agg(c.claim_id order by c.claim_no) filter (where m.side = 'b'), '{}') as members_b,
       coalesce(array_agg(c.claim_id order by c.claim_no) filter (where c.superseded_at is null), '{}') as live
     from touched t
     join contradictions x on ${inPlace('x')} and x.contradiction_no = t.contradiction_no
     join contradiction_sides m on ${inPlace('m')} and m.contradiction_no = t.contradiction_no
     join claims c on ${inPlace('c')} and c.claim_no = m.claim_no
     group by x.contradiction_no, x.contradiction_id, x.status, x.severity, x.closed_itself
     order by x.contradiction_no`,
    [...placeOf(scope), claimNos],
  )
}

export async function saveResolution(
  tx: Transaction,
  scope: RecordedPlace,
  contradictionNo: number,
  change: { status: 'resolved' | 'dismissed'; resolution: Record<string, unknown> },
): Promise<void> {
  await tx.run(
    `update contradictions set status = $5, closed_itself = false, resolution = $6, resolved_at = $7
     where ${ofPlace} and contradiction_no = $4`,
    [...placeOf(scope), contradictionNo, change.status, JSON.stringify(change.resolution), scope.recordedAt],
  )
}

export async function reopenContradictions(tx: Transaction, scope: ScopePlace, contradictionNos: readonly number[]): Promise<void> {
  if (contradictionNos.length === 0) return
  await tx.run(
    `update contradictions set status = 'open', closed_itself = false, resolution = null, resolved_at = null
     where ${ofPlace} and contradiction_no = any ($4::bigint[])`,
    [...placeOf(scope), contradictionNos],
  )
}

export interface ReportedContradiction {
  contradictionNo: number
  contradictionId: string
  severity: 'low' | 'medium' | 'high' | 'critical'
  reason: string
  reported: Record<string, unknown>
  round: number
}

export async function insertReported(
  tx: Transaction,
  scope: RecordedPlace,
  { contradictionNo, contradictionId, severity, reason, reported, round }: ReportedContradiction,
): Promise<void> {
  await tx.run(
    `insert into contradictions (tenant_id, scope_no, generation, contradiction_no, contradiction_id, status, kind, severity, reason, reported,
       detected_at, detected_round)
     values ($1, $2, $3, $4, $5, 'open', 'reported', $6, $7, $8, $9, $10)`,
    [...placeOf(scope), contradictionNo, contradictionId, severity, reason, JSON.stringify(reported), scope.recordedAt, round],
  )
}

export interface DecidedRound {
  kind: string
  input: Record<string, unknown>
}

/** What a round was given, beyond its figures. */
export async function readRoundInput(tx: Transaction, scope: ScopePlace, round: number): Promise<DecidedRound | null> {
  return tx.row<DecidedRound>(`select kind, input from rounds where ${ofPlace} and round = $4`, [...placeOf(scope), round])
}

/** False when it was not pending any more. */
export async function settleReview(
  tx: Transaction,
  scope: ScopePlace,
  seq: number,
  review: 'approved' | 'rejected' | 'obsolete',
): Promise<boolean> {
  return tx.touches(
    `update decisions set review = $5
     where ${ofPlace} and seq = $4 and review = 'pending'`,
    [...placeOf(scope), seq, review],
  )
}
