import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRequestsInProgress, mostRequests } from './requests-in-progress.js'

const mib = 1024 * 1024
let now = 0
const clock = { now: () => new Date(0), monotonicMs: () => now }
const config = { bodyLimitBytes: 2 * mib, bodyTotalBytes: 16 * mib, requestTimeoutMs: 5000 }

beforeEach(() => {
  vi.useFakeTimers()
  now = 0
})
afterEach(() => vi.useRealTimers())

function setUp() {
  const requests = createRequestsInProgress({ clock, config })
  const open = (tenantId: string, headers: Record<string, string> = {}) => {
    const destroy = vi.fn()
    const socket = Object.assign(new EventEmitter(), { destroy, bytesWritten: 0 })
    const message = { socket }
    const request = {
      caller: { tenantId, credential: `${tenantId}-key` },
      headers,
      raw: message,
    } as unknown as FastifyRequest
    const raw = Object.assign(new EventEmitter(), { req: message })
    const refusal = requests.begin(request, { raw } as unknown as FastifyReply, true)
    return { request, raw, socket, destroy, refusal }
  }
  return { requests, open }
}

describe('requests in progress', () => {
  it('are bounded for each key with 429, and leave places to others', () => {
    const { open } = setUp()
    const refused = Array.from({ length: mostRequests }, () => open('a').refusal?.code).filter(code => code !== undefined)
    expect(new Set(refused)).toEqual(new Set(['RATE_LIMITED']))
    expect(refused.length).toBeGreaterThan(mostRequests / 4)
    expect(open('b').refusal).toBeUndefined()
  })

  it('hold their bodies within a bound for each key and in all', () => {
    const { requests, open } = setUp()
    const fill = (tenant: string) => {
      const codes: string[] = []
      for (let n = 0; n < 16; n++) {
        const { request, refusal } = open(tenant)
        if (refusal) codes.push(refusal.code)
        else
          try {
            requests.arrive(request, mib)
          } catch (error) {
            codes.push((error as { code: string }).code)
          }
      }
      return codes
    }
    expect(new Set(fill('a'))).toEqual(new Set(['RATE_LIMITED']))
    expect(requests.figures().bodyBytes).toBeLessThanOrEqual((16 * mib * 2) / 3)
    for (let n = 0; n < 20; n++) fill(`t${n}`)
    expect(requests.figures().bodyBytes).toBeLessThanOrEqual(16 * mib)
    expect(fill('late')).toContain('OVERLOADED')
  })

  it('are refused before their body is sent when it could not be taken', () => {
    const { requests, open } = setUp()
    for (let n = 0; n < 10; n++) requests.arrive(open('a').request, mib)
    expect(open('a', { 'content-length': String(2 * mib) }).refusal?.code).toBe('RATE_LIMITED')
    expect(open('b', { 'content-length': String(2 * mib) }).refusal).toBeUndefined()
  })

  it('give everything back once answered and gone, in either order, and not before', () => {
    const { requests, open } = setUp()
    const [first, second] = [open('a'), open('a')]
    for (const { request } of [first, second]) requests.arrive(request, 100)
    first.raw.emit('close')
    requests.answered(second.request)
    expect(requests.figures()).toEqual({ requests: 2, bodyBytes: 200 })
    requests.answered(first.request)
    second.raw.emit('close')
    expect(requests.figures()).toEqual({ requests: 0, bodyBytes: 0 })
  })

  it('are cut off when the client does not take its answer, and not while it takes it slowly', () => {
    const { requests, open } = setUp()
    const [answered, working, slow] = [open('a'), open('a'), open('a')]
    for (const { request } of [answered, slow]) requests.answered(request)
    for (now = 1000; now <= 20_000; now += 1000) {
      if (now % 4000 === 0) slow.socket.bytesWritten += 16_384
      vi.advanceTimersByTime(1000)
    }
    expect(answered.destroy).toHaveBeenCalled()
    expect(working.destroy).not.toHaveBeenCalled()
    expect(slow.destroy).not.toHaveBeenCalled()
    // Four megabytes at once are in the buffers of the system: they are taken for minutes, and nothing is seen of it.
    slow.socket.bytesWritten += 4_000_000
    vi.advanceTimersByTime(1000)
    now = 200_000
    vi.advanceTimersByTime(1000)
    expect(slow.destroy).not.toHaveBeenCalled()
    now = 400_000
    vi.advanceTimersByTime(1000)
    expect(slow.destroy).toHaveBeenCalled()
  })
})
