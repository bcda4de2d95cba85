/**
 * Legal holds on a case or a document. Setting and lifting are acts on record, twice is once; what would remove something
 * asks `refuseOnHold` under the scope's lock, so that neither can overtake the other.
 */

import { AppError, invariant } from '../platform/errors.js'
import { newId } from '../platform/ids.js'
import { appendEvents } from '../store/events/events.js'
import {
  findObstacle,
  findStandingHold,
  insertHold,
  type LegalHoldRow,
  liftHold,
  listHoldRows,
  readLastLifted,
} from '../store/scopes/legal-holds.js'
import type { ScopeRef } from '../store/scopes/scopes.js'
import type { TenantTransaction } from '../store/server/database.js'
import { holdOffRemoval } from '../store/tenants/tenants.js'
import type { PageRequest } from './cursors.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { requireDocument } from './documents/documents.js'
import { lockScope } from './idempotent.js'
import { scopeNotFound } from './lifecycle.js'
import type { Said } from './person.js'
import { listInScope } from './scope-list.js'
import type { Page } from './types.js'

export interface Holding extends ScopeName, Said {
  /** Null: the whole case. */
  documentId: string | null
}

export interface LegalHoldRecord {
  hold_id: string
  scope_id: string
  document_id: string | null
  by: string
  vouched: boolean
  reason: string | null
  set_at: string
  lifted: { by: string; vouched: boolean; reason: string | null; at: string } | null
}

type Result = LegalHoldRecord & { changed: boolean }

export function setHold(deps: ScopesDeps, input: Holding): Promise<Result> {
  return act(deps, input, async (tx, scope, { documentId, by, reason, bound = false }) => {
    const standing = await findStandingHold(tx, scope, documentId)
    if (standing !== null) return { row: standing, changed: false }
    // A tenant is deleted behind the same lock, after looking for holds.
    if (!(await holdOffRemoval(tx))) throw scopeNotFound()
    const holdId = newId('hld')
    await insertHold(tx, scope, { holdId, documentId, by, bound, reason })
    await tell(tx, scope, 'legal_hold.set', { holdId, documentId })
    const row = await findStandingHold(tx, scope, documentId)
    invariant(row !== null, 'a hold disappeared under the lock')
    return { row, changed: true }
  })
}

export function liftStandingHold(deps: ScopesDeps, input: Holding): Promise<Result> {
  return act(deps, input, async (tx, scope, { documentId, by, reason, bound = false }) => {
    const standing = await findStandingHold(tx, scope, documentId)
    if (standing !== null) {
      await liftHold(tx, standing.hold_id, { by, bound, reason })
      await tell(tx, scope, 'legal_hold.lifted', { holdId: standing.hold_id, documentId })
    }
    const row = await readLastLifted(tx, scope, documentId)
    if (row === null) throw new AppError('HOLD_NOT_FOUND', { detail: 'There is no legal hold on this, and there was none.' })
    return { row, changed: standing !== null }
  })
}

async function act(
  deps: ScopesDeps,
  input: Holding,
  work: (tx: TenantTransaction, scope: ScopeRef, input: Holding) => Promise<{ row: LegalHoldRow; changed: boolean }>,
): Promise<Result> {
  const result = await deps.db.inTenant(input.tenantId, async tx => {
    const scope = await lockScope(tx, input.scopeId)
    if (input.documentId !== null) await requireDocument(tx, scope, input.documentId)
    const { row, changed } = await work(tx, scope, input)
    return { ...toRecord(row, scope.scopeId), changed }
  })
  deps.hints.notify('events')
  return result
}

async function tell(
  tx: TenantTransaction,
  scope: ScopeRef,
  type: 'legal_hold.set' | 'legal_hold.lifted',
  { holdId, documentId }: { holdId: string; documentId: string | null },
): Promise<void> {
  const data = { scope_id: scope.scopeId, hold_id: holdId, document_id: documentId }
  await appendEvents(tx, scope, [{ type, subject: documentId, data }])
}

export function listHolds(
  deps: ScopesDeps,
  input: ScopeName & PageRequest & { standing?: boolean | undefined },
): Promise<Page<LegalHoldRecord>> {
  const { standing = false } = input
  return listInScope(deps, input, {
    name: 'holds',
    filters: [standing],
    rows: (tx, scope, { after, limit }) => listHoldRows(tx, scope, { standing, after: (after?.[0] ?? 0) as number, limit }),
    place: row => [row.hold_no],
    shape: ['int4'],
    items: (rows, _tx, scope) => rows.map(row => toRecord(row, scope.scopeId)),
  })
}

/** `LEGAL_HOLD` where the document with its attachments, or with null anything of the case, must not be removed. Final under the scope's lock alone. */
export async function refuseOnHold(tx: TenantTransaction, scope: ScopeRef, documentId: string | null): Promise<void> {
  const obstacle = await findObstacle(tx, scope, documentId)
  if (obstacle !== null)
    throw new AppError('LEGAL_HOLD', { detail: `${whatIsHeld(obstacle)} is on legal hold, set by ${saidBy(obstacle)}.` })
}

function whatIsHeld({ document_id: documentId }: LegalHoldRow): string {
  return documentId === null ? 'The case' : `The document ${documentId}`
}

function saidBy({ set_by: by, set_at: at }: LegalHoldRow): string {
  return `${by} on ${at.slice(0, 10)}`
}

function toRecord(row: LegalHoldRow, scopeId: string): LegalHoldRecord {
  const { lifted_by: by, lifted_bound: vouched, lifted_reason: reason, lifted_at: at } = row
  return {
    hold_id: row.hold_id,
    scope_id: scopeId,
    document_id: row.document_id,
    by: row.set_by,
    vouched: row.set_bound,
    reason: row.reason,
    set_at: row.set_at,
    lifted: by === null || at === null ? null : { by, vouched: vouched === true, reason, at },
  }
}
