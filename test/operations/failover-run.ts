/**
 * A failover under load: a primary with a synchronous standby, the service on an address that follows the primary, and
 * clients that remember what they were told. The primary dies without a word, the standby is promoted, the address moves,
 * and the service is held to every answer it gave.
 *
 * Shortly before the death the line between the two is cut. With synchronous replication nothing is acknowledged from then
 * on; without it (`synchronous: false`) acknowledged documents are lost, which shows that the run can find losses.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { withDeadline } from '../../src/platform/deadline.js'
import { createLogger } from '../../src/platform/logger.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import type { DatabaseAddress } from '../../src/store/server/connection.js'
import { type Database, openDatabase } from '../../src/store/server/database.js'
import { type Clients, startClients } from '../chaos/clients.js'
import { documentsByMarker, faultsOf } from '../chaos/crash-run.js'
import { type ConcordProcess, processKeys, startConcord } from '../support/concord-process.js'
import { type PostgresServer, startPrimary, startStandby } from './debian-postgres.js'
import { type SwitchingProxy, startProxy } from './switching-proxy.js'

export interface FailoverOptions {
  binaries: string
  synchronous: boolean
  seed: number
  /** Answers before the primary dies, and again after the failover. */
  documents: number
  /** How long the line to the standby has been cut when the primary dies. */
  silentMs: number
  log(line: string): void
}

export interface FailoverReport {
  acknowledgedBefore: number
  acknowledged: number
  documents: number
  /** From the death of the primary to the first answer after it, promotion included. */
  outageMs: number
  /** From the promotion to the first answer. */
  reconnectMs: number
  /** Documents processed to their end. */
  indexed: number
  /** Everything that should not be: lost, doubled, misplaced or changed. */
  broken: string[]
}

const database = 'concord'
const owner = { name: 'concord_owner', password: 'owner-password' }
const recoveryMs = 120_000
const limits = { connectTimeoutMs: 20_000, statementTimeoutMs: 60_000 }

export async function runFailover(options: FailoverOptions): Promise<FailoverReport> {
  const folder = mkdtempSync(join(tmpdir(), 'concord-failover-'))
  const undo: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
  try {
    return await runIn(folder, options, step => undo.unshift(step))
  } finally {
    for (const step of undo) await step()
  }
}

async function runIn(folder: string, options: FailoverOptions, later: (step: () => Promise<void>) => void): Promise<FailoverReport> {
  const { log } = options
  const { primary, standby, link } = await replicated(folder, options, later)
  const proxy = await startProxy(primary.port)
  later(() => proxy.close())
  const services = await startServices(proxy.port, later)
  const tenantId = await createTenant(services.api.url)
  log(`the service runs on PostgreSQL ${await versionOf(primary)}; its owner is no superuser`)

  const clients = startClients({ url: services.api.url, tenantId, seed: options.seed, count: 16, scopes: 6 })
  later(() => clients.stop())
  await progress(clients, options.documents)
  const failed = await failOver(clients, { primary, standby, link, proxy }, options)
  await progress(clients, options.documents)
  await clients.stop()
  // Also after losses: workers hold leases that the promoted server never heard of, under numbers that it gives out again.
  const indexed = await untilProcessed(standby)
  await restartOn(standby, services)
  return { ...failed, indexed, ...(await judge(standby, clients)) }
}

interface Pair {
  primary: PostgresServer
  standby: PostgresServer
  /** The way from the standby to the primary. */
  link: SwitchingProxy
}

async function replicated(folder: string, options: FailoverOptions, later: (step: () => Promise<void>) => void): Promise<Pair> {
  const { binaries, synchronous, log } = options
  const primary = await startPrimary({ binaries, folder, settings: { max_connections: '200' } })
  later(() => primary.kill())
  const link = await startProxy(primary.port)
  later(() => link.close())
  const standby = await startStandby(link.port, { binaries, folder, settings: { max_connections: '200' } })
  later(() => standby.kill())
  // Only now: without its standby a synchronous primary would wait for ever.
  if (synchronous) await primary.run("alter system set synchronous_standby_names = 'standby'")
  await primary.run('select pg_reload_conf()')
  await untilRows(primary, "select sync_state from pg_stat_replication where state = 'streaming'", rows =>
    rows.some(row => row['sync_state'] === (synchronous ? 'sync' : 'async')),
  )
  await primary.run(`create role ${owner.name} login createrole password '${owner.password}'`)
  await primary.run(`create database ${database} owner ${owner.name}`)
  log(`a standby follows the primary (${synchronous ? 'synchronously' : 'asynchronously'})`)
  return { primary, standby, link }
}

interface Services {
  api: ConcordProcess
  worker: ConcordProcess
}

async function startServices(port: number, later: (step: () => Promise<void>) => void): Promise<Services> {
  const address = ownerAddress(port)
  const api = await startConcord({ address, role: 'api', env: { LOG_LEVEL: 'fatal', INGEST_DEADLINE_MS: '5000' } })
  const worker = await startConcord({ address, role: 'worker', env: { LOG_LEVEL: 'fatal' } })
  const services = { api, worker }
  later(async () => {
    for (const service of Object.values(services)) if (service.child.exitCode === null) await service.end('SIGKILL')
  })
  return services
}

async function failOver(clients: Clients, cluster: Pair & { proxy: SwitchingProxy }, { silentMs, log }: FailoverOptions) {
  const { primary, standby, link, proxy } = cluster
  link.pointAt(null)
  const unheard = clients.acknowledged()
  await wait(silentMs)
  const acknowledgedBefore = clients.acknowledged()
  const diedMs = performance.now()
  await primary.kill()
  proxy.pointAt(null)
  log(
    `the primary is dead after ${acknowledgedBefore} answers; ${acknowledgedBefore - unheard} of them since the line to the standby was cut`,
  )
  await standby.promote()
  const promotedMs = performance.now()
  proxy.pointAt(standby.port)
  await progress(clients, 1)
  const answeredMs = performance.now()
  const outageMs = Math.round(answeredMs - diedMs)
  log(`the standby is promoted and answers again ${outageMs} ms after the death`)
  return { acknowledgedBefore, outageMs, reconnectMs: Math.round(answeredMs - promotedMs) }
}

/** The same service, told the new address instead of following the old one. */
async function restartOn(standby: PostgresServer, services: Services): Promise<void> {
  await services.api.end('SIGTERM')
  await services.worker.end('SIGTERM')
  const again = await startConcord({ address: ownerAddress(standby.port), role: 'all' })
  try {
    await createTenant(again.url)
  } finally {
    await again.end('SIGTERM')
  }
}

async function judge(standby: PostgresServer, clients: Clients): Promise<Pick<FailoverReport, 'acknowledged' | 'documents' | 'broken'>> {
  return reading(standby, async db => {
    const { broken, documents } = await verifyDatabase(db)
    const found = await documentsByMarker(db)
    return {
      acknowledged: clients.acknowledged(),
      documents,
      broken: [
        ...broken.map(({ invariant, scopeId, detail }) => `${invariant} in ${scopeId}: ${detail}`),
        ...clients.sent.flatMap(one => faultsOf(one, found.get(one.marker) ?? [])),
        ...clients.changedAnswers,
        ...clients.surprises,
      ],
    }
  })
}

async function untilProcessed(server: PostgresServer): Promise<number> {
  const sql = 'select coalesce(sum(queued + processing), 0)::int as waiting, coalesce(sum(indexed), 0)::int as indexed from scope_heads'
  return reading(server, async db => {
    const end = performance.now() + recoveryMs
    for (;;) {
      const { rows } = await db.engineQuery<{ waiting: number; indexed: number }>(sql)
      if (rows[0]?.waiting === 0) return rows[0].indexed
      if (performance.now() > end) throw new Error(`${rows[0]?.waiting} documents are still waiting`)
      await wait(100)
    }
  })
}

async function reading<T>(server: PostgresServer, work: (db: Database) => Promise<T>): Promise<T> {
  const logger = createLogger({ level: 'silent' })
  const db = await openDatabase({ address: ownerAddress(server.port), limits, tenantPool: 1, enginePool: 2, logger })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

async function untilRows(server: PostgresServer, sql: string, holds: (rows: Record<string, unknown>[]) => boolean): Promise<void> {
  const end = performance.now() + recoveryMs
  while (!holds(await server.run(sql))) {
    if (performance.now() > end) throw new Error(`waited too long for ${sql}`)
    await wait(50)
  }
}

async function versionOf(server: PostgresServer): Promise<string> {
  return String((await server.run('show server_version'))[0]?.['server_version'])
}

function progress(clients: Clients, more: number): Promise<void> {
  return withDeadline(() => clients.progress(more), { ms: recoveryMs, what: 'coming back to work' })
}

function ownerAddress(port: number): DatabaseAddress {
  return { host: '127.0.0.1', port, database, user: owner.name, password: owner.password, roleSecret: 'the-same-on-every-node' }
}

async function createTenant(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${processKeys.admin}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/admin/tenants`, { method: 'POST', headers, body: '{"name":"failover"}' })
  if (response.status !== 201) throw new Error(`no tenant could be made: ${response.status}`)
  return ((await response.json()) as { tenant_id: string }).tenant_id
}
