/**
 * The same work dispatched by queues people would otherwise use: one job a document, read on the same threads, planned by
 * the same code and written by the same SQL. Each gets what favours it: jobs are there before the clock starts, and jobs
 * of one scope wait for each other in memory instead of colliding in the database.
 */

import { Queue, Worker } from 'bullmq'
import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import pg from 'pg'
import PgBoss from 'pg-boss'
import { commitBatch } from '../../src/pipeline/committing/commit.js'
import { planBatch } from '../../src/pipeline/planning/batch-plan.js'
import { accountOf } from '../../src/pipeline/threads/fair-turns.js'
import type { Reader } from '../../src/pipeline/threads/reader.js'
import type { Lease } from '../../src/store/leases/leases.js'
import type { Certify } from '../../src/store/scopes/rounds.js'
import type { BenchWorld } from './pipeline-world.js'
import { startRedis } from './redis.js'

export type PeerName = 'graphile-worker' | 'pg-boss' | 'BullMQ'

export interface PeerInput {
  world: BenchWorld
  reader: Reader
  certify: Certify
  documents: number
  folder: string
  leaseAll: (world: BenchWorld) => Promise<Lease[]>
}

interface Job {
  scopeNo: number
  seq: number
}

const concurrency = 4

/** Documents per second; null when the queue cannot run here. */
export async function runPeer(name: PeerName, input: PeerInput): Promise<number | null> {
  const leases = new Map((await input.leaseAll(input.world)).map(lease => [lease.scopeNo, lease]))
  const jobs = [...leases.values()].flatMap(lease => lease.documents.map(({ seq }) => ({ scopeNo: lease.scopeNo, seq })))
  const progress = countTo(jobs.length)
  const handle = async (job: Job) => {
    await processOne(input, leases, job)
    progress.add()
  }
  const peer = await peers[name](input, jobs, handle)
  if (peer === null) return null
  try {
    const started = performance.now()
    await peer.start()
    await progress.done
    return (jobs.length * 1000) / (performance.now() - started)
  } finally {
    await peer.stop()
  }
}

const turns = new Map<number, Promise<void>>()

async function processOne({ world, reader, certify }: PeerInput, leases: ReadonlyMap<number, Lease>, job: Job): Promise<void> {
  const lease = leases.get(job.scopeNo)
  const document = lease?.documents.find(each => each.seq === job.seq)
  if (lease === undefined || document === undefined) throw new Error('an unknown job')
  const how = { account: accountOf(lease), signal: new AbortController().signal }
  const answer = await reader.read({ ...document, text: document.text ?? '' }, { ...how, mayBegin: async () => true })
  const reads = [{ document, packed: answer?.packed ?? null, timings: {} }]
  const before = turns.get(job.scopeNo) ?? Promise.resolve()
  const write = async () => {
    const plan = await planBatch(world.db, { ...lease, reads, planner: reader, ...how })
    if (plan === undefined) throw new Error('no plan')
    const outcome = await commitBatch(world.db, { lease, plan, failures: [], certify, release: null })
    if (outcome !== 'committed') throw new Error(outcome)
  }
  const own = before.then(write)
  turns.set(
    job.scopeNo,
    own.catch(() => undefined),
  )
  await own
}

interface Peer {
  start(): Promise<void>
  stop(): Promise<void>
}

type MakePeer = (input: PeerInput, jobs: readonly Job[], handle: (job: Job) => Promise<void>) => Promise<Peer | null>

const peers: Record<PeerName, MakePeer> = { 'graphile-worker': makeGraphile, 'pg-boss': makeBoss, BullMQ: makeBull }

async function makeGraphile({ world }: PeerInput, jobs: readonly Job[], handle: (job: Job) => Promise<void>): Promise<Peer> {
  // One that dies with its database at the end is no failure of the measurement.
  const pgPool = new pg.Pool({ connectionString: urlOf(world), max: 2 * concurrency })
  pgPool.on('error', () => undefined)
  pgPool.on('connect', client => client.on('error', () => undefined))
  const utils = await makeWorkerUtils({ pgPool })
  await utils.migrate()
  await utils.addJobs(jobs.map(payload => ({ identifier: 'document', payload })))
  await utils.release()
  let runner: Awaited<ReturnType<typeof run>> | undefined
  return {
    start: async () => {
      runner = await run({
        pgPool,
        concurrency,
        noHandleSignals: true,
        logger: new Logger(() => () => undefined),
        taskList: { document: payload => handle(payload as Job) },
        preset: { worker: { localQueue: { size: 64 } } },
      })
    },
    stop: async () => {
      await runner?.stop()
      await pgPool.end()
    },
  }
}

async function makeBoss({ world }: PeerInput, jobs: readonly Job[], handle: (job: Job) => Promise<void>): Promise<Peer> {
  const boss = new PgBoss({ connectionString: urlOf(world) })
  boss.on('error', () => undefined)
  await boss.start()
  await boss.createQueue('document')
  await boss.insert(jobs.map(data => ({ name: 'document', data })))
  return {
    start: async () => {
      for (let n = 0; n < concurrency; n++) {
        await boss.work<Job>('document', { batchSize: 16, pollingIntervalSeconds: 0.5 }, async batch => {
          for (const { data } of batch) await handle(data)
        })
      }
    },
    stop: () => boss.stop({ graceful: false, wait: false }),
  }
}

async function makeBull({ folder }: PeerInput, jobs: readonly Job[], handle: (job: Job) => Promise<void>): Promise<Peer | null> {
  const redis = await startRedis(folder)
  if (redis === null) return null
  const connection = { host: '127.0.0.1', port: redis.port }
  const queue = new Queue('document', { connection })
  await queue.addBulk(jobs.map(data => ({ name: 'document', data })))
  let worker: Worker | undefined
  return {
    start: async () => {
      worker = new Worker('document', job => handle(job.data as Job), { connection, concurrency })
    },
    stop: async () => {
      await worker?.close(true)
      await queue.close()
      redis.process.kill()
    },
  }
}

function urlOf({ address }: BenchWorld): string {
  const { user, password, host, port, database } = address
  const login = password === undefined ? user : `${user}:${encodeURIComponent(password)}`
  return host.startsWith('/')
    ? `postgres://${login}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
    : `postgres://${login}@${host}:${port}/${database}`
}

function countTo(total: number): { add(): void; done: Promise<void> } {
  let count = 0
  let finish: () => void = () => undefined
  const done = new Promise<void>(resolve => {
    finish = resolve
  })
  return {
    add: () => {
      if (++count === total) finish()
    },
    done,
  }
}
