/**
 * Scopes as a whole: made, listed, read. Making one is an event of the tenant, not of the scope, so that a scope's own
 * log begins with its first document at seq 0.
 */

import { effectiveSettings } from '../kernel/settings.js'
import { AppError, limitReached } from '../platform/errors.js'
import { RULES_VERSION } from '../reading/version.js'
import type { DocumentStatus } from '../store/documents/document-row.js'
import { brokenQuota } from '../store/documents/documents-intake.js'
import { findIdempotent, type IdempotentUse } from '../store/documents/idempotency.js'
import { appendServiceEvents } from '../store/events/events.js'
import type { RuntimeState } from '../store/runtime/runtime.js'
import {
  findScope,
  insertScope,
  listOverviews,
  readOverview,
  type ScopeOverview,
  type ScopePlace,
  type ScopeRef,
} from '../store/scopes/scopes.js'
import { findTombstone, type TombstoneRef } from '../store/scopes/tombstones.js'
import { readTenant, type TenantTransaction } from '../store/server/database.js'
import { effectivePolicyHash } from '../store/tenants/policies.js'
import { holdOffRemoval } from '../store/tenants/tenants.js'
import { type PageRequest, pageOf, readPaging } from './cursors.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { type CaseExamined, notExamined, readCasesExamined } from './examined.js'
import { shipped } from './policy-sets.js'
import type { CreateScopeInput, DocumentCounts, FinalityStatus, Page, ScopeDetail, ScopeMode, ScopeRecord } from './types.js'

export async function createScope(deps: ScopesDeps, tenantId: string, input: CreateScopeInput): Promise<ScopeRecord> {
  const record = await deps.db.inTenant(tenantId, async tx => {
    const scope = { scopeId: input.scope_id, displayName: input.display_name ?? null, mode: input.mode ?? 'auto' }
    const made = await makeScope(tx, scope, { documents: 0, bytes: 0 })
    if (made === null) throw new AppError('SCOPE_EXISTS', { detail: `The tenant has a case ${input.scope_id} already.` })
    return toScopeRecord(await requireOverview(tx, input.scope_id), notExamined)
  })
  deps.hints.notify('events')
  return record
}

export interface ListScopesInput extends PageRequest {
  /** Part of the id or of the display name. */
  q?: string | undefined
  finality?: FinalityStatus | undefined
  /** The scopes the caller reaches; null or unset: all. */
  within?: readonly string[] | null
}

export async function listScopes(deps: ScopesDeps, tenantId: string, request: ListScopesInput): Promise<Page<ScopeRecord>> {
  const list = ['scopes', tenantId, request.q, request.finality]
  const paging = readPaging(request, list, ['string'])
  const after = (paging.after?.[0] ?? null) as string | null
  const filter = {
    part: request.q ?? null,
    finality: request.finality ?? null,
    within: request.within ?? null,
    after,
    limit: paging.limit + 1,
  }
  const { rows, examined } = await readTenant(deps.db, tenantId, async tx => {
    const rows = await listOverviews(tx, filter)
    return {
      rows,
      examined: await readCasesExamined(
        tx,
        rows.map(row => placeOf(tx, row)),
      ),
    }
  })
  const item = (row: ScopeOverview) => toScopeRecord(row, examined.get(row.scope_no) ?? notExamined)
  return pageOf(rows, paging, list, { place: row => [row.scope_id], item })
}

export async function getScope(deps: ScopesDeps, name: ScopeName): Promise<ScopeDetail> {
  return readTenant(deps.db, name.tenantId, tx => readDetail(tx, name.scopeId))
}

export async function readDetail(tx: TenantTransaction, scopeId: string): Promise<ScopeDetail> {
  const overview = await requireOverview(tx, scopeId)
  const policyHash = await effectivePolicyHash(tx, { tenantId: tx.tenantId, scopeNo: overview.scope_no })
  const examined = await readCasesExamined(tx, [placeOf(tx, overview)])
  return {
    ...toScopeRecord(overview, examined.get(overview.scope_no) ?? notExamined),
    version: overview.version,
    settings: overview.settings,
    effective_settings: { ...effectiveSettings(overview.settings) },
    policy_hash: policyHash ?? shipped.hash,
  }
}

/** The scope, or `SCOPE_NOT_FOUND`: missing, malformed and foreign answer alike. */
export async function resolveScope(tx: TenantTransaction, scopeId: string): Promise<ScopeRef> {
  const ref = isWellFormedScopeId(scopeId) ? await findScope(tx, scopeId) : null
  if (ref === null) throw scopeNotFound()
  return ref
}

/** The scope, or the tombstone of one that was deleted: certificates outlive both. */
export async function resolveCertified(tx: TenantTransaction, scopeId: string): Promise<TombstoneRef> {
  const found = isWellFormedScopeId(scopeId) ? ((await findScope(tx, scopeId)) ?? (await findTombstone(tx, scopeId))) : null
  if (found === null) throw scopeNotFound()
  return found
}

export interface FirstAct {
  /** Of its idempotency key, if it has one. */
  use: IdempotentUse | null
  /** What it adds to usage. */
  more: { documents: number; bytes: number }
}

/**
 * For acts that create the scope on first use, in a transaction of its own: nothing may be written before a scope's lock is taken.
 * What the act would be refused for, it is refused for here, so that no empty scope is left behind. One can be left all the same where the
 * process dies before the act, or where two nodes use one new idempotency key for two new scopes at the same instant.
 */
export async function ensureScope(deps: ScopesDeps, name: ScopeName, { use, more }: FirstAct): Promise<void> {
  if (!isWellFormedScopeId(name.scopeId)) throw scopeNotFound()
  const existing = await readTenant(deps.db, name.tenantId, tx => findScope(tx, name.scopeId))
  if (existing !== null) return
  if (!deps.config.scopeAutocreate) throw scopeNotFound()
  await deps.db.inTenant(name.tenantId, async tx => {
    if (use !== null) await findIdempotent(tx, use)
    await makeScope(tx, { scopeId: name.scopeId, displayName: null, mode: 'auto' }, more)
  })
  deps.hints.notify('events')
}

export async function requireOverview(tx: TenantTransaction, scopeId: string): Promise<ScopeOverview> {
  const overview = isWellFormedScopeId(scopeId) ? await readOverview(tx, scopeId) : null
  if (overview === null) throw scopeNotFound()
  return overview
}

function placeOf({ tenantId }: TenantTransaction, { scope_no: scopeNo, generation }: ScopeOverview): ScopePlace {
  return { tenantId, scopeNo, generation }
}

function toScopeRecord(row: ScopeOverview, examined: CaseExamined): ScopeRecord {
  return {
    scope_id: row.scope_id,
    display_name: row.display_name,
    mode: row.mode,
    generation: row.generation,
    runtime: effectiveRuntime(row),
    finality: row.finality,
    counts: {
      documents: toDocumentCounts(row),
      claims: row.claims,
      open_contradictions: row.open_contradictions,
      possible_conflicts: row.possible_conflicts,
    },
    examined,
    needs_reread: outdatedDocuments(row) > 0,
    trajectory: [...row.scores].reverse(),
    legal_hold: row.legal_hold,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** Documents that another version of the rules read or compared. */
export function outdatedDocuments({ readers }: Pick<ScopeOverview, 'readers'>): number {
  return Object.entries(readers).reduce((sum, [version, documents]) => sum + (version === RULES_VERSION ? 0 : documents), 0)
}

/** What was erased keeps its record and its state, and is no longer what that state says: nobody can rest on having read it. */
export function toDocumentCounts(row: Pick<ScopeOverview, DocumentStatus | 'erased'>): DocumentCounts {
  const left = (status: DocumentStatus) => row[status] - (row.erased[status] ?? 0)
  const states = {
    ...{ registered: left('registered'), attached: left('attached'), queued: left('queued'), processing: left('processing') },
    ...{ indexed: left('indexed'), held: left('held'), rejected: left('rejected'), quarantined: left('quarantined') },
  }
  const sum = (counts: object) => Object.values(counts).reduce((all: number, each: number) => all + each, 0)
  const erased = sum(row.erased)
  return { total: sum(states) + erased, ...states, erased }
}

const byRestriction: readonly RuntimeState[] = ['running', 'paused', 'stopped']

/** The most restrictive of the three levels. */
export function effectiveRuntime(row: Pick<ScopeOverview, 'service_runtime' | 'tenant_runtime' | 'scope_runtime'>): RuntimeState {
  const rank = Math.max(...[row.service_runtime, row.tenant_runtime, row.scope_runtime].map(state => byRestriction.indexOf(state)))
  return byRestriction[rank] ?? 'stopped'
}

export function isWellFormedScopeId(scopeId: string): boolean {
  return scopeId.length <= 120 && /^[a-z0-9][a-z0-9-]*$/.test(scopeId)
}

export function scopeNotFound(): AppError {
  return new AppError('SCOPE_NOT_FOUND', { detail: 'The tenant has no case with this id.' })
}

async function makeScope(
  tx: TenantTransaction,
  scope: { scopeId: string; displayName: string | null; mode: ScopeMode },
  more: FirstAct['more'],
): Promise<ScopeRef | null> {
  if ((await findScope(tx, scope.scopeId)) !== null) return null
  // An upload may have taken longer than its tenant was there.
  if (!(await holdOffRemoval(tx))) throw new AppError('TENANT_KEY_INVALID', { detail: 'The tenant was deleted.' })
  const limit = await brokenQuota(tx, { ...more, scopes: 1 })
  if (limit !== null) throw limitReached(limit)
  const made = await insertScope(tx, scope)
  if (made === null) return null
  const data = { scope_id: scope.scopeId, display_name: scope.displayName, mode: scope.mode }
  await appendServiceEvents(tx, tx.tenantId, [{ type: 'scope.created', data }])
  return made
}
