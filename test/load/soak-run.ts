/**
 * A soak: the service at a share of what it can process, for a while, with streams, reads and runtime control mixed in.
 * Capacity is measured first (documents taken in and worked off per second), then held at 70 %. Samples of memory and
 * latency are judged by comparing the middle third with the last: warming up is over by then, and growth shows.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { withDeadline } from '../../src/platform/deadline.js'
import { type Answered, offer, percentile } from './client.js'
import type { OwnService } from './own-service.js'

export interface SoakOptions {
  service: OwnService
  seconds: number
  share?: number
  log?(line: string): void
}

export interface Sample {
  second: number
  rssMib: number
  p99Ms: number
  backlog: number
}

export interface SoakReport {
  capacity: number
  offered: number
  accepted: number
  events: number
  reads: number
  controls: number
  errors: string[]
  samples: Sample[]
}

export interface Verdict {
  /** Growth of memory from the middle third to the last, in MiB a minute. */
  memorySlope: number
  /** Median memory of each third. */
  memoryMib: number[]
  /** p99 of the last third over that of the middle third. */
  latencyRatio: number
  faults: string[]
}

export async function runSoak({ service, seconds, share = 0.7, log }: SoakOptions): Promise<SoakReport> {
  const state = { stopped: false, errors: [] as string[], window: [] as number[], events: 0, reads: 0, controls: 0 }
  const fail = (what: string) => state.errors.length < 20 && state.errors.push(what)
  // A short run needs no more than a rate that keeps the service busy.
  const documents = seconds < warmSeconds ? 80 : 200
  await measureCapacity(service, 'warm', documents)
  const capacity = await measureCapacity(service, 'probe', documents)
  log?.(`capacity ${capacity.toFixed(0)} documents a second, soaking at ${(capacity * share).toFixed(0)}`)
  for (let n = 0; n < 8; n++) await ingest(service, documentOf(`soak-0-${n}`, n))
  const followers = [0, 1, 2].map(n => follow(service, `soak-0-${n}`, state, fail))
  const reader = repeat(state, 200, fail, () => read(service, state, fail))
  const controller = repeat(state, 2000, fail, () => controlScope(service, state, fail))
  const samples: Sample[] = []
  const started = performance.now()
  const sampler = repeat(state, Math.max(500, (seconds * 1000) / 60), fail, async () => {
    const window = state.window.splice(0)
    const second = (performance.now() - started) / 1000
    if (window.length > 0) samples.push({ second, ...(await figures(service)), p99Ms: percentile(window, 0.99) })
  })
  // In a short run, on a machine that may stand still for seconds, a request that is told when to come back is answered well.
  const onAnswer = ({ status, ms, retryAfter }: Answered) => {
    state.window.push(ms)
    const isShed = status === 503 && retryAfter && seconds < warmSeconds
    if (status !== 202 && !isShed) fail(`ingest answered ${status}`)
  }
  // Scopes come and go, as cases do: none of them grows for ever.
  let sent = 0
  const body = () => {
    const n = sent++
    return documentOf(`soak-${Math.floor(n / 2000)}-${n % 8}`, n)
  }
  const offerFor = (ms: number) => offer(service, { perSecond: capacity * share, connections: 200, ms, body, onAnswer })
  const reports = [await offerFor(seconds * 1000)]
  // On a busy machine samples take longer than the time between them: it goes on until there are enough to judge by.
  while (samples.length < fewestSamples && performance.now() - started < seconds * 1000 + longestMoreMs) reports.push(await offerFor(3000))
  state.stopped = true
  await Promise.all([reader, controller, sampler])
  for (const follower of followers) await follower.stop()
  const unsent = reports.reduce((sum, report) => sum + report.unsent, 0)
  if (unsent > 0) fail(`${unsent} requests found no free connection`)
  const answers = reports.flatMap(report => report.answers)
  const accepted = answers.filter(answer => answer.status === 202).length
  const { events, reads, controls, errors } = state
  return { capacity, offered: answers.length, accepted, events, reads, controls, errors, samples }
}

/** What the samples say. */
export function judgeSoak({ samples, errors }: Pick<SoakReport, 'samples' | 'errors'>): Verdict {
  const third = Math.floor(samples.length / 3)
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)]
  const mid = (of: Sample[], name: 'rssMib' | 'p99Ms' | 'second') =>
    percentile(
      of.map(sample => sample[name]),
      0.5,
    )
  const minutes = (mid(last, 'second') - mid(middle, 'second')) / 60
  const grownMib = mid(last, 'rssMib') - mid(middle, 'rssMib')
  const latencyRatio = mid(last, 'p99Ms') / Math.max(mid(middle, 'p99Ms'), noiseMs)
  const faults = errors.slice(0, 5)
  if (samples.length < fewestSamples) faults.push('too few samples')
  // A heap breathes by some tens of MiB between collections, and is still finding its size in the first minutes; a leak goes on.
  const isWarm = (samples.at(-1)?.second ?? 0) >= warmSeconds
  if (grownMib > (isWarm ? Math.max(32, 0.15 * mid(middle, 'rssMib')) : 160)) faults.push(`memory grew by ${grownMib.toFixed(0)} MiB`)
  // Five times as much in a short run, where a stolen second is a good part of a third.
  if (latencyRatio > (isWarm ? 3 : 15)) faults.push(`p99 grew ${latencyRatio.toFixed(1)} times`)
  const memoryMib = [samples.slice(0, third), middle, last].map(part => Math.round(mid(part, 'rssMib')))
  return { memorySlope: grownMib / minutes, memoryMib, latencyRatio, faults }
}

const warmSeconds = 180

/** Three for each third. */
const fewestSamples = 9
const longestMoreMs = 90_000

/** Below this, latencies say more about the machine than about the service. */
const noiseMs = 50

async function measureCapacity(service: OwnService, scope: string, documents: number): Promise<number> {
  const started = performance.now()
  for (let n = 0; n < documents; n += 20) {
    await Promise.all(Array.from({ length: 20 }, (_none, k) => ingest(service, documentOf(`${scope}-${k % 8}`, n + k))))
  }
  const drained = async (signal: AbortSignal) => {
    while (!signal.aborted && (await figures(service)).backlog > 0) await wait(50)
  }
  await withDeadline(drained, { ms: 60_000, what: 'working off the documents that measure capacity' })
  return documents / ((performance.now() - started) / 1000)
}

function documentOf(scope: string, n: number): string {
  const text = `# Report ${n}\n\nThe revenue of Company ${n % 50} for FY2025 was EUR ${40 + (n % 3)}.${n % 10}M.\nHeadcount at year end: ${100 + (n % 7)}.\n${'Further remarks follow. '.repeat(10)}`
  return JSON.stringify({ scope_id: scope, name: `Report ${n}`, type: 'md', text, source: `desk-${n % 4}` })
}

async function ingest(service: OwnService, body: string): Promise<void> {
  const headers = { 'x-tenant-id': service.tenantId, 'content-type': 'application/json' }
  const { status } = await ask(service, '/api/ingest', { method: 'POST', headers, body })
  if (status !== 202) throw new Error(`ingest answered ${status}`)
}

/** Memory of the process and depth of its queue, as it tells them itself. */
async function figures(service: OwnService): Promise<{ rssMib: number; backlog: number }> {
  const headers = { authorization: `Bearer ${service.internalsKey}` }
  const { text } = await ask(service, '/metrics', { headers })
  const snapshot = JSON.parse((await ask(service, '/internals/kernel/hatchery/snapshot', { headers })).text) as unknown
  const rss = Number(/^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1])
  return { rssMib: rss / 2 ** 20, backlog: (snapshot as { queue: { depth: number } }).queue.depth }
}

interface State {
  stopped: boolean
  events: number
  reads: number
  controls: number
}
type Fail = (what: string) => void

async function repeat(state: State, everyMs: number, fail: Fail, act: () => Promise<void>): Promise<void> {
  while (!state.stopped) {
    await act().catch((error: unknown) => fail(`no answer: ${(error as Error).message}`))
    await wait(everyMs)
  }
}

const patienceMs = 20_000

/** Asks and reads the answer to its end; gives up after a while, and says on what. */
async function ask(service: OwnService, path: string, init: RequestInit): Promise<{ status: number; text: string }> {
  const stop = new AbortController()
  const answer = async () => {
    const response = await fetch(service.url + path, { ...init, signal: stop.signal })
    return { status: response.status, text: await response.text() }
  }
  try {
    return await withDeadline(answer, { ms: patienceMs, what: `${init.method ?? 'GET'} ${path}` })
  } finally {
    stop.abort()
  }
}

function follow(service: OwnService, scope: string, state: State, fail: Fail): { stop(): Promise<void> } {
  const stop = new AbortController()
  const read = async () => {
    const headers = { 'x-tenant-api-key': service.tenantKey }
    const response = await fetch(`${service.url}/api/scopes/${scope}/events?after=-1`, { headers, signal: stop.signal })
    if (response.status !== 200) fail(`a stream answered ${response.status}`)
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      state.events += Buffer.from(chunk).toString('latin1').split('\nid: ').length - 1
    }
    if (!stop.signal.aborted) fail('a stream ended by itself')
  }
  const reading = read().catch((error: unknown) => {
    if (!stop.signal.aborted) fail(`a stream broke: ${(error as Error).message}`)
  })
  return {
    stop: async () => {
      stop.abort()
      await reading
    },
  }
}

async function read(service: OwnService, state: State, fail: Fail): Promise<void> {
  const paths = [
    '/api/scopes',
    '/api/scopes/soak-0-1/summary',
    '/api/scopes/soak-0-2/claims',
    '/api/scopes/soak-0-3/contradictions?status=all',
    '/api/scopes/soak-0-4/decisions',
    '/api/scopes/soak-0-5/documents',
  ]
  const path = paths[state.reads++ % paths.length] as string
  const { status } = await ask(service, path, { headers: { 'x-tenant-api-key': service.tenantKey } })
  if (status !== 200) fail(`${path} answered ${status}`)
}

async function controlScope(service: OwnService, state: State, fail: Fail): Promise<void> {
  const verb = ['pause', 'resume', 'restart', 'start'][state.controls++ % 4] as string
  const { status } = await ask(service, `/admin/runtime/${verb}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminKey}`, 'x-tenant-api-key': service.tenantKey, 'content-type': 'application/json' },
    body: JSON.stringify({ scope_id: 'soak-0-0' }),
  })
  if (status !== 200) fail(`${verb} answered ${status}`)
}
