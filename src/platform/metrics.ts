/**
 * The registry of metrics. Names are conventional, labels bounded: an operation is one of the contract's, never a path
 * as it came, and no label ever names a tenant, a scope or a document. Figures that must be asked for are read when the
 * registry is scraped, once for all metrics of a source; a source that does not answer in time is left out of that scrape.
 */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { withDeadline } from './deadline.js'

export type AttemptOutcome = 'indexed' | 'held' | 'rejected' | 'retried' | 'quarantined'
export type TokenKind = 'input' | 'output'

export interface MetricSource<T> {
  /** Label of `concord_scrape_failures_total`. */
  name: string
  read(): T | Promise<T>
  families: MetricFamily<T>[]
}

export interface MetricFamily<T> {
  name: string
  help: string
  /** A counter is given as the total so far. */
  type?: 'gauge' | 'counter'
  labels?: readonly string[]
  samples(figures: T): number | Sample[]
}

export interface Sample {
  labels: Record<string, string>
  value: number
}

export interface MetricsOptions {
  version: string
  /** The names stages may have; a histogram of another would be a label nobody bounded. */
  stages: readonly string[]
}

/** Longest a source may keep a scrape waiting; scrapers give up after ten seconds. */
const sourceMs = 4000
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const stageBuckets = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics({ version, stages }: MetricsOptions) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const made = instruments(registry)
  made.info.set({ version }, 1)
  for (const outcome of ['indexed', 'held', 'rejected', 'retried', 'quarantined']) made.attempts.inc({ outcome }, 0)
  for (const kind of ['input', 'output']) made.tokens.inc({ kind }, 0)
  const known = new Set(stages)
  for (const stage of known) made.stages.zero({ stage })
  const sources: (() => Promise<void>)[] = []
  let refreshing: Promise<unknown> | undefined

  /** Scrapes that come together share one reading. */
  const refresh = (): Promise<unknown> => {
    refreshing ??= Promise.all(sources.map(read => read())).finally(() => {
      refreshing = undefined
    })
    return refreshing
  }
  return {
    observeRequest: ({ operation, method, status, seconds }: { operation: string; method: string; status: number; seconds: number }) =>
      made.requests.observe({ operation, method, status: String(status) }, seconds),
    observeStage: (stage: string, seconds: number) => made.stages.observe({ stage: known.has(stage) ? stage : 'other' }, seconds),
    countAttempt: (outcome: AttemptOutcome) => made.attempts.inc({ outcome }),
    countTokens: (kind: TokenKind, tokens: number) => made.tokens.inc({ kind }, tokens),
    countExpiredLease: () => made.expired.inc(),
    addSource<T>(source: MetricSource<T>): void {
      made.failures.inc({ source: source.name }, 0)
      sources.push(reading(registry, source, made.failures))
    },
    text: async (): Promise<string> => {
      await refresh()
      return registry.metrics()
    },
  }
}

function instruments(registry: Registry) {
  const registers = [registry]
  return {
    info: new Gauge({ name: 'concord_info', help: 'Always 1; the version is a label.', labelNames: ['version'], registers }),
    requests: new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Time from the first byte of a request to the end of its answer.',
      labelNames: ['operation', 'method', 'status'],
      buckets: requestBuckets,
      registers,
    }),
    stages: new Histogram({
      name: 'concord_stage_duration_seconds',
      help: 'Time one document spent in one stage of processing.',
      labelNames: ['stage'],
      buckets: stageBuckets,
      registers,
    }),
    attempts: new Counter({
      name: 'concord_document_attempts_total',
      help: 'Attempts at documents by this process, by how they ended.',
      labelNames: ['outcome'],
      registers,
    }),
    tokens: new Counter({
      name: 'concord_extractor_tokens_total',
      help: 'Tokens a language model was given and gave, as it counted them.',
      labelNames: ['kind'],
      registers,
    }),
    expired: new Counter({
      name: 'concord_leases_expired_total',
      help: 'Leases this process took over from one that let them expire.',
      registers,
    }),
    failures: new Counter({
      name: 'concord_scrape_failures_total',
      help: 'Sources of metrics that could not be read in time.',
      labelNames: ['source'],
      registers,
    }),
  }
}

/** Reads a source into its metrics. Figures that are unknown now are taken away: a stale one would be a lie. */
function reading<T>(registry: Registry, source: MetricSource<T>, failures: Counter<'source'>): () => Promise<void> {
  const written = source.families.map(family => ({ family, write: writerFor(registry, family) }))
  return async () => {
    try {
      const figures = await withDeadline(async () => source.read(), { ms: sourceMs, what: `metrics of ${source.name}` })
      for (const { family, write } of written) write(toSamples(family.samples(figures)))
    } catch {
      failures.inc({ source: source.name })
      for (const { write } of written) write([])
    }
  }
}

function toSamples(value: number | Sample[]): Sample[] {
  return typeof value === 'number' ? [{ labels: {}, value }] : value
}

function writerFor<T>(registry: Registry, { name, help, type, labels }: MetricFamily<T>): (samples: Sample[]) => void {
  const options = { name, help, labelNames: [...(labels ?? [])], registers: [registry] }
  const metric = type === 'counter' ? new Counter(options) : new Gauge(options)
  const clear = () => {
    metric.reset()
    // A metric without labels comes back from a reset as zero, which would be a figure.
    metric.remove({})
  }
  clear()
  return samples => {
    clear()
    for (const { labels: of, value } of samples) metric.inc(of, value)
  }
}
