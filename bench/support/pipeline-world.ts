/**
 * The world the pipeline benchmarks work in: a database with documents accepted and waiting, copied for each measurement,
 * and workers of the service on it.
 */

import { createHash } from 'node:crypto'
import { createHints } from '../../src/events/hints.js'
import { startRuntimeWatch } from '../../src/hatchery/runtime-watch.js'
import { createLeaseFinder } from '../../src/pipeline/leasing/lease-finder.js'
import { Worker } from '../../src/pipeline/leasing/worker.js'
import type { Reader } from '../../src/pipeline/threads/reader.js'
import { systemClock } from '../../src/platform/clock.js'
import { newTenantId } from '../../src/platform/ids.js'
import { createLogger } from '../../src/platform/logger.js'
import type { createCertify } from '../../src/scopes/certificates/certify.js'
import { makeScopes, writeDocuments } from '../../src/store/documents/ingest.js'
import { createTurnCharges } from '../../src/store/leases/turn-charges.js'
import { type DatabaseAddress, withDatabase } from '../../src/store/server/connection.js'
import { type Database, openDatabase } from '../../src/store/server/database.js'
import type { EmbeddedServer } from '../../src/store/server/embedded.js'
import { connectAsOwner, migrate } from '../../src/store/server/migrate.js'

export const logger = createLogger({ level: 'error' })
export const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 120_000 }
export const batch = 32
export const workers = 4
const tenants = 10

export interface WaitingDocument {
  tenantId: string
  scopeId: string
  n: number
  text: string
}

export interface BenchWorld {
  db: Database
  address: DatabaseAddress
  tenantIds: string[]
}

const templateName = 'bench_template'

/** A migrated database with every document accepted and waiting; each measurement works on a copy of it. */
export async function prepareTemplate(
  server: EmbeddedServer,
  rows: (tenantIds: readonly string[]) => readonly WaitingDocument[],
): Promise<void> {
  await asOwner(server, owner => owner.query(`create database ${templateName}`))
  const address = withDatabase(server.address, templateName)
  await migrate({ address, limits, logger })
  const db = await openDatabase({ address, limits, tenantPool: 4, enginePool: 4, logger })
  const owner = await connectAsOwner(address, limits)
  const tenantIds = Array.from({ length: tenants }, () => newTenantId())
  for (const tenantId of tenantIds) await owner.query('insert into tenants (tenant_id, name) values ($1, $1)', [tenantId])
  await owner.end()
  await ingest(db, rows(tenantIds))
  await db.close()
}

export async function ingest(db: Database, rows: readonly WaitingDocument[]): Promise<void> {
  const names = new Map(rows.map(({ tenantId, scopeId }) => [`${tenantId} ${scopeId}`, { tenantId, scopeId }]))
  await makeScopes(db, [...names.values()])
  for (let at = 0; at < rows.length; at += 128) {
    await writeDocuments(
      db,
      rows.slice(at, at + 128).map(({ tenantId, scopeId, n, text }) => {
        const documentId = `doc-${n}`
        return {
          tenantId,
          scopeId,
          documentId,
          named: true,
          name: documentId,
          type: 'txt',
          source: null,
          text,
          textHash: createHash('sha256').update(text).digest(),
          idempotencyKey: null,
          bodyHash: null,
          eventStart: JSON.stringify({ scope_id: scopeId, document_id: documentId, name: documentId, status: 'queued' }).slice(0, -1),
          trace: null,
        }
      }),
      { patient: true },
    )
  }
}

export async function inWorld<T>(server: EmbeddedServer, work: (world: BenchWorld) => Promise<T>): Promise<T> {
  const name = `bench_${Math.random().toString(36).slice(2, 10)}`
  await asOwner(server, owner => owner.query(`create database ${name} template ${templateName}`))
  await asOwner(server, owner => owner.query('checkpoint'))
  const address = withDatabase(server.address, name)
  const db = await openDatabase({ address, limits, tenantPool: workers * 2 + 2, enginePool: workers * 2 + 2, logger })
  try {
    const { rows } = await db.engineQuery<{ tenant_id: string }>(`select tenant_id from tenants where tenant_id <> '-'`)
    return await work({ db, address, tenantIds: rows.map(row => row.tenant_id) })
  } finally {
    await db.close()
    await asOwner(server, owner => owner.query(`drop database ${name} with (force)`))
  }
}

/** Nothing waits any more of what the template held. */
export async function clearBacklog(db: Database): Promise<void> {
  await db.engineQuery('delete from backlog')
  await db.engineQuery('update scope_heads set has_backlog = false, queued = 0')
}

/** One scope that nothing else waits beside, and a worker for it. `add` hands in the next notes and waits until they are done. */
export interface BenchScope {
  db: Database
  running: ReturnType<typeof startWorkers>
  held: () => number
  add: (count: number) => Promise<void>
}

export async function inOneScope<T>(
  server: EmbeddedServer,
  { reader, certify, noteOf }: { reader: Reader; certify: ReturnType<typeof createCertify>; noteOf: (n: number) => string },
  work: (scope: BenchScope) => Promise<T>,
): Promise<T> {
  return inWorld(server, async ({ db, tenantIds }) => {
    await clearBacklog(db)
    const running = startWorkers(db, reader, certify, 1)
    const place = { tenantId: tenantIds[0]!, scopeId: 'one' }
    let held = 0
    const add = async (count: number): Promise<void> => {
      await ingest(
        db,
        Array.from({ length: count }, (_, n) => ({ ...place, n: held + n, text: noteOf(held + n) })),
      )
      held += count
      running.hints.notify('backlog')
      await untilDone(db, held)
    }
    const result = await work({ db, running, held: () => held, add })
    await running.stop()
    return result
  })
}

async function asOwner(
  server: EmbeddedServer,
  work: (owner: Awaited<ReturnType<typeof connectAsOwner>>) => Promise<unknown>,
): Promise<void> {
  const owner = await connectAsOwner(server.address, limits)
  try {
    await work(owner)
  } finally {
    await owner.end()
  }
}

export function startWorkers(db: Database, reader: Reader, certify: ReturnType<typeof createCertify>, count: number) {
  const hints = createHints({ logger })
  const watch = startRuntimeWatch({ db, hints, clock: systemClock, logger })
  const finder = createLeaseFinder({ db, clock: systemClock, logger, leaseMs: 60_000, batch })
  const charges = createTurnCharges({ db, logger })
  const config = { leaseMs: 60_000, retryMaxAttempts: 5, retryBaseMs: 100, retryMaxMs: 1000 }
  const made = Array.from(
    { length: count },
    (_, n) =>
      new Worker({
        id: `bench-${n}`,
        db,
        config,
        clock: systemClock,
        logger,
        hints,
        finder,
        charges,
        reader,
        watch,
        certify,
      }),
  )
  const abort = new AbortController()
  const ended = made.map(worker => worker.run(abort.signal))
  return {
    hints,
    workers: made,
    stop: async () => {
      abort.abort()
      await Promise.all(ended)
      await charges.close()
      await watch.stop()
    },
  }
}

export async function untilDone(db: Database, total: number): Promise<void> {
  for (;;) {
    const { rows } = await db.engineQuery<{ done: number }>('select sum(indexed + held + rejected) as done from scope_heads')
    if (Number(rows[0]?.done) >= total) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
