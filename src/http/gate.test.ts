import type { FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import type { Operation } from '../contract/operation.js'
import { AppError, isAppError } from '../platform/errors.js'
import type { Authenticator, Caller } from './auth.js'
import { createGate } from './gate.js'

const operation = { id: 'any' } as Operation
const caller = (credential: string, requestsPerSecond: number | null = null) => ({ credential, requestsPerSecond }) as Caller

function setUp(authenticate: Authenticator) {
  let now = 0
  const config = { rateLimitPerSecond: 3, authFailuresPerSecond: 100 }
  const gate = createGate({ clock: { now: () => new Date(0), monotonicMs: () => now }, config, authenticate })
  const reply = { header: () => reply } as unknown as FastifyReply
  const pass = (ip = '1.1.1.1') =>
    new Promise<string>(resolve => {
      gate(operation, { ip } as FastifyRequest, reply, error => resolve(isAppError(error) ? error.code : 'passed'))
    })
  return { pass, wait: (ms: number) => (now += ms) }
}

const times = async (count: number, work: () => Promise<string>) => Promise.all(Array.from({ length: count }, work))

describe('the gate', () => {
  it('lets a credential pass so often a second, and again in the next', async () => {
    const { pass, wait } = setUp(() => caller('k'))
    expect(await times(4, pass)).toEqual(['passed', 'passed', 'passed', 'RATE_LIMITED'])
    wait(1000)
    expect(await pass()).toBe('passed')
  })

  it('gives a tenant its own lower limit', async () => {
    const { pass } = setUp(async () => caller('k', 1))
    expect(await times(2, pass)).toEqual(['passed', 'RATE_LIMITED'])
  })

  it('answers guesses with 429 after a hundred a second of one address, but never a valid key', async () => {
    let valid = false
    const { pass } = setUp(() => {
      if (valid) return caller('k')
      throw new AppError('AUTH_INVALID')
    })
    const answers = await times(102, pass)
    expect(answers.filter(answer => answer === 'AUTH_INVALID')).toHaveLength(100)
    expect(answers.slice(100)).toEqual(['RATE_LIMITED', 'RATE_LIMITED'])
    expect(await pass('2.2.2.2')).toBe('AUTH_INVALID')
    valid = true
    expect(await pass()).toBe('passed')
  })

  it('does not count a failing database as a guess', async () => {
    const { pass } = setUp(() => Promise.reject(new AppError('STORAGE_UNAVAILABLE')))
    expect(new Set(await times(150, pass))).toEqual(new Set(['STORAGE_UNAVAILABLE']))
  })
})
