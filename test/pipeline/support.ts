/**
 * A world for tests of the pipeline: a database of its own, tenants, documents taken in as the service takes them in, and
 * workers with real threads.
 */

import { createHash } from 'node:crypto'
import { createHints, type Hints } from '../../src/events/hints.js'
import { startRuntimeWatch } from '../../src/hatchery/runtime-watch.js'
import type { ModelStage } from '../../src/pipeline/asking/model-stage.js'
import { createLeaseFinder, type LeaseFinder } from '../../src/pipeline/leasing/lease-finder.js'
import { Worker } from '../../src/pipeline/leasing/worker.js'
import { type BatchPlan, planBatch } from '../../src/pipeline/planning/batch-plan.js'
import { planHere } from '../../src/pipeline/planning/planner.js'
import { accountOf } from '../../src/pipeline/threads/fair-turns.js'
import { createReader, type Reader } from '../../src/pipeline/threads/reader.js'
import { systemClock } from '../../src/platform/clock.js'
import { newTenantId } from '../../src/platform/ids.js'
import type { Logger } from '../../src/platform/logger.js'
import { extract } from '../../src/reading/document/extract.js'
import { generateSigningKey } from '../../src/scopes/certificates/certificates.js'
import { createCertify } from '../../src/scopes/certificates/certify.js'
import type { ScopesDeps } from '../../src/scopes/deps.js'
import { type IngestRow, makeScopes, writeDocuments } from '../../src/store/documents/ingest.js'
import { findCandidates, type Lease, type LeaseOptions, takeLease } from '../../src/store/leases/leases.js'
import { createTurnCharges } from '../../src/store/leases/turn-charges.js'
import type { Certify } from '../../src/store/scopes/rounds.js'
import type { Database } from '../../src/store/server/database.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { sharedReader } from '../support/shared-reader.js'

export interface PipelineWorld extends TestDatabase {
  hints: Hints
  certify: Certify
  /** What acts on scopes need. */
  scopes: ScopesDeps
  newTenant(settings?: { tenantId?: string; weight?: number; concurrentScopes?: number }): Promise<string>
  ingest(documents: readonly TestDocument[]): Promise<void>
  /** Starts a worker; `stop` aborts it and waits. Everything left running is stopped by `close`. */
  startWorker(options?: WorkerOptions): RunningWorker
  scopeNo(tenantId: string, scopeId: string): Promise<number>
  rows<T = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<T[]>
  /** Waits until the query's first column is true. */
  until(sql: string, values?: unknown[]): Promise<void>
  close(): Promise<void>
}

export interface TestDocument {
  tenantId: string
  scopeId: string
  documentId: string
  text: string
  name?: string
  type?: string
  source?: string | null
}

export interface WorkerOptions {
  id?: string
  leaseMs?: number
  batch?: number
  documentTimeoutMs?: number
  retryMaxAttempts?: number
  retryBaseMs?: number
  faults?: string
  db?: Database
  random?: () => number
  logger?: Logger
  /** Shared with other workers, as those of a process do; whoever made the reader closes it. */
  reader?: Reader
  finder?: LeaseFinder
  model?: ModelStage
}

export interface RunningWorker {
  worker: Worker
  stop(): Promise<void>
  drain(): Promise<void>
  ended: Promise<void>
}

export async function openWorld(): Promise<PipelineWorld> {
  const database = await cloneDatabase({ tenantPool: 8, enginePool: 8, examination: 'none' })
  const { db, owner, logger } = database
  const hints = createHints({ logger })
  const key = await generateSigningKey()
  const certify = createCertify({ issuer: 'concord', signingKey: () => key })
  const watch = startRuntimeWatch({ db, hints, clock: systemClock, logger })
  const charges = createTurnCharges({ db, logger })
  const running = new Set<RunningWorker>()
  let made = 0
  const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => (await owner.query(sql, values)).rows as T[]

  const startWorker = (options: WorkerOptions = {}): RunningWorker => {
    const logger = options.logger ?? database.logger
    const workDb = options.db ?? db
    const leaseMs = options.leaseMs ?? 8000
    const own = options.faults !== undefined || options.documentTimeoutMs !== undefined
    const reader = own
      ? createReader({ threads: 1, timeoutMs: options.documentTimeoutMs ?? 20_000, faults: options.faults, maxHeapMb: 96 })
      : (options.reader ?? sharedReader())
    const worker = new Worker({
      id: options.id ?? `worker-${++made}`,
      db: workDb,
      clock: systemClock,
      logger,
      hints,
      watch,
      certify,
      reader,
      random: options.random,
      model: options.model,
      charges: options.db === undefined ? charges : createTurnCharges({ db: options.db, logger }),
      finder: options.finder ?? createLeaseFinder({ db: workDb, clock: systemClock, logger, leaseMs, batch: options.batch ?? 32 }),
      config: {
        leaseMs,
        retryMaxAttempts: options.retryMaxAttempts ?? 3,
        retryBaseMs: options.retryBaseMs ?? 10,
        retryMaxMs: Math.max(1000, options.retryBaseMs ?? 0),
      },
    })
    const abort = new AbortController()
    const ended = worker.run(abort.signal)
    const handle: RunningWorker = {
      worker,
      ended,
      async stop() {
        running.delete(handle)
        abort.abort()
        await ended
        if (own) await reader.close()
      },
      async drain() {
        running.delete(handle)
        await worker.drain()
        if (own) await reader.close()
      },
    }
    running.add(handle)
    return handle
  }

  return {
    ...database,
    hints,
    certify,
    scopes: { db, hints, logger, certify, clock: systemClock, config: { scopeAutocreate: true } },
    rows,
    startWorker,
    async newTenant({ tenantId = newTenantId(), weight = 1, concurrentScopes = 64 } = {}) {
      await owner.query('insert into tenants (tenant_id, name, weight, concurrent_scopes) values ($1, $1, $2, $3)', [
        tenantId,
        weight,
        concurrentScopes,
      ])
      return tenantId
    },
    async ingest(documents) {
      const scopes = [...new Map(documents.map(({ tenantId, scopeId }) => [`${tenantId} ${scopeId}`, { tenantId, scopeId }])).values()]
      await makeScopes(db, scopes)
      for (let at = 0; at < documents.length; at += 128)
        await writeDocuments(db, documents.slice(at, at + 128).map(toRow), { patient: true })
      hints.notify('backlog')
    },
    async scopeNo(tenantId, scopeId) {
      const [row] = await rows<{ scope_no: string }>('select scope_no from scopes where tenant_id = $1 and scope_id = $2', [
        tenantId,
        scopeId,
      ])
      return Number(row?.scope_no)
    },
    async until(sql, values = []) {
      for (;;) {
        const [row] = await rows<Record<string, unknown>>(sql, values)
        if (row !== undefined && Object.values(row)[0] === true) return
        await new Promise(resolve => setTimeout(resolve, 10))
      }
    },
    async close() {
      for (const handle of [...running]) await handle.stop()
      await charges.close()
      await watch.stop()
      await hints.close()
      await database.close()
    },
  }
}

function toRow(document: TestDocument): IngestRow {
  const { tenantId, scopeId, documentId, text, name = documentId, type = 'txt', source = null } = document
  const start = JSON.stringify({ scope_id: scopeId, document_id: documentId, name, status: 'queued' }).slice(0, -1)
  return {
    tenantId,
    scopeId,
    documentId,
    named: true,
    name,
    type,
    source,
    text,
    textHash: createHash('sha256').update(text).digest(),
    idempotencyKey: null,
    bodyHash: null,
    eventStart: start,
    trace: null,
  }
}

/** A report with claims of its own; `n` changes its figures and periods, so that documents of one scope differ. */
export function sampleText(n: number): string {
  return reportText({
    issuer: `Office ${n % 7}`,
    period: `FY20${10 + (n % 15)}`,
    figures: { Revenue: `EUR ${40 + (n % 30)}.${n % 10}M`, Headcount: `${100 + (n % 900)}`, 'Gross margin': `${20 + (n % 40)}%` },
  })
}

export function reportText(report: { issuer: string; period: string; figures: Record<string, string> }): string {
  return [
    'Annual report of Meridian Foods',
    '',
    `Issuer: ${report.issuer}`,
    'Date: 1 March 2025',
    '',
    `| Figure | ${report.period} |`,
    '|---|---|',
    ...Object.entries(report.figures).map(([name, value]) => `| ${name} | ${value} |`),
    '',
  ].join('\n')
}

/** The lease whose turn it is. */
export async function leaseNext(db: Database, options: LeaseOptions): Promise<Lease | undefined> {
  for (const candidate of await findCandidates(db, 32)) {
    const lease = await takeLease(db, candidate, options)
    if (lease !== undefined) return lease
  }
  return undefined
}

/** The plan of everything a lease holds, read and made right here. */
export async function planOf(world: PipelineWorld, lease: Lease): Promise<BatchPlan> {
  const reads = lease.documents.map(document => ({
    document,
    packed: JSON.stringify(extract({ ...document, text: document.text ?? '' })),
    timings: {},
  }))
  const signal = new AbortController().signal
  const plan = await planBatch(world.db, { ...lease, reads, planner: planHere, account: accountOf(lease), signal })
  if (plan === undefined) throw new Error('no plan')
  return plan
}

/** Waits until nothing of the world is queued or being processed. */
export const nothingWaits = 'select coalesce(sum(queued + processing), 0) = 0 from scope_heads'
