/**
 * Rows of scopes: finding, making, listing and changing them. Every function runs inside one tenant; a scope of
 * another tenant is not there.
 */

import type { Mode } from '../../kernel/types.js'
import type { DocumentStatus } from '../documents/document-row.js'
import type { RuntimeState } from '../runtime/runtime-state.js'
import type { TenantTransaction } from '../server/database.js'
import { caseHoldSql, type StandingHold } from './standing-hold.js'

/** A scope's number within its tenant: what its rows are found by. */
export interface ScopeKey {
  tenantId: string
  scopeNo: number
}

/** The same since the last reset: rows of earlier generations are gone for every reader. */
export interface ScopePlace extends ScopeKey {
  generation: number
}

export interface NamedPlace extends ScopePlace {
  scopeId: string
}

/** With the time its rows of this transaction are recorded at. */
export interface RecordedPlace extends ScopePlace {
  recordedAt: string
}

/** The first two parameters of a statement about a scope in all its generations. */
export function keyOf({ tenantId, scopeNo }: ScopeKey): [string, number] {
  return [tenantId, scopeNo]
}

/** The condition on rows of a scope, whose parameters `placeOf` gives. */
export const ofPlace = 'tenant_id = $1 and scope_no = $2 and generation = $3'

/** The same of rows with an alias. */
export function inPlace(alias: string): string {
  return `${alias}.tenant_id = $1 and ${alias}.scope_no = $2 and ${alias}.generation = $3`
}

/** The same of rows with an alias, in a statement about places `p`. */
export function atPlace(alias: string): string {
  return `${alias}.tenant_id = p.tenant_id and ${alias}.scope_no = p.scope_no and ${alias}.generation = p.generation`
}

/** The first three parameters of a statement about a scope. */
export function placeOf({ tenantId, scopeNo, generation }: ScopePlace): [string, number, number] {
  return [tenantId, scopeNo, generation]
}

/** What acts on a scope need: its place, and what a commit is checked against. */
export interface ScopeRef extends NamedPlace {
  version: number
  mode: Mode
  settings: Record<string, unknown>
  glossary: { terms: Record<string, string[]>; entities: Record<string, string[]> }
  displayName: string | null
}

/** A scope with its kept counts and its three levels of runtime. */
export interface ScopeOverview extends Record<DocumentStatus, number> {
  scope_no: number
  scope_id: string
  display_name: string | null
  mode: Mode
  generation: number
  version: number
  settings: Record<string, unknown>
  created_at: string
  next_seq: number
  finality: 'active' | 'review' | 'resolved' | 'escalated' | 'blocked'
  claims: number
  open_contradictions: number
  possible_conflicts: number
  /** Erased documents by the state they are kept in; the counts by state hold them too. */
  erased: Partial<Record<DocumentStatus, number>>
  /** Documents that count, by the version of the reader that read them. */
  readers: Record<string, number>
  rereads: number
  /** Goal scores of the last rounds, newest first. */
  scores: number[]
  updated_at: string
  service_runtime: RuntimeState
  tenant_runtime: RuntimeState
  scope_runtime: RuntimeState
  run: number
  legal_hold: StandingHold | null
}

const refColumns =
  '$1::text as "tenantId", scope_no as "scopeNo", scope_id as "scopeId", generation, version, mode, settings, glossary, display_name as "displayName"'

export async function findScope(tx: TenantTransaction, scopeId: string): Promise<ScopeRef | null> {
  return tx.row<ScopeRef>(`select ${refColumns} from scopes where tenant_id = $1 and scope_id = $2`, [tx.tenantId, scopeId])
}

export async function findScopeByNo(tx: TenantTransaction, scopeNo: number): Promise<ScopeRef | null> {
  return tx.row<ScopeRef>(`select ${refColumns} from scopes where tenant_id = $1 and scope_no = $2`, [tx.tenantId, scopeNo])
}

/** Null when the tenant has a scope of this name already. One that was deleted goes on where it ended. */
export async function insertScope(
  tx: TenantTransaction,
  scope: { scopeId: string; displayName: string | null; mode: Mode },
): Promise<ScopeRef | null> {
  const values = [tx.tenantId, scope.scopeId, scope.displayName, scope.mode]
  return tx.row<ScopeRef>(`select ${refColumns} from concord_make_scope($1, $2, $3, $4)`, values)
}

export type ScopeChange = Pick<ScopeRef, 'displayName' | 'mode' | 'settings' | 'glossary'>

/** Writes what can be set and raises the version, under the scope's lock. */
export async function updateScope(tx: TenantTransaction, scopeNo: number, change: ScopeChange): Promise<void> {
  await tx.run(
    `update scopes set display_name = $3, mode = $4, settings = $5, glossary = $6, version = version + 1
     where tenant_id = $1 and scope_no = $2`,
    [tx.tenantId, scopeNo, change.displayName, change.mode, JSON.stringify(change.settings), JSON.stringify(change.glossary)],
  )
}

/** For acts of people: whatever a worker computed before this is computed again. */
export async function raiseVersion(tx: TenantTransaction, scopeNo: number): Promise<void> {
  await tx.run('update scopes set version = version + 1 where tenant_id = $1 and scope_no = $2', [tx.tenantId, scopeNo])
}

/**
 * The finality of the last round, of a head `h`. One that is settled is open again from the moment a document comes: its round is recorded
 * only when the document is read, which in a paused scope may be long after.
 */
export const finalityNow = "case when h.finality = 'resolved' and h.queued + h.processing > 0 then 'active' else h.finality end"

/** Enough for a line that is a few letters wide. */
const shownScores = 20

const overviewColumns = `
  s.scope_no, s.scope_id, s.display_name, s.mode, s.generation, s.version, s.settings, s.created_at, h.next_seq,
  h.registered, h.attached, h.queued, h.processing, h.indexed, h.held, h.rejected, h.quarantined, h.rereads,
  (select coalesce(json_object_agg(e.status, e.documents), '{}') from (
    select d.status, count(*) as documents from documents d
    where d.tenant_id = s.tenant_id and d.scope_no = s.scope_no and d.generation = s.generation
      and d.current and d.erased_at is not null
    group by d.status) e) as erased,
  coalesce(st.readers, '{}') as readers,
  ${finalityNow} as finality,
  coalesce((st.aggregates->>'claimsLive')::bigint, 0) as claims,
  coalesce((st.aggregates#>>'{contradictionsOpen,low}')::bigint, 0) + coalesce((st.aggregates#>>'{contradictionsOpen,medium}')::bigint, 0)
    + coalesce((st.aggregates#>>'{contradictionsOpen,high}')::bigint, 0) + coalesce((st.aggregates#>>'{contradictionsOpen,critical}')::bigint, 0)
    as open_contradictions,
  coalesce((st.aggregates->>'possibleOpen')::bigint, 0) as possible_conflicts, coalesce(st.updated_at, s.created_at) as updated_at,
  array(select (r.point->>'score')::float8 from rounds r
    where r.tenant_id = s.tenant_id and r.scope_no = s.scope_no and r.generation = s.generation order by r.round desc limit ${shownScores}) as scores,
  coalesce(rv.state, 'running') as service_runtime, coalesce(rt.state, 'running') as tenant_runtime,
  coalesce(rs.state, 'running') as scope_runtime, greatest(coalesce(rv.run, 1), coalesce(rt.run, 1), coalesce(rs.run, 1)) as run,
  ${caseHoldSql('s')}`

const overviewTables = `
  scopes s
  join scope_heads h on h.tenant_id = s.tenant_id and h.scope_no = s.scope_no
  left join scope_states st on st.tenant_id = s.tenant_id and st.scope_no = s.scope_no and st.generation = s.generation
  left join runtime_states rv on rv.tenant_id = '-' and rv.scope_no = 0
  left join runtime_states rt on rt.tenant_id = s.tenant_id and rt.scope_no = 0
  left join runtime_states rs on rs.tenant_id = s.tenant_id and rs.scope_no = s.scope_no`

export async function readOverview(tx: TenantTransaction, scopeId: string): Promise<ScopeOverview | null> {
  return tx.row<ScopeOverview>(`select ${overviewColumns} from ${overviewTables} where s.tenant_id = $1 and s.scope_id = $2`, [
    tx.tenantId,
    scopeId,
  ])
}

/** In the order of their names. */
export async function listOverviews(
  tx: TenantTransaction,
  page: {
    part: string | null
    finality: ScopeOverview['finality'] | null
    within: readonly string[] | null
    after: string | null
    limit: number
  },
): Promise<ScopeOverview[]> {
  return tx.rows<ScopeOverview>(
    `select ${overviewColumns} from ${overviewTables}
     where s.tenant_id = $1 and ($2::text is null or s.scope_id > $2) and ($4::text is null or ${finalityNow} = $4)
       and ($5::text is null or strpos(s.scope_id, lower($5)) > 0 or strpos(lower(s.display_name), lower($5)) > 0)
       and ($6::text[] is null or s.scope_id = any ($6))
     order by s.scope_id limit $3`,
    [tx.tenantId, page.after, page.limit, page.finality, page.part, page.within],
  )
}
