/** Documents in quarantine, of one tenant or of all: looking at them, and sending one, some or all back into the queue. */

import { statusWords } from '../../contract/field-words.js'
import { AppError, invalidMember } from '../../platform/errors.js'
import {
  listFailedByStorage,
  listQuarantine as listRows,
  type QuarantineCursor,
  type QuarantinedRow,
  retryQuarantined,
} from '../../store/documents/quarantine.js'
import { type Database, readTenant } from '../../store/server/database.js'
import { type PageRequest, pageOf, readPaging } from '../cursors.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { resolveScope } from '../lifecycle.js'
import type { DocumentRecord, Page, QuarantinedDocument, QuarantineRetryResult } from '../types.js'
import { documentNotFound, getDocument } from './documents.js'

interface QuarantineQuery {
  /** Null: all tenants. */
  tenantId: string | null
  scope_id?: string | undefined
}

const retryBatch = 200
/** Most documents named in the answer; all are sent back. */
const named = 1000

export async function listQuarantine(deps: ScopesDeps, query: QuarantineQuery & PageRequest): Promise<Page<QuarantinedDocument>> {
  await requireScope(deps, query)
  const list = ['quarantine', query.tenantId, query.scope_id]
  const paging = readPaging(query, list, ['string', 'number', 'string'])
  const after = paging.after === null ? null : cursorOf(paging.after)
  const rows = await listRows(deps.db, { tenantId: query.tenantId, scopeId: query.scope_id ?? null, after, limit: paging.limit + 1 })
  return pageOf(rows, paging, list, { place: row => [row.tenant_id, row.scope_no, row.document_id], item: toQuarantined })
}

export async function retryQuarantine(
  deps: ScopesDeps,
  query: QuarantineQuery & { document_ids?: readonly string[] | undefined },
): Promise<QuarantineRetryResult> {
  if (query.document_ids !== undefined && query.scope_id === undefined) {
    throw invalidMember('/scope_id', 'is needed beside document_ids')
  }
  await requireScope(deps, query)
  const wanted = query.document_ids === undefined ? null : new Set(query.document_ids)
  if (wanted !== null) await requireAll(deps, query, wanted)
  const result: QuarantineRetryResult = { requeued: 0, documents: [] }
  for await (const rows of batches(deps, query)) {
    const chosen = rows.filter(row => wanted === null || wanted.has(row.document_id))
    for (const [tenantId, documents] of byTenant(chosen)) {
      const targets = documents.map(row => ({ scopeNo: row.scope_no, documentId: row.document_id }))
      result.requeued += await retryQuarantined(deps.db, tenantId, targets)
    }
    const room = named - result.documents.length
    result.documents.push(...chosen.slice(0, room).map(({ scope_id, document_id }) => ({ scope_id, document_id })))
  }
  deps.hints.notify('backlog')
  deps.hints.notify('events')
  return result
}

/** Sends one document back, for the tenant that owns it. */
export async function retryDocument(deps: ScopesDeps, input: ScopeName & { documentId: string }): Promise<DocumentRecord> {
  const { tenantId, documentId } = input
  const { status } = await getDocument(deps, input)
  const { scopeNo } = await readTenant(deps.db, tenantId, tx => resolveScope(tx, input.scopeId))
  const requeued = status === 'quarantined' ? await retryQuarantined(deps.db, tenantId, [{ scopeNo, documentId }]) : 0
  if (requeued === 0)
    throw new AppError('STATE_CONFLICT', { detail: `The document is ${statusWords(status)}: only one that could not be read is retried.` })
  deps.hints.notify('backlog')
  deps.hints.notify('events')
  return getDocument(deps, input)
}

/** How long after the storage failed a document it is tried again, and how many in one run. */
const storageRetry = { afterMs: 600_000, limit: 500 }

/** The leader's chore: what ended in quarantine for a reason that was the storage's goes back into the queue by itself. */
export async function retryFailedByStorage(db: Database): Promise<number> {
  let requeued = 0
  for (const { tenantId, ...target } of await listFailedByStorage(db, storageRetry)) {
    requeued += await retryQuarantined(db, tenantId, [target], 'storage_recovered')
  }
  return requeued
}

/** A scope is a tenant's: without the tenant's key there is nothing to look it up in. */
async function requireScope(deps: ScopesDeps, { tenantId, scope_id: scopeId }: QuarantineQuery): Promise<void> {
  if (scopeId === undefined) return
  if (tenantId === null) throw new AppError('TENANT_KEY_MISSING', { detail: 'A case is named together with its tenant’s key.' })
  await readTenant(deps.db, tenantId, tx => resolveScope(tx, scopeId))
}

/** One id that is not in quarantine refuses the whole request, before anything is moved. */
async function requireAll(deps: ScopesDeps, query: QuarantineQuery, wanted: ReadonlySet<string>): Promise<void> {
  const found = new Set<string>()
  for await (const rows of batches(deps, query)) for (const row of rows) found.add(row.document_id)
  for (const id of wanted) if (!found.has(id)) throw documentNotFound()
}

async function* batches(deps: ScopesDeps, { tenantId, scope_id: scopeId = undefined }: QuarantineQuery): AsyncGenerator<QuarantinedRow[]> {
  let after: QuarantineCursor | null = null
  for (;;) {
    const rows: QuarantinedRow[] = await listRows(deps.db, { tenantId, scopeId: scopeId ?? null, after, limit: retryBatch })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < retryBatch) return
    after = { tenantId: last.tenant_id, scopeNo: last.scope_no, documentId: last.document_id }
  }
}

function byTenant(rows: readonly QuarantinedRow[]): Map<string, QuarantinedRow[]> {
  const groups = new Map<string, QuarantinedRow[]>()
  for (const row of rows) groups.set(row.tenant_id, [...(groups.get(row.tenant_id) ?? []), row])
  return groups
}

function cursorOf(place: readonly (string | number)[]): QuarantineCursor {
  const [tenantId, scopeNo, documentId] = place as [string, number, string]
  return { tenantId, scopeNo, documentId }
}

function toQuarantined(row: QuarantinedRow): QuarantinedDocument {
  const { tenant_id, scope_id, document_id, revision, name, stage, error_class, reason, attempts, finished_at } = row
  return { tenant_id, scope_id, document_id, revision, name, stage, error_class, reason, attempts, quarantined_at: finished_at }
}
