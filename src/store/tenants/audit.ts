/** The audit log: rows are written with the act, finished with its answer, and chained afterwards by the leader. */

import { cut, storableJson } from '../../platform/storable-text.js'
import { heldScopesSql } from '../scopes/standing-hold.js'
import { columnsOf } from '../server/columns.js'
import { across, type Database, type EngineTransaction } from '../server/database.js'

interface Act {
  tier: string
  actor: string
  action: string
  outcome: 'allowed' | 'refused' | 'counted'
  status: number | null
  address: string | null
  detail: object
}

export interface AuditRow extends Act {
  tenantId: string | null
  scopeId: string | null
  requestId: string
}

/** Inserts all rows in one statement and gives their ids in the same order. */
export async function insertAuditRows(db: Database, rows: readonly AuditRow[]): Promise<number[]> {
  return across(db).column<number>(
    `insert into audit_log (tier, actor, action, outcome, status, tenant_id, scope_id, request_id, address, detail)
     select e->>'tier', e->>'actor', e->>'action', e->>'outcome', (e->>'status')::int, e->>'tenantId', e->>'scopeId', e->>'requestId',
       e->>'address', e->'detail'
     from json_array_elements($1::json) with ordinality as x(e, place) order by place
     returning id`,
    [storableJson(rows)],
  )
}

/** What somebody read. */
export interface Seen {
  kind: string
  scopeId: string
  /** Of a document or finding; null for what a case has one of, or a list. */
  id: string | null
  revision?: number | undefined
}

/** What the rows of one thing have in common. */
export function objectSeen({ kind, scopeId, id, revision }: Seen): string {
  return cut([kind, scopeId, id ?? '', ...(revision === undefined ? [] : [revision])].join(' '), 500)
}

export interface ReadingRow extends AuditRow {
  /** What was read, as one text. */
  object: string
  /** A person's name, or the key. */
  reader: string
}

/**
 * One row for each reader, object and hour, whoever writes it first. In the order of the unique key, so that two nodes which note the
 * same readings never wait for each other in a circle. Answers how many milliseconds of that hour are left.
 */
export async function insertReadings(db: Database, rows: readonly ReadingRow[]): Promise<number> {
  return across(db).value<number>(
    `with written as materialized (select t.at, date_trunc('hour', t.at, 'UTC') as hour from clock_timestamp() as t (at)),
     noted as (insert into audit_log (tier, actor, action, outcome, status, tenant_id, scope_id, request_id, address, detail, object, reader, hour)
     select e->>'tier', e->>'actor', e->>'action', e->>'outcome', (e->>'status')::int, e->>'tenantId', e->>'scopeId', e->>'requestId',
       e->>'address', e->'detail', e->>'object', e->>'reader', w.hour
     from json_array_elements($1::json) as x(e), written w
     order by e->>'tenantId', e->>'object', e->>'reader'
     on conflict do nothing)
     select floor(extract(epoch from w.hour + interval '1 hour' - w.at) * 1000)::int from written w`,
    [storableJson(rows)],
  )
}

export interface ReaderRow {
  reader: string
  first_at: string
  last_at: string
}

/** Who read it, the latest first. */
export async function listReaders(db: Database, tenantId: string, object: string, limit: number): Promise<ReaderRow[]> {
  return across(db).rows<ReaderRow>(
    `select reader, min(at) as first_at, max(at) as last_at from audit_log where tenant_id = $1 and object = $2
     group by reader order by max(at) desc, reader limit $3`,
    [tenantId, object, limit],
  )
}

/** Notes what is kept from now on, unless it is what was kept before. */
export async function noteReadsKept(db: Database, reads: ReadsKept): Promise<void> {
  await db.engineQuery(
    `insert into audit_reads (reads) select $1
     where $1 is distinct from (select reads from audit_reads where reads is not null order by since desc limit 1)`,
    [reads],
  )
}

export type ReadsKept = 'all' | 'people' | 'off'

export interface ReadsKeptRow {
  since: string
  /** Null: the log, or what it has of the tenant, begins here. */
  reads: ReadsKept | null
}

/** What was kept when, the oldest first; where the log was cut, or the tenant came from elsewhere, nothing is known of what was before. */
export async function listReadsKept(db: Database, tenantId: string): Promise<ReadsKeptRow[]> {
  return across(db).rows<ReadsKeptRow>(
    `select since, reads from (
       select since, reads from audit_reads where reads is not null order by since desc limit 1000) s
     union all select since, null from audit_reads where tenant = $1
     union all select coalesce((select at from audit_log l where l.chain_no = c.chain_no + 1), c.cut_at), null from audit_cut c
     order by since, reads nulls first`,
    [tenantId],
  )
}

export async function finishAuditRows(db: Database, finished: readonly { id: number; status: number }[]): Promise<void> {
  await db.engineQuery(
    `update audit_log a set status = f.status, outcome = case when f.status >= 400 then 'refused' else a.outcome end
     from unnest($1::bigint[], $2::int[]) as f(id, status)
     where a.id = f.id and a.status is null and a.hash is null`,
    columnsOf(finished, 'id', 'status'),
  )
}

export interface AuditEntryRow extends Act {
  id: number
  at: string
  tenant_id: string | null
  scope_id: string | null
  request_id: string
  prev_hash: string | null
  hash: string | null
  /** Of a reading, like the two that follow. */
  object: string | null
  reader: string | null
  hour: string | null
}

const columns =
  'id, at, tier, actor, action, outcome, status, tenant_id, scope_id, request_id, address, detail, prev_hash, hash, object, reader, hour'

export interface AuditFilter {
  tenantId: string | null
  action: string | null
  scopeId: string | null
  documentId: string | null
  /** Who read, whose key or session it was, or who was named. */
  person: string | null
}

export async function listAuditRows(db: Database, page: { before: number | null; limit: number } & AuditFilter): Promise<AuditEntryRow[]> {
  return across(db).rows<AuditEntryRow>(
    `select ${columns} from audit_log
     where ($1::bigint is null or id < $1) and ($3::text is null or tenant_id = $3) and ($4::text is null or action = $4)
       and ($5::text is null or scope_id = $5) and ($6::text is null or detail->>'document_id' = $6)
       and ($7::text is null or reader = $7 or detail->>'person' = $7 or detail->>'by' = $7)
     order by id desc limit $2`,
    [page.before, page.limit, page.tenantId, page.action, page.scopeId, page.documentId, page.person],
  )
}

export interface ChainHeadRow {
  chain_no: number
  hash: string
}

/** What the first row attaches to. */
export const auditGenesis = '0'.repeat(64)

export async function findAuditHead(tx: EngineTransaction): Promise<ChainHeadRow> {
  const head = await tx.row<ChainHeadRow>('select chain_no, hash from audit_log where chain_no is not null order by chain_no desc limit 1')
  return head ?? findAuditStart(tx)
}

/** What the oldest row that is kept attaches to. */
export async function findAuditStart(tx: Pick<EngineTransaction, 'row'>): Promise<ChainHeadRow> {
  return (await tx.row<ChainHeadRow>('select chain_no, hash from audit_cut')) ?? { chain_no: 0, hash: auditGenesis }
}

/** What the log calls it when its retention takes the old end. */
export const cutting = 'cutAuditLog'

/**
 * Takes chained rows off the old end of the log and remembers where it begins now, up to the first about a case in which anything is on
 * legal hold: the chain has no holes. An entry says how far, so that nobody else can cut it unseen. Answers how many went.
 */
export async function cutAuditLog(tx: EngineTransaction, days: number, limit: number): Promise<number> {
  const gone = await tx.column<number>(
    `with old as (
       select id, chain_no, hash, at, tenant_id, scope_id from audit_log where chain_no is not null order by chain_no limit $2
     ), kept as (
       select min(chain_no) as first from old where at >= clock_timestamp() - make_interval(days => $1)
         or (tenant_id, scope_id) in (select s.tenant_id, s.scope_id from scopes s where s.scope_no in (${heldScopesSql}))
     ), gone as (
       delete from audit_log a using old, kept where a.id = old.id and (kept.first is null or old.chain_no < kept.first)
       returning a.chain_no, a.hash
     ), cut as (
       insert into audit_cut (chain_no, hash) select chain_no, hash from gone order by chain_no desc limit 1
       on conflict (single) do update set chain_no = excluded.chain_no, hash = excluded.hash, cut_at = clock_timestamp()
     ), told as (
       insert into audit_log (tier, actor, action, outcome, status, request_id, detail)
       select 'internals', 'service', '${cutting}', 'allowed', 200, '-', json_build_object('length', chain_no, 'head', hash, 'days', $1::integer)
       from gone order by chain_no desc limit 1
     )
     select chain_no from gone`,
    [days, limit],
  )
  return gone.length
}

export async function readAuditChain(tx: EngineTransaction, limit: number): Promise<{ head: ChainHeadRow; rows: AuditEntryRow[] }> {
  const head = await findAuditHead(tx)
  // A row whose answer is not known yet waits a minute; then it is chained as it is. Locked until the chain is written: an answer
  // that came between reading a row and writing its hash would leave a hash of what the row no longer says. One that is being written
  // now is left for the next time, so that neither waits for the other in a circle.
  const rows = await tx.rows<AuditEntryRow>(
    `select ${columns} from audit_log
      where hash is null and (status is not null or at < clock_timestamp() - interval '1 minute') order by id limit $1
      for update skip locked`,
    [limit],
  )
  return { head, rows }
}

export async function writeAuditChain(
  tx: EngineTransaction,
  links: readonly { id: number; chainNo: number; prevHash: string; hash: string }[],
): Promise<void> {
  await tx.run(
    `update audit_log a set chain_no = l.chain_no, prev_hash = l.prev_hash, hash = l.hash
      from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) as l(id, chain_no, prev_hash, hash) where a.id = l.id`,
    columnsOf(links, 'id', 'chainNo', 'prevHash', 'hash'),
  )
}

/** Chained rows in order, for checking the chain. */
export async function readChainedRows(db: Database, after: number, limit: number): Promise<(AuditEntryRow & { chain_no: number })[]> {
  return across(db).rows<AuditEntryRow & { chain_no: number }>(
    `select chain_no, ${columns} from audit_log where chain_no > $1 order by chain_no limit $2`,
    [after, limit],
  )
}
