/**
 * A world for tests of the pipeline: a database of its own, tenants, documents taken in as the service takes them in, and
 * workers with real threads.
 */

import { createHash } from 'node:crypto'
import { createHints, type Hints } from '../../src/events/hints.js'
import { startRuntimeWatch } from '../../src/hatchery/runtime-watch.js'
import type { Worker } from '../../src/pipeline/worker.js'
import { createWorkerFactory, type WorkerFactory } from '../../src/pipeline/worker-factory.js'
import { systemClock } from '../../src/platform/clock.js'
import { newTenantId } from '../../src/platform/ids.js'
import { generateSigningKey } from '../../src/scopes/certificates.js'
import { createCertify } from '../../src/scopes/certify.js'
import type { Certify } from '../../src/scopes/deps.js'
import type { Database } from '../../src/store/database.js'
import { type IngestRow, makeScopes, writeDocuments } from '../../src/store/ingest.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'

export interface PipelineWorld extends TestDatabase {
  hints: Hints
  certify: Certify
  newTenant(settings?: { weight?: number; concurrentScopes?: number }): Promise<string>
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
}

export interface RunningWorker {
  worker: Worker
  stop(): Promise<void>
  drain(): Promise<void>
  ended: Promise<void>
}

export async function openWorld(): Promise<PipelineWorld> {
  const database = await cloneDatabase({ tenantPool: 8, enginePool: 8 })
  const { db, owner, logger } = database
  const hints = createHints({ logger })
  const key = await generateSigningKey()
  const certify = createCertify({ issuer: 'concord', signingKey: () => key })
  const watch = startRuntimeWatch({ db, hints, clock: systemClock, logger })
  const factories: WorkerFactory[] = []
  const running = new Set<RunningWorker>()
  const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => (await owner.query(sql, values)).rows as T[]

  const startWorker = (options: WorkerOptions = {}): RunningWorker => {
    const factory = createWorkerFactory({
      db: options.db ?? db,
      clock: systemClock,
      logger,
      hints,
      watch,
      certify,
      random: options.random,
      config: {
        leaseMs: options.leaseMs ?? 8000,
        batchDocuments: options.batch ?? 32,
        documentTimeoutMs: options.documentTimeoutMs ?? 20_000,
        workerThreads: 1,
        faults: options.faults,
        retryMaxAttempts: options.retryMaxAttempts ?? 3,
        retryBaseMs: options.retryBaseMs ?? 10,
        retryMaxMs: 1000,
      },
    })
    factories.push(factory)
    const worker = factory.create(options.id ?? `worker-${factories.length}`)
    const abort = new AbortController()
    const ended = worker.run(abort.signal)
    const handle: RunningWorker = {
      worker,
      ended,
      async stop() {
        running.delete(handle)
        abort.abort()
        await ended
        await factory.close()
      },
      async drain() {
        running.delete(handle)
        await worker.drain()
        await factory.close()
      },
    }
    running.add(handle)
    return handle
  }

  return {
    ...database,
    hints,
    certify,
    rows,
    startWorker,
    async newTenant({ weight = 1, concurrentScopes = 64 } = {}) {
      const tenantId = newTenantId()
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
      for (let at = 0; at < documents.length; at += 128) await writeDocuments(db, documents.slice(at, at + 128).map(toRow))
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

/** A text with a few claims of its own; `n` changes its figures, so that documents of one scope differ. */
export function sampleText(n: number, subject = 'Meridian Foods'): string {
  return [
    `${subject} quarterly note ${n}`,
    `Issuer: Office ${n % 7}`,
    `Date: 2025-0${1 + (n % 9)}-1${n % 10}`,
    '',
    `Revenue of ${subject} in FY20${10 + (n % 15)} was EUR ${40 + (n % 30)}.${n % 10}M.`,
    `Headcount stood at ${100 + (n % 900)} employees at the end of Q${1 + (n % 4)} 2025.`,
    `The gross margin was ${20 + (n % 40)}% in Q${1 + (n % 4)} 2025.`,
    `Risk: supply of part ${n % 50} may be late.`,
  ].join('\n')
}

/** Waits until nothing of the world is queued or being processed. */
export const nothingWaits = 'select coalesce(sum(queued + processing), 0) = 0 from scope_heads'
