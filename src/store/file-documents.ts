/**
 * Documents whose original is a file: queued with it, and given their text once it is extracted. Under the scope's lock.
 */

import { AppError } from '../platform/errors.js'
import type { TenantTransaction } from './database.js'
import type { ScopePlace } from './documents.js'
import { brokenQuota, countMove, enqueue, findLatestRevision, insertRevision } from './documents-intake.js'
import { appendEvents } from './events.js'
import { findFile, keepUpload, linkFile, type NewFile } from './files.js'

export interface NewFileDocument {
  documentId: string
  name: string
  source: string | null
  /** Its `type`. */
  kind: string
  /** What would extract its text today. */
  extractor: string
  file: NewFile
}

/** Writes the next revision of the document with its event and its place in the queue, and keeps the upload as its original. */
export async function queueFile(
  tx: TenantTransaction,
  scope: ScopePlace & { scopeId: string },
  { documentId, name, source, kind, extractor, file }: NewFileDocument,
): Promise<{ documentId: string; seq: number }> {
  const before = await findLatestRevision(tx, scope, documentId)
  const earlier = before === null ? null : await readSameFile(tx, scope, { documentId, revision: before.revision }, { file, extractor })
  // Its bytes were counted as they came.
  const limit = await brokenQuota(tx, { documents: before === null ? 1 : 0, bytes: 0, scopes: 0 })
  if (limit !== null) throw new AppError('QUOTA_EXCEEDED', { detail: `The tenant's limit of ${limit} is reached.` })
  if (!(await keepUpload(tx, scope, file.fileId))) {
    throw new AppError('REQUEST_TIMEOUT', { detail: 'The upload took so long that it was removed.' })
  }
  const revision = await insertRevision(tx, scope, before, {
    documentId,
    status: 'attached',
    name,
    type: kind,
    source,
    provenance: null,
    text: earlier?.text ?? null,
    textHash: earlier?.text_hash ?? null,
    attachedSeq: null,
  })
  await linkFile(tx, scope, { documentId, revision }, file)
  const unchanged = earlier === null ? false : await keepEarlierText(tx, scope, { documentId, revision }, extractor)
  const data = { scope_id: scope.scopeId, document_id: documentId, revision, type: kind, status: 'queued', unchanged }
  const { firstSeq: seq } = await appendEvents(tx, scope, [{ type: 'document.queued', subject: documentId, data }])
  await enqueue(tx, scope, [{ documentId, revision, seq }])
  await countMove(tx, scope, { from: 'attached', to: 'queued', documents: 1, bytes: file.bytes, hasBacklog: true })
  return { documentId, seq }
}

interface EarlierText {
  text: string | null
  text_hash: Buffer
}

/** The text of the revision before, where the same bytes were extracted by the same extractor. */
async function readSameFile(
  tx: TenantTransaction,
  scope: ScopePlace,
  document: { documentId: string; revision: number },
  { file, extractor }: { file: NewFile; extractor: string },
): Promise<EarlierText | null> {
  const found = await findFile(tx, scope, document)
  if (found === null || !found.file_sha256.equals(file.sha256) || found.text_extractor !== extractor) return null
  const { rows } = await tx.query<{ text: string | null; text_hash: Buffer | null }>({
    name: 'files-earlier-text',
    text: `
      select text, text_hash from documents
      where tenant_id = $1 and scope_no = $2 and generation = $3 and document_id = $4 and revision = $5 and erased_at is null`,
    values: [scope.tenantId, scope.scopeNo, scope.generation, document.documentId, document.revision],
  })
  const row = rows[0]
  return row === undefined || row.text_hash === null ? null : { text: row.text, text_hash: row.text_hash }
}

/** Places are found by the revision that claims belong to; a revision that is read after all needs its own. */
async function keepEarlierText(
  tx: TenantTransaction,
  scope: ScopePlace,
  { documentId, revision }: { documentId: string; revision: number },
  extractor: string,
): Promise<boolean> {
  const values = [scope.tenantId, scope.scopeNo, scope.generation, documentId, revision, extractor]
  const { rows } = await tx.query<{ unchanged: boolean }>({
    name: 'files-keep-text',
    text: `
      update documents d set text_extractor = $6,
        text_notes = (select e.text_notes from documents e
          where e.tenant_id = $1 and e.scope_no = $2 and e.generation = $3 and e.document_id = $4 and e.revision = $5 - 1)
      where d.tenant_id = $1 and d.scope_no = $2 and d.generation = $3 and d.document_id = $4 and d.revision = $5
      returning d.unchanged`,
    values,
  })
  await tx.query({
    name: 'files-keep-places',
    text: `
      insert into text_places (tenant_id, scope_no, generation, document_id, revision, first_at, kind, starts, labels)
      select tenant_id, scope_no, generation, document_id, $5, first_at, kind, starts, labels from text_places
      where tenant_id = $1 and scope_no = $2 and generation = $3 and document_id = $4 and revision = $5 - 1`,
    values: values.slice(0, 5),
  })
  return rows[0]?.unchanged ?? false
}
