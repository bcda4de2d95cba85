import { describe, expect, it } from 'vitest'
import { createLogger } from '../../platform/logger.js'
import { createScopeBackoff } from './scope-backoff.js'

function make() {
  const time = { ms: 0 }
  const clock = { now: () => new Date(0), monotonicMs: () => time.ms }
  return { time, backoff: createScopeBackoff({ clock, logger: createLogger({ level: 'silent' }), longestPauseMs: 5000 }) }
}

const scope = (scopeNo: number) => ({ tenantId: 'ten_a', scopeNo })
const fault = new Error('broken')

describe('scopes that are busy', () => {
  it('are in backoff for a moment, never longer, and blamed on nobody', () => {
    const { time, backoff } = make()
    for (let n = 0; n < 20; n++) {
      backoff.busy(scope(n % 7))
      expect(backoff.avoided()).toEqual([scope(n % 7)])
      time.ms += 250
      expect(backoff.avoided()).toEqual([])
    }
    expect(backoff.size()).toBe(0)
  })
})

describe('scopes that fail', () => {
  it('are in backoff, longer each time, up to a bound', () => {
    const { time, backoff } = make()
    for (const pauseMs of [1000, 2000, 4000, 5000, 5000]) {
      backoff.failed(scope(7), fault)
      time.ms += pauseMs - 1
      expect(backoff.avoided()).toEqual([scope(7)])
      time.ms += 1
      expect(backoff.avoided()).toEqual([])
    }
    backoff.succeeded(scope(7))
    backoff.failed(scope(7), fault)
    time.ms += 1000
    expect(backoff.avoided()).toEqual([])
  })

  it('cost nobody else anything, however often one of them fails', () => {
    const { backoff } = make()
    for (let n = 0; n < 100; n++) backoff.failed(scope(n % 4), fault)
    backoff.succeeded(scope(50))
    for (let n = 0; n < 100; n++) backoff.failed(scope(n % 4), fault)
  })

  it('are not to blame when all of them fail', () => {
    const { backoff } = make()
    for (let n = 0; n < 4; n++) backoff.failed(scope(n), fault)
    expect(() => backoff.failed(scope(4), fault)).toThrow(fault)
  })
})
