/**
 * The service as a process of its own, with its ingest replaced by what is compared: nothing at all, the same rows in a
 * transaction per request, one bare insert per request, or another queue's plain durable enqueue. Server, credentials, parsing and checks are the same for all.
 * Talks to its parent: ready with port and tenant, then memory when asked, and takes the number of connections it may
 * open; other queues are loaded only where they are measured, because their memory is not the service's.
 */

import pg from 'pg'
import { assemble } from '../../src/assemble.js'
import type { Ingest, IngestInput } from '../../src/ingest/ingest.js'
import { systemClock } from '../../src/platform/clock.js'
import { loadConfig } from '../../src/platform/config.js'
import { newId } from '../../src/platform/ids.js'
import { createLogger } from '../../src/platform/logger.js'
import type { DatabaseAddress } from '../../src/store/server/connection.js'
import { openDatabase } from '../../src/store/server/database.js'
import { connectAsOwner, migrate } from '../../src/store/server/migrate.js'

export type IngestMode = 'concord' | 'no storage' | 'commit each' | 'insert each' | 'graphile-worker' | 'pg-boss' | 'BullMQ'

interface Given {
  mode: IngestMode
  address: DatabaseAddress
  redisPort: number | null
}

type Store = (input: IngestInput) => Promise<unknown>

const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 30_000 }
const given = JSON.parse(process.argv[2] ?? '{}') as Given
/** Connections of `concord` and `commit each`. What is compared gets as many as serve it best; see `ingest.ts`. */
const pool = 12
const peerPool = new pg.Pool({ ...clientOptions(), idleTimeoutMillis: 500 })
// One that dies with its database at the end is no failure of the measurement.
peerPool.on('error', () => undefined)
peerPool.on('connect', client => client.on('error', () => undefined))

export type ParentMessage = 'used' | { connections: number }

async function main(): Promise<void> {
  const logger = createLogger({ level: 'error' })
  const key = 'benchmark-key-0123456789abcdef'
  const settings = {
    ROLE: 'api',
    PORT: '0',
    ADMIN_API_KEY: key,
    INTERNALS_API_KEY: `${key}-i`,
    RATE_LIMIT_PER_SECOND: '1000000',
    // As many at once as the other ways have connections.
    ...(given.mode === 'commit each' ? { INGEST_FLUSH_ROWS: '1', INGEST_FLUSHES_IN_FLIGHT: String(pool) } : {}),
  }
  const loaded = loadConfig(settings, { readFile: () => undefined })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults))
  const { config } = loaded
  const { version } = await migrate({ address: given.address, limits, logger })
  const isOurs = given.mode === 'concord' || given.mode === 'commit each'
  const db = await openDatabase({ address: given.address, limits, tenantPool: 4, enginePool: isOurs ? pool : 2, logger })
  const storage = { db, address: given.address, limits, schemaVersion: version, embedded: null, close: () => db.close() }
  const assembly = await assemble({ config, clock: systemClock, logger, storage })
  if (!isOurs) assembly.services.ingest = standIn(await openStore())
  await assembly.start()
  const { tenant_id: tenantId, api_key: apiKey } = await createTenant(assembly.app, key)
  process.on('message', (message: ParentMessage) => {
    if (message !== 'used') peerPool.options.max = message.connections
    const { user, system } = process.cpuUsage()
    process.send?.({ rssMib: process.resourceUsage().maxRSS / 1024, cpuUs: user + system })
  })
  process.send?.({ port: (assembly.app.server.address() as { port: number }).port, tenantId, apiKey })
}

async function createTenant(
  app: Awaited<ReturnType<typeof assemble>>['app'],
  key: string,
): Promise<{ tenant_id: string; api_key: string }> {
  const answer = await app.inject({
    method: 'POST',
    url: '/admin/tenants',
    headers: { authorization: `Bearer ${key}` },
    payload: { name: 'bench' },
  })
  return answer.json()
}

function standIn(store: Store): Ingest {
  let seq = 0
  return {
    accept: async input => {
      await store(input)
      const { scope_id, name, type } = input.body
      const response = {
        scope_id,
        name,
        type,
        document_id: newId('doc'),
        idempotency_key: input.idempotencyKey,
        queued: true as const,
        seq: seq++,
        integration_version: 'v1' as const,
        message: 'Document queued for processing.',
      }
      return { response, replayed: false }
    },
    stats: () => ({ waiting: 0, waitingBytes: 0, flushesInFlight: 0, flushes: 0, rows: 0, refused: 0, expired: 0 }),
    isFull: () => false,
    close: async () => undefined,
  }
}

function openStore(): Promise<Store> {
  const stores: Record<Exclude<IngestMode, 'concord' | 'commit each'>, () => Promise<Store>> = {
    'no storage': async () => async () => undefined,
    'insert each': openInserts,
    'graphile-worker': openGraphileWorker,
    'pg-boss': openPgBoss,
    BullMQ: openBullMq,
  }
  return stores[given.mode as keyof typeof stores]()
}

function clientOptions(): pg.PoolConfig {
  const { host, port, database, user, password } = given.address
  return { host, port, database, user, password, max: pool }
}

/** The least that keeps a document: one row, one transaction. */
async function openInserts(): Promise<Store> {
  const owner = await connectAsOwner(given.address, limits)
  await owner.query(
    'create table bench_documents (id bigint generated always as identity primary key, tenant_id text, scope_id text, name text, type text, text text, key text)',
  )
  await owner.query('alter table bench_documents alter column text set storage external')
  await owner.end()
  return ({ tenantId, body, idempotencyKey }) =>
    peerPool.query({
      name: 'insert',
      text: 'insert into bench_documents (tenant_id, scope_id, name, type, text, key) values ($1, $2, $3, $4, $5, $6)',
      values: [tenantId, body.scope_id, body.name, body.type, body.text, idempotencyKey],
    })
}

async function openGraphileWorker(): Promise<Store> {
  const { makeWorkerUtils } = await import('graphile-worker')
  const utils = await makeWorkerUtils({ pgPool: peerPool })
  await utils.migrate()
  return ({ tenantId, body }) => utils.addJob('ingest', { tenantId, ...body })
}

async function openPgBoss(): Promise<Store> {
  const { default: PgBoss } = await import('pg-boss')
  const db = { executeSql: (text: string, values: unknown[]) => peerPool.query(text, values) }
  const boss = new PgBoss({ db, supervise: false, schedule: false })
  await boss.start()
  await boss.createQueue('ingest')
  return ({ tenantId, body }) => boss.send('ingest', { tenantId, ...body })
}

async function openBullMq(): Promise<Store> {
  const { Queue } = await import('bullmq')
  // Commands of one turn go out together, as statements of several connections do.
  const connection = { host: '127.0.0.1', port: given.redisPort as number, enableAutoPipelining: true }
  const queue = new Queue('ingest', { connection })
  await queue.waitUntilReady()
  return ({ tenantId, body }) => queue.add('document', { tenantId, ...body })
}

await main()
