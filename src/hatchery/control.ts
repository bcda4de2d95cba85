/**
 * Start, pause, resume, stop and restart of the service, a tenant or a scope. The desired state is committed before
 * anything else, so that nothing new begins; a scope's leases and documents change in that same transaction, those of
 * a tenant or the service in bounded batches behind it. A stop that dies halfway is finished by the leader.
 */

import type { Hints } from '../events/hints.js'
import { AppError } from '../platform/errors.js'
import { appendEvents, appendServiceEvents, lockScopes, serviceTenant } from '../store/events/events.js'
import {
  countScopes,
  effectiveState,
  lockRuntime,
  type RuntimeOperation,
  type RuntimeState,
  saveRuntime,
  scopeNumber,
  wholeTenant,
} from '../store/runtime/runtime.js'
import { clearNextRetries, clearRetries, type PassBatch, passStart, takeBack, takeBackLeased } from '../store/runtime/runtime-take-back.js'
import type { ScopeKey } from '../store/scopes/scopes.js'
import type { Database, Transaction } from '../store/server/database.js'
import { readSummary } from './snapshot.js'
import { type Transition, transition } from './transitions.js'
import type { Addressed, ControlResult } from './types.js'

export type ControlTarget =
  | { level: 'service' }
  | { level: 'tenant'; tenantId: string }
  | { level: 'scope'; tenantId: string; scopeId: string }

export interface ControlDeps {
  db: Database
  hints: Hints
}

/** What one transaction decided. */
interface Outcome {
  previous: RuntimeState
  step: Transition
  effective: RuntimeState
  scopes: number
  requeued: number
}

/** A pass that begins while a lease commits can miss it; the next one sees it. What still slips through is stopped by the watch of its holder. */
const takeBackPasses = 2

export async function control(deps: ControlDeps, operation: RuntimeOperation, target: ControlTarget): Promise<ControlResult> {
  const outcome = await (target.level === 'scope' ? controlScope(deps.db, operation, target) : controlMany(deps, operation, target))
  if (outcome.step.changed) {
    deps.hints.notify('runtime')
    deps.hints.notify('events')
    if (outcome.step.row.state === 'running') deps.hints.notify('backlog')
  }
  return {
    operation,
    addressed: addressedBy(target),
    previous: outcome.previous,
    state: outcome.step.row.state,
    effective: outcome.effective,
    changed: outcome.step.changed,
    run: outcome.step.row.run,
    scopes_affected: outcome.scopes,
    documents_requeued: outcome.requeued,
    hatchery: await readSummary(deps.db),
  }
}

async function controlScope(db: Database, operation: RuntimeOperation, target: ControlTarget & { level: 'scope' }): Promise<Outcome> {
  return db.inTenant(target.tenantId, async tx => {
    const numbered = () => scopeNumber(tx, target.tenantId, target.scopeId)
    const scopeNo = await numbered()
    if (scopeNo !== null) await lockScopes(tx, [scopeNo])
    // The scope can be deleted while its lock is waited for.
    if (scopeNo === null || (await numbered()) !== scopeNo) {
      throw new AppError('SCOPE_NOT_FOUND', { detail: `There is no case ${target.scopeId}.` })
    }
    const ref = { tenantId: target.tenantId, scopeNo }
    const { previous, step } = await applyOperation(tx, ref, operation)
    const requeued = step.takesBack ? await takeBack(tx, [ref], takeBackReason(operation)) : 0
    if (step.clearsRetries) await clearRetries(tx, [ref])
    if (step.changed) {
      const data = { scope_id: target.scopeId, level: 'scope', operation, previous, ...step.row, requeued }
      await appendEvents(tx, ref, [{ type: 'runtime.changed', data }])
    }
    return { previous, step, effective: await effectiveState(tx, ref), scopes: 1, requeued }
  })
}

async function controlMany(
  deps: ControlDeps,
  operation: RuntimeOperation,
  target: Exclude<ControlTarget, { level: 'scope' }>,
): Promise<Outcome> {
  const tenantId = target.level === 'tenant' ? target.tenantId : serviceTenant
  const ref = { tenantId, scopeNo: wholeTenant }
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    target.level === 'tenant' ? deps.db.inTenant(tenantId, work) : deps.db.engine(work)
  const outcome = await inTransaction(async tx => {
    const { previous, step } = await applyOperation(tx, ref, operation)
    const scopes = await countScopes(tx, tenantId)
    if (step.changed) {
      const data = { ...addressedBy(target), operation, previous, ...step.row, scopes }
      await appendServiceEvents(tx, tenantId, [{ type: 'runtime.changed', data }])
    }
    return { previous, step, effective: await effectiveState(tx, ref), scopes, requeued: 0 }
  })
  if (!outcome.step.takesBack) return outcome
  // Nodes let go of their work while this pass gives it back.
  deps.hints.notify('runtime')
  let requeued = 0
  const reason = takeBackReason(operation)
  for (let pass = 0; pass < (operation === 'stop' ? takeBackPasses : 1); pass++) {
    requeued += await passOver(after => inTransaction(tx => takeBackLeased(tx, tenantId, after, reason)))
  }
  if (outcome.step.clearsRetries) await passOver(after => inTransaction(tx => clearNextRetries(tx, tenantId, after)))
  return { ...outcome, requeued }
}

async function applyOperation(
  tx: Transaction,
  ref: ScopeKey,
  operation: RuntimeOperation,
): Promise<{ previous: RuntimeState; step: Transition }> {
  const row = await lockRuntime(tx, ref)
  const step = transition(row, operation)
  if (step === undefined) {
    throw new AppError('RUNTIME_CONFLICT', { detail: `${operation} is not possible while ${row.state}; start it first.` })
  }
  if (step.changed) await saveRuntime(tx, ref, step.row)
  return { previous: row.state, step }
}

/** Runs batch after batch until none is left; answers how many documents they touched. */
export async function passOver(nextBatch: (after: ScopeKey) => Promise<PassBatch>): Promise<number> {
  let documents = 0
  for (let position: ScopeKey | undefined = passStart; position !== undefined; ) {
    const batch: PassBatch = await nextBatch(position)
    documents += batch.documents
    position = batch.next
  }
  return documents
}

function takeBackReason(operation: RuntimeOperation): string {
  return operation === 'restart' ? 'restarted' : 'stopped'
}

function addressedBy(target: ControlTarget): Addressed {
  if (target.level === 'service') return { level: 'service' }
  if (target.level === 'tenant') return { level: 'tenant', tenant_id: target.tenantId }
  return { level: 'scope', tenant_id: target.tenantId, scope_id: target.scopeId }
}
