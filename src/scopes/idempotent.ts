/**
 * Acts on one scope that a client may repeat under an idempotency key: the scope's lock is taken, the key is looked
 * up, the act runs, its answer is kept, all in one transaction.
 */

import { AppError } from '../platform/errors.js'
import { findIdempotent, hashBody, type IdempotentUse, rememberIdempotent } from '../store/documents/idempotency.js'
import { lockScopes } from '../store/events/events.js'
import { findScopeByNo, type ScopeRef } from '../store/scopes/scopes.js'
import type { TenantTransaction } from '../store/server/database.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { ensureScope, resolveScope, scopeNotFound } from './lifecycle.js'
import { isStorable } from './storable.js'

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
  /** What the act adds to usage, where it makes its scope on first use. */
  makesScopeFor?: { documents: number; bytes: number } | undefined
}

/** A refusal that `work` answers with is recorded: it is thrown once the transaction is committed, and no key remembers it. */
export async function actOnScope<T>(
  deps: ScopesDeps,
  act: ScopeAct,
  work: (tx: TenantTransaction, scope: ScopeRef) => Promise<T | AppError>,
): Promise<Answer<T>> {
  const use = useOf(act)
  if (act.makesScopeFor !== undefined) await ensureScope(deps, act, { use, more: act.makesScopeFor })
  const answer = await deps.db.inTenant(act.tenantId, async tx => {
    const scope = await lockScope(tx, act.scopeId)
    const earlier = use === null ? null : await findIdempotent<T>(tx, use)
    if (earlier?.found) return { body: earlier.response, replayed: true }
    const body = await work(tx, scope)
    if (use === null || body instanceof AppError) return { body, replayed: false }
    await rememberIdempotent(tx, { ...use, scopeNo: scope.scopeNo, generation: scope.generation, response: body })
    return { body, replayed: false }
  })
  deps.hints.notify('events')
  const { body, replayed } = answer
  if (body instanceof AppError) throw body
  return { body, replayed }
}

function useOf({ tenantId, scopeId, operation, request, idempotencyKey: key }: ScopeAct): IdempotentUse | null {
  return key === undefined ? null : { tenantId, key, operation, bodyHash: hashBody({ scope_id: scopeId, ...request }) }
}

/** Finds the scope, waits for its lock, and reads it again: what was read before the lock may be old. */
export async function lockScope(tx: TenantTransaction, scopeId: string): Promise<ScopeRef> {
  const { scopeNo } = await resolveScope(tx, scopeId)
  return lockScopeByNo(tx, scopeNo)
}

/** What a tenant names by its id alone. */
export interface Found<Row> {
  name: 'contradiction' | 'possible conflict' | 'supersession' | 'decision'
  find(tx: TenantTransaction, id: string): Promise<Row | null>
}

/** Finds it, waits for the lock of its scope, and reads it again. A foreign one is not there. */
export async function lockFound<Row extends { scope_no: number }>(tx: TenantTransaction, id: string, kind: Found<Row>) {
  const found = isStorable(id) ? await kind.find(tx, id) : null
  const scope = found === null ? null : await lockScopeByNo(tx, found.scope_no)
  const row = scope === null ? null : await kind.find(tx, id)
  if (scope === null || row === null) throw notFound(kind.name)
  return { scope, row }
}

export function notFound(name: Found<unknown>['name']): AppError {
  return new AppError(missing[name], { detail: `The tenant has no ${name} with this id.` })
}

const missing = {
  contradiction: 'CONTRADICTION_NOT_FOUND',
  'possible conflict': 'POSSIBLE_CONFLICT_NOT_FOUND',
  supersession: 'SUPERSESSION_NOT_FOUND',
  decision: 'DECISION_NOT_FOUND',
} as const

async function lockScopeByNo(tx: TenantTransaction, scopeNo: number): Promise<ScopeRef> {
  await lockScopes(tx, [scopeNo])
  const scope = await findScopeByNo(tx, scopeNo)
  // Deleted while its lock was waited for.
  if (scope === null) throw scopeNotFound()
  return scope
}
