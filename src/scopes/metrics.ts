/** Numbers of a scope over a period, the last 24 hours unless asked otherwise. */

import { invalidMember } from '../platform/errors.js'
import {
  findFirstRound,
  findLastRound,
  type LatencyRow,
  type Period,
  readExtractors,
  readLatencies,
  readNow,
  readOldestAge,
  readThroughput,
} from '../store/maintenance/metrics.js'
import type { ScopeOverview, ScopePlace } from '../store/scopes/scopes.js'
import { readTenant, type TenantTransaction } from '../store/server/database.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { instantOf } from './instants.js'
import { requireOverview } from './lifecycle.js'
import { matches, tagOf } from './summary.js'
import type { Percentiles, ScopeMetrics, Tagged } from './types.js'

export interface MetricsInput extends ScopeName {
  from?: string | undefined
  to?: string | undefined
  ifNoneMatch?: string | undefined
}

const usualPeriodMs = 24 * 60 * 60 * 1000
/** Percentiles of more documents than this would not differ visibly, and cost more than they tell. */
const sampleLimit = 10_000

export async function getMetrics(deps: ScopesDeps, input: MetricsInput): Promise<Tagged<ScopeMetrics>> {
  return readTenant(deps.db, input.tenantId, async tx => {
    const period = periodOf(input, await readNow(tx))
    const overview = await requireOverview(tx, input.scopeId)
    const etag = tagOf(overview, `${period.from} ${period.to}`)
    return { etag, body: matches(input.ifNoneMatch, etag) ? null : await readMetrics(tx, overview, period) }
  })
}

function periodOf(input: MetricsInput, now: string): Period {
  const to = input.to === undefined ? now : instantOf(input.to, '/query/to')
  const from = instantOf(input.from ?? new Date(Date.parse(to) - usualPeriodMs).toISOString(), '/query/from')
  if (from < to) return { from, to }
  throw invalidMember('/query/from', 'must be before `to`')
}

async function readMetrics(tx: TenantTransaction, overview: ScopeOverview, period: Period): Promise<ScopeMetrics> {
  const scope = { tenantId: tx.tenantId, scopeNo: overview.scope_no, generation: overview.generation }
  const [throughput, latencies, extractors, oldest, convergence] = await Promise.all([
    readThroughput(tx, scope, period),
    readLatencies(tx, scope, period, sampleLimit),
    readExtractors(tx, scope, period),
    readOldestAge(tx, scope),
    readConvergence(tx, scope, period),
  ])
  const { received, indexed, held, rejected, quarantined, claims, retries } = throughput
  const finished = indexed + held + rejected + quarantined
  const minutes = (Date.parse(period.to) - Date.parse(period.from)) / 60_000
  const sampled = latencies.find(row => row.stage === 'total')?.count ?? 0
  return {
    scope_id: overview.scope_id,
    generation: overview.generation,
    ...period,
    throughput: { received, indexed, held, rejected, quarantined, claims, documents_per_minute: round(finished / minutes) },
    latency: Object.fromEntries(latencies.map(row => [row.stage, toPercentiles(row)])),
    queue: { depth: overview.queued, processing: overview.processing, oldest_age_seconds: oldest === null ? null : round(oldest) },
    retries,
    dead_letters: { period: quarantined, now: overview.quarantined },
    extractors,
    convergence,
    sample: { documents: sampled, limit: sampleLimit, complete: sampled < sampleLimit },
  }
}

/** From the last round before the period, or else the first of all, to the last round inside it. */
async function readConvergence(tx: TenantTransaction, scope: ScopePlace, period: Period): Promise<ScopeMetrics['convergence']> {
  const [before, first, to] = await Promise.all([
    findLastRound(tx, scope, period.from),
    findFirstRound(tx, scope),
    findLastRound(tx, scope, period.to),
  ])
  const from = before ?? (to === null ? null : first)
  if (from === null || to === null) return { rounds: 0, from: null, to: null, change: null }
  return { rounds: to.round - (before?.round ?? 0), from, to, change: from.value - to.value }
}

function toPercentiles(row: LatencyRow): Percentiles {
  const [p50, p95, p99] = row.percentiles
  return { count: row.count, p50_ms: rounded(p50), p95_ms: rounded(p95), p99_ms: rounded(p99), max_ms: rounded(row.max) }
}

function rounded(value: number | undefined): number | null {
  return value === undefined ? null : round(value)
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
