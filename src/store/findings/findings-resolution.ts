/**
 * What people's words on findings read and write of claims: whether they are said still, those that count again or are handed on. Under
 * the scope's lock.
 */

import { inPlace, ofPlace, placeOf, type RecordedPlace, type ScopePlace } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import type { Transaction } from '../server/database.js'

/** A claim as far as an act about it needs it. */
export interface ClaimState {
  claim_no: number
  claim_id: string
  live: boolean
  slot_key: string
  confidence: number
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
 * Whether a claim would still hold if nothing else had ended it: its document has not been erased since, and neither a later revision nor a
 * later reading of it has taken its place.
 */
export const stillSaidSql = (claim: string) => `not exists (
  select from documents d
  where d.tenant_id = ${claim}.tenant_id and d.scope_no = ${claim}.scope_no and d.generation = ${claim}.generation
    and d.document_id = ${claim}.document_id
    and ((d.erased_at is not null and d.revision >= ${claim}.revision) or d.former_claims @> ${claim}.claim_no or (d.revision > ${claim}.revision and d.status = 'indexed' and not d.unchanged)))`

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
