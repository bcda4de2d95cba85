/**
 * A run of crashes: the service under load, killed again and again at random moments together with its database or
 * apart, then held to every answer it gave. A seed repeats the choices; the moments are the machine's.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { withDeadline } from '../../src/platform/deadline.js'
import { newTenantId } from '../../src/platform/ids.js'
import { createLogger } from '../../src/platform/logger.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { type Database, openDatabase } from '../../src/store/server/database.js'
import { startEmbedded } from '../../src/store/server/embedded.js'
import { connectAsOwner, migrate } from '../../src/store/server/migrate.js'
import { type Clients, type Sent, startClients } from './clients.js'
import { createRandom, type Random } from './random.js'
import { prepareService, type ServiceProcess } from './service-process.js'

export const crashKinds = ['service', 'database', 'both'] as const
export type CrashKind = (typeof crashKinds)[number]

export interface CrashOptions {
  seed: number
  kills: number
  kinds?: readonly CrashKind[]
  /** Lets commits return before they are on disk: the run must then find losses, or it finds nothing at all. */
  sabotage?: boolean
  /** Settings of the service. */
  env?: Record<string, string>
  /** Fills the data folder before the first start; without it the service does. */
  prepare?: (dataDir: string) => void
  log?: (line: string) => void
}

export interface CrashReport {
  kills: Record<CrashKind, number>
  documents: number
  acknowledged: number
  repeated: number
  /** Everything that should not be: lost, doubled, misplaced or changed. */
  broken: string[]
}

const recoveryMs = 180_000
const limits = { connectTimeoutMs: 20_000, statementTimeoutMs: 60_000 }
const logger = createLogger({ level: 'silent' })

export async function runCrashes(options: CrashOptions): Promise<CrashReport> {
  const random = createRandom(options.seed)
  const folder = mkdtempSync(join(tmpdir(), 'concord-chaos-'))
  const dataDir = join(folder, 'data')
  options.prepare?.(dataDir)
  const service = await prepareService(dataDir, options.env)
  try {
    const tenantId = await createTenant(dataDir)
    if (options.sabotage) await letCommitsReturnEarly(dataDir)
    await service.start()
    const clients = startClients({ url: service.url, tenantId, seed: options.seed, count: 8, scopes: 4 })
    const kills = await crash(service, clients, random, options)
    await clients.rest()
    await repeatAnswered(clients)
    await clients.stop()
    await service.stop()
    return await withDatabase(dataDir, async db => report(db, clients, kills))
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${service.output()}`, { cause: error })
  } finally {
    await service.stop()
    await service.killDatabase()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function crash(service: ServiceProcess, clients: Clients, random: Random, options: CrashOptions): Promise<CrashReport['kills']> {
  const kills = { service: 0, database: 0, both: 0 }
  for (let n = 0; n < options.kills; n++) {
    // Some work first, else kills would only ever meet a service that starts.
    await withDeadline(() => clients.progress(1 + random.below(100)), { ms: recoveryMs, what: 'coming back to work' })
    await wait(random.below(40))
    const kind = random.pick(options.kinds ?? crashKinds)
    kills[kind]++
    const before = clients.acknowledged()
    if (kind === 'database') await service.killDatabase()
    else {
      const killed = service.killService()
      if (kind === 'both') await service.killDatabase()
      await killed
      await service.start()
    }
    options.log?.(`kill ${n + 1} of ${options.kills}: ${kind}, after ${before} acknowledged`)
  }
  await withDeadline(() => clients.progress(50), { ms: recoveryMs, what: 'coming back to work' })
  return kills
}

/** Answers given before any of the crashes are asked for again. */
async function repeatAnswered(clients: Clients): Promise<void> {
  const answered = clients.sent.filter(one => one.key !== null && one.answers.length > 0)
  const every = Math.max(1, Math.floor(answered.length / 400))
  const some = answered.filter((_one, index) => index % every === 0)
  for (let from = 0; from < some.length; from += 8) await Promise.all(some.slice(from, from + 8).map(one => clients.send(one)))
}

async function report(db: Database, clients: Clients, kills: CrashReport['kills']): Promise<CrashReport> {
  const { broken, documents } = await verifyDatabase(db)
  const found = await documentsByMarker(db)
  const wrong = clients.sent.flatMap(one => faultsOf(one, found.get(one.marker) ?? []))
  return {
    kills,
    documents,
    acknowledged: clients.acknowledged(),
    repeated: clients.sent.filter(one => one.sends > 1).length,
    broken: [
      ...broken.map(({ invariant, scopeId, detail }) => `${invariant} in ${scopeId}: ${detail}`),
      ...wrong,
      ...clients.changedAnswers,
      ...clients.surprises,
    ],
  }
}

interface Found {
  scopeId: string
  seq: number
  documentId: string
}

export async function documentsByMarker(db: Database): Promise<Map<string, Found[]>> {
  const { rows } = await db.engineQuery<{ scope_id: string; seq: number; document_id: string; text: string }>(
    'select s.scope_id, d.seq, d.document_id, d.text from documents d join scopes s on s.tenant_id = d.tenant_id and s.scope_no = d.scope_no',
  )
  const found = new Map<string, Found[]>()
  for (const { scope_id, seq, document_id, text } of rows) {
    const marker = text.slice('Report '.length, -1)
    found.set(marker, [...(found.get(marker) ?? []), { scopeId: scope_id, seq, documentId: document_id }])
  }
  return found
}

export function faultsOf(one: Sent, found: readonly Found[]): string[] {
  const faults: string[] = []
  const most = one.key === null ? one.sends : 1
  if (found.length > most) faults.push(`${one.marker}: ${found.length} documents for ${most} wanted`)
  for (const told of one.answers) {
    const there = found.some(row => row.scopeId === one.scopeId && row.seq === told.seq && row.documentId === told.document_id)
    if (!there) faults.push(`${one.marker}: acknowledged at seq ${told.seq} of ${one.scopeId}, and not there`)
  }
  return faults
}

/** Before anything may be lost. */
async function createTenant(dataDir: string): Promise<string> {
  const tenantId = newTenantId()
  const insert = "insert into tenants (tenant_id, name) values ($1, 'chaos')"
  await withDatabase(dataDir, db => db.engineQuery(insert, [tenantId]))
  return tenantId
}

/** Commits wait for nothing, and the writer that would save them comes late. */
async function letCommitsReturnEarly(dataDir: string): Promise<void> {
  const server = await startEmbedded({ dataDir, logger })
  const owner = await connectAsOwner(server.address, limits)
  await owner.query(`alter database ${server.address.database} set synchronous_commit = off`)
  await owner.query("alter system set wal_writer_delay = '10s'")
  await owner.query("alter system set wal_writer_flush_after = '1GB'")
  await owner.end()
  await server.stop()
}

/** The database of the data folder while no service runs on it. */
export async function withDatabase<T>(dataDir: string, work: (db: Database) => Promise<T>): Promise<T> {
  const server = await startEmbedded({ dataDir, logger })
  try {
    await migrate({ address: server.address, limits, logger })
    const db = await openDatabase({ address: server.address, limits, tenantPool: 1, enginePool: 2, logger })
    try {
      return await work(db)
    } finally {
      await db.close()
    }
  } finally {
    await server.stop()
  }
}
