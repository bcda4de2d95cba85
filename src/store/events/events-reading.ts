/**
 * Reading the event log. A scope's log is read by `seq`, which is commit order because writers hold the scope's lock.
 * The log of everything is read by `(xid, id)` below the oldest transaction still running (see `log-base` for what is stored
 * as xid): ids are taken before commit,
 * so reading by id alone loses what commits late. The name of a document is not part of its events: it is looked up here, and
 * null once the document was erased or its scope reset.
 */

import { invariant } from '../../platform/errors.js'
import type { ScopeKey } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import { across, type Database, readTenant } from '../server/database.js'

export interface StoredEvent {
  seq: number
  type: string
  subject: string | null
  /** JSON as it was stored, with the document's name, not parsed: it only travels on. */
  data: string
  time: string
}

/** The member is put before the closing brace; an event about a document always has other members. */
const namedData = `
  case when e.type like 'document.%' and e.subject is not null and e.data->>'document_id' is not null
    then left(e.data::text, -1) || ',"name":' || coalesce(to_json(d.name)::text, 'null') || '}' else e.data::text end as data`

/** A number in the data of events, null where it is none: one that cannot be read must not keep all others from being read. */
export function countIn(event: string, member: 'revision' | 'generation'): string {
  return `case when ${event}.data ->> '${member}' ~ '^[0-9]{1,9}$' then (${event}.data ->> '${member}')::integer end`
}

/**
 * A document of the present generation with the same id is not the one an event from before the reset is about. The limit keeps
 * the look-up whole: as a plain join the server, which expects one row of any scope among many, went through all documents of
 * the scope for each event.
 */
const documentOfEvent = `
  left join lateral (
    select d.name from documents d
    where d.tenant_id = e.tenant_id and d.scope_no = e.scope_no and d.generation = s.generation and d.document_id = e.subject
      and d.revision = ${countIn('e', 'revision')} and d.erased_at is null and d.received_at <= e.time + interval '1 second'
    limit 1
  ) d on e.type like 'document.%'`

/** Where the log of everything ends at this moment: the oldest transaction still running. */
export const logEnd = '(select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + xid_base)::text::xid8 from event_horizon)'

export interface ScopeHead extends ScopeKey {
  nextSeq: number
  oldestSeq: number
}

/** Where the log of a scope begins and ends, or null when the tenant has no such scope. */
export async function readScopeHead(db: Database, tenantId: string, scopeId: string): Promise<ScopeHead | null> {
  return readTenant(db, tenantId, tx =>
    tx.row<ScopeHead>(
      `select h.tenant_id as "tenantId", h.scope_no as "scopeNo", h.next_seq as "nextSeq", h.oldest_seq as "oldestSeq"
          from scopes s join scope_heads h on h.tenant_id = s.tenant_id and h.scope_no = s.scope_no
          where s.tenant_id = $1 and s.scope_id = $2`,
      [tenantId, scopeId],
    ),
  )
}

export interface LogEnd {
  nextSeq: number
  /** The scope was deleted: nothing follows. */
  over: boolean
}

/** Where the log of each scope ends, undefined for one whose tenant is gone. Crosses tenants: one poll serves all streams of a process. */
export async function readLogEnds(db: Database, scopes: readonly ScopeKey[]): Promise<(LogEnd | undefined)[]> {
  const { rows } = await db.engineQuery<{ n: number; next_seq: number | null; over: boolean }>(
    `select t.n, coalesce(h.next_seq, d.next_seq) as next_seq, h.next_seq is null as over
     from unnest($1::text[], $2::bigint[]) with ordinality as t(tenant_id, scope_no, n)
     left join scope_heads h on h.tenant_id = t.tenant_id and h.scope_no = t.scope_no
     left join scope_tombstones d on h.next_seq is null and d.tenant_id = t.tenant_id and d.scope_no = t.scope_no`,
    columnsOf(scopes, 'tenantId', 'scopeNo'),
  )
  const ends = new Map(rows.map(({ n, next_seq, over }) => [n, next_seq === null ? undefined : { nextSeq: next_seq, over }]))
  return scopes.map((_scope, index) => ends.get(index + 1))
}

export async function readScopeEvents(db: Database, scope: ScopeKey, after: number, limit: number): Promise<StoredEvent[]> {
  return readTenant(db, scope.tenantId, tx =>
    tx.rows<StoredEvent>(
      `select e.seq, e.type, e.subject, ${namedData}, e.time from events e ${scopeOfEvent}
          where e.tenant_id = $1 and e.scope_no = $2 and e.seq > $3 order by e.seq limit $4`,
      [scope.tenantId, scope.scopeNo, after, limit],
    ),
  )
}

/** A place in the log of everything. */
export interface LogPosition {
  xid: number
  id: number
}

export interface PlacedEvent extends StoredEvent, LogPosition {
  scopeNo: number
  /** Null for events of the service or of a tenant as a whole that name no scope. */
  scopeId: string | null
}

export interface KernelEvent extends PlacedEvent {
  tenantId: string
}

export const scopeOfEvent = `left join scopes s on s.tenant_id = e.tenant_id and s.scope_no = e.scope_no ${documentOfEvent}`

/** The columns of a `PlacedEvent`. */
export const placedEvent = `e.xid::text::bigint as xid, e.id, e.scope_no as "scopeNo", coalesce(s.scope_id, e.data ->> 'scope_id') as "scopeId",
  e.seq, e.type, e.subject, ${namedData}, e.time`

/** In commit order behind `after`. Both steps of the condition look through one snapshot. */
export async function readKernelEvents(db: Database, after: LogPosition, limit: number): Promise<KernelEvent[]> {
  return across(db).rows<KernelEvent>(
    `select ${placedEvent}, e.tenant_id as "tenantId" from events e ${scopeOfEvent}
     where (e.xid, e.id) > ($1::xid8, $2::bigint) and e.xid < ${logEnd}
     order by e.xid, e.id limit $3`,
    [String(after.xid), after.id, limit],
  )
}

/** Which transactions were over at one moment: those below `xmin`, and those below `xmax` that were not running. */
export interface LogSnapshot {
  xmin: number
  xmax: number
  running: ReadonlySet<number>
}

export async function readLogSnapshot(db: Database): Promise<LogSnapshot> {
  const { snapshot, base } = await across(db).one<{ snapshot: string; base: number }>(
    'select pg_current_snapshot()::text as snapshot, xid_base as base from event_horizon',
  )
  const place = (xid: string) => Number(xid) + base
  const [xmin = '0', xmax = '0', running = ''] = snapshot.split(':')
  return { xmin: place(xmin), xmax: place(xmax), running: new Set(running === '' ? [] : running.split(',').map(place)) }
}

export function isVisibleIn(snapshot: LogSnapshot, xid: number): boolean {
  return xid < snapshot.xmin || (xid < snapshot.xmax && !snapshot.running.has(xid))
}

/** Both ends are of what is committed; readers may get the last of it a little later, behind a transaction that still runs. */
export interface LogBounds {
  /** The newest event that retention has removed. */
  removed: LogPosition
  oldest: LogPosition | null
  newest: LogPosition | null
}

export async function readLogBounds(db: Database): Promise<LogBounds> {
  const at = (row: string) => `json_build_object('xid', ${row}.xid::text::bigint, 'id', ${row}.id)`
  return across(db).one<LogBounds>(
    `select ${at('h')} as removed, (select ${at('e')} from events e order by e.xid, e.id limit 1) as oldest,
       (select ${at('e')} from events e order by e.xid desc, e.id desc limit 1) as newest
     from event_horizon h`,
  )
}

/** What ids of events are made with: the same on all nodes, and never changed. */
export async function readIdKey(db: Database): Promise<string> {
  const key = await across(db).value<string | null>('select id_key from event_horizon')
  invariant(key !== null, 'the log has no key for ids')
  return key
}

/**
 * How long the oldest committed event has waited for a transaction older than it, in seconds: the tail's lag, for health. Of the
 * first events in commit order: those behind them came later, but for what their transactions took. The order also keeps the
 * server from reading the whole log, which it did at ten million events, because it expects a third of them to wait.
 */
export async function readTailLagSeconds(db: Database): Promise<number> {
  const lag = await across(db).value<number>(
    `select coalesce(extract(epoch from clock_timestamp() - min(e.time)), 0)::double precision as lag
     from (select time from events where xid >= ${logEnd} order by xid, id limit 200) e`,
  )
  return Math.max(0, lag)
}
