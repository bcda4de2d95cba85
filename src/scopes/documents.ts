/**
 * Documents as readers see them: one by its id (waiting for its outcome if asked), all of a scope, and erasing one.
 */

import { pause } from '../platform/deadline.js'
import { AppError } from '../platform/errors.js'
import { type DocumentRow, findDocument, listDocumentRows } from '../store/documents.js'
import { type PageRequest, pageOf, readPaging } from './cursors.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { resolveScope } from './lifecycle.js'
import { isStorable } from './storable.js'
import type { DocumentRecord, DocumentStatus, DocumentTimings, Page } from './types.js'

export interface GetDocumentInput extends ScopeName {
  documentId: string
  revision?: number | undefined
  /** Seconds to wait for an outcome, up to 30. */
  wait?: number | undefined
  /** The caller went away. */
  signal?: AbortSignal | undefined
}

const longestWaitSeconds = 30
/** Between two looks without a hint. */
const pollMs = 500
/** Between two looks with hints. On a busy service every waiter is hinted at all the time: each look waits longer than the one before. */
const firstHintedMs = 10
const longestHintedMs = 250

/** Answers when the document has an outcome, when the wait is over or when the caller is gone, whichever comes first. */
export async function getDocument(deps: ScopesDeps, input: GetDocumentInput): Promise<DocumentRecord> {
  const end = deps.clock.monotonicMs() + Math.min(input.wait ?? 0, longestWaitSeconds) * 1000
  for (let hintedMs = firstHintedMs; ; hintedMs = Math.min(hintedMs * 1.5, longestHintedMs)) {
    const hinted = nextHint(deps, input.signal)
    const lookedAt = deps.clock.monotonicMs()
    try {
      const record = await readDocument(deps, input)
      const left = end - deps.clock.monotonicMs()
      if (!isUnderWay(record.status) || left <= 0 || input.signal?.aborted) return record
      await pause(Math.min(pollMs, left), hinted.signal)
    } finally {
      hinted.stop()
    }
    const now = deps.clock.monotonicMs()
    await pause(Math.max(0, Math.min(lookedAt + hintedMs, end) - now), input.signal)
  }
}

export interface ListDocumentsInput extends ScopeName, PageRequest {
  status?: DocumentStatus | undefined
}

export async function listDocuments(deps: ScopesDeps, input: ListDocumentsInput): Promise<Page<DocumentRecord>> {
  return deps.db.inTenant(
    input.tenantId,
    async tx => {
      const scope = await resolveScope(tx, input.scopeId)
      const list = ['documents', input.tenantId, input.scopeId, scope.generation, input.status]
      const paging = readPaging(input, list, ['string'])
      const after = (paging.after?.[0] ?? null) as string | null
      const rows = await listDocumentRows(tx, scope, { status: input.status ?? null, after, limit: paging.limit + 1 })
      return pageOf(rows, paging, list, { place: row => [row.document_id], item: row => toDocumentRecord(row, input.scopeId) })
    },
    { readOnly: true },
  )
}

export function documentNotFound(): AppError {
  return new AppError('DOCUMENT_NOT_FOUND', { detail: 'The scope has no document of this name.' })
}

export function toDocumentRecord(row: DocumentRow, scopeId: string): DocumentRecord {
  return {
    document_id: row.document_id,
    scope_id: scopeId,
    revision: row.revision,
    status: row.status,
    name: row.name,
    type: row.type,
    source: row.source,
    provenance: row.provenance,
    content_hash: row.text_hash === null ? null : row.text_hash.toString('hex'),
    unchanged: row.unchanged,
    seq: row.seq,
    round: row.round,
    attempts: row.attempts,
    reason: row.reason,
    failure: row.error_class === null ? null : { stage: row.stage, error_class: row.error_class },
    timings: toTimings(row),
    counts: { claims: row.claim_count, contradictions: row.contradiction_count },
    erased_at: row.erased_at,
  }
}

async function readDocument(deps: ScopesDeps, input: GetDocumentInput): Promise<DocumentRecord> {
  return deps.db.inTenant(
    input.tenantId,
    async tx => {
      const scope = await resolveScope(tx, input.scopeId)
      const row = isStorable(input.documentId) ? await findDocument(tx, scope, input.documentId, input.revision ?? null) : null
      if (row === null) throw documentNotFound()
      return toDocumentRecord(row, scope.scopeId)
    },
    { readOnly: true },
  )
}

function isUnderWay(status: DocumentStatus): boolean {
  return status === 'attached' || status === 'queued' || status === 'processing'
}

/** Subscribed before reading, so that what happens between the two is not missed. */
function nextHint(deps: ScopesDeps, outer: AbortSignal | undefined): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController()
  const stop = () => controller.abort()
  const unsubscribe = deps.hints.subscribe('events', stop)
  outer?.addEventListener('abort', stop, { once: true })
  return {
    signal: controller.signal,
    stop() {
      unsubscribe()
      outer?.removeEventListener('abort', stop)
      stop()
    },
  }
}

function toTimings(row: DocumentRow): DocumentTimings {
  return {
    received_at: row.received_at,
    queued_at: row.queued_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    waiting_ms: between(row.queued_at, row.started_at),
    processing_ms: between(row.started_at, row.finished_at),
    stages: stagesOf(row.timings),
  }
}

function between(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : Math.max(0, Date.parse(to) - Date.parse(from))
}

/** Times alone: tokens of a model are kept beside them. */
function stagesOf(value: Record<string, unknown> | null): Record<string, number> {
  const entries = Object.entries(value ?? {}).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && !entry[0].endsWith('_tokens'),
  )
  return Object.fromEntries(entries)
}
