/**
 * Leases of scopes. A worker takes a runnable scope with a backlog and the next of its documents; the fence it gets
 * guards everything it writes. The database's clock alone decides about time.
 *
 * Fair order: tenants by virtual time (milliseconds of threads, files and the model divided by weight), then their scopes in the order
 * they joined the queue. A tenant that was away comes back at most `creditMs` behind the others, so silence saves up no
 * monopoly. What a dead process left comes first: its documents had their turn already and wait in the middle of it.
 * The order is kept by triggers (`migrations/0001_baseline.sql`), so the cost of a lookup depends on the rows returned, not on
 * the length of the queue.
 */

import { aboutSql } from '../documents/about.js'
import type { Approval } from '../documents/documents-outcome.js'
import type { RereadRequest } from '../documents/rereads.js'
import { type LeasedRef, runnableSql } from '../runtime/runtime.js'
import { keyOf, type NamedPlace, type ScopeKey } from '../scopes/scopes.js'
import { across, type Database, type Transaction } from '../server/database.js'
import { causeOf, isTableTaken } from '../server/failures.js'

const creditMs = 1000
/** What a lease under way is expected to cost its tenant, which is charged when it is over. */
const turnMs = 500
/** Tenants and scopes looked at for one list of candidates; one list serves several leases. */
const tenantsLookedAt = 32
const scopesPerTenant = 8
/** Lists read until one has a candidate: each takes as many tenants off the list that only seemed to be due. */
const mostLooks = 8

const virtualTime = `greatest(u.virtual_time, (select c.virtual_time from tenant_turns c where c.tenant_id = '-') - ${creditMs})`

/** Whether the model is asked about nothing before the next document of a scope is through. One that repeats what was not admitted is read after all. */
const unaskedSql = (tenant: string, scope: string): string => `(
  select case when b.reread is not null then not (b.reread ->> 'model')::boolean else d.unchanged and exists (
    select from documents p where p.tenant_id = d.tenant_id and p.scope_no = d.scope_no and p.generation = d.generation
      and p.document_id = d.document_id and p.revision = d.revision - 1 and p.status = 'indexed') end
  from backlog b
  join scopes s using (tenant_id, scope_no, generation)
  join documents d using (tenant_id, scope_no, generation, document_id, revision)
  where b.tenant_id = ${tenant} and b.scope_no = ${scope} and b.not_before <= clock_timestamp()
  order by b.seq limit 1
)`

/** Of a tenant, the scopes whose turn has come, that nobody holds and that are not avoided. */
const freeScopesSql = (tenant: string): string => `
  scope_heads h where h.tenant_id = ${tenant} and h.turn_at <= clock_timestamp() and not h.halted
    and h.scope_no not in (select unnest($2::bigint[]))
    and not exists (select from scope_leases l where l.tenant_id = h.tenant_id and l.scope_no = h.scope_no and l.owner is not null)`

/**
 * Scopes that may be leased, in fair order. Read without locks: each is checked again behind its lock. A tenant without
 * a scope to lease comes with null. One that has nothing but avoided scopes does not come at all: it stays due, and enough
 * of them would keep everybody else out of the list. `unasked` leaves some of those that were looked at, and looks at no
 * more than without it.
 */
const candidatesSql = (unasked: boolean): string => `
with expired as (
  select l.tenant_id, l.scope_no from scope_leases l
  where l.owner is not null and l.leased_until < clock_timestamp() and ${runnableSql('l.tenant_id', 'l.scope_no')}
    and exists (select from backlog b where b.tenant_id = l.tenant_id and b.scope_no = l.scope_no and b.not_before <= clock_timestamp())
  order by l.leased_until limit $1
), busy as materialized (
  select b.tenant_id, count(*) as leases from scope_leases b where b.owner is not null and b.leased_until >= clock_timestamp() group by b.tenant_id
), due as materialized (
  select u.tenant_id, ${virtualTime} as virtual_time from tenant_turns u
  where u.due_at <= clock_timestamp() and not u.halted
    and u.tenant_id <> all (array(select b.tenant_id from busy b join tenants t using (tenant_id) where b.leases >= t.concurrent_scopes))
    and not exists (select from runtime_states r where r.tenant_id = '-' and r.scope_no = 0 and r.state <> 'running')
    and (u.tenant_id not in (select unnest($3::text[])) or exists (select from ${freeScopesSql('u.tenant_id')}))
  order by u.virtual_time, u.tenant_id limit ${tenantsLookedAt}
), offered as (
  select d.tenant_id, s.scope_no, d.virtual_time + (coalesce(b.leases, 0) + s.place - 1) * ${turnMs}::float8 / t.weight as start
  from due d
  left join busy b on b.tenant_id = d.tenant_id
  left join tenants t on t.tenant_id = d.tenant_id and t.deleted_at is null
  left join lateral (
    select h.scope_no, row_number() over (order by h.turn_at, h.scope_no) as place
    from (
      select h.scope_no, h.turn_at from ${freeScopesSql('t.tenant_id')}
      order by h.turn_at, h.scope_no limit least(t.concurrent_scopes - coalesce(b.leases, 0), ${scopesPerTenant})
    ) h${unasked ? ` where ${unaskedSql('t.tenant_id', 'h.scope_no')}` : ''}
  ) s on true
)
select o.tenant_id as "tenantId", o.scope_no as "scopeNo" from (
  select e.tenant_id, e.scope_no, '-infinity'::float8 as start from expired e where e.scope_no not in (select unnest($2::bigint[]))${
    unasked ? ` and ${unaskedSql('e.tenant_id', 'e.scope_no')}` : ''
  }
  union all
  select * from offered
) o order by o.start, o.tenant_id, o.scope_no`

export interface CandidateFilter {
  /** Only scopes whose next document asks no model: it is unchanged, or read again by the rules alone. */
  unasked: boolean
}

const allCandidatesSql = candidatesSql(false)
const unaskedCandidatesSql = candidatesSql(true)

/** Scopes in `avoided` are not offered. */
export async function findCandidates(
  db: Database,
  limit: number,
  avoided: readonly ScopeKey[] = [],
  { unasked }: CandidateFilter = { unasked: false },
): Promise<ScopeKey[]> {
  const sql = unasked ? unaskedCandidatesSql : allCandidatesSql
  const values = [limit, avoided.map(({ scopeNo }) => scopeNo), [...new Set(avoided.map(({ tenantId }) => tenantId))]]
  for (let look = 1; ; look++) {
    const { rows } = await db.engineQuery<ScopeKey & { scopeNo: number | null }>(sql, values)
    const candidates = rows.filter(row => row.scopeNo !== null).slice(0, limit)
    if (unasked) return candidates
    const idle = rows.filter(row => row.scopeNo === null).map(row => row.tenantId)
    if (idle.length > 0) await settleTurns(db, idle)
    if (candidates.length > 0 || idle.length === 0 || look === mostLooks) return candidates
  }
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
  /** What its submitter says it is about, with this revision or before. */
  about: string | null
  /** Null once erased. */
  text: string | null
  textHash: string
  /** How long it had waited when it was leased, by the database's clock. */
  queuedMs: number
  /** When it came into the queue, by the same clock, in seconds: whoever is tried anew comes anew. */
  queuedAt: number
  trace: string | null
  /** A person approved the revision while it was held: it is concluded as that review. */
  approval: Approval | null
  /** It was admitted before and is read again; null for one that comes in. */
  reread: RereadRequest | null
  /** It ends what a mail carries no more, and nobody was asked about it: known once it is planned. */
  follows?: true
}

export interface Lease extends NamedPlace, LeasedRef {
  /** The scope was leased to a process that let it expire. */
  tookOver: boolean
  /** The tenant's weight in the fair order. */
  weight: number
  documents: LeasedDocument[]
}

type LeaseRow = Omit<Lease, 'owner' | 'documents'> & LeasedDocument

export interface LeaseOptions {
  owner: string
  leaseMs: number
  /** Documents of one lease at most. */
  batch: number
  /** Bytes of text of one lease at most, where it has more than one document. */
  batchBytes?: number
  /** Called when somebody else holds the scope's lock for long: it is not to be had yet, and trying at once again would wait in vain again. */
  onBusy?: () => void
}

/** As much text as thirty-two documents of 4 KB have: one long document is a turn of its own. */
const defaultBatchBytes = 128 * 1024

/** Undefined when the candidate is not to be had, any more or yet. */
export async function takeLease(db: Database, candidate: ScopeKey, options: LeaseOptions): Promise<Lease | undefined> {
  const { owner, onBusy } = options
  const rows = await leaseRows(db, candidate, options).catch((error: unknown) => {
    if (!isTableTaken(causeOf(error))) throw error
    onBusy?.()
    return []
  })
  if (rows[0] === undefined) return undefined
  const { tenantId, scopeNo, scopeId, generation, fence, tookOver, weight } = rows[0]
  return { tenantId, scopeNo, scopeId, generation, owner, fence, tookOver, weight, documents: rows.map(toDocument) }
}

function leaseRows(db: Database, candidate: ScopeKey, options: LeaseOptions): Promise<LeaseRow[]> {
  const { owner, leaseMs, batch, batchBytes = defaultBatchBytes } = options
  return db.engine(tx =>
    tx.rows<LeaseRow>(
      `select tenant_id as "tenantId", scope_no as "scopeNo", scope_id as "scopeId", generation, fence, took_over as "tookOver", weight,
         seq, document_id as "documentId", revision, attempts, current, unchanged, name, type, source, ${aboutSql('l')} as about, text,
         coalesce(encode(text_hash, 'hex'), '') as "textHash",
         greatest(0, extract(epoch from clock_timestamp() - enqueued_at) * 1000)::float8 as "queuedMs",
         extract(epoch from enqueued_at)::float8 as "queuedAt", trace, approval, reread
       from concord_lease($1, $2, $3, $4, $5, $6) l`,
      [owner, leaseMs, batch, batchBytes, candidate.tenantId, candidate.scopeNo],
    ),
  )
}

function toDocument({ tenantId, scopeNo, scopeId, generation, fence, tookOver, weight, ...document }: LeaseRow): LeasedDocument {
  return document
}

/**
 * Moves a tenant on in the fair order, and the clock of the order to where its turn began. Not part of the lease: all
 * scopes of a tenant would wait for this one row.
 */
export async function chargeTurn(db: Pick<Database, 'engineQuery'>, tenantId: string, usedMs: number): Promise<void> {
  await db.engineQuery(
    `with charged as (
       update tenant_turns u set virtual_time = ${virtualTime} + $2::float8 / t.weight
       from tenants t where t.tenant_id = u.tenant_id and u.tenant_id = $1
       returning u.virtual_time - $2::float8 / t.weight as start
     )
     update tenant_turns c set virtual_time = charged.start from charged where c.tenant_id = '-' and c.virtual_time < charged.start`,
    [tenantId, usedMs],
  )
}

const isHeld = 'tenant_id = $1 and scope_no = $2 and fence = $3 and owner = $4'

function heldOf({ tenantId, scopeNo, fence, owner }: LeasedRef): unknown[] {
  return [tenantId, scopeNo, fence, owner]
}

/**
 * False when the lease is lost: expired, taken over, stopped or reset. An expired one is not brought back to life. It waits for nobody:
 * where the row is locked the lease is being given back, for which a commit may wait long, or taken away, and stays as it is.
 */
export async function extendLease(db: Database, lease: LeasedRef, leaseMs: number): Promise<boolean> {
  return across(db).touches(
    `with free as materialized (
       select tenant_id, scope_no from scope_leases where ${isHeld} and leased_until > clock_timestamp() for no key update skip locked
     ), extended as (
       update scope_leases l set leased_until = clock_timestamp() + $5::integer * interval '1 millisecond'
       from free f where l.tenant_id = f.tenant_id and l.scope_no = f.scope_no
     )
     select from scope_leases where ${isHeld} and leased_until > clock_timestamp()`,
    [...heldOf(lease), leaseMs],
  )
}

export async function holdsLease(tx: Transaction, lease: LeasedRef): Promise<boolean> {
  return tx.touches(`select from scope_leases where ${isHeld}`, heldOf(lease))
}

/** Gives the scope back at the tail of the queue. In the transaction that finished its last document. */
export async function releaseLease(tx: Transaction, lease: LeasedRef): Promise<void> {
  await tx.run(`update scope_leases set owner = null, leased_until = null, in_hand_seq = null where ${isHeld}`, heldOf(lease))
}

/**
 * Lets a scope that was just given back rest: nobody leases it before so many milliseconds, whatever is added to it. In the
 * transaction that gave it back; `settleTurns` afterwards, or its tenant is looked at in vain until then.
 */
export async function restScope(tx: Transaction, { tenantId, scopeNo }: ScopeKey, ms: number): Promise<void> {
  await tx.run(
    `update scope_heads h set rest_until = r.until, turn_at = r.until
     from (select clock_timestamp() + $3::bigint * interval '1 millisecond' as until) r
     where h.tenant_id = $1 and h.scope_no = $2 and h.has_backlog`,
    [tenantId, scopeNo, ms],
  )
}

/** Tenants that have nothing to lease are due when the first of their scopes is. */
export async function settleTurns(db: Database, tenantIds: readonly string[]): Promise<void> {
  await db.engineQuery('select concord_settle_turns($1)', [tenantIds])
}

export interface CommitGuard extends LeasedRef {
  generation: number
  version: number
  /** The last round before those to be written. */
  round: number
  /** Hash of the assigned policy set; null for the shipped one. */
  policyHash: string | null
  /** Documents queued or held, those in progress included; null when nothing rests on it. */
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
  const values = [tenantId, scopeNo, owner, fence, generation, version, round, policyHash, waiting, documents]
  await tx.run('select concord_guard($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', values)
}

/**
 * Behind everything else of a commit that settles a scope: nothing may wait, nor come with the rest of the commit. The guard cannot tell when a
 * new revision took the place of the one that is finished, for as many documents wait as before.
 */
export async function requireNothingWaits(tx: Transaction, scope: ScopeKey, coming: number): Promise<void> {
  const waiting = 'select from scope_heads where tenant_id = $1 and scope_no = $2 and queued + processing + held + rereads > 0'
  if (coming > 0 || (await tx.touches(waiting, keyOf(scope))))
    throw Object.assign(new Error('a document came in that the rounds did not count'), { code: scopeChanged })
}
