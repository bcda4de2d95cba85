/**
 * What people's words on findings read of claims and rounds. Under the scope's lock.
 */

import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'

/** A claim as far as an act about it needs it. */
export interface ClaimState {
  claim_no: number
  claim_id: string
  slot_key: string
  subject: string
  attribute: string
  value_type: string
}

export async function readClaimStates(tx: Transaction, scope: ScopePlace, claimNos: readonly number[]): Promise<Map<number, ClaimState>> {
  const rows = await tx.rows<ClaimState>(
    `select c.claim_no, c.claim_id, c.body->>'slotKey' as slot_key, c.subject,
       c.attribute, coalesce(c.body#>>'{value,type}', '') as value_type
     from claims c where ${inPlace('c')} and c.claim_no = any ($4::bigint[])`,
    [...placeOf(scope), claimNos],
  )
  return new Map(rows.map(row => [row.claim_no, row]))
}

export interface DecidedRound {
  kind: string
  input: Record<string, unknown>
  recorded_at: string
}

/** What a round was given, beyond its figures. */
export async function readRoundInput(tx: Transaction, scope: ScopePlace, round: number): Promise<DecidedRound | null> {
  return tx.row<DecidedRound>(`select kind, input, recorded_at from rounds where ${ofPlace} and round = $4`, [...placeOf(scope), round])
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
