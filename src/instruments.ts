/**
 * Which figure of which part becomes which metric, and which of a worker's doings becomes which span. Figures of the
 * cluster (queue, runtime, quarantine) are the same from every node; figures of a process are its own.
 */

import type { NodeReport } from './hatchery/node-report.js'
import type { HatcherySnapshot } from './hatchery/types.js'
import type { HttpFigures } from './http/server.js'
import type { GroupCommitStats } from './ingest/group-commit.js'
import type { Ingest } from './ingest/ingest.js'
import type { ModelStageStats } from './pipeline/asking/model-stage.js'
import { type DocumentAttempt, observedStages, type PipelineObserver } from './pipeline/leasing/observer.js'
import type { Clock } from './platform/clock.js'
import type { Config } from './platform/config.js'
import type { Logger } from './platform/logger.js'
import { createMetrics, type MetricFamily, type Metrics, type Sample } from './platform/metrics.js'
import { createOtlpExporter } from './platform/otlp-exporter.js'
import { createTracer, noTracer, parseTraceparent, type Tracer } from './platform/tracing.js'
import type { Database, DatabaseHealth } from './store/server/database.js'
import type { WriteHealth } from './store/server/write-health.js'
import type { WebhookFigures } from './store/webhooks/webhooks.js'
import type { DelivererStats } from './webhooks/deliverer.js'

export interface Telemetry {
  metrics: Metrics
  tracer: Tracer
}

export function createTelemetry(of: { config: Config; logger: Logger; version: string; nodeId: string }): Telemetry {
  const { config, logger, version, nodeId } = of
  const metrics = createMetrics({ version, stages: observedStages })
  if (config.otelEndpoint === undefined) return { metrics, tracer: noTracer }
  const resource = { 'service.name': config.otelServiceName, 'service.version': version, 'service.instance.id': nodeId }
  const exporter = createOtlpExporter({ endpoint: config.otelEndpoint, headers: config.otelHeaders ?? {}, resource, logger })
  return { metrics, tracer: createTracer({ exporter, keepRatio: config.otelKeepRatio }) }
}

/** What keeps this process from its work, for probes: never the state of others. */
export async function processFaults(sources: { db: Database; writes: WriteHealth; node(): NodeReport | undefined }): Promise<string[]> {
  const { ok } = await sources.db.health()
  const isWritable = !ok || (await sources.writes.isWritable())
  const report = sources.node()
  return [
    ...(ok ? [] : ['The database does not answer.']),
    ...(isWritable ? [] : ['The database takes no writes.']),
    ...(report === undefined ? ['The process is still starting.'] : []),
    ...(report?.circuit === 'open' ? ['Workers fail so often that none is started.'] : []),
  ]
}

export interface InstrumentSources {
  clock: Clock
  snapshot(): Promise<HatcherySnapshot>
  quarantined(): Promise<number>
  database(): Promise<DatabaseHealth>
  tailLagSeconds(): Promise<number>
  ingest(): GroupCommitStats
  http(): HttpFigures & { readers: number }
  /** Undefined until the hatchery runs. */
  node(): NodeReport | undefined
  /** Null without a model. */
  model(): ModelStageStats | null
  webhooks(): Promise<WebhookSources>
  tracer: Tracer
}

/** Of the cluster, and of this process where it delivers. */
interface WebhookSources extends WebhookFigures {
  process: DelivererStats | null
}

/** Quarantine is summed over all scopes, which is worth doing now and then only. */
const quarantineFreshMs = 30_000

export function addInstruments(metrics: Metrics, sources: InstrumentSources): void {
  const quarantined = keptFor(quarantineFreshMs, sources.clock, () => sources.quarantined())
  metrics.addSource({ name: 'hatchery', read: () => sources.snapshot(), families: clusterFamilies })
  metrics.addSource({
    name: 'quarantine',
    read: quarantined,
    families: [
      { name: 'concord_quarantined_documents', help: 'Documents that failed all their attempts and wait for a person.', samples: n => n },
    ],
  })
  metrics.addSource({
    name: 'events',
    read: () => sources.tailLagSeconds(),
    families: [
      {
        name: 'concord_event_tail_lag_seconds',
        help: 'How long committed events have waited to appear on the kernel stream.',
        samples: s => s,
      },
    ],
  })
  metrics.addSource({ name: 'database', read: () => sources.database(), families: databaseFamilies })
  metrics.addSource({ name: 'ingest', read: () => sources.ingest(), families: ingestFamilies })
  metrics.addSource({ name: 'webhooks', read: () => sources.webhooks(), families: webhookFamilies })
  metrics.addSource({ name: 'model', read: () => sources.model(), families: modelFamilies })
  metrics.addSource({
    name: 'process',
    read: () => ({ node: sources.node(), http: sources.http(), spans: sources.tracer.stats() }),
    families: processFamilies,
  })
}

const states = ['running', 'paused', 'stopped'] as const

const clusterFamilies: MetricFamily<HatcherySnapshot>[] = [
  {
    name: 'concord_queue_depth',
    help: 'Documents queued or being processed, in scopes of every state.',
    samples: ({ queue }) => queue.depth,
  },
  {
    name: 'concord_queue_runnable_documents',
    help: 'Documents queued or being processed in scopes that may run.',
    samples: ({ queue }) => queue.runnable,
  },
  {
    name: 'concord_queue_oldest_age_seconds',
    help: 'Age of the oldest document that is due and may run.',
    samples: ({ queue }) => queue.oldest_age_seconds,
  },
  {
    name: 'concord_runtime_state',
    help: 'Of the service: 1 for the state it is in. Of tenants and scopes: how many are halted by themselves.',
    labels: ['level', 'state'],
    samples: ({ runtime }) => [
      ...states.map(state => ({ labels: { level: 'service', state }, value: runtime.state === state ? 1 : 0 })),
      { labels: { level: 'tenant', state: 'paused' }, value: runtime.tenants_paused },
      { labels: { level: 'tenant', state: 'stopped' }, value: runtime.tenants_stopped },
      { labels: { level: 'scope', state: 'paused' }, value: runtime.scopes_paused },
      { labels: { level: 'scope', state: 'stopped' }, value: runtime.scopes_stopped },
    ],
  },
  {
    name: 'concord_nodes',
    help: 'Processes of the cluster that are alive, by role.',
    labels: ['role'],
    samples: ({ nodes }) =>
      (['all', 'api', 'worker'] as const).map(role => ({
        labels: { role },
        value: nodes.filter(node => node.role === role && node.status === 'alive').length,
      })),
  },
  {
    name: 'concord_cluster_workers_desired',
    help: 'Workers all processes together aim at.',
    samples: ({ roles }) => roles.reduce((sum, role) => sum + role.desired, 0),
  },
]

const databaseFamilies: MetricFamily<DatabaseHealth>[] = [
  { name: 'concord_database_up', help: '1 when the database answers.', samples: ({ ok }) => (ok ? 1 : 0) },
  { name: 'concord_database_latency_seconds', help: 'Time of the smallest question to it.', samples: ({ latencyMs }) => latencyMs / 1000 },
  {
    name: 'concord_database_pool',
    help: 'Connections of this process that are busy or idle, and work waiting for one.',
    labels: ['pool', 'state'],
    samples: ({ pools }) =>
      Object.entries(pools).flatMap(([pool, { total, idle, waiting }]): Sample[] => [
        { labels: { pool, state: 'busy' }, value: total - idle },
        { labels: { pool, state: 'idle' }, value: idle },
        { labels: { pool, state: 'waiting' }, value: waiting },
      ]),
  },
]

const ingestFamilies: MetricFamily<GroupCommitStats>[] = [
  { name: 'concord_ingest_queue_rows', help: 'Documents waiting for their group commit.', samples: ({ waiting }) => waiting },
  { name: 'concord_ingest_queue_bytes', help: 'Their text.', samples: ({ waitingBytes }) => waitingBytes },
  { name: 'concord_ingest_flushes_total', help: 'Group commits begun.', type: 'counter', samples: ({ flushes }) => flushes },
  { name: 'concord_ingest_flush_rows_total', help: 'Documents taken into group commits.', type: 'counter', samples: ({ rows }) => rows },
  {
    name: 'concord_ingest_refusals_total',
    help: 'Documents answered with 503: too many waited, or the commit took too long.',
    type: 'counter',
    labels: ['reason'],
    samples: ({ refused, expired }) => [
      { labels: { reason: 'overload' }, value: refused },
      { labels: { reason: 'deadline' }, value: expired },
    ],
  },
]

const byName = (label: string, counts: Record<string, number>): Sample[] =>
  Object.entries(counts).map(([name, value]) => ({ labels: { [label]: name }, value }))

const modelFamilies: MetricFamily<ModelStageStats | null>[] = [
  {
    name: 'concord_model_documents_total',
    help: 'Documents by what came of asking the model: `answered`, or why it was not.',
    type: 'counter',
    labels: ['outcome'],
    samples: model => byName('outcome', model?.documents ?? {}),
  },
  {
    name: 'concord_model_dropped_parts_total',
    help: 'Parts of answers that code could not verify, by reason.',
    type: 'counter',
    labels: ['reason'],
    samples: model => byName('reason', model?.dropped ?? {}),
  },
  { name: 'concord_model_retries_total', help: 'Repeated requests to the model.', type: 'counter', samples: model => model?.retries ?? 0 },
  {
    name: 'concord_model_questions',
    help: 'Questions under way and in line.',
    labels: ['state'],
    samples: model => byName('state', { running: model?.running ?? 0, waiting: model?.waiting ?? 0 }),
  },
  {
    name: 'concord_model_breaker',
    help: 'Tenants whose breaker is open, so that the model is not asked about their documents because it keeps failing, or half-open.',
    labels: ['state'],
    samples: model => (model === null ? [] : byName('state', model.breakers)),
  },
]

const webhookFamilies: MetricFamily<WebhookSources>[] = [
  {
    name: 'concord_webhooks',
    help: 'Webhooks of all tenants, by state.',
    labels: ['state'],
    samples: ({ enabled, failing, disabled }) => byName('state', { enabled, failing, disabled }),
  },
  {
    name: 'concord_webhook_oldest_due_seconds',
    help: 'How long the webhook in good order that is due longest has waited for its turn.',
    samples: ({ oldest_due_seconds: seconds }) => seconds,
  },
  {
    name: 'concord_webhook_attempts_total',
    help: 'Messages this process sent, by what came of it.',
    type: 'counter',
    labels: ['outcome'],
    samples: ({ process }) => byName('outcome', { delivered: process?.delivered ?? 0, failed: process?.failed ?? 0 }),
  },
  {
    name: 'concord_webhooks_in_progress',
    help: 'Webhooks this process is delivering to at this moment.',
    samples: ({ process }) => process?.busy ?? 0,
  },
]

interface ProcessFigures {
  node: NodeReport | undefined
  http: HttpFigures & { readers: number }
  spans: ReturnType<Tracer['stats']>
}

const processFamilies: MetricFamily<ProcessFigures>[] = [
  { name: 'concord_stream_readers', help: 'Open event streams.', samples: ({ http }) => http.readers },
  { name: 'concord_connections', help: 'Open connections of clients.', samples: ({ http }) => http.connections },
  { name: 'concord_requests_in_progress', help: 'Requests begun and not over, without streams.', samples: ({ http }) => http.requests },
  { name: 'concord_request_body_bytes', help: 'Bytes of request bodies in memory.', samples: ({ http }) => http.bodyBytes },
  {
    name: 'concord_workers',
    help: 'Workers of this process.',
    labels: ['state'],
    samples: ({ node }) =>
      (['idle', 'busy', 'draining'] as const).map(state => ({
        labels: { state },
        value: node?.workers.filter(worker => worker.state === state).length ?? 0,
      })),
  },
  { name: 'concord_workers_desired', help: 'Workers this process aims at.', samples: ({ node }) => node?.desired ?? 0 },
  {
    name: 'concord_worker_restarts_total',
    help: 'Workers replaced after they failed.',
    type: 'counter',
    samples: ({ node }) => node?.restarts ?? 0,
  },
  {
    name: 'concord_worker_circuit',
    help: '1 for the state of the restart circuit; open means workers fail so often that none is started.',
    labels: ['state'],
    samples: ({ node }) =>
      (['closed', 'half_open', 'open'] as const).map(state => ({
        labels: { state },
        value: (node?.circuit ?? 'closed') === state ? 1 : 0,
      })),
  },
  { name: 'concord_leader', help: '1 while this process does the chores of the cluster.', samples: ({ node }) => (node?.leader ? 1 : 0) },
  {
    name: 'concord_trace_spans_total',
    help: 'Spans by what became of them.',
    type: 'counter',
    labels: ['outcome'],
    samples: ({ spans }) => Object.entries(spans).map(([outcome, value]) => ({ labels: { outcome }, value })),
  },
]

function keptFor<T>(ms: number, clock: Clock, read: () => Promise<T>): () => Promise<T> {
  let kept: { value: T; atMs: number } | undefined
  return async () => {
    if (kept === undefined || clock.monotonicMs() - kept.atMs > ms) kept = { value: await read(), atMs: clock.monotonicMs() }
    return kept.value
  }
}

/** Turns worker events into metrics and spans: one span for the attempt, below it one for each stage. */
export function createObserver({ metrics, tracer, clock }: { metrics: Metrics; tracer: Tracer; clock: Clock }): PipelineObserver {
  return {
    leased: ({ tookOver }) => {
      if (tookOver) metrics.countExpiredLease()
    },
    attempted: attempt => {
      metrics.countAttempt(attempt.outcome)
      for (const { stage, ms } of attempt.stages) metrics.observeStage(stage, ms / 1000)
      if (attempt.inputTokens > 0) metrics.countTokens('input', attempt.inputTokens)
      if (attempt.outputTokens > 0) metrics.countTokens('output', attempt.outputTokens)
      if (tracer.enabled) traceAttempt(tracer, attempt, clock.now().getTime())
    },
  }
}

function traceAttempt(tracer: Tracer, attempt: DocumentAttempt, nowMs: number): void {
  const parent = parseTraceparent(attempt.trace)
  const context = tracer.begin(parent)
  if (!context.sampled) return
  const { tenantId, scopeId, documentId, revision, outcome, failedStage } = attempt
  const names = { 'concord.tenant_id': tenantId, 'concord.scope_id': scopeId, 'concord.document_id': documentId }
  const times = attempt.stages.map(({ stage, ms, endedMsAgo }) => ({ stage, startMs: nowMs - endedMsAgo - ms, endMs: nowMs - endedMsAgo }))
  tracer.record({
    name: 'process document',
    kind: 'consumer',
    context,
    parentSpanId: parent?.spanId ?? null,
    startMs: Math.min(nowMs, ...times.map(time => time.startMs)),
    endMs: nowMs,
    attributes: {
      ...names,
      'concord.revision': revision,
      'concord.attempt': attempt.attempt,
      'concord.outcome': outcome,
      'concord.failed_stage': failedStage,
    },
    failed: failedStage !== null,
  })
  for (const { stage, startMs, endMs } of times) {
    tracer.record({
      name: stage,
      kind: 'internal',
      context: tracer.begin(context),
      parentSpanId: context.spanId,
      startMs,
      endMs,
      attributes: names,
    })
  }
}

/** The wait for the group commit as a span of its own below the request. */
export function traceIngest(ingest: Ingest, tracer: Tracer, clock: Clock): Ingest {
  if (!tracer.enabled) return ingest
  return {
    ...ingest,
    accept: async input => {
      const parent = parseTraceparent(input.trace)
      const startMs = clock.now().getTime()
      let failed = true
      try {
        const accepted = await ingest.accept(input)
        failed = false
        return accepted
      } finally {
        const attributes = { 'concord.tenant_id': input.tenantId, 'concord.scope_id': input.body.scope_id }
        const endMs = clock.now().getTime()
        const parentSpanId = parent?.spanId ?? null
        tracer.record({
          name: 'group commit',
          kind: 'internal',
          context: tracer.begin(parent),
          parentSpanId,
          startMs,
          endMs,
          attributes,
          failed,
        })
      }
    },
  }
}
