/**
 * What a grown service costs against an empty one, measured in turns in the same run: the same questions to two services, one on
 * a world with many tenants, scopes, documents, events and claims, one on a world with next to nothing (`support/scale-world.ts`).
 *
 *   npm run bench -- scale            a tenth: 1,000 tenants, 11,000 scopes, 100,000 documents, 1M events, 500,000 claims
 *   npm run bench -- scale --full     10,000 tenants, 110,000 scopes, 1M documents, 10M events, 5M claims
 *   npm run bench -- scale --scope    one scope of 1,000 documents against one of 100,000, each in an otherwise empty world
 *   npm run bench -- scale --adverse  cases made to be slow, behind 100 documents and behind 1,000 (with --full 10,000, or
 *                                     --documents=5000), by processor time
 *   --folder=/path                    where the worlds are kept for the next run; else below the folder for temporary files
 *   --save                            freezes the figures in bench/scale.json, which later runs print beside their own
 */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../src/platform/logger.js'
import { openDatabase } from '../src/store/server/database.js'
import { type EmbeddedServer, startEmbedded } from '../src/store/server/embedded.js'
import { connectAsOwner } from '../src/store/server/migrate.js'
import { type ConcordProcess, processKeys, startConcord } from '../test/support/concord-process.js'
import { measureAdverse } from './support/adverse-cases.js'
import { keyPlace, runLoad } from './support/load.js'
import { peakMib } from './support/processor-time.js'
import {
  idleMeasures,
  type Measure,
  removeRun,
  retentionRate,
  scopeMeasures,
  serviceMeasures,
  startWaiting,
  stoppedMeasures,
  stopReading,
  stopWaiting,
  tenantHeaders,
  type World,
} from './support/scale-measures.js'
import { largeTenant, openWorld, probeTenant, type WorldSize } from './support/scale-world.js'

type Size = 'tenth' | 'full' | 'scope'
const size: Size = process.argv.includes('--scope') ? 'scope' : process.argv.includes('--full') ? 'full' : 'tenth'
const folder = process.argv.find(arg => arg.startsWith('--folder='))?.slice(9) ?? join(tmpdir(), 'concord-scale')
const referenceFile = 'bench/scale.json'
const empty: WorldSize = { tenants: 2, scopes: 1, documents: 100, probe: 100 }
const sizes: Record<'empty' | 'grown', WorldSize> = {
  tenth: { empty, grown: { tenants: 1000, scopes: 10_000, documents: 100_000, probe: 100 } },
  full: { empty, grown: { tenants: 10_000, scopes: 100_000, documents: 1_000_000, probe: 100 } },
  scope: { empty: { ...empty, probe: 1000 }, grown: { ...empty, probe: 100_000 } },
}[size]
const limits = { connectTimeoutMs: 20_000, statementTimeoutMs: 600_000 }
const logger = createLogger({ level: 'error' })

type Worlds = Record<keyof typeof sizes, World>
/** Nothing is old in an empty world: how fast it is removed is no figure of it. */
type Figures = Record<string, { empty?: number; grown: number }>

async function main(): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const servers: EmbeddedServer[] = []
  const services: ConcordProcess[] = []
  const opened: World[] = []
  try {
    const worlds = {} as Worlds
    for (const name of ['empty', 'grown'] as const) {
      const server = await openWorld(join(folder, folderOf(name)), sizes[name])
      servers.push(server)
      worlds[name] = await openOn(server, sizes[name].tenants)
      opened.push(worlds[name])
    }
    const figures: Figures = size === 'scope' ? {} : await measureIdle(worlds)
    for (const [place, world] of opened.entries()) {
      const service = await startConcord({
        address: (servers[place] as EmbeddedServer).address,
        role: 'all',
        env: { RATE_LIMIT_PER_SECOND: '1000000' },
      })
      services.push(service)
      world.url = service.url
      world.keys = { large: await newKey(world, largeTenant), probe: await newKey(world, probeTenant) }
      await limitTenant(world)
    }
    for (const measure of size === 'scope' ? scopeMeasures : serviceMeasures) figures[measure.name] = await inTurns(measure, worlds)
    if (size !== 'scope') Object.assign(figures, await measureStopped(worlds))
    figures['rss_mib'] = { empty: rssMib(services[0]), grown: rssMib(services[1]) }
    figures['disk_mib'] = { empty: await diskMib(worlds.empty), grown: await diskMib(worlds.grown) }
    report(figures)
  } finally {
    for (const service of services) await service.end('SIGTERM')
    for (const world of opened) {
      await removeRun(world)
      await world.owner.end()
      await world.db.close()
    }
    for (const server of servers) await server.stop()
  }
}

const folderOf = (name: keyof typeof sizes): string =>
  size === 'scope' ? `scope-${name}` : name === 'grown' && size === 'full' ? 'full' : name

/** Without a service. */
async function measureIdle(worlds: Worlds): Promise<Figures> {
  const figures: Figures = {}
  for (const world of Object.values(worlds)) await startWaiting(world.owner)
  for (const measure of idleMeasures) figures[measure.name] = await inTurns(measure, worlds)
  for (const world of Object.values(worlds)) await stopWaiting(world.owner)
  figures['retention_per_second'] = { grown: await retentionRate(worlds.grown) }
  return figures
}

/** With a service that takes documents and reads none. */
async function measureStopped(worlds: Worlds): Promise<Figures> {
  const figures: Figures = {}
  for (const world of Object.values(worlds)) await stopReading(world)
  for (const measure of stoppedMeasures) figures[measure.name] = await inTurns(measure, worlds)
  figures['ingest_per_second'] = await ingestRates(worlds)
  return figures
}

/**
 * Of a service that has been running for a while. Just after much was written and removed the server
 * needed up to twice the processor time a document, vacuumed first it did not; and the first seconds of a process cost twice as much as those after them.
 */
async function ingestRates(worlds: Worlds): Promise<{ empty: number; grown: number }> {
  for (const { owner } of Object.values(worlds)) {
    await owner.query('vacuum analyze')
    await owner.query('checkpoint')
  }
  const rates = { empty: [] as number[], grown: [] as number[] }
  for (let round = 0; round < 4; round++) {
    for (const name of ['empty', 'grown'] as const) {
      const rate = await ingestRate(worlds[name])
      if (round > 0) rates[name].push(rate)
    }
  }
  return { empty: median(rates.empty), grown: median(rates.grown) }
}

async function openOn({ address }: EmbeddedServer, tenants: number): Promise<World> {
  const db = await openDatabase({ address, limits, tenantPool: 2, enginePool: 2, logger })
  const world = { tenants, owner: await connectAsOwner(address, limits), db, url: '', keys: { large: '', probe: '' } }
  await removeRun(world)
  return world
}

/** Medians; the first time round warms pages and plans up. */
async function inTurns({ samples, ask }: Measure, worlds: Worlds): Promise<{ empty: number; grown: number }> {
  const took = { empty: [] as number[], grown: [] as number[] }
  const warmUps = Math.ceil(samples / 5)
  for (let n = 0; n < samples + warmUps; n++) {
    for (const name of ['empty', 'grown'] as const) {
      const started = performance.now()
      await ask(worlds[name], n)
      if (n >= warmUps) took[name].push(performance.now() - started)
    }
  }
  return { empty: median(took.empty), grown: median(took.grown) }
}

async function admin(world: World, method: string, path: string, body: object): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${processKeys.admin}`, 'content-type': 'application/json' }
  const answer = await fetch(`${world.url}${path}`, { method, headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, string>
}

async function newKey(world: World, tenantId: string): Promise<string> {
  return (await admin(world, 'POST', `/admin/tenants/${tenantId}/keys`, { label: 'benchmark' }))['api_key'] as string
}

/** Quotas that are never reached: what counts is that they are asked about. */
async function limitTenant(world: World): Promise<void> {
  await admin(world, 'PUT', `/admin/tenants/${largeTenant}/limits`, {
    documents: 1_000_000_000,
    bytes: 1_000_000_000_000,
    scopes: 10_000_000,
  })
}

async function ingestRate(world: World): Promise<number> {
  const text = 'Revenue for FY2025 was EUR 41.2M. '.repeat(120)
  const bodies = Array.from({ length: 16 }, (_none, n) =>
    JSON.stringify({ scope_id: `run-load-${n}`, name: 'Annual report', text, idempotency_key: keyPlace }),
  )
  const headers = { ...tenantHeaders(world.keys.large), 'x-tenant-id': largeTenant }
  const target = { port: Number(new URL(world.url).port), path: '/api/ingest', headers, bodies }
  const { perSecond } = await runLoad(target, { connections: 64, warmUpMs: 1000, measureMs: 4000 })
  return perSecond
}

function rssMib(service: ConcordProcess | undefined): number {
  return peakMib(service?.child.pid ?? 0)
}

async function diskMib({ owner }: World): Promise<number> {
  const { rows } = await owner.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
  return Number(rows[0]?.bytes) / 2 ** 20
}

function report(figures: Figures): void {
  const references = existsSync(referenceFile) ? (JSON.parse(readFileSync(referenceFile, 'utf8')) as Record<string, Figures>) : {}
  const reference = references[size] ?? {}
  console.log('\n| | empty | grown | times | frozen: empty | grown |\n|---|---:|---:|---:|---:|---:|')
  for (const [name, { empty, grown }] of Object.entries(figures)) {
    const before = reference[name]
    const times = empty === undefined ? undefined : grown / empty
    const cells = [empty, grown, times, before?.empty, before?.grown].map(value => (value === undefined ? '' : shown(value)))
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
  const rounded = Object.fromEntries(
    Object.entries(figures).map(([name, worlds]) => [name, mapValues(worlds, value => Number(shown(value)))]),
  )
  if (process.argv.includes('--save')) writeFileSync(referenceFile, `${JSON.stringify({ ...references, [size]: rounded }, null, 2)}\n`)
  console.log(`RESULT ${JSON.stringify({ size, ...rounded })}`)
}

function mapValues<T extends object>(values: T, change: (value: number) => number): T {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value as number)])) as T
}

const shown = (value: number): string => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

async function adverse(): Promise<void> {
  const own = mkdtempSync(join(tmpdir(), 'concord-bench-'))
  const server = await startEmbedded({ dataDir: join(own, 'data'), logger })
  try {
    const given = (name: string) => process.argv.find(arg => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
    const many = Number(given('documents') ?? (process.argv.includes('--full') ? 10_000 : 1000))
    const figures = await measureAdverse(server, many, given('case'))
    console.log(`RESULT ${JSON.stringify(mapValues(figures, value => Number(shown(value))))}`)
  } finally {
    await server.stop()
    rmSync(own, { recursive: true, force: true })
  }
}

await (process.argv.includes('--adverse') ? adverse() : main())
