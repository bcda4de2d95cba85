/**
 * Has the documents of a scope read again: by the reader in use, and by a model where that is asked for. Large scopes go in
 * batches of a transaction each. Asking twice queues nothing twice: whatever waits already is passed over.
 */

import { AppError } from '../../platform/errors.js'
import { listRereadable, queueRereads } from '../../store/documents/rereads.js'
import type { ScopeRef } from '../../store/scopes/scopes.js'
import { readTenant, type TenantTransaction } from '../../store/server/database.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { lockScope } from '../idempotent.js'
import { requireOverview } from '../lifecycle.js'
import type { RereadInput, RereadResult } from '../types.js'

const batchDocuments = 500

export async function rereadScope(deps: ScopesDeps, name: ScopeName, input: RereadInput): Promise<RereadResult> {
  const { model = false } = input
  if (model && deps.config.modelUrl === undefined) throw new AppError('STATE_CONFLICT', { detail: 'No model is configured.' })
  let queued = 0
  for (let after: string | null = ''; after !== null; ) {
    const from: string = after
    const batch = await deps.db.inTenant(name.tenantId, async tx =>
      queueBatch(tx, await lockScope(tx, name.scopeId), { ...input, model }, from),
    )
    queued += batch.queued
    after = batch.next
    if (batch.queued === 0) break
    deps.hints.notify('events')
    deps.hints.notify('backlog')
  }
  const { rereads: waiting } = await readTenant(deps.db, name.tenantId, tx => requireOverview(tx, name.scopeId))
  return { scope_id: name.scopeId, queued, waiting, model }
}

async function queueBatch(
  tx: TenantTransaction,
  scope: ScopeRef,
  { model, by = null, reason = null }: { model: boolean; by?: string | null | undefined; reason?: string | null | undefined },
  after: string,
): Promise<{ queued: number; next: string | null }> {
  const rows = await listRereadable(tx, scope, { model, after, limit: batchDocuments })
  if (rows.length === 0) return { queued: 0, next: null }
  await queueRereads(tx, scope, rows, { model, by, reason })
  return { queued: rows.length, next: rows.length < batchDocuments ? null : (rows.at(-1)?.document_id ?? null) }
}
