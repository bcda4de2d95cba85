/**
 * Documents as readers see them: one by its id (waiting for its outcome if asked), all of a scope, and erasing one.
 */

import { modelOf } from '../../kernel/certified-examination.js'
import { comparedInOne } from '../../kernel/examined-words.js'
import { AppError, invalidMember } from '../../platform/errors.js'
import type { WaitedDocument } from '../../store/documents/document-waits.js'
import { type DocumentRow, findDocument, listDocumentRows } from '../../store/documents/documents.js'
import type { ScopePlace } from '../../store/scopes/scopes.js'
import { readTenant, type TenantTransaction } from '../../store/server/database.js'
import { idsAsked } from '../asked-ids.js'
import type { PageRequest } from '../cursors.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { modelInWords } from '../examined.js'
import { optionalInstant } from '../instants.js'
import { resolveScope } from '../lifecycle.js'
import { listInScope } from '../scope-list.js'
import { isStorable } from '../storable.js'
import type { DocumentRecord, DocumentStatus, DocumentTimings, FileRecord, Page } from '../types.js'
import type { DocumentWaits } from './document-waits.js'

export interface GetDocumentInput extends ScopeName {
  documentId: string
  revision?: number | undefined
}

const longestWaitSeconds = 30

export async function getDocument(deps: ScopesDeps, input: GetDocumentInput): Promise<DocumentRecord> {
  return (await readDocument(deps, input)).record
}

export interface AwaitDocumentInput extends GetDocumentInput {
  /** Seconds to wait for an outcome, up to 30. */
  wait: number
  /** The caller went away. */
  signal?: AbortSignal | undefined
}

/** Answers when the document has an outcome, when the wait is over, when the caller is gone or when the service stops, whichever comes first. */
export async function awaitDocument(deps: ScopesDeps, waits: DocumentWaits, input: AwaitDocumentInput): Promise<DocumentRecord> {
  const waitMs = Math.min(input.wait, longestWaitSeconds) * 1000
  const first = await readDocument(deps, input)
  if (waitMs === 0 || !isUnderWay(first.record.status)) return first.record
  const over = AbortSignal.timeout(waitMs)
  const end = input.signal === undefined ? over : AbortSignal.any([over, input.signal])
  for (let { place } = first; ; ) {
    await waits.outcomeOf(place, end)
    const next = await readDocument(deps, input)
    // A new revision may have come in between.
    if (end.aborted || waits.isClosed() || !isUnderWay(next.record.status)) return next.record
    place = next.place
  }
}

export interface ListDocumentsInput extends ScopeName, PageRequest {
  status?: DocumentStatus | undefined
  /** Submitted at this instant or later, and before that one. */
  receivedFrom?: string | undefined
  receivedTo?: string | undefined
  /** Only documents that a model was to be asked about and gave no whole answer. */
  withoutModel?: boolean | undefined
  /** Only those that came with this mail or archive. */
  partOf?: string | undefined
  /** Only these, as a query names them. */
  ids?: string | undefined
}

export async function listDocuments(deps: ScopesDeps, input: ListDocumentsInput): Promise<Page<DocumentRecord>> {
  const { status, receivedFrom, receivedTo, withoutModel = false } = input
  const from = optionalInstant(receivedFrom, '/query/received_from')
  const to = optionalInstant(receivedTo, '/query/received_to')
  if (from !== null && to !== null && from > to) throw invalidMember('/query/received_from', 'must not be after `received_to`')
  const ids = idsAsked(input.ids)
  const partOf = input.partOf ?? null
  return listInScope(deps, input, {
    name: 'documents',
    filters: [status, receivedFrom, receivedTo, withoutModel, ...(ids === null && partOf === null ? [] : [partOf, ids?.join()])],
    rows: (tx, scope, { after, limit }) =>
      listDocumentRows(tx, scope, {
        status: status ?? null,
        receivedFrom: from,
        receivedTo: to,
        withoutModel,
        partOf,
        ids,
        after: (after?.[0] ?? null) as string | null,
        limit,
      }),
    place: row => [row.document_id],
    shape: ['string'],
    items: rows => rows.map(row => toDocumentRecord(row, input.scopeId)),
  })
}

/** The document, or `DOCUMENT_NOT_FOUND`: what the database could not hold does not exist. */
export async function requireDocument(tx: TenantTransaction, scope: ScopePlace, documentId: string, revision?: number) {
  const row = isStorable(documentId) ? await findDocument(tx, scope, documentId, revision ?? null) : null
  if (row === null) throw documentNotFound()
  return row
}

export function documentNotFound(): AppError {
  return new AppError('DOCUMENT_NOT_FOUND', { detail: 'The case has no document with this id.' })
}

export function toDocumentRecord(row: DocumentRow, scopeId: string): DocumentRecord {
  return {
    document_id: row.document_id,
    scope_id: scopeId,
    revision: row.revision,
    status: row.status,
    name: row.erased_at === null ? row.name : null,
    type: row.type,
    source: row.source,
    provenance: row.provenance,
    about: row.about,
    content_hash: row.text_hash === null ? null : row.text_hash.toString('hex'),
    unchanged: row.unchanged,
    seq: row.seq,
    round: row.round,
    attempts: row.attempts,
    reason: row.status === 'held' && !row.current ? 'A later revision came before anybody reviewed this one.' : row.reason,
    failure: row.error_class === null ? null : { stage: row.stage, error_class: row.error_class },
    timings: toTimings(row),
    counts: { claims: row.claim_count, contradictions: row.contradiction_count },
    model: row.model_outcome,
    compared_by: comparedBy(row),
    file: toFileRecord(row),
    part_of: row.part_of,
    same_as: row.same_as,
    legal_hold: row.legal_hold,
    erased_at: row.erased_at,
  }
}

function comparedBy(row: DocumentRow): DocumentRecord['compared_by'] {
  const { status, text_hash, erased_at, extractor, extractor_version, compared_model: compared, partly_compared: partly, signed } = row
  if (status === 'registered' || (status === 'indexed' && text_hash === null)) {
    return {
      rules: null,
      model: null,
      person: null,
      words: status === 'registered' ? 'registered, not compared' : 'compared elsewhere',
    }
  }
  const isRead = status === 'indexed' && erased_at === null
  const rules = isRead && extractor !== null ? { reader: extractor, version: extractor_version ?? '' } : null
  const asked = isRead ? (compared ?? partly) : null
  const model = asked === null ? null : { ...modelOf(asked), complete: compared !== null }
  const named = asked === null ? null : `${modelInWords(asked)}${compared === null ? ', in part' : ''}`
  const words = comparedInOne({ rules: rules !== null, model: named, person: signed })
  return { rules, model, person: signed, words }
}

function toFileRecord(row: DocumentRow): FileRecord | null {
  if (row.file_sha256 === null) return null
  return {
    sha256: row.file_sha256.toString('hex'),
    media_type: row.file_media_type ?? '',
    bytes: row.file_bytes ?? 0,
    kept: row.file_id !== null,
    extractor: row.text_extractor,
    notes: row.text_notes ?? [],
  }
}

async function readDocument(deps: ScopesDeps, input: GetDocumentInput): Promise<{ record: DocumentRecord; place: WaitedDocument }> {
  const { tenantId, documentId } = input
  return readTenant(deps.db, tenantId, async tx => {
    const scope = await resolveScope(tx, input.scopeId)
    const row = await requireDocument(tx, scope, documentId, input.revision)
    const place = { tenantId, scopeNo: scope.scopeNo, generation: scope.generation, documentId }
    return { record: toDocumentRecord(row, scope.scopeId), place }
  })
}

function isUnderWay(status: DocumentStatus): boolean {
  return status === 'attached' || status === 'queued' || status === 'processing'
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
