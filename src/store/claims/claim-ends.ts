/**
 * Whether a claim counts is written here and nowhere else: it ends, counts again, or is ended by another claim than before. What makes it
 * so is `kernel/standing.ts`. Under the scope's lock.
 */

import { inPlace, ofPlace, placeOf, type RecordedPlace, type ScopePlace } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import type { Transaction } from '../server/database.js'

export interface ClaimEnd {
  claimNo: number
  byClaimId: string | null
  reason: string
  round: number
}

/** Ends live claims; a claim that is not live any more stays as it is. */
export async function endClaims(tx: Transaction, place: RecordedPlace, ends: readonly ClaimEnd[]): Promise<void> {
  if (ends.length === 0) return
  await tx.run(
    `update claims c set superseded_at = $4, superseded_round = e.round, superseded_by = e.by_id, superseded_reason = e.reason
     from unnest($5::bigint[], $6::bigint[], $7::text[], $8::text[]) as e (claim_no, round, by_id, reason)
     cross join lateral (
       select ctid from claims where ${ofPlace} and claim_no = e.claim_no limit 1
     ) k
     where c.ctid = k.ctid and c.superseded_at is null`,
    [...placeOf(place), place.recordedAt, ...columnsOf(ends, 'claimNo', 'round', 'byClaimId', 'reason')],
  )
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

/** Claims that stay ended, by claims that a later reading says in place of those that are named. */
export async function renameEnders(
  tx: Transaction,
  scope: ScopePlace,
  claimNos: readonly number[],
  moves: readonly { fromId: string; toId: string }[],
): Promise<void> {
  if (claimNos.length === 0 || moves.length === 0) return
  await tx.run(
    `update claims c set superseded_by = n.now from unnest($4::text[], $5::text[]) as n (was, now)
     where ${inPlace('c')} and c.claim_no = any ($6::bigint[]) and c.superseded_by = n.was`,
    [...placeOf(scope), ...columnsOf(moves, 'fromId', 'toId'), claimNos],
  )
}
