/**
 * Leases of scopes. A worker takes a runnable scope with a backlog and the next of its documents; the fence it gets
 * guards everything it writes. The database's clock alone decides about time.
 *
 * Fair order: tenants by virtual time (documents served divided by weight), then their scope served longest ago. A
 * tenant that was away comes back at most `creditDocuments` behind the others, so silence saves up no monopoly. What a
 * dead process left comes first: its documents had their turn already and wait in the middle of it.
 */

import type { Actor } from '../kernel/types.js'
import type { Database, Transaction } from './database.js'
import { runnableSql } from './runtime.js'

export interface LeaseCandidate {
  tenantId: string
  scopeNo: number
}

const creditDocuments = 64
/** Tenants and scopes looked at for one list of candidates; one list serves several leases. */
const tenantsLookedAt = 128
const scopesPerTenant = 16

/**
 * Scopes that may be leased, in fair order. Read without locks: each is checked again behind its lock. The loose scan
 * visits one index entry per tenant instead of one per scope.
 */
const candidatesSql = `
with recursive waiting as (
  (select tenant_id from scope_heads where has_backlog order by tenant_id limit 1)
  union all
  select (select h.tenant_id from scope_heads h where h.has_backlog and h.tenant_id > w.tenant_id order by h.tenant_id limit 1)
  from waiting w where w.tenant_id is not null
), busy as (
  select tenant_id, count(*) as scopes from scope_leases where owner is not null and leased_until > clock_timestamp() group by tenant_id
), turns as (
  select t.tenant_id, t.weight, t.concurrent_scopes - coalesce(b.scopes, 0) as room,
    greatest(coalesce(u.virtual_time, 0), (select coalesce(max(virtual_time), 0) from tenant_turns) - ${creditDocuments}) as virtual_time
  from waiting w
  join tenants t on t.tenant_id = w.tenant_id and t.deleted_at is null
  left join tenant_turns u on u.tenant_id = w.tenant_id
  left join busy b on b.tenant_id = w.tenant_id
  where coalesce(b.scopes, 0) < t.concurrent_scopes
  order by 4, t.tenant_id limit ${tenantsLookedAt}
)
select t.tenant_id as "tenantId", s.scope_no as "scopeNo"
from turns t cross join lateral (
  select f.scope_no, f.expired, row_number() over (order by f.expired desc, f.served_at, f.scope_no) as place
  from (
    select l.scope_no, l.served_at, l.owner is not null as expired
    from scope_heads h join scope_leases l on l.tenant_id = h.tenant_id and l.scope_no = h.scope_no
    where h.tenant_id = t.tenant_id and h.has_backlog and (l.owner is null or l.leased_until < clock_timestamp())
      and ${runnableSql('h.tenant_id', 'h.scope_no')} and h.scope_no <> all ($3::bigint[])
      and exists (select from backlog b where b.tenant_id = h.tenant_id and b.scope_no = h.scope_no and b.not_before <= clock_timestamp())
    order by (l.owner is not null) desc, l.served_at, l.scope_no limit least(t.room, ${scopesPerTenant})
  ) f
) s
order by s.expired desc, t.virtual_time + (s.place - 1) * $1::float8 / t.weight, s.place, t.tenant_id, s.scope_no
limit $2`

/** `documents` is how many a lease takes at most: what a turn is expected to cost. Scopes in `avoided` are not offered. */
export async function findCandidates(
  db: Database,
  documents: number,
  limit: number,
  avoided: readonly number[] = [],
): Promise<LeaseCandidate[]> {
  const { rows } = await db.engineQuery<LeaseCandidate>('leases-candidates', candidatesSql, [documents, limit, avoided])
  return rows
}

export interface Approval {
  decision_seq: number
  decision_hash: string
  actor: Actor
  reason: string
}

export interface LeasedDocument {
  seq: number
  documentId: string
  revision: number
  /** Attempts that failed before this one. */
  attempts: number
  current: boolean
  unchanged: boolean
  name: string
  type: string
  source: string | null
  /** Null once erased. */
  text: string | null
  textHash: string
  /** How long it had waited when it was leased, by the database's clock. */
  queuedMs: number
  trace: string | null
  /** A person approved the revision while it was held: it is concluded as that review. */
  approval: Approval | null
}

export interface Lease {
  tenantId: string
  scopeNo: number
  scopeId: string
  generation: number
  /** The worker that holds it. A fence number alone may come back after a failover that lost commits; this does not. */
  owner: string
  fence: number
  /** The scope was leased to a process that let it expire. */
  tookOver: boolean
  documents: LeasedDocument[]
}

interface LeaseRow {
  tenant_id: string
  scope_no: number
  scope_id: string
  generation: number
  fence: number
  took_over: boolean
  seq: number
  document_id: string
  revision: number
  attempts: number
  current: boolean
  unchanged: boolean
  name: string
  type: string
  source: string | null
  text: string | null
  text_hash: Buffer | null
  queued_ms: number
  trace: string | null
  approval: Approval | null
}

export interface LeaseOptions {
  owner: string
  leaseMs: number
  batch: number
}

/** Takes the first candidate that is still free; undefined when none is. */
export async function takeLease(db: Database, candidates: readonly LeaseCandidate[], options: LeaseOptions): Promise<Lease | undefined> {
  if (candidates.length === 0) return undefined
  const rows = await db.engine(async tx => {
    const taken = await tx.query<LeaseRow>({
      name: 'leases-take',
      text: `
        select *, greatest(0, extract(epoch from clock_timestamp() - enqueued_at) * 1000)::float8 as queued_ms
        from concord_lease($1, $2, $3, $4, $5)`,
      values: [
        options.owner,
        options.leaseMs,
        options.batch,
        candidates.map(candidate => candidate.tenantId),
        candidates.map(candidate => candidate.scopeNo),
      ],
    })
    return taken.rows
  })
  const first = rows[0]
  if (first === undefined) return undefined
  return {
    tenantId: first.tenant_id,
    scopeNo: first.scope_no,
    scopeId: first.scope_id,
    generation: first.generation,
    owner: options.owner,
    fence: first.fence,
    tookOver: first.took_over,
    documents: rows.map(toDocument),
  }
}

function toDocument(row: LeaseRow): LeasedDocument {
  return {
    seq: row.seq,
    documentId: row.document_id,
    revision: row.revision,
    attempts: row.attempts,
    current: row.current,
    unchanged: row.unchanged,
    name: row.name,
    type: row.type,
    source: row.source,
    text: row.text,
    textHash: row.text_hash?.toString('hex') ?? '',
    queuedMs: row.queued_ms,
    trace: row.trace,
    approval: row.approval,
  }
}

/** Moves a tenant on in the fair order. Not part of the lease: all scopes of a tenant would wait for this one row. */
export async function chargeTurn(db: Database, tenantId: string, documents: number): Promise<void> {
  await db.engineQuery(
    'leases-charge',
    `insert into tenant_turns as k (tenant_id, served_at, virtual_time)
     select t.tenant_id, clock_timestamp(),
       greatest(coalesce(u.virtual_time, 0), (select coalesce(max(virtual_time), 0) from tenant_turns) - ${creditDocuments}) + $2::float8 / t.weight
     from tenants t left join tenant_turns u on u.tenant_id = t.tenant_id where t.tenant_id = $1
     on conflict (tenant_id) do update set served_at = excluded.served_at,
       virtual_time = greatest(excluded.virtual_time, k.virtual_time + $2::float8 / (select weight from tenants where tenant_id = $1))`,
    [tenantId, documents],
  )
}

export interface LeaseRef {
  tenantId: string
  scopeNo: number
  owner: string
  fence: number
}

/** False when the lease is lost: expired, taken over, stopped or reset. An expired one is not brought back to life. */
export async function extendLease(db: Database, lease: LeaseRef, leaseMs: number): Promise<boolean> {
  const { rowCount } = await db.engineQuery(
    'leases-extend',
    `update scope_leases set leased_until = clock_timestamp() + $5::integer * interval '1 millisecond'
     where tenant_id = $1 and scope_no = $2 and fence = $3 and owner = $4 and leased_until > clock_timestamp()`,
    [lease.tenantId, lease.scopeNo, lease.fence, lease.owner, leaseMs],
  )
  return rowCount === 1
}

export async function holdsLease(tx: Transaction, lease: LeaseRef): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'leases-holds',
    text: 'select from scope_leases where tenant_id = $1 and scope_no = $2 and fence = $3 and owner = $4',
    values: [lease.tenantId, lease.scopeNo, lease.fence, lease.owner],
  })
  return rowCount === 1
}

/** Gives the scope back at the tail of the queue. In the transaction that finished its last document. */
export async function releaseLease(tx: Transaction, lease: LeaseRef): Promise<void> {
  await tx.query({
    name: 'leases-release',
    text: `
      update scope_leases set owner = null, leased_until = null, in_hand_seq = null, served_at = clock_timestamp()
      where tenant_id = $1 and scope_no = $2 and fence = $3 and owner = $4`,
    values: [lease.tenantId, lease.scopeNo, lease.fence, lease.owner],
  })
}

export interface CommitGuard extends LeaseRef {
  generation: number
  version: number
  /** The last round before those to be written. */
  round: number
  /** Hash of the assigned policy set; null for the shipped one. */
  policyHash: string | null
  /** Documents that wait or are held, those in hand included; null when nothing rests on it. */
  waiting: number | null
  /** Documents to be finished. A paused scope lets one through. */
  documents: number
}

export const leaseLost = 'CF001'
export const scopeChanged = 'CV001'
export const scopePaused = 'CP001'

/** The first statement behind the scope's lock. Fails with one of the three codes, and the transaction with it. */
export async function guardCommit(tx: Transaction, guard: CommitGuard): Promise<void> {
  const { tenantId, scopeNo, owner, fence, generation, version, round, policyHash, waiting, documents } = guard
  await tx.query({
    name: 'leases-guard',
    text: 'select concord_guard($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
    values: [tenantId, scopeNo, owner, fence, generation, version, round, policyHash, waiting, documents],
  })
}
