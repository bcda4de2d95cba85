/**
 * The service on a cluster that fails over by itself, under load: two API and two worker nodes, clients that remember
 * what they were told, and an observer that tries to write to every server directly. One fault after the other; in the
 * end the service is held to every answer it gave, and no server may have written behind a newer primary.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { withDeadline } from '../../src/platform/deadline.js'
import { createLogger } from '../../src/platform/logger.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { type DatabaseAddress, loginRoles, rolePassword } from '../../src/store/server/connection.js'
import { type Database, openDatabase } from '../../src/store/server/database.js'
import { connectAsOwner } from '../../src/store/server/migrate.js'
import { type Clients, startClients } from '../chaos/clients.js'
import { documentsByMarker, faultsOf } from '../chaos/crash-run.js'
import { type ConcordProcess, processKeys, startConcord, urlOf } from '../support/concord-process.js'
import { freePort } from '../support/free-port.js'
import { type HaCluster, type HaServer, startHaCluster } from './ha-cluster.js'
import { rehearseUpgrade } from './ha-upgrade.js'
import { observeWrites, type WriteObserver } from './write-observer.js'

export const haFaults = ['kill', 'freeze', 'cut', 'restarts', 'upgrade'] as const
export type HaFault = (typeof haFaults)[number]

export interface HaOptions {
  binaries: string
  synchronous: boolean
  seed: number
  faults: readonly HaFault[]
  /** Answers before each fault and after it. */
  documents: number
  log(line: string): void
}

export interface HaReport {
  acknowledged: number
  documents: number
  /** Longest time without an answer around each fault, in milliseconds. */
  outages: Partial<Record<HaFault, number>>
  /** Everything that should not be: lost, doubled, misplaced, changed, or written by two primaries. */
  broken: string[]
}

const database = 'concord'
const owner = { name: 'concord_owner', password: 'owner-password' }
const limits = { connectTimeoutMs: 20_000, statementTimeoutMs: 60_000 }
const recoveryMs = 180_000

export async function runHa(options: HaOptions): Promise<HaReport> {
  const folder = mkdtempSync(join(tmpdir(), 'concord-ha-'))
  const undo: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
  try {
    return await runIn(folder, options, step => undo.unshift(step))
  } finally {
    for (const step of undo) await step()
  }
}

type Later = (step: () => Promise<void>) => void

interface World {
  folder: string
  cluster: HaCluster
  nodes: Nodes
  load: Load
  tenantKey: string
  log(line: string): void
  /** Faults may add what they saw themselves. */
  broken: string[]
}

async function runIn(folder: string, options: HaOptions, later: Later): Promise<HaReport> {
  const { log } = options
  const cluster = await startHaCluster({ folder, binaries: options.binaries, synchronous: options.synchronous })
  later(() => cluster.stop())
  await cluster.untilHealthy()
  await makeDatabase(cluster)
  const nodes = await startNodes(cluster, later)
  const { tenantId, tenantKey } = await createTenant(nodes.urls()[0] as string)
  const observer = await observeWrites(cluster, database)
  later(() => observer.stop())
  const load = startLoad(nodes.urls(), tenantId, options.seed)
  later(() => load.stop())
  log('three PostgreSQL under Patroni, three etcd, HAProxy, PgBouncer, two API and two worker nodes are up')

  const outages: Partial<Record<HaFault, number>> = {}
  const broken: string[] = []
  for (const fault of options.faults) {
    let before = 0
    let refusedBefore = 0
    try {
      await load.progress(options.documents)
      before = load.acknowledged()
      refusedBefore = load.refused()
      load.watchSilence()
      await inject[fault]({ folder, cluster, nodes, load, tenantKey, log, broken })
      await load.progress(options.documents)
      outages[fault] = Math.round(load.longestSilenceMs())
      await cluster.untilHealthy()
    } catch (error) {
      throw new Error(`${fault}: ${(error as Error).message}\n${cluster.lastWords()}`, { cause: error })
    }
    log(
      `fault=${fault} outage=${((outages[fault] ?? 0) / 1000).toFixed(1)}s acknowledged=${before}→${load.acknowledged()} refused=${load.refused() - refusedBefore}`,
    )
  }
  await load.stop()
  await observer.stop()
  const judged = await judge(cluster, load, observer)
  return { acknowledged: load.acknowledged(), outages, documents: judged.documents, broken: [...broken, ...judged.broken] }
}

const inject: Record<HaFault, (world: World) => Promise<void>> = {
  async kill({ cluster, load }) {
    const primary = await leaderOf(cluster)
    await primary.kill()
    await load.progress(1)
    primary.start()
  },
  async freeze({ cluster, load }) {
    const primary = await leaderOf(cluster)
    primary.freeze()
    await untilAnotherLeads(cluster, primary)
    await load.progress(1)
    primary.thaw()
  },
  async cut({ cluster, load }) {
    const primary = await leaderOf(cluster)
    primary.cutOff()
    await untilAnotherLeads(cluster, primary)
    await load.progress(1)
    primary.reconnect()
  },
  async restarts({ cluster, nodes, load }) {
    for (const index of [0, 1, 2]) {
      await cluster.restartEtcd(index)
      await load.progress(1)
    }
    for (const server of cluster.servers) {
      await server.stop()
      server.start()
      await cluster.untilHealthy()
    }
    await cluster.restartProxy()
    await cluster.restartPooler()
    for (const index of nodes.indexes()) {
      await nodes.restart(index)
      await load.progress(1)
    }
  },
  async upgrade({ folder, cluster, nodes, load, tenantKey, log, broken }) {
    const address = ownerAddress(cluster.port)
    const replaced = [2, 3, 0, 1].map(index => ({
      name: nodes.name(index),
      restart: (program?: string) => nodes.restart(index, program),
    }))
    const found = await rehearseUpgrade({
      folder,
      nodes: replaced,
      urls: nodes.urls(),
      tenantKey,
      settings: { DATABASE_URL: urlOf(address), DATABASE_ROLE_SECRET: address.roleSecret },
      connect: () => connectAsOwner(cluster.superuser(cluster.port, database), limits),
      progress: load.progress,
      log,
    })
    broken.push(...found)
  },
}

async function leaderOf(cluster: HaCluster): Promise<HaServer> {
  const leader = await cluster.leader()
  if (leader === undefined) throw new Error('no server leads')
  return leader
}

async function untilAnotherLeads(cluster: HaCluster, old: HaServer): Promise<void> {
  const end = performance.now() + recoveryMs
  for (;;) {
    const leader = await cluster.leader()
    if (leader !== undefined && leader !== old) return
    if (performance.now() > end) throw new Error(`nobody took over from ${old.name}`)
    await wait(100)
  }
}

async function makeDatabase(cluster: HaCluster): Promise<void> {
  const client = await connectAsOwner(cluster.superuser(cluster.port, 'postgres'), limits)
  try {
    await client.query(`create role ${owner.name} login createrole password '${owner.password}'`)
    await client.query(`create database ${database} owner ${owner.name}`)
  } finally {
    await client.end()
  }
}

interface Nodes {
  urls(): string[]
  indexes(): number[]
  name(index: number): string
  restart(index: number, program?: string): Promise<void>
}

/** One node of each role works through the pooler, and around it where a session has to last; the other without it, as both ways are documented. */
async function startNodes(cluster: HaCluster, later: Later): Promise<Nodes> {
  const address = ownerAddress(cluster.port)
  const logins = (['tenant', 'engine'] as const).map(role => [loginRoles[role], rolePassword(address, role)] as const)
  const pooled = ownerAddress(await cluster.startPooler([[owner.name, owner.password], ...logins]))
  const isPooled = (index: number) => index % 2 === 0
  const byPooler = { DATABASE_SESSION_URL: urlOf(address), DATABASE_POOLER: 'transaction' }
  const start = (index: number, program?: string) => {
    const { role, env } = planned[index] as (typeof planned)[number]
    const way = isPooled(index) ? { address: pooled, env: { ...byPooler, ...env } } : { address, env }
    return startConcord({ address: way.address, role, env: { LOG_LEVEL: 'fatal', ...way.env }, program })
  }
  const planned: { role: 'api' | 'worker'; env: Record<string, string> }[] = [
    { role: 'api', env: { PORT: String(await freePort()), INGEST_DEADLINE_MS: '5000' } },
    { role: 'api', env: { PORT: String(await freePort()), INGEST_DEADLINE_MS: '5000' } },
    { role: 'worker', env: {} },
    { role: 'worker', env: {} },
  ]
  // The first makes the schema, for which the others would only wait.
  const running: ConcordProcess[] = [await start(0)]
  running.push(...(await Promise.all([1, 2, 3].map(index => start(index)))))
  later(async () => {
    for (const node of running) if (node.child.exitCode === null) await node.end('SIGKILL')
  })
  return {
    urls: () => running.slice(0, 2).map(node => node.url),
    indexes: () => planned.map((_node, index) => index),
    name: index => `${planned[index]?.role} node, ${isPooled(index) ? 'pooled' : 'direct'}`,
    async restart(index, program) {
      await running[index]?.end('SIGTERM')
      running[index] = await start(index, program)
    },
  }
}

interface Load {
  readonly groups: readonly Clients[]
  acknowledged(): number
  /** Answers of 503. */
  refused(): number
  /** Resolves when this many more have been acknowledged by all nodes together. */
  progress(more: number): Promise<void>
  watchSilence(): void
  longestSilenceMs(): number
  stop(): Promise<void>
}

/** Eight clients at each API node, each node with scopes of its own and of both. */
function startLoad(urls: readonly string[], tenantId: string, seed: number): Load {
  const groups = urls.map((url, index) => startClients({ url, tenantId, seed: seed + 100 * index, count: 8, scopes: 6 }))
  const acknowledged = () => groups.reduce((sum, clients) => sum + clients.acknowledged(), 0)
  let last = { count: 0, atMs: performance.now() }
  let longestMs = 0
  const look = () => {
    const count = acknowledged()
    const nowMs = performance.now()
    longestMs = Math.max(longestMs, nowMs - last.atMs)
    if (count !== last.count) last = { count, atMs: nowMs }
  }
  const timer = setInterval(look, 20)
  return {
    groups,
    acknowledged,
    refused: () => groups.reduce((sum, clients) => sum + clients.refused(), 0),
    async progress(more) {
      const goal = acknowledged() + more
      const reached = async (signal?: AbortSignal) => {
        while (acknowledged() < goal && signal?.aborted !== true) await wait(20)
      }
      await withDeadline(reached, { ms: recoveryMs, what: 'coming back to work' })
    },
    watchSilence() {
      look()
      longestMs = 0
    },
    longestSilenceMs: () => longestMs,
    async stop() {
      clearInterval(timer)
      await Promise.all(groups.map(clients => clients.stop()))
    },
  }
}

async function judge(cluster: HaCluster, load: Load, observer: WriteObserver): Promise<Pick<HaReport, 'documents' | 'broken'>> {
  const logger = createLogger({ level: 'silent' })
  const db = await openDatabase({ address: ownerAddress(cluster.port), limits, tenantPool: 1, enginePool: 2, logger })
  try {
    await untilAllIsRead(db)
    const { broken, documents } = await verifyDatabase(db)
    const found = await documentsByMarker(db)
    return {
      documents,
      broken: [
        ...broken.map(({ invariant, scopeId, detail }) => `${invariant} in ${scopeId}: ${detail}`),
        ...load.groups.flatMap(clients => [
          ...clients.sent.flatMap(one => faultsOf(one, found.get(one.marker) ?? [])),
          ...clients.changedAnswers,
          ...clients.surprises,
        ]),
        ...observer.secondPrimaries(),
      ],
    }
  } finally {
    await db.close()
  }
}

/** However many wait, and however slow the machine: only a backlog that does not get shorter is a fault. */
async function untilAllIsRead(db: Database): Promise<void> {
  const counted = 'select coalesce(sum(queued + processing), 0)::int as waiting from scope_heads'
  let last = { waiting: Number.POSITIVE_INFINITY, atMs: performance.now() }
  for (;;) {
    const waiting = (await db.engineQuery<{ waiting: number }>(counted)).rows[0]?.waiting ?? 0
    if (waiting === 0) return
    if (waiting < last.waiting) last = { waiting, atMs: performance.now() }
    if (performance.now() - last.atMs > recoveryMs) throw new Error(`${waiting} documents are still waiting`)
    await wait(100)
  }
}

function ownerAddress(port: number): DatabaseAddress {
  return { host: '127.0.0.1', port, database, user: owner.name, password: owner.password, roleSecret: 'the-same-on-every-node' }
}

async function createTenant(url: string): Promise<{ tenantId: string; tenantKey: string }> {
  const headers = { authorization: `Bearer ${processKeys.admin}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/admin/tenants`, { method: 'POST', headers, body: '{"name":"always there"}' })
  if (response.status !== 201) throw new Error(`no tenant could be made: ${response.status}`)
  const { tenant_id: tenantId, api_key: tenantKey } = (await response.json()) as { tenant_id: string; api_key: string }
  return { tenantId, tenantKey }
}
