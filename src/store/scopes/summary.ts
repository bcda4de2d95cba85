/**
 * What the summary of a scope shows beyond its overview: kept figures and short lists. No statement here reads more
 * rows in a large scope than in a small one.
 */

import type { ScopeSettings } from '../../kernel/settings.js'
import type { ConvergencePoint, Drift, FinalityStatus, Gate, ScopeAggregates } from '../../kernel/types.js'
import { bindings } from '../server/columns.js'
import type { TenantTransaction, Transaction } from '../server/database.js'
import type { RecordedRoundRow } from './replay.js'
import { finalityNow, ofPlace, placeOf, type ScopePlace } from './scopes.js'

export interface StateFigures {
  round: number
  next_claim_no: number
  aggregates: ScopeAggregates
  drift: Drift | null
  convergence: ConvergencePoint | null
  gates: Gate[]
  updated_at: string
}

/** Null before the first round. */
export async function readStateFigures(tx: Transaction, scope: ScopePlace): Promise<StateFigures | null> {
  return tx.row<StateFigures>(
    `select round, next_claim_no, aggregates, drift, convergence, gates, updated_at from scope_states where ${ofPlace}`,
    placeOf(scope),
  )
}

/** Dismissals are acts of people, so there are few enough to count by their own index. */
export async function countDismissed(tx: Transaction, scope: ScopePlace): Promise<number> {
  return tx.value<number>(`select count(*) as dismissed from contradictions where ${ofPlace} and status = 'dismissed'`, placeOf(scope))
}

/** A partial index holds these and no others. */
export async function countWithoutModel(tx: Transaction, scope: ScopePlace): Promise<number> {
  return tx.value<number>(
    `select count(*) as documents from documents where ${ofPlace} and current and status = 'indexed' and model_outcome <> 'answered' and erased_at is null`,
    placeOf(scope),
  )
}

interface QuotedRow {
  document_id: string
  revision: number
  quote: string | null
  start_at: number
  end_at: number
  what: string | null
}

export interface GoalRow extends QuotedRow {
  owner: string | null
  due: string | null
  done: boolean
}

/** Undone ones first. */
export async function listGoals(tx: TenantTransaction, scope: ScopePlace, limit: number): Promise<GoalRow[]> {
  return tx.rows<GoalRow>(
    `select document_id, revision, quote, start_at, end_at, what, owner, due, done from goals
     where ${ofPlace} and live order by done limit $4`,
    [...placeOf(scope), limit],
  )
}

export interface RiskRow extends QuotedRow {
  level: 'low' | 'medium' | 'high' | 'critical'
}

/** The most severe first. */
export async function listRisks(tx: TenantTransaction, scope: ScopePlace, limit: number): Promise<RiskRow[]> {
  return tx.rows<RiskRow>(
    `select r.document_id, r.revision, r.quote, r.start_at, r.end_at, r.what, r.level
     from unnest(array['critical', 'high', 'medium', 'low']) with ordinality as l (level, place)
     cross join lateral (
       select document_id, revision, quote, start_at, end_at, what, level from risks
       where ${ofPlace} and live and level = l.level limit $4) r
     order by l.place limit $4`,
    [...placeOf(scope), limit],
  )
}

export interface ConvergenceRow extends Omit<StateFigures, 'next_claim_no' | 'aggregates'> {
  tenant_id: string
  scope_id: string
  scope_no: number
  generation: number
  settings: Partial<ScopeSettings>
  pressure: number
  finality: FinalityStatus
  aggregates: ScopeAggregates | null
  queued: number
  processing: number
  held: number
}

export interface ConvergenceFilter {
  tenantId: string | null
  scopeId: string | null
  finality: FinalityStatus | null
}

/** Only the conditions asked for, or one plan would have to serve them all. */
function conditionsOf({ tenantId, scopeId, finality }: ConvergenceFilter, bind: (value: unknown) => string): string[] {
  const equals = (column: string, value: string | null) => (value === null ? [] : [`${column} = ${bind(value)}`])
  return [...equals('h.tenant_id', tenantId), ...equals('s.scope_id', scopeId), ...equals(finalityNow, finality)]
}

const headsOfScopes = 'scope_heads h join scopes s on s.tenant_id = h.tenant_id and s.scope_no = h.scope_no'
const allOf = (conditions: readonly string[]) => (conditions.length === 0 ? 'true' : conditions.join(' and '))

/** All scopes of the service, worst pressure first; across tenants. The head of an index, however many scopes there are. */
export async function listConvergence(
  tx: Transaction,
  filter: ConvergenceFilter,
  page: { after: { pressure: number; tenantId: string; scopeNo: number } | null; limit: number },
): Promise<ConvergenceRow[]> {
  const { values, bind } = bindings()
  const conditions = conditionsOf(filter, bind)
  if (page.after !== null) {
    const { pressure, tenantId, scopeNo } = page.after
    conditions.push(
      `(-h.pressure, h.tenant_id, h.scope_no) > (-${bind(pressure)}::float8, ${bind(tenantId)}::text, ${bind(scopeNo)}::bigint)`,
    )
  }
  return tx.rows<ConvergenceRow>(
    `with worst as (
       select h.tenant_id, h.scope_no, h.pressure, ${finalityNow} as finality, h.queued, h.processing, h.held from ${headsOfScopes}
       where ${allOf(conditions)} order by -h.pressure, h.tenant_id, h.scope_no limit ${bind(page.limit)})
     select s.tenant_id, s.scope_id, s.scope_no, s.generation, s.settings, w.pressure, t.drift, t.convergence, w.finality, w.queued, w.processing, w.held,
       coalesce(t.gates, '[]') as gates, coalesce(t.round, 0) as round, t.aggregates, coalesce(t.updated_at, s.created_at) as updated_at
     from worst w join scopes s on s.tenant_id = w.tenant_id and s.scope_no = w.scope_no
     left join scope_states t on t.tenant_id = s.tenant_id and t.scope_no = s.scope_no and t.generation = s.generation
     order by -w.pressure, w.tenant_id, w.scope_no`,
    values,
  )
}

export interface FinalityCount {
  finality: FinalityStatus
  scopes: number
}

/** From what tenants are kept to use, less those that were settled and have documents waiting; scopes of one name are counted one by one. */
export async function countByFinality(tx: Transaction, filter: ConvergenceFilter): Promise<FinalityCount[]> {
  if (filter.scopeId !== null) {
    const { values, bind } = bindings()
    const conditions = conditionsOf(filter, bind)
    return tx.rows<FinalityCount>(
      `select ${finalityNow} as finality, count(*) as scopes from ${headsOfScopes} where ${allOf(conditions)} group by 1`,
      values,
    )
  }
  const ofTenant = filter.tenantId === null ? 'true' : 'tenant_id = $1'
  const rows = await tx.rows<FinalityCount>(
    `with waiting as (
       select count(*) as scopes from scope_heads h where has_backlog and h.finality = 'resolved' and ${finalityNow} = 'active' and ${ofTenant}),
     used as (
       select coalesce(sum(review), 0)::bigint as review,
         greatest(coalesce(sum(resolved), 0) - (select scopes from waiting), 0)::bigint as resolved,
         coalesce(sum(escalated), 0)::bigint as escalated, coalesce(sum(blocked), 0)::bigint as blocked, coalesce(sum(scopes), 0)::bigint as scopes
       from tenant_usage where ${ofTenant})
     select f.finality, f.scopes from used u cross join lateral (values ('review', u.review), ('resolved', u.resolved), ('escalated', u.escalated),
       ('blocked', u.blocked), ('active', u.scopes - u.review - u.resolved - u.escalated - u.blocked)) f (finality, scopes)`,
    filter.tenantId === null ? [] : [filter.tenantId],
  )
  return rows.filter(row => filter.finality === null || row.finality === filter.finality)
}

export interface HistoryRow extends Pick<RecordedRoundRow, 'round' | 'kind' | 'document_id' | 'recorded_at' | 'point'> {
  finality: FinalityStatus | null
}

/** Newest first. */
export async function listHistory(
  tx: Transaction,
  scope: ScopePlace,
  page: { before: number | null; limit: number },
): Promise<HistoryRow[]> {
  return tx.rows<HistoryRow>(
    `select round, kind, document_id, recorded_at, point, input->>'finality' as finality from rounds
     where ${ofPlace} and ($4::bigint is null or round < $4) order by round desc limit $5`,
    [...placeOf(scope), page.before, page.limit],
  )
}
