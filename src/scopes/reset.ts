/**
 * Reset: the scope stays, what was in it is gone for every reader at once. The event log keeps counting, and records
 * where the decision chain ended, which is where the new one starts. Deleting takes the scope itself away as well: a tombstone
 * stays, so that whoever uses the name again goes on counting where it ended. Certificates stay readable, withdrawn.
 */

import { genesis } from '../kernel/decision-record.js'
import { appendEvents, type EventDraft } from '../store/events/events.js'
import { resetScopeRows } from '../store/scopes/reset.js'
import type { ScopeRef } from '../store/scopes/scopes.js'
import { buryScope } from '../store/scopes/tombstones.js'
import type { TenantTransaction } from '../store/server/database.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { lockScope } from './idempotent.js'
import { refuseOnHold } from './legal-holds.js'
import type { DeletedScope, ResetResult } from './types.js'

export function resetScope(deps: ScopesDeps, name: ScopeName): Promise<ResetResult> {
  return emptyScope(deps, name, 'The case was reset.', async (tx, scope, { generation, chain, documents, ended, withdrawals }) => {
    const about = { scope_id: scope.scopeId, generation, previous_generation: scope.generation }
    const { firstSeq } = await appendEvents(tx, scope, [{ type: 'scope.reset', data: { ...about, ...ended } }, ...withdrawals])
    return {
      ...about,
      seq: firstSeq,
      chain,
      documents,
      certificates_withdrawn: withdrawals.length,
      message: 'The case is empty. Certificates stay readable, marked withdrawn; the event log goes on.',
    }
  })
}

export function deleteScope(deps: ScopesDeps, name: ScopeName): Promise<DeletedScope> {
  return emptyScope(deps, name, 'The case was deleted.', async (tx, scope, { chain, documents, ended, withdrawals }) => {
    const about = { scope_id: scope.scopeId, generation: scope.generation }
    const { firstSeq } = await appendEvents(tx, scope, [...withdrawals, { type: 'scope.deleted', data: { ...about, ...ended } }])
    await buryScope(tx, scope.scopeNo, firstSeq)
    return {
      ...about,
      seq: firstSeq + withdrawals.length,
      chain,
      documents,
      certificates_withdrawn: withdrawals.length,
      message: 'The case is gone. Its certificates stay readable, marked withdrawn.',
    }
  })
}

interface Emptied {
  generation: number
  /** The decision chain that ended. */
  chain: { head: string; length: number }
  documents: number
  /** The same as events tell of it. */
  ended: Record<string, unknown>
  withdrawals: EventDraft[]
}

async function emptyScope<T>(
  deps: ScopesDeps,
  name: ScopeName,
  reason: string,
  conclude: (tx: TenantTransaction, scope: ScopeRef, emptied: Emptied) => Promise<T>,
): Promise<T> {
  const result = await deps.db.inTenant(name.tenantId, async tx => {
    const scope = await lockScope(tx, name.scopeId)
    await refuseOnHold(tx, scope, null)
    const { generation, chainHead, chainLength, documents, certificates } = await resetScopeRows(tx, scope, reason)
    const chain = { head: chainHead ?? genesis().hash, length: chainLength }
    const ended = { chain_head: chain.head, chain_length: chain.length, documents }
    const withdrawals = certificates.map(certificate_id => ({
      type: 'certificate.withdrawn',
      data: { scope_id: scope.scopeId, certificate_id, reason },
    }))
    return conclude(tx, scope, { generation, chain, documents, ended, withdrawals })
  })
  deps.hints.notify('events')
  deps.hints.notify('runtime')
  return result
}
