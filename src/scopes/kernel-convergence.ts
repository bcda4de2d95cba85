/** How close every scope of the service is to one consistent story: worst pressure first; for one scope, with its history. */

import { gatesNow } from '../kernel/finality-gates.js'
import { openContradictions } from '../kernel/scores.js'
import { effectiveSettings } from '../kernel/settings.js'
import type { Gate } from '../kernel/types.js'
import { AppError, invariant } from '../platform/errors.js'
import type { ScopePlace } from '../store/scopes/scopes.js'
import { type ConvergenceRow, countByFinality, type HistoryRow, listConvergence, listHistory } from '../store/scopes/summary.js'
import { readTenant, type Transaction } from '../store/server/database.js'
import { rateOf, toConvergenceView, toDriftView } from './convergence-view.js'
import { type PageRequest, pageOf, readPaging } from './cursors.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { type CaseExamined, notExamined, readCasesExamined } from './examined.js'
import { resolveScope } from './lifecycle.js'
import { isStorable } from './storable.js'
import type { ConvergenceHistoryPoint, ConvergencePayload, FinalityStatus, OwnConvergence, Page, ScopeConvergence } from './types.js'

export interface ConvergenceInput extends PageRequest {
  tenant_id?: string | undefined
  scope_id?: string | undefined
  finality?: FinalityStatus | undefined
}

/** With tenant and scope named, the page is of the scope's history; otherwise of scopes. Runs across tenants: internals only. */
export async function convergencePayload(deps: ScopesDeps, input: ConvergenceInput): Promise<ConvergencePayload> {
  if (input.tenant_id !== undefined && !isStorable(input.tenant_id)) return { items: [], next: null, ...countsOf([]) }
  return input.tenant_id !== undefined && input.scope_id !== undefined ? payloadOfScope(deps, input) : payloadOfAll(deps, input)
}

async function payloadOfAll(deps: ScopesDeps, input: ConvergenceInput): Promise<ConvergencePayload> {
  const list = ['convergence', input.tenant_id, input.scope_id, input.finality]
  const paging = readPaging(input, list, ['real', 'string', 'number'])
  const [pressure, tenantId, scopeNo] = (paging.after ?? []) as [number?, string?, number?]
  const after = pressure === undefined || tenantId === undefined || scopeNo === undefined ? null : { pressure, tenantId, scopeNo }
  return deps.db.engine(
    async tx => {
      const rows = await listConvergence(tx, filterOf(input), { after, limit: paging.limit + 1 })
      const counts = countsOf(await countByFinality(tx, filterOf(input)))
      const examined = await readCasesExamined(tx, rows.map(placeOf))
      const item = (row: ConvergenceRow) => toScopeConvergence(row, examined.get(row.scope_no) ?? notExamined)
      const page = pageOf(rows, paging, list, { place: row => [row.pressure, row.tenant_id, row.scope_no], item })
      return { ...page, ...counts }
    },
    { readOnly: true, snapshot: true },
  )
}

async function payloadOfScope(deps: ScopesDeps, input: ConvergenceInput): Promise<ConvergencePayload> {
  return deps.db.engine(
    async tx => {
      const [row] = await listConvergence(tx, filterOf(input), { after: null, limit: 1 })
      if (row === undefined) throw new AppError('SCOPE_NOT_FOUND', { detail: 'There is no such case.' })
      const history = await readHistory(tx, row, input)
      const counts = countsOf([{ finality: row.finality, scopes: 1 }])
      return { items: [await withExamined(tx, row)], next: history.next, ...counts, gates: gatesOf(row), history }
    },
    { readOnly: true, snapshot: true },
  )
}

/** The same of one scope, for the tenant that owns it. */
export async function scopeConvergence(deps: ScopesDeps, input: ScopeName & PageRequest): Promise<OwnConvergence> {
  const { tenantId } = input
  return readTenant(deps.db, tenantId, async tx => {
    const { scopeId } = await resolveScope(tx, input.scopeId)
    const [row] = await listConvergence(tx, { tenantId, scopeId, finality: null }, { after: null, limit: 1 })
    invariant(row !== undefined, 'a scope disappeared while it was read')
    const { tenant_id: _tenant, ...convergence } = await withExamined(tx, row)
    return { ...convergence, gates: gatesOf(row), history: await readHistory(tx, row, input) }
  })
}

async function readHistory(tx: Transaction, row: ConvergenceRow, request: PageRequest): Promise<Page<ConvergenceHistoryPoint>> {
  const list = ['convergence-history', row.tenant_id, row.scope_id, row.generation]
  const paging = readPaging(request, list, ['number'])
  const before = (paging.after?.[0] ?? null) as number | null
  const rounds = await listHistory(tx, placeOf(row), { before, limit: paging.limit + 1 })
  return pageOf(rounds, paging, list, { place: round => [round.round], item: toHistoryPoint })
}

async function withExamined(tx: Transaction, row: ConvergenceRow): Promise<ScopeConvergence> {
  return toScopeConvergence(row, (await readCasesExamined(tx, [placeOf(row)])).get(row.scope_no) ?? notExamined)
}

function gatesOf(row: ConvergenceRow): Gate[] {
  return gatesNow(row.gates, row, effectiveSettings(row.settings).finality.examination)
}

function placeOf({ tenant_id: tenantId, scope_no: scopeNo, generation }: ConvergenceRow): ScopePlace {
  return { tenantId, scopeNo, generation }
}

function filterOf(input: ConvergenceInput) {
  return { tenantId: input.tenant_id ?? null, scopeId: input.scope_id ?? null, finality: input.finality ?? null }
}

function toScopeConvergence(row: ConvergenceRow, examined: CaseExamined): ScopeConvergence {
  return {
    tenant_id: row.tenant_id,
    scope_id: row.scope_id,
    generation: row.generation,
    finality: row.finality,
    convergence: toConvergenceView(row.convergence, effectiveSettings(row.settings)),
    drift: toDriftView(row.drift, row.round),
    open_contradictions: row.aggregates === null ? 0 : openContradictions(row.aggregates),
    possible_conflicts: row.aggregates?.possibleOpen ?? 0,
    examined: examined.words,
    updated_at: row.updated_at,
  }
}

function toHistoryPoint({ round, kind, document_id, recorded_at, point, finality }: HistoryRow): ConvergenceHistoryPoint {
  const { v: value, worstPressure: pressure, scores } = point
  return { round, kind, document_id, recorded_at, value, rate: rateOf(point), pressure, finality, scores }
}

function countsOf(counts: readonly { finality: FinalityStatus; scopes: number }[]): Pick<ConvergencePayload, 'scopes' | 'by_finality'> {
  const by_finality: Record<FinalityStatus, number> = { active: 0, review: 0, resolved: 0, escalated: 0, blocked: 0 }
  for (const { finality, scopes } of counts) by_finality[finality] += scopes
  return { scopes: counts.reduce((sum, count) => sum + count.scopes, 0), by_finality }
}
