/**
 * Triggers ingest: attached documents get their place in the queue, in the order they were attached. Large scopes go
 * in batches of a transaction each; an unknown name refuses everything before anything is queued.
 */

import { countMove, enqueue, listAttached, listUnknown } from '../../store/documents/documents-intake.js'
import { appendEvents } from '../../store/events/events.js'
import type { ScopeRef } from '../../store/scopes/scopes.js'
import type { TenantTransaction } from '../../store/server/database.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { lockScope } from '../idempotent.js'
import { isStorable } from '../storable.js'
import type { TriggerResult } from '../types.js'
import { documentNotFound } from './documents.js'

const batchDocuments = 500
const shownDocuments = 1000

export async function triggerIngest(deps: ScopesDeps, name: ScopeName, documentIds?: readonly string[]): Promise<TriggerResult> {
  const result: TriggerResult = { scope_id: name.scopeId, queued: 0, documents: [] }
  const wanted = documentIds === undefined ? null : [...new Set(documentIds)]
  if (wanted !== null && !wanted.every(isStorable)) throw documentNotFound()
  let end: number | null = null
  for (let afterSeq = -1; ; ) {
    const batch = await deps.db.inTenant(name.tenantId, async tx => {
      const scope = await lockScope(tx, name.scopeId)
      const first = end === null
      if (first && wanted !== null && (await listUnknown(tx, scope, wanted)).length > 0) throw documentNotFound()
      return queueBatch(tx, scope, { documentIds: wanted, afterSeq })
    })
    // What is attached while this runs is for the next trigger: otherwise a busy client would keep this one going.
    end ??= batch.headSeq
    result.queued += batch.documents.length
    result.documents.push(...batch.documents.slice(0, shownDocuments - result.documents.length))
    deps.hints.notify('events')
    deps.hints.notify('backlog')
    afterSeq = batch.lastAttachedSeq
    if (batch.documents.length < batchDocuments || afterSeq >= end) return result
  }
}

async function queueBatch(tx: TenantTransaction, scope: ScopeRef, from: { documentIds: readonly string[] | null; afterSeq: number }) {
  const rows = await listAttached(tx, scope, { ...from, limit: batchDocuments })
  if (rows.length === 0) return { documents: [], lastAttachedSeq: from.afterSeq, headSeq: from.afterSeq }
  const drafts = rows.map(row => ({
    type: 'document.queued',
    subject: row.document_id,
    data: {
      scope_id: scope.scopeId,
      document_id: row.document_id,
      revision: row.revision,
      type: row.type,
      status: 'queued',
      unchanged: row.unchanged,
    },
  }))
  const { firstSeq } = await appendEvents(tx, scope, drafts)
  const placed = rows.map((row, index) => ({ documentId: row.document_id, revision: row.revision, seq: firstSeq + index }))
  await enqueue(tx, scope, placed)
  await countMove(tx, scope, { from: 'attached', to: 'queued', documents: rows.length })
  return {
    documents: placed.map(({ documentId, seq }) => ({ document_id: documentId, seq })),
    lastAttachedSeq: rows.at(-1)?.attached_seq ?? from.afterSeq,
    /** The scope's next seq before this batch. */
    headSeq: firstSeq,
  }
}
