/**
 * Documents handed to a scope outside the ingest queue: attached (kept until ingest is triggered) or registered
 * (processed elsewhere, only noted here).
 */

import { createHash } from 'node:crypto'
import { limitReached } from '../../platform/errors.js'
import { newId } from '../../platform/ids.js'
import { retireHolds } from '../../store/claims/claims-documents.js'
import { brokenQuota, findLatestRevision, insertRevision, type NewRevision } from '../../store/documents/documents-intake.js'
import { keepFromModel } from '../../store/documents/model-off.js'
import { listOvertaken } from '../../store/documents/overtaken-approvals.js'
import { appendEvents } from '../../store/events/events.js'
import { isUnsettledBy } from '../../store/scopes/examination.js'
import type { ScopeRef } from '../../store/scopes/scopes.js'
import type { TenantTransaction } from '../../store/server/database.js'
import { concludeAct, loadStored } from '../act.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { type Answer, actOnScope } from '../idempotent.js'
import type { AttachInput, DocumentRecord, RegisterInput } from '../types.js'
import { requireDocument, toDocumentRecord } from './documents.js'

/** A document of a known id becomes its next revision. */
export async function attachDocument(
  deps: ScopesDeps,
  name: ScopeName,
  input: AttachInput,
  idempotencyKey?: string,
): Promise<Answer<DocumentRecord>> {
  const request = { ...input, type: input.type ?? 'txt' }
  return actOnScope(deps, { ...name, operation: 'attach', request, idempotencyKey }, async (tx, scope) => {
    const documentId = input.document_id ?? newId('doc')
    if (input.model === 'off') await keepFromModel(tx, scope, documentId)
    return addRevision(deps, tx, scope, 'document.attached', {
      documentId,
      status: 'attached',
      name: request.name,
      type: request.type,
      source: input.source ?? null,
      provenance: input.provenance ?? null,
      about: input.about ?? null,
      text: input.text,
      textHash: createHash('sha256').update(input.text, 'utf8').digest(),
    })
  })
}

/** The scope is made on first use, as by ingest. */
export async function registerDocument(
  deps: ScopesDeps,
  tenantId: string,
  input: RegisterInput,
  idempotencyKey?: string,
): Promise<Answer<DocumentRecord>> {
  const name = { tenantId, scopeId: input.scope_id }
  const request = { ...input, status: input.status ?? 'registered' }
  const act = { ...name, operation: 'register', request, idempotencyKey, makesScopeFor: { documents: 1, bytes: 0 } }
  return actOnScope(deps, act, (tx, scope) =>
    addRevision(deps, tx, scope, 'document.registered', {
      documentId: newId('doc'),
      status: request.status,
      name: request.name,
      type: request.type,
      source: null,
      provenance: input.provenance ?? null,
      about: null,
      text: null,
      textHash: null,
    }),
  )
}

async function addRevision(
  deps: ScopesDeps,
  tx: TenantTransaction,
  scope: ScopeRef,
  event: string,
  draft: Omit<NewRevision, 'attachedSeq'>,
): Promise<DocumentRecord> {
  const before = await findLatestRevision(tx, scope, draft.documentId)
  await refuseOverQuota(tx, { documents: before === null ? 1 : 0, bytes: draft.text === null ? 0 : Buffer.byteLength(draft.text) })
  const data = {
    scope_id: scope.scopeId,
    document_id: draft.documentId,
    revision: (before?.revision ?? 0) + 1,
    type: draft.type,
    status: draft.status,
  }
  const { firstSeq } = await appendEvents(tx, scope, [{ type: event, subject: draft.documentId, data }])
  await insertRevision(tx, scope, before, { ...draft, attachedSeq: draft.status === 'attached' ? firstSeq : null })
  const document = { documentId: draft.documentId, revision: data.revision }
  await retireHolds(tx, scope, [document])
  await noteArrival(deps, tx, scope, document, { overHeld: before?.status === 'held' })
  return toDocumentRecord(await requireDocument(tx, scope, draft.documentId), scope.scopeId)
}

/**
 * What a scope was settled or signed off on does not hold this document; and where it takes the place of one that was held, that waits no
 * more. Where all it does is to overtake what somebody approved, what counts stays as it was. Elsewhere it waits for the next round.
 */
async function noteArrival(
  deps: ScopesDeps,
  tx: TenantTransaction,
  scope: ScopeRef,
  document: { documentId: string; revision: number },
  { overHeld }: { overHeld: boolean },
): Promise<void> {
  const stored = await loadStored(tx, scope.scopeNo)
  const kind = overHeld || (await isUnsettledBy(tx, stored, [document])) ? 'arrival' : 'given_up'
  const overtaken = await listOvertaken(tx, scope, [document.documentId])
  if (kind === 'given_up' && overtaken.length === 0) return
  await concludeAct(deps, tx, stored, { input: { kind, document, overtaken }, detail: {}, document })
}

export async function refuseOverQuota(tx: TenantTransaction, more: { documents: number; bytes: number }): Promise<void> {
  const limit = await brokenQuota(tx, { ...more, scopes: 0 })
  if (limit !== null) throw limitReached(limit)
}
