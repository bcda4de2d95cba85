import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyDataDir } from '../support/data-dir.js'
import { type OwnService, startOwnService } from './own-service.js'
import { judgeSoak, runSoak, type Sample } from './soak-run.js'

/** `npm run prove` and `npm run soak` take fifteen minutes. */
const seconds = Number(process.env['SOAK_SECONDS'] ?? 8)

describe('the service at 70 % of its capacity', () => {
  let service: OwnService
  beforeAll(async () => {
    service = await startOwnService({}, copyDataDir)
  }, 90_000)
  afterAll(() => service.stop())

  it(
    `stays flat in memory and latency for ${seconds} seconds, without an error`,
    async () => {
      const report = await runSoak({ service, seconds })
      const verdict = judgeSoak(report)
      const { capacity, accepted, events, reads, controls } = report
      console.log(
        `PROVE soak seconds=${seconds} capacity=${capacity.toFixed(0)}/s accepted=${accepted} events=${events} reads=${reads} controls=${controls} memory=${verdict.memoryMib.join('→')}MiB slope=${verdict.memorySlope.toFixed(1)}MiB/min latency_ratio=${verdict.latencyRatio.toFixed(2)} errors=${report.errors.length}`,
      )
      expect(verdict.faults).toEqual([])
      expect(accepted).toBeGreaterThan(0)
      expect(events).toBeGreaterThan(0)
    },
    seconds * 1000 + 120_000,
  )
})

describe('the verdict on a soak', () => {
  const samples = (change: (n: number) => Partial<Sample>): Sample[] =>
    Array.from({ length: 60 }, (_none, n) => ({ second: n, rssMib: 200 + (n % 5), p99Ms: 60 + (n % 7), backlog: 0, ...change(n) }))

  it('is good for what stays flat', () => {
    expect(judgeSoak({ samples: samples(() => ({})), errors: [] }).faults).toEqual([])
  })

  it('finds a leak', () => {
    expect(judgeSoak({ samples: samples(n => ({ second: 5 * n, rssMib: 200 + 4 * n })), errors: [] }).faults.join()).toContain(
      'memory grew',
    )
  })

  it('finds a gross leak even in a short run', () => {
    expect(judgeSoak({ samples: samples(n => ({ rssMib: 200 + 10 * n })), errors: [] }).faults.join()).toContain('memory grew')
  })

  it('finds latency that grows', () => {
    expect(judgeSoak({ samples: samples(n => ({ second: 5 * n, p99Ms: 20 * 1.1 ** n })), errors: [] }).faults.join()).toContain('p99 grew')
  })

  it('finds errors, and a run too short to tell', () => {
    expect(judgeSoak({ samples: [], errors: ['ingest answered 500'] }).faults).toEqual(['ingest answered 500', 'too few samples'])
  })
})
