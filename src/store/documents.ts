/**
 * Rows of documents: one for each revision, the newest marked `current`. Readers see the scope's generation of the
 * moment only.
 */

import type { TenantTransaction, Transaction } from './database.js'

export type DocumentStatus = 'registered' | 'attached' | 'queued' | 'processing' | 'indexed' | 'held' | 'rejected' | 'quarantined'

/** Where a document lives; a scope reference has these members. */
export interface ScopePlace {
  tenantId: string
  scopeNo: number
  generation: number
}

export interface DocumentRow {
  document_id: string
  revision: number
  current: boolean
  status: DocumentStatus
  name: string
  type: string
  source: string | null
  provenance: string | null
  text_hash: Buffer | null
  unchanged: boolean
  seq: number | null
  attempts: number
  reason: string | null
  stage: string | null
  error_class: string | null
  received_at: string
  queued_at: string | null
  started_at: string | null
  finished_at: string | null
  erased_at: string | null
  timings: Record<string, unknown> | null
  round: number | null
  first_claim_no: number | null
  claim_count: number
  contradiction_count: number
}

const columns = `
  document_id, revision, current, status, name, type, source, provenance, text_hash, unchanged, seq, attempts, reason, stage, error_class,
  received_at, queued_at, started_at, finished_at, erased_at, timings, round, first_claim_no, claim_count, contradiction_count`

/** The current revision, or the one asked for. */
export async function findDocument(
  tx: Transaction,
  scope: ScopePlace,
  documentId: string,
  revision: number | null = null,
): Promise<DocumentRow | null> {
  const { rows } = await tx.query<DocumentRow>({
    name: 'documents-find',
    text: `
      select ${columns} from documents
      where tenant_id = $1 and scope_no = $2 and generation = $3 and document_id = $4 and case when $5::integer is null then current else revision = $5 end`,
    values: [scope.tenantId, scope.scopeNo, scope.generation, documentId, revision],
  })
  return rows[0] ?? null
}

/** Current revisions in the order of their ids. */
export async function listDocumentRows(
  tx: TenantTransaction,
  scope: ScopePlace,
  filter: { status: DocumentStatus | null; after: string | null; limit: number },
): Promise<DocumentRow[]> {
  const { rows } = await tx.query<DocumentRow>({
    name: filter.status === null ? 'documents-list' : undefined,
    text: `
      select ${columns} from documents
      where tenant_id = $1 and scope_no = $2 and generation = $3 and current and ($4::text is null or document_id > $4)
        ${filter.status === null ? '' : `and status = '${literalStatus(filter.status)}'`}
      order by document_id limit $5`,
    values: [scope.tenantId, scope.scopeNo, scope.generation, filter.after, filter.limit],
  })
  return rows
}

const statuses: readonly DocumentStatus[] = ['registered', 'attached', 'queued', 'processing', 'indexed', 'held', 'rejected', 'quarantined']

/** A literal, because the planner matches the partial index of waiting documents by its constants only. */
function literalStatus(status: DocumentStatus): string {
  return statuses[statuses.indexOf(status)] ?? 'registered'
}
