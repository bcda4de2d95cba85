import { describe, expect, it } from 'vitest'
import { circuitBreaker } from './circuit-breaker.js'

function breakerAt(start: number) {
  const clock = { ms: start }
  const breaker = circuitBreaker({ failures: 2, openMs: 100, now: () => clock.ms })
  return { clock, breaker }
}

describe('a circuit breaker', () => {
  it('opens after so many failures in a row, and not after scattered ones', () => {
    const { breaker } = breakerAt(0)
    breaker.failed()
    breaker.succeeded()
    breaker.failed()
    expect(breaker.state()).toBe('closed')
    breaker.failed()
    expect(breaker.state()).toBe('open')
    expect(breaker.admits()).toBe(false)
  })

  it('lets one call through after a while, and closes on its success', () => {
    const { breaker, clock } = breakerAt(0)
    breaker.failed()
    breaker.failed()
    clock.ms = 100
    expect(breaker.state()).toBe('half-open')
    expect([breaker.admits(), breaker.admits()]).toEqual([true, false])
    breaker.succeeded()
    expect([breaker.admits(), breaker.admits()]).toEqual([true, true])
  })

  it('opens again for the whole time when that call fails', () => {
    const { breaker, clock } = breakerAt(0)
    breaker.failed()
    breaker.failed()
    clock.ms = 150
    expect(breaker.admits()).toBe(true)
    breaker.failed()
    clock.ms = 249
    expect(breaker.admits()).toBe(false)
    clock.ms = 250
    expect(breaker.admits()).toBe(true)
  })

  it('gives the one call to the next when it was withdrawn', () => {
    const { breaker, clock } = breakerAt(0)
    breaker.failed()
    breaker.failed()
    clock.ms = 100
    expect(breaker.admits()).toBe(true)
    breaker.withdrawn()
    expect(breaker.admits()).toBe(true)
  })

  it('is told as down for a while after its last failure, as long as nothing is asked', () => {
    const { breaker, clock } = breakerAt(0)
    breaker.failed()
    breaker.failed()
    clock.ms = 600_099
    expect(breaker.downSince()).toBe(0)
    clock.ms = 600_100
    expect(breaker.downSince()).toBeNull()
    expect(breaker.admits()).toBe(true)
    breaker.failed()
    expect(breaker.downSince()).toBe(0)
    breaker.succeeded()
    expect(breaker.downSince()).toBeNull()
  })

  it('is not kept open by late failures of calls made before it opened', () => {
    const { breaker, clock } = breakerAt(0)
    breaker.failed()
    breaker.failed()
    clock.ms = 90
    breaker.failed()
    clock.ms = 100
    expect(breaker.state()).toBe('half-open')
  })
})
