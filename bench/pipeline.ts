/**
 * How fast accepted documents become indexed, against what the machine allows: E, all that is thought about a document
 * (read, placed, reconciled, governed, converged) on the same threads without storage; W, the same rows written by the
 * same SQL; the limit of both in sequence, 1 / (1/E + 1/W). Beside it the bare extractor and the limit it would give. Then
 * the same work dispatched by other queues, the wait on an idle service,
 * and with --full the cost of a document in a scope of a hundred thousand (--growth measures that alone, --settling what a
 * commit with a certificate costs, --cost what a document costs where, --idle the wait on an idle service, --nodes what a second worker node adds where a model is waited for).
 */

import { setMaxListeners } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commitBatch } from '../src/pipeline/committing/commit.js'
import { type BatchPlan, planBatch } from '../src/pipeline/planning/batch-plan.js'
import { type Planner, planHere } from '../src/pipeline/planning/planner.js'
import { accountOf } from '../src/pipeline/threads/fair-turns.js'
import { createReader, type Reader } from '../src/pipeline/threads/reader.js'
import { generateSigningKey } from '../src/scopes/certificates/certificates.js'
import { createCertify } from '../src/scopes/certificates/certify.js'
import { findCandidates, type Lease, type LeaseOptions, takeLease } from '../src/store/leases/leases.js'
import type { Database } from '../src/store/server/database.js'
import { type EmbeddedServer, startEmbedded } from '../src/store/server/embedded.js'
import { connectAsOwner } from '../src/store/server/migrate.js'
import { caseText } from './support/case-text.js'
import { countingSettings, measureCost } from './support/pipeline-cost.js'
import { measureGrowth } from './support/pipeline-growth.js'
import { measureNodes } from './support/pipeline-nodes.js'
import type { PeerName } from './support/pipeline-peers.js'
import { measureSettling } from './support/pipeline-settling.js'
import {
  type BenchWorld,
  batch,
  clearBacklog,
  ingest,
  inWorld,
  limits,
  logger,
  prepareTemplate,
  startWorkers,
  untilDone,
  type WaitingDocument,
  workers,
} from './support/pipeline-world.js'
import { processorUs } from './support/processor-time.js'

const full = process.argv.includes('--full')
const documents = given('documents') ?? (full ? 4000 : 240)
const scopes = full ? 200 : 12
/** In turns, because the machine is rarely the same twice. */
const rounds = 3
const idleWarmUps = 20
const idleMeasured = 200
/** `--name=number` on the command line. */
function given(name: string): number | undefined {
  const found = process.argv.find(argument => argument.startsWith(`--${name}=`))
  return found === undefined ? undefined : Number(found.split('=')[1])
}
const peerNames: readonly PeerName[] = ['graphile-worker', 'pg-boss', 'BullMQ']
// One signal for every read of the benchmark.
const input = {
  account: accountOf({ tenantId: 'bench', weight: 1 }),
  mayBegin: async () => true,
  signal: new AbortController().signal,
}

async function main(): Promise<void> {
  setMaxListeners(0, input.signal)
  const folder = mkdtempSync(join(tmpdir(), 'concord-bench-'))
  const cost = process.argv.includes('--cost')
  const server = await startEmbedded({ dataDir: join(folder, 'data'), logger, ...(cost && { settings: countingSettings }) })
  const reader = createReader({ timeoutMs: 60_000 })
  const key = await generateSigningKey()
  const certify = createCertify({ issuer: 'bench', signingKey: () => key })
  try {
    await prepareTemplate(server, tenantIds => waitingDocuments(tenantIds))
    if (cost) {
      report(await measureCost(server, { reader, certify, documents, rounds, waitingDocuments }))
      return
    }
    if (process.argv.includes('--growth')) {
      report(await measureGrowth(server, reader, certify))
      return
    }
    if (process.argv.includes('--settling')) {
      report(await measureSettling(server, reader, certify))
      return
    }
    if (process.argv.includes('--nodes')) {
      report(await measureNodes(server))
      return
    }
    if (process.argv.includes('--idle')) {
      report(await measureIdle(server, reader, certify))
      return
    }
    await measureExtractor(reader, 40)
    const made = await makePlans(server, certify)
    const figures: Record<string, number>[] = []
    for (let round = 0; round < rounds; round++) {
      const extracting = await withProcessor(server, () => measureExtractor(reader, documents))
      const bare = extracting.result
      const thinking = await withProcessor(server, () => measureThinking(reader, made.thought))
      const E = thinking.result
      const writing = await measureWrites(server, certify, made.plans)
      const W = writing.result
      const whole = await measurePipeline(server, reader, certify)
      const P = whole.result
      const spent = [extracting, thinking, writing, whole].map(each => `${each.ms.toFixed(1)} + ${each.databaseMs.toFixed(1)}`)
      console.log(
        `processor ms of a document, node + PostgreSQL: extracting ${spent[0]}, thinking ${spent[1]}, writing ${spent[2]}, pipeline ${spent[3]}`,
      )
      const limit = 1 / (1 / E + 1 / W)
      const bareLimit = 1 / (1 / bare + 1 / W)
      const peers: Record<string, number> = {}
      for (const name of process.argv.includes('--alone') ? [] : peerNames) {
        // Not installed where nothing is compared.
        const { runPeer } = await import('./support/pipeline-peers.js')
        const { result: perSecond, ms } = await withProcessor(server, () =>
          inWorld(server, world => runPeer(name, { world, reader, certify, documents, folder, leaseAll })),
        )
        if (perSecond === null) console.log('BullMQ is skipped: there is no redis-server on this machine.')
        else {
          peers[name] = perSecond
          console.log(`processor time of a document with ${name}: ${ms.toFixed(1)} ms`)
        }
      }
      figures.push({
        E,
        bare,
        W,
        P,
        spentShare: (thinking.ms + writing.ms) / whole.ms,
        bareSpent: extracting.ms / whole.ms,
        bareSpentInAll: extracting.ms / (whole.ms + whole.databaseMs),
        thoughtSpent: thinking.ms / whole.ms,
        thoughtSpentInAll: thinking.ms / (whole.ms + whole.databaseMs),
        share: P / limit,
        bareShare: P / bareLimit,
        ...peers,
      })
      console.log(table({ E, W, limit, 'bare extractor': bare, 'concord, accepted to indexed': P, ...peers }))
    }
    const idle = await measureIdle(server, reader, certify)
    const growth = full ? await measureGrowth(server, reader, certify) : null
    const result: Record<string, number> = {
      of_limit: median(figures.map(each => each['share'] ?? 0)),
      of_limit_of_bare_extractor: median(figures.map(each => each['bareShare'] ?? 0)),
      of_limit_by_processor_time: median(figures.map(each => each['spentShare'] ?? 0)),
      of_extractor_by_processor_time: median(figures.map(each => each['bareSpent'] ?? 0)),
      of_extractor_by_processor_time_with_database: median(figures.map(each => each['bareSpentInAll'] ?? 0)),
      of_thinking_by_processor_time: median(figures.map(each => each['thoughtSpent'] ?? 0)),
      of_thinking_by_processor_time_with_database: median(figures.map(each => each['thoughtSpentInAll'] ?? 0)),
      ...idle,
    }
    for (const name of peerNames) {
      const ratios = figures.flatMap(each => (each[name] === undefined ? [] : [(each['P'] ?? 0) / each[name]]))
      if (ratios.length > 0) result[`vs ${name}`] = median(ratios)
    }
    for (const name of ['E', 'bare', 'W', 'P']) result[`${name}_per_second`] = median(figures.map(each => each[name] ?? 0))
    report({ ...result, ...growth })
  } finally {
    await reader.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Four documents to a case; those of each round, and their cases, are others. */
function waitingDocuments(tenantIds: readonly string[], round = 0): WaitingDocument[] {
  return Array.from({ length: documents }, (_, index) => {
    const n = round * documents + index
    return {
      tenantId: tenantIds[index % tenantIds.length]!,
      scopeId: `case-${round === 0 ? '' : `${round}-`}${index % scopes}`,
      n,
      text: caseText(n),
    }
  })
}

async function measureExtractor(reader: Reader, count: number): Promise<number> {
  const started = performance.now()
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      reader.read({ documentId: `doc-${n}`, revision: 1, name: `doc-${n}`, type: 'txt', source: null, text: caseText(n) }, input),
    ),
  )
  return (count * 1000) / (performance.now() - started)
}

interface Spent<T> {
  result: T
  ms: number
  databaseMs: number
}

/** What the process, threads included, and PostgreSQL spend on a document meanwhile: on a busy machine the figures to trust. */
async function withProcessor<T>(server: EmbeddedServer, work: () => Promise<T>): Promise<Spent<T>> {
  const before = { own: process.cpuUsage(), database: processorUs(server.pid()) }
  const result = await work()
  const { user, system } = process.cpuUsage(before.own)
  const databaseMs = (processorUs(server.pid()) - before.database) / 1000 / documents
  return { result, ms: (user + system) / 1000 / documents, databaseMs }
}

interface Write {
  lease: Lease
  plan: BatchPlan
}

type PlanTask = Parameters<Planner['plan']>[0]

interface Made {
  plans: Write[][]
  /** What the planner was asked, by scope and in its order. */
  thought: PlanTask[][]
}

const release = { giveBack: [], reason: 'not_begun' }

/** Works everything off on a copy that is thrown away, and keeps what was asked of the planner and what was to be written. */
async function makePlans(server: EmbeddedServer, certify: ReturnType<typeof createCertify>): Promise<Made> {
  const { extract } = await import('../src/reading/document/extract.js')
  return inWorld(server, async ({ db }) => {
    const plans = new Map<number, Write[]>()
    const thought = new Map<number, PlanTask[]>()
    const add = <T>(to: Map<number, T[]>, scopeNo: number, item: T) => to.set(scopeNo, [...(to.get(scopeNo) ?? []), item])
    const planner: Planner = {
      place: planHere.place,
      plan: (task, signal) => {
        add(thought, task.stored.scopeNo, task)
        return planHere.plan(task, signal)
      },
    }
    for (;;) {
      const lease = await leaseNext(db, { owner: 'bench', leaseMs: 600_000, batch })
      if (lease === undefined) return { plans: [...plans.values()], thought: [...thought.values()] }
      const reads = lease.documents.map(document => ({
        document,
        packed: JSON.stringify(extract({ ...document, text: document.text ?? '' })),
        timings: {},
      }))
      const plan = await planBatch(db, { ...lease, reads, planner, ...input })
      if (plan === undefined) throw new Error('no plan')
      await commitBatch(db, { lease, plan, failures: [], certify, release })
      add(plans, lease.scopeNo, { lease, plan })
    }
  })
}

async function leaseNext(db: Database, options: LeaseOptions): Promise<Lease | undefined> {
  const [next] = await findCandidates(db, 1)
  return next && takeLease(db, next, options)
}

/** Everything the pipeline computes, on its threads, with as many scopes at once as it has workers. */
async function measureThinking(reader: Reader, thought: readonly PlanTask[][]): Promise<number> {
  const queue = [...thought]
  const started = performance.now()
  const think = async (): Promise<void> => {
    for (let scope = queue.shift(); scope !== undefined; scope = queue.shift()) {
      for (const task of scope) {
        await Promise.all(
          task.reads.map(({ document }) => reader.read({ ...document, text: caseText(Number(document.documentId.slice(4))) }, input)),
        )
        const { token } = await reader.place(task, input)
        await reader.plan({ ...task, token }, input)
      }
    }
  }
  await Promise.all(Array.from({ length: workers }, think))
  return (documents * 1000) / (performance.now() - started)
}

/** Leases and commits as the pipeline does them, nothing else. */
async function measureWrites(
  server: EmbeddedServer,
  certify: ReturnType<typeof createCertify>,
  plans: readonly Write[][],
): Promise<Spent<number>> {
  return inWorld(server, async ({ db }) => {
    const queue = [...plans]
    const write = async (): Promise<void> => {
      for (let scope = queue.shift(); scope !== undefined; scope = queue.shift()) {
        for (const { lease, plan } of scope) {
          const again = await takeLease(db, lease, { owner: 'bench', leaseMs: 600_000, batch })
          if (again === undefined) throw new Error('no lease')
          const outcome = await commitBatch(db, { lease: again, plan, failures: [], certify, release })
          if (outcome !== 'committed') throw new Error(outcome)
        }
      }
    }
    return withProcessor(server, async () => {
      const started = performance.now()
      await Promise.all(Array.from({ length: workers }, write))
      return (documents * 1000) / (performance.now() - started)
    })
  })
}

/** Marks every document as being processed under one lease that never ends: for dispatchers that know nothing of leases. */
async function leaseAll({ db, address }: BenchWorld): Promise<Lease[]> {
  const leases: Lease[] = []
  for (;;) {
    const lease = await leaseNext(db, { owner: 'bench', leaseMs: 3_600_000, batch: 1_000_000, batchBytes: 1e12 })
    if (lease === undefined) break
    leases.push(lease)
  }
  const owner = await connectAsOwner(address, limits)
  await owner.query('vacuum analyze')
  await owner.end()
  return leases
}

async function measurePipeline(server: EmbeddedServer, reader: Reader, certify: ReturnType<typeof createCertify>): Promise<Spent<number>> {
  return inWorld(server, async ({ db }) => {
    const running = startWorkers(db, reader, certify, workers)
    const spent = await withProcessor(server, async () => {
      const started = performance.now()
      await untilDone(db, documents)
      return (documents * 1000) / (performance.now() - started)
    })
    await running.stop()
    console.log(stageTable(running.workers.map(worker => worker.figures().stages)))
    return spent
  })
}

/** Each document in a case of its own: what is waited for is the service, not the comparison with those before it. */
async function measureIdle(
  server: EmbeddedServer,
  reader: Reader,
  certify: ReturnType<typeof createCertify>,
): Promise<Record<string, number>> {
  return inWorld(server, async ({ db, tenantIds }) => {
    await clearBacklog(db)
    const running = startWorkers(db, reader, certify, 1)
    const times: number[] = []
    const spentUs = () => process.cpuUsage().user + process.cpuUsage().system + processorUs(server.pid())
    let before = 0
    for (let n = 0; n < idleWarmUps + idleMeasured; n++) {
      const row = { tenantId: tenantIds[0]!, scopeId: `idle-${n}`, n: 1_000_000 + n, text: caseText(1_000_000 + n) }
      if (n === idleWarmUps) before = spentUs()
      const started = performance.now()
      await ingest(db, [row])
      running.hints.notify('backlog')
      for (;;) {
        const { rows } = await db.engineQuery(
          `select from documents d join scopes s using (tenant_id, scope_no) where d.tenant_id = $1 and s.scope_id = $3 and d.document_id = $2 and d.status = 'indexed'`,
          [row.tenantId, `doc-${row.n}`, row.scopeId],
        )
        if (rows.length > 0) break
        await new Promise(resolve => setTimeout(resolve, 2))
      }
      times.push(performance.now() - started)
      await new Promise(resolve => setTimeout(resolve, 30))
    }
    const spentMs = (spentUs() - before) / 1000 / idleMeasured
    await running.stop()
    const sorted = times.slice(idleWarmUps).sort((a, b) => a - b)
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
    return { idle_p50_ms: median(sorted), idle_p99_ms: p99, idle_processor_ms: spentMs }
  })
}

function stageTable(figures: readonly Record<string, { count: number; totalMs: number }>[]): string {
  const totals = new Map<string, { count: number; totalMs: number }>()
  for (const each of figures) {
    for (const [stage, { count, totalMs }] of Object.entries(each)) {
      const sum = totals.get(stage) ?? { count: 0, totalMs: 0 }
      totals.set(stage, { count: sum.count + count, totalMs: sum.totalMs + totalMs })
    }
  }
  return [...totals].map(([stage, { count, totalMs }]) => `${stage} ${(totalMs / Math.max(1, count)).toFixed(2)} ms`).join(', ')
}

function table(figures: Record<string, number>): string {
  const lines = Object.entries(figures).map(([name, perSecond]) => `| ${name.padEnd(30)} | ${perSecond.toFixed(0).padStart(6)} |`)
  return ['\n| documents per second           |        |', '|---|---:|', ...lines].join('\n')
}

function report(figures: Record<string, number>): void {
  const rounded = Object.entries(figures).map(([name, value]) => [name, Math.round(value * 100) / 100])
  console.log(`RESULT ${JSON.stringify(Object.fromEntries(rounded))}`)
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
