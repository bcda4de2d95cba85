import { describe, expect, it } from 'vitest'
import { createLogger } from '../platform/logger.js'
import { createTroubledScopes } from './troubled-scopes.js'

function make() {
  const time = { ms: 0 }
  const clock = { now: () => new Date(0), monotonicMs: () => time.ms }
  return { time, troubled: createTroubledScopes({ clock, logger: createLogger({ level: 'silent' }), longestPauseMs: 5000 }) }
}

const scope = (scopeNo: number) => ({ tenantId: 'ten_a', scopeNo })
const fault = new Error('broken')

describe('scopes that fail', () => {
  it('are left alone for a while, longer each time, but never for ever', () => {
    const { time, troubled } = make()
    for (const pauseMs of [1000, 2000, 4000, 5000, 5000]) {
      troubled.failed(scope(7), fault)
      time.ms += pauseMs - 1
      expect(troubled.avoided()).toEqual([7])
      time.ms += 1
      expect(troubled.avoided()).toEqual([])
    }
    troubled.wentWell(scope(7))
    troubled.failed(scope(7), fault)
    time.ms += 1000
    expect(troubled.avoided()).toEqual([])
  })

  it('cost nobody else anything, however often one of them fails', () => {
    const { troubled } = make()
    for (let n = 0; n < 100; n++) troubled.failed(scope(n % 4), fault)
    troubled.wentWell(scope(50))
    for (let n = 0; n < 100; n++) troubled.failed(scope(n % 4), fault)
  })

  it('are not to blame when all of them fail', () => {
    const { troubled } = make()
    for (let n = 0; n < 4; n++) troubled.failed(scope(n), fault)
    expect(() => troubled.failed(scope(4), fault)).toThrow(fault)
  })
})
