/** What people do to documents that have been read: approving or rejecting what is held, and erasing. Under the scope's lock. */

import type { Transaction } from './database.js'
import type { DocumentStatus, ScopePlace } from './documents.js'

export interface Approval {
  decision_seq: number
  decision_hash: string
  actor: { kind: string; id: string }
  reason: string
}

/** The worker that takes the document next concludes it as this review. */
export async function markApproved(
  tx: Transaction,
  scope: ScopePlace,
  document: { documentId: string; revision: number },
  approval: Approval,
): Promise<void> {
  await tx.query({
    name: 'documents-approve',
    text: `
      update documents set approval = $6
      where tenant_id = $1 and scope_no = $2 and generation = $3 and document_id = $4 and revision = $5`,
    values: [scope.tenantId, scope.scopeNo, scope.generation, document.documentId, document.revision, JSON.stringify(approval)],
  })
}

/** A held document that will not be admitted. */
export async function markRejected(
  tx: Transaction,
  scope: ScopePlace & { recordedAt: string },
  document: { documentId: string; revision: number },
  outcome: { reason: string; round: number | null },
): Promise<void> {
  await tx.query({
    name: 'documents-reject',
    text: `
      update documents set status = 'rejected', reason = $6, round = coalesce($7, round), finished_at = $8
      where tenant_id = $1 and scope_no = $2 and generation = $3 and document_id = $4 and revision = $5`,
    values: [
      scope.tenantId,
      scope.scopeNo,
      scope.generation,
      document.documentId,
      document.revision,
      outcome.reason,
      outcome.round,
      scope.recordedAt,
    ],
  })
}

/** What a document contributes to its scope, over all its revisions. */
export interface Contribution {
  admitted: boolean
  goals: number
  goals_done: number
  low: number
  medium: number
  high: number
  critical: number
}

export async function readContribution(tx: Transaction, scope: ScopePlace, documentId: string): Promise<Contribution> {
  const { rows } = await tx.query<Contribution>({
    name: 'documents-contribution',
    text: `
      select
        exists (
          select from documents
          where tenant_id = $1 and scope_no = $2 and generation = $3 and document_id = $4 and status = 'indexed' and round is not null) as admitted,
        g.goals, g.goals_done, r.low, r.medium, r.high, r.critical
      from (
        select count(*) as goals, count(*) filter (where done) as goals_done from goals
        where tenant_id = $1 and scope_no = $2 and generation = $3 and document_id = $4 and live) g
      cross join (
        select count(*) filter (where level = 'low') as low, count(*) filter (where level = 'medium') as medium,
          count(*) filter (where level = 'high') as high, count(*) filter (where level = 'critical') as critical
        from risks where tenant_id = $1 and scope_no = $2 and generation = $3 and document_id = $4 and live) r`,
    values: [scope.tenantId, scope.scopeNo, scope.generation, documentId],
  })
  return rows[0] as Contribution
}

/** Where the claims of a document's revisions are. */
export async function listClaimRanges(
  tx: Transaction,
  scope: ScopePlace,
  documentId: string,
): Promise<{ firstClaimNo: number; count: number }[]> {
  const { rows } = await tx.query<{ firstClaimNo: number; count: number }>({
    name: 'documents-claim-ranges',
    text: `
      select first_claim_no as "firstClaimNo", claim_count as count from documents
      where tenant_id = $1 and scope_no = $2 and generation = $3 and document_id = $4 and first_claim_no is not null and claim_count > 0
        and not unchanged`,
    values: [scope.tenantId, scope.scopeNo, scope.generation, documentId],
  })
  return rows
}

/** Text and quotes of every revision, and what was kept of how they were read. Gives the bytes of text and the claims concerned. */
export async function eraseText(
  tx: Transaction,
  scope: ScopePlace & { recordedAt: string },
  documentId: string,
  ranges: readonly { firstClaimNo: number; count: number }[],
): Promise<{ bytes: number; claims: number }> {
  const place = [scope.tenantId, scope.scopeNo, scope.generation, documentId]
  const { rowCount: claims } = await tx.query({
    name: 'documents-erase-quotes',
    text: `
      update claims c set quote = null from unnest($4::bigint[], $5::bigint[]) as k (first_no, past_no)
      where c.tenant_id = $1 and c.scope_no = $2 and c.generation = $3 and c.claim_no >= k.first_no and c.claim_no < k.past_no
        and c.quote is not null`,
    values: [...place.slice(0, 3), ranges.map(range => range.firstClaimNo), ranges.map(range => range.firstClaimNo + range.count)],
  })
  for (const table of ['goals', 'risks']) {
    await tx.query({
      name: `documents-erase-${table}`,
      text: `
        update ${table} set quote = null, what = null, live = false
        where tenant_id = $1 and scope_no = $2 and generation = $3 and document_id = $4`,
      values: place,
    })
  }
  await tx.query({
    name: 'documents-erase-cache',
    text: `
      delete from extraction_cache where tenant_id = $1 and content_hash in (
        select text_hash from documents where tenant_id = $1 and scope_no = $2 and generation = $3 and document_id = $4)`,
    values: place,
  })
  const { rows } = await tx.query<{ bytes: number }>({
    name: 'documents-erase-text',
    text: `
      with old as (
        select coalesce(sum(octet_length(text)), 0)::bigint as bytes from documents
        where tenant_id = $1 and scope_no = $2 and generation = $3 and document_id = $4),
      erased as (
        update documents set text = null, profile = null, diagnosis = null, erased_at = coalesce(erased_at, $5)
        where tenant_id = $1 and scope_no = $2 and generation = $3 and document_id = $4)
      select bytes from old`,
    values: [...place, scope.recordedAt],
  })
  return { bytes: rows[0]?.bytes ?? 0, claims }
}

/** The decision a held document waits for. */
export async function findPendingDecision(
  tx: Transaction,
  scope: ScopePlace,
  document: { documentId: string; revision: number },
): Promise<number | null> {
  const { rows } = await tx.query<{ seq: number }>({
    name: 'documents-pending-decision',
    text: `
      select seq from decisions
      where tenant_id = $1 and scope_no = $2 and generation = $3 and review = 'pending' and kind = 'document' and document_id = $4 and revision = $5
      order by seq desc limit 1`,
    values: [scope.tenantId, scope.scopeNo, scope.generation, document.documentId, document.revision],
  })
  return rows[0]?.seq ?? null
}

/** Whether any revision of the document waits for a worker or is in one's hands. */
export async function isUnderWay(tx: Transaction, scope: ScopePlace, documentId: string): Promise<boolean> {
  const statuses: DocumentStatus[] = ['queued', 'processing']
  const { rows } = await tx.query<{ under_way: boolean }>({
    name: 'documents-under-way',
    text: `
      select exists (
        select from documents
        where tenant_id = $1 and scope_no = $2 and generation = $3 and document_id = $4 and status = any ($5::text[])) as under_way`,
    values: [scope.tenantId, scope.scopeNo, scope.generation, documentId, statuses],
  })
  return rows[0]?.under_way ?? false
}
