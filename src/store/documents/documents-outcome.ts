/** What people do to documents that have been read: approving or rejecting what is held, and erasing. Under the scope's lock. */

import type { ContentCounts } from '../../kernel/effect.js'
import type { Actor } from '../../kernel/proposals.js'
import type { ClaimRange } from '../claims/claims.js'
import { contentSql, goalCountsSql, riskCountsSql } from '../claims/claims-documents.js'
import { inPlace, ofPlace, placeOf, type RecordedPlace, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'
import { claimRangesSql, type RevisionRef } from './documents.js'

export interface Approval {
  decision_seq: number
  decision_hash: string
  actor: Actor
  reason: string
}

/** The worker that takes the document next concludes it as this review. */
export async function markApproved(tx: Transaction, scope: ScopePlace, document: RevisionRef, approval: Approval): Promise<void> {
  await tx.run(
    `update documents set approval = $6
     where ${ofPlace} and document_id = $4 and revision = $5`,
    [...placeOf(scope), document.documentId, document.revision, JSON.stringify(approval)],
  )
}

/** A held document that will not be admitted. */
export async function markRejected(
  tx: Transaction,
  scope: RecordedPlace,
  document: RevisionRef,
  outcome: { reason: string; round: number | null },
): Promise<void> {
  await tx.run(
    `update documents set status = 'rejected', reason = $6, round = coalesce($7, round), finished_at = $8
     where ${ofPlace} and document_id = $4 and revision = $5`,
    [...placeOf(scope), document.documentId, document.revision, outcome.reason, outcome.round, scope.recordedAt],
  )
}

/** Before its words go: the certificate of the round that records it must not rest on the document. */
export async function markErased(tx: Transaction, scope: RecordedPlace, documentId: string): Promise<void> {
  await tx.run(
    `update documents set erased_at = coalesce(erased_at, $5)
     where ${ofPlace} and document_id = $4`,
    [...placeOf(scope), documentId, scope.recordedAt],
  )
}

/** What a document contributes to its scope, over all its revisions. */
export interface Contribution {
  admitted: boolean
  content: ContentCounts
}

export async function readContribution(tx: Transaction, scope: ScopePlace, documentId: string): Promise<Contribution> {
  return tx.one<Contribution>(
    `select
       exists (
         select from documents
         where ${ofPlace} and document_id = $4 and status = 'indexed' and round is not null and erased_at is null) as admitted,
       ${contentSql} as content
     from (
       select ${goalCountsSql} from goals
       where ${ofPlace} and document_id = $4 and live) g
     cross join (
       select ${riskCountsSql} from risks
       where ${ofPlace} and document_id = $4 and live) r`,
    [...placeOf(scope), documentId],
  )
}

/** Where the claims of a document are, of every reading of each revision. */
export async function listClaimRanges(tx: Transaction, scope: ScopePlace, documentId: string): Promise<ClaimRange[]> {
  return tx.rows<ClaimRange>(
    `select lower(numbers) as "firstClaimNo", upper(numbers) - lower(numbers) as count from unnest((
       select range_agg(of_reading.numbers) from documents d cross join ${claimRangesSql} as of_reading (numbers)
       where ${inPlace('d')} and d.document_id = $4)) as numbers`,
    [...placeOf(scope), documentId],
  )
}

/**
 * Takes revisions that wait for a worker out of the queue, for good, and with `rereads` one that waits to be read again. The count of
 * the current one is the caller's.
 */
export async function dropQueued(
  tx: Transaction,
  scope: RecordedPlace,
  documentId: string,
  { reason, rereads }: { reason: string; rereads: boolean },
): Promise<void> {
  await tx.run(
    `with gone as (delete from backlog where ${ofPlace} and document_id = $4 and ($7 or reread is null))
     update documents set status = 'rejected', reason = $5, finished_at = $6
     where ${ofPlace} and document_id = $4 and status = 'queued'`,
    [...placeOf(scope), documentId, reason, scope.recordedAt, rereads],
  )
}

/** Revisions that wait for a worker, in their order. */
export async function listQueued(tx: Transaction, scope: ScopePlace, documentId: string): Promise<number[]> {
  return tx.column<number>(`select revision from documents where ${ofPlace} and document_id = $4 and status = 'queued' order by revision`, [
    ...placeOf(scope),
    documentId,
  ])
}

/** Whether the document waits to be read again. */
export async function waitsForReread(tx: Transaction, scope: ScopePlace, documentId: string): Promise<boolean> {
  return tx.touches(`select from backlog where ${ofPlace} and document_id = $4 and reread is not null`, [...placeOf(scope), documentId])
}

/** Decisions that wait for a person, about any revision of the document: one that is held and was replaced waits, too. */
export async function listPendingDecisions(tx: Transaction, scope: ScopePlace, documentId: string): Promise<number[]> {
  return tx.column<number>(`select seq from decisions where ${ofPlace} and review = 'pending' and kind = 'document' and document_id = $4`, [
    ...placeOf(scope),
    documentId,
  ])
}

/** Whether a worker is processing any revision of the document. */
export async function isInHand(tx: Transaction, scope: ScopePlace, documentId: string): Promise<boolean> {
  return tx.value<boolean>(
    `select exists (
       select from documents
       where ${ofPlace} and document_id = $4 and status = 'processing') as in_hand`,
    [...placeOf(scope), documentId],
  )
}
