import { describe, expect, it } from 'vitest'
import type { Clock } from '../platform/clock.js'
import { createLogger } from '../platform/logger.js'
import type { Database } from '../store/server/database.js'
import { defaultRestartRules } from './restart-policy.js'

import { createSupervisor, type SupervisedWorker, type WorkerStanding } from './supervisor.js'
import { createWorkerEvents, type WorkerEventType } from './worker-events.js'

/** A worker driven by the test: it lives until it is told to end. */
class HandWorker implements SupervisedWorker {
  readonly id: string
  standing: WorkerStanding = { state: 'idle', since: '2026-01-01T00:00:00.000Z' }
  done = { documents: 0, busyMs: 0 }
  draining = false
  aborted = false
  end: (error?: Error) => void = () => undefined

  constructor(id: string) {
    this.id = id
  }

  run(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.end = error => (error === undefined ? resolve() : reject(error))
      signal.addEventListener('abort', () => {
        this.aborted = true
        resolve()
      })
    })
  }

  async drain(): Promise<void> {
    this.draining = true
    if (this.standing.state === 'idle') this.end()
  }

  state(): WorkerStanding {
    return this.standing
  }

  figures() {
    return this.done
  }
}

function nursery(count: number, make?: () => SupervisedWorker) {
  const time = { ms: 0 }
  const clock: Clock = { now: () => new Date(time.ms), monotonicMs: () => time.ms }
  const workers: HandWorker[] = []
  const reported: { type: WorkerEventType; data: Record<string, unknown> }[] = []
  const supervisor = createSupervisor({
    role: 'pipeline',
    workers: count,
    createWorker: id => {
      if (make !== undefined) return make()
      const worker = new HandWorker(id)
      workers.push(worker)
      return worker
    },
    nextWorkerId: () => `w${workers.length}`,
    events: { add: (type, data) => reported.push({ type, data }), flush: async () => 0 },
    clock,
    logger: createLogger({ level: 'silent' }),
    random: () => 1,
    rules: defaultRestartRules,
    stuckMs: 60_000,
  })
  const settle = () => new Promise<void>(resolve => setImmediate(resolve))
  const tick = async (afterMs = 0) => {
    time.ms += afterMs
    supervisor.tick()
    await settle()
  }
  const kinds = () => reported.map(event => event.type)
  return { supervisor, workers, reported, kinds, tick, settle }
}

describe('events of workers', () => {
  it('that come while others are written are written next, and what was left out is told', async () => {
    const written: unknown[][] = []
    let meanwhile: () => void = () => undefined
    const run = async (_text: string, values: unknown[]) => {
      written.push((values[3] as string[]).map(data => JSON.parse(data)))
      meanwhile()
    }
    const db = { engine: (work: (tx: unknown) => Promise<unknown>) => work({ run }) } as unknown as Database
    const events = createWorkerEvents({ db, nodeId: 'n' })
    const add = (count: number, type: WorkerEventType, name: string) => {
      for (let i = 0; i < count; i++) events.add(type, { name })
    }
    add(20, 'worker.spawned', 'first')
    // As many alarms as push the oldest out, and one event more than there is room for.
    meanwhile = () => {
      add(21, 'worker.circuit', 'alarm')
      add(1, 'worker.spawned', 'left out')
    }
    expect(await events.flush()).toBe(20)
    meanwhile = () => undefined
    expect(await events.flush()).toBe(21)
    expect(written[1]?.[0]).toEqual({ node_id: 'n', name: 'alarm', suppressed: 1 })
    expect(await events.flush()).toBe(0)
  })
})

describe('supervisor', () => {
  it('spawns as many as there should be', async () => {
    const { supervisor, reported, tick } = nursery(3)
    await tick()
    expect(supervisor.report().workers).toHaveLength(3)
    expect(reported.map(event => [event.type, event.data['reason']])).toEqual(Array(3).fill(['worker.spawned', 'start']))
  })

  it('replaces the one that failed, alone and after a pause', async () => {
    const { supervisor, workers, reported, tick, settle } = nursery(2)
    await tick()
    workers[0]!.end(new Error('out of luck'))
    await settle()
    await tick(10)
    expect(workers).toHaveLength(2)
    await tick(200)
    expect(workers).toHaveLength(3)
    expect(reported.at(-1)).toMatchObject({ type: 'worker.restarted', data: { replaces: 'w0', reason: 'out of luck', restarts: 1 } })
    expect(workers[1]!.aborted).toBe(false)
    expect(supervisor.report().restarts).toBe(1)
  })

  it('calls a worker that ends by itself a failure', async () => {
    const { workers, reported, tick, settle } = nursery(1)
    await tick()
    workers[0]!.end()
    await settle()
    await tick(200)
    expect(reported.at(-1)).toMatchObject({ type: 'worker.restarted', data: { reason: 'exited' } })
  })

  it('opens the circuit instead of crashing in a loop, says so once, and recovers by a trial', async () => {
    const { supervisor, workers, reported, tick, settle } = nursery(1)
    await tick()
    for (let i = 0; i < 40; i++) {
      workers.at(-1)!.end(new Error('always'))
      await settle()
      await tick(100)
    }
    const opened = reported.filter(event => event.type === 'worker.circuit')
    expect(opened).toHaveLength(1)
    expect(opened[0]!.data).toMatchObject({ circuit: 'open', reason: 'always' })
    expect(supervisor.report()).toMatchObject({ circuit: 'open', circuit_reason: 'always', workers: [] })
    const started = workers.length
    expect(started).toBeLessThanOrEqual(defaultRestartRules.intensity + 1)
    await tick(defaultRestartRules.openMs)
    expect(supervisor.report().circuit).toBe('half_open')
    expect(workers).toHaveLength(started + 1)
    await tick(100)
    await tick(defaultRestartRules.provingMs)
    expect(supervisor.report()).toMatchObject({ circuit: 'closed', circuit_reason: null })
    expect(reported.filter(event => event.type === 'worker.circuit').map(event => event.data['circuit'])).toEqual([
      'open',
      'half_open',
      'closed',
    ])
  })

  it('treats a worker that cannot even be made as a failure', async () => {
    const { supervisor, reported, tick } = nursery(4, () => {
      throw new Error('no memory')
    })
    for (let i = 0; i < 100; i++) await tick(100)
    expect(reported.filter(event => event.data['circuit'] === 'open').length).toBeGreaterThan(0)
    expect(supervisor.report()).toMatchObject({ circuit_reason: 'no memory', workers: [] })
  })

  it('gives up a busy worker without a sign of life, but not an idle one', async () => {
    const { workers, reported, tick } = nursery(2)
    await tick()
    workers[0]!.standing = { ...workers[0]!.standing, state: 'busy' }
    await tick(1000)
    await tick(61_000)
    expect(workers.map(worker => worker.aborted)).toEqual([true, false])
    await tick(1000)
    expect(reported.at(-1)).toMatchObject({ type: 'worker.restarted', data: { replaces: 'w0', reason: 'no heartbeat' } })
  })

  it('names the worker that failed last, not one of many that could not be made', async () => {
    let made = 0
    const hands: HandWorker[] = []
    const { reported, tick, settle } = nursery(1, () => {
      if (++made < 5) throw new Error(`no room for ${made}`)
      hands.push(new HandWorker(`h${made}`))
      return hands.at(-1)!
    })
    while (hands.length === 0) await tick(60_000)
    hands[0]!.end(new Error('fell over'))
    await settle()
    await tick(60_000)
    expect(reported.at(-1)).toMatchObject({ type: 'worker.restarted', data: { replaces: 'h5', reason: 'fell over' } })
  })

  it('counts finished documents and busy time, also of workers that are gone', async () => {
    const { supervisor, workers, tick, settle } = nursery(2)
    await tick()
    workers[0]!.done = { documents: 5, busyMs: 700 }
    workers[1]!.done = { documents: 2, busyMs: 100 }
    await tick(1000)
    workers[0]!.done = { documents: 8, busyMs: 900 }
    workers[0]!.end(new Error('gone'))
    await settle()
    expect(supervisor.report()).toMatchObject({ completed: 10, busy_ms: 1000 })
  })

  it('drains on stop and cuts off what is left after the grace', async () => {
    const { supervisor, workers, tick } = nursery(2)
    await tick()
    workers[0]!.standing = { ...workers[0]!.standing, state: 'busy' }
    await supervisor.stop(20)
    expect(workers.map(worker => worker.aborted)).toEqual([true, false])
    expect(supervisor.report().workers).toHaveLength(0)
    await tick(1000)
    expect(workers).toHaveLength(2)
  })
})
