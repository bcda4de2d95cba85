/** Numbers of one scope over a period, read from its documents and rounds. Percentiles look at a bounded sample. */

import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { TenantTransaction } from '../server/database.js'

export interface Period {
  from: string
  to: string
}

export interface ThroughputRow {
  received: number
  indexed: number
  held: number
  rejected: number
  quarantined: number
  claims: number
  retries: number
}

/**
 * Whatever came in during the period has finished since it began, or not at all: by when they finished, from the queue, and
 * set aside. So the cost follows what happened since, not the size of the scope.
 */
export async function readThroughput(tx: TenantTransaction, scope: ScopePlace, period: Period): Promise<ThroughputRow> {
  return tx.one<ThroughputRow>(
    `with seen as (
       select status, received_at, finished_at, claim_count, unchanged, attempts from documents
       where ${ofPlace} and finished_at >= $4
       union all
       select d.status, d.received_at, null, 0, false, 0 from backlog b
       join documents d on d.tenant_id = b.tenant_id and d.scope_no = b.scope_no and d.generation = b.generation
         and d.document_id = b.document_id and d.revision = b.revision
       where ${inPlace('b')} and d.finished_at is null
       union all
       select status, received_at, null, 0, false, 0 from documents
       where ${ofPlace} and finished_at is null and status not in ('queued', 'processing')
         and received_at >= $4 and received_at < $5
     )
     select count(*) filter (where d.received_at >= $4 and d.received_at < $5) as received,
       count(*) filter (where f.ended and d.status = 'indexed') as indexed, count(*) filter (where f.ended and d.status = 'held') as held,
       count(*) filter (where f.ended and d.status = 'rejected') as rejected,
       count(*) filter (where f.ended and d.status = 'quarantined') as quarantined,
       coalesce(sum(d.claim_count) filter (where f.ended and d.status = 'indexed' and not d.unchanged), 0)::bigint as claims,
       coalesce(sum(greatest(d.attempts - 1, 0)) filter (where f.ended), 0)::bigint as retries
     from seen d
     cross join lateral (select coalesce(d.finished_at >= $4 and d.finished_at < $5, false) as ended) f`,
    [...placeOf(scope), period.from, period.to],
  )
}

export interface LatencyRow {
  stage: string
  count: number
  percentiles: number[]
  max: number
}

/** Waiting, total and every stage, over the newest documents that finished in the period. */
export async function readLatencies(tx: TenantTransaction, scope: ScopePlace, period: Period, sample: number): Promise<LatencyRow[]> {
  return tx.rows<LatencyRow>(
    `with sample as materialized (
       select queued_at, started_at, finished_at, timings from documents
       where ${ofPlace} and finished_at >= $4 and finished_at < $5 and queued_at is not null
       order by finished_at desc limit $6),
     spans as (
       select 'waiting' as stage, extract(epoch from started_at - queued_at)::float8 * 1000 as ms from sample where started_at is not null
       union all select 'total', extract(epoch from finished_at - queued_at)::float8 * 1000 from sample
       union all select t.key, t.value::text::float8 from sample cross join lateral jsonb_each(timings) as t (key, value)
         where jsonb_typeof(timings) = 'object' and jsonb_typeof(t.value) = 'number' and t.key not like '%tokens')
     select stage, count(*) as count, percentile_cont(array[0.5, 0.95, 0.99]) within group (order by ms) as percentiles, max(ms) as max
     from spans group by stage order by stage`,
    [...placeOf(scope), period.from, period.to, sample],
  )
}

export interface ExtractorRow {
  extractor: string
  version: string
  documents: number
  claims: number
  input_tokens: number
  output_tokens: number
}

/** Documents whose text was unchanged were not read again. */
export async function readExtractors(tx: TenantTransaction, scope: ScopePlace, period: Period): Promise<ExtractorRow[]> {
  return tx.rows<ExtractorRow>(
    `select extractor, coalesce(extractor_version, '') as version, count(*) as documents, coalesce(sum(claim_count), 0)::bigint as claims,
       coalesce(sum((timings->>'input_tokens')::bigint), 0)::bigint as input_tokens,
       coalesce(sum((timings->>'output_tokens')::bigint), 0)::bigint as output_tokens
     from documents
     where ${ofPlace} and finished_at >= $4 and finished_at < $5 and extractor is not null
       and not unchanged
     group by 1, 2 order by 1, 2 limit 100`,
    [...placeOf(scope), period.from, period.to],
  )
}

/** The database's time, by which everything in a period was written. */
export async function readNow(tx: TenantTransaction): Promise<string> {
  return tx.value<string>('select now()')
}

/** Seconds the oldest document of the queue has waited; null when the queue is empty. */
export async function readOldestAge(tx: TenantTransaction, scope: ScopePlace): Promise<number | null> {
  return tx.value<number | null>(
    `select extract(epoch from clock_timestamp() - enqueued_at)::float8 as age from backlog where ${ofPlace} order by seq limit 1`,
    placeOf(scope),
  )
}

export interface RoundPoint {
  round: number
  value: number
}

/** The last round before an instant. Rounds are recorded in the order of their numbers. */
export async function findLastRound(tx: TenantTransaction, scope: ScopePlace, before: string): Promise<RoundPoint | null> {
  return tx.row<RoundPoint>(
    `select round, (point->>'v')::float8 as value from rounds
     where ${ofPlace} and recorded_at < $4 order by round desc limit 1`,
    [...placeOf(scope), before],
  )
}

export async function findFirstRound(tx: TenantTransaction, scope: ScopePlace): Promise<RoundPoint | null> {
  return tx.row<RoundPoint>(
    `select round, (point->>'v')::float8 as value from rounds where ${ofPlace} order by round limit 1`,
    placeOf(scope),
  )
}
