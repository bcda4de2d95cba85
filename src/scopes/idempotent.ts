/**
 * Acts on one scope that a client may repeat under an idempotency key: the scope's lock is taken, the key is looked
 * up, the act runs, its answer is kept, all in one transaction.
 */

import { findIdempotent, hashBody, rememberIdempotent } from '../store/documents/idempotency.js'
import { lockScopes } from '../store/events/events.js'
import { findScopeByNo, type ScopeRef } from '../store/scopes/scopes.js'
import type { TenantTransaction } from '../store/server/database.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { resolveScope, scopeNotFound } from './lifecycle.js'

/** `replayed`: nothing happened this time, the body is the first answer. */
export interface Answer<T> {
  body: T
  replayed: boolean
}

export interface ScopeAct extends ScopeName {
  operation: string
  /** The parsed body after defaults, without the key. */
  request: Readonly<Record<string, unknown>>
  idempotencyKey?: string | undefined
}

export async function actOnScope<T>(
  deps: ScopesDeps,
  act: ScopeAct,
  work: (tx: TenantTransaction, scope: ScopeRef) => Promise<T>,
): Promise<Answer<T>> {
  return deps.db.inTenant(act.tenantId, async tx => {
    const scope = await lockScope(tx, act.scopeId)
    if (act.idempotencyKey === undefined) return { body: await work(tx, scope), replayed: false }
    const use = {
      tenantId: act.tenantId,
      key: act.idempotencyKey,
      operation: act.operation,
      bodyHash: hashBody({ scope_id: act.scopeId, ...act.request }),
    }
    const earlier = await findIdempotent<T>(tx, use)
    if (earlier.found) return { body: earlier.response, replayed: true }
    const body = await work(tx, scope)
    await rememberIdempotent(tx, { ...use, scopeNo: scope.scopeNo, generation: scope.generation, response: body })
    return { body, replayed: false }
  })
}

/** Finds the scope, waits for its lock, and reads it again: what was read before the lock may be old. */
export async function lockScope(tx: TenantTransaction, scopeId: string): Promise<ScopeRef> {
  const { scopeNo } = await resolveScope(tx, scopeId)
  return lockScopeByNo(tx, scopeNo)
}

export async function lockScopeByNo(tx: TenantTransaction, scopeNo: number): Promise<ScopeRef> {
  await lockScopes(tx, [scopeNo])
  const scope = await findScopeByNo(tx, scopeNo)
  // Deleted while its lock was waited for.
  if (scope === null) throw scopeNotFound()
  return scope
}
