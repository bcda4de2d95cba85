/**
 * Reset: the scope stays, what was in it is gone for every reader at once. The event log keeps counting, and records
 * where the decision chain ended, which is where the new one starts.
 */

import { genesis } from '../kernel/decision-record.js'
import { appendEvents, type EventDraft } from '../store/events/events.js'
import { type ResetFigures, resetScopeRows } from '../store/scopes/reset.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { lockScope } from './idempotent.js'
import type { ResetResult } from './types.js'

export async function resetScope(deps: ScopesDeps, name: ScopeName): Promise<ResetResult> {
  const result = await deps.db.inTenant(name.tenantId, async tx => {
    const scope = await lockScope(tx, name.scopeId)
    const reason = 'The scope was reset.'
    const figures = await resetScopeRows(tx, scope, reason)
    const chain = chainEnd(figures)
    const { firstSeq } = await appendEvents(tx, scope, [
      {
        type: 'scope.reset',
        data: {
          scope_id: scope.scopeId,
          generation: figures.generation,
          previous_generation: scope.generation,
          chain_head: chain.head,
          chain_length: chain.length,
          documents: figures.documents,
        },
      },
      ...withdrawals(scope.scopeId, figures, reason),
    ])
    return {
      scope_id: scope.scopeId,
      generation: figures.generation,
      previous_generation: scope.generation,
      seq: firstSeq,
      chain,
      documents: figures.documents,
      certificates_withdrawn: figures.certificates.length,
      message: 'The scope is empty. Certificates stay readable, marked withdrawn; the event log goes on.',
    }
  })
  deps.hints.notify('events')
  deps.hints.notify('runtime')
  return result
}

/** The decision chain that ended. */
export function chainEnd({ chainHead, chainLength }: ResetFigures): { head: string; length: number } {
  return { head: chainHead ?? genesis().hash, length: chainLength }
}

export function withdrawals(scopeId: string, { certificates }: ResetFigures, reason: string): EventDraft[] {
  return certificates.map(certificate_id => ({ type: 'certificate.withdrawn', data: { scope_id: scopeId, certificate_id, reason } }))
}
