/**
 * Deleting a scope: it is reset, and the scope itself goes as well. A tombstone stays, so that whoever uses the name again
 * goes on counting where it ended; certificates stay readable, withdrawn.
 */

import { appendEvents } from '../store/events/events.js'
import { resetScopeRows } from '../store/scopes/reset.js'
import { buryScope } from '../store/scopes/tombstones.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { lockScope } from './idempotent.js'
import { chainEnd, withdrawals } from './reset.js'
import type { DeletedScope } from './types.js'

export async function deleteScope(deps: ScopesDeps, name: ScopeName): Promise<DeletedScope> {
  const deleted = await deps.db.inTenant(name.tenantId, async tx => {
    const scope = await lockScope(tx, name.scopeId)
    const reason = 'The scope was deleted.'
    const figures = await resetScopeRows(tx, scope, reason)
    const chain = chainEnd(figures)
    const withdrawn = withdrawals(scope.scopeId, figures, reason)
    const { firstSeq } = await appendEvents(tx, scope, [
      ...withdrawn,
      {
        type: 'scope.deleted',
        data: {
          scope_id: scope.scopeId,
          generation: scope.generation,
          chain_head: chain.head,
          chain_length: chain.length,
          documents: figures.documents,
        },
      },
    ])
    await buryScope(tx, scope.scopeNo, firstSeq)
    return {
      scope_id: scope.scopeId,
      generation: scope.generation,
      seq: firstSeq + withdrawn.length,
      chain,
      documents: figures.documents,
      certificates_withdrawn: withdrawn.length,
      message: 'The scope is gone. Its certificates stay readable, marked withdrawn.',
    }
  })
  deps.hints.notify('events')
  deps.hints.notify('runtime')
  return deleted
}
