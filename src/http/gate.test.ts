import type { FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import type { Operation } from '../contract/operation.js'
import { sha256 } from '../platform/digest.js'
import { AppError, isAppError } from '../platform/errors.js'
import { newTenantId, newTenantKey } from '../platform/ids.js'
import type { Database } from '../store/server/database.js'
import { createDirectory } from '../tenancy/directory.js'
import { createTierKeys } from '../tenancy/tier-keys.js'
import { type Authenticator, type Caller, createAuthenticator } from './auth.js'
import { createGate } from './gate.js'

const operation = { id: 'any' } as Operation
const caller = (credential: string, requestsPerSecond: number | null = null) => ({ credential, requestsPerSecond }) as Caller

function setUp(authenticate: Authenticator, servingNodes = 1) {
  let now = 0
  const config = { rateLimitPerSecond: 3, authFailuresPerSecond: 100 }
  const gate = createGate({
    clock: { now: () => new Date(0), monotonicMs: () => now },
    config,
    authenticate,
    servingNodes: () => servingNodes,
  })
  const reply = { header: () => reply } as unknown as FastifyReply
  const pass = (ip = '1.1.1.1') =>
    new Promise<string>(resolve => {
      gate.admit(operation, { ip } as FastifyRequest, reply, error => resolve(isAppError(error) ? error.code : 'passed'))
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

  it('counts whoever needs no credential by the network they come from', async () => {
    const open = { id: 'getHealth', credential: 'none' } as Operation
    const authenticate = createAuthenticator({} as Parameters<typeof createAuthenticator>[0])
    const { pass } = setUp((_operation, request, admitted) => authenticate(open, request, admitted))
    const addresses = ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:ffff::', '2001:db8:1:2::3', '2001:db8:1:3::1']
    expect(await Promise.all(addresses.map(address => pass(address)))).toEqual(['passed', 'passed', 'passed', 'RATE_LIMITED', 'passed'])
  })

  it('gives a tenant its own lower limit', async () => {
    const { pass } = setUp(async () => caller('k', 1))
    expect(await times(2, pass)).toEqual(['passed', 'RATE_LIMITED'])
  })

  it('allows its share of the limit where other nodes serve too, and never less than one', async () => {
    const two = setUp(() => caller('k'), 2)
    expect(await times(3, two.pass)).toEqual(['passed', 'passed', 'RATE_LIMITED'])
    const many = setUp(() => caller('k', 1), 10)
    expect(await times(2, many.pass)).toEqual(['passed', 'RATE_LIMITED'])
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

describe('guessing', () => {
  const config = { rateLimitPerSecond: 20_000, authFailuresPerSecond: 100 }
  const valid = newTenantKey()
  const read = { id: 'read', tier: 'public', credential: 'tenant-key' } as Operation
  const post = { id: 'post', tier: 'public', credential: 'tenant' } as Operation
  const administer = { id: 'administer', tier: 'admin', credential: 'tier' } as Operation

  /** The real credentials on a database that counts what it is asked. */
  function open() {
    let now = 0
    const asked = { queries: 0, names: 0 }
    const db = {
      engineQuery: async (text: string, values?: [(string | Buffer)[]]) => {
        asked.queries++
        if (values === undefined) return { rows: [{ generation: 1 }], rowCount: 1 }
        const [names] = values
        asked.names += names.length
        const owner = { tenant_id: 'ten', key_id: 'key', requests_per_second: null, expires_in_ms: null }
        const mine = names.filter(hash => text.includes('tenant_keys') && sha256(valid).equals(hash as Buffer))
        return { rows: mine.map(hash => ({ ...owner, key_hash: hash })), rowCount: mine.length }
      },
    } as unknown as Database
    const clock = { now: () => new Date(0), monotonicMs: () => now }
    const directory = createDirectory({ db, clock, hints: { subscribe: () => () => undefined } })
    const tierKeys = createTierKeys({ admin: ['an-admin-key-of-some-length'], internals: [] })
    const gate = createGate({ clock, config, authenticate: createAuthenticator({ directory, tierKeys, publicAuth: 'id' }) })
    const reply = { header: () => reply } as unknown as FastifyReply
    const present = (wanted: Operation, headers: Record<string, string>, ip = '1.1.1.1') =>
      new Promise<string>(resolve => {
        const request = { ip, headers } as unknown as FastifyRequest
        gate.admit(wanted, request, reply, error => resolve(isAppError(error) ? error.code : 'passed'))
      })
    return { asked, present, wait: (ms: number) => (now += ms) }
  }

  it.each([
    ['keys', read, () => ({ 'x-tenant-api-key': newTenantKey() })],
    ['tenant ids', post, () => ({ 'x-tenant-id': newTenantId() })],
    ['tenant keys on the admin tier', administer, () => ({ authorization: `Bearer ${newTenantKey()}` })],
  ] as const)('%s costs no query any more once an address has failed too often', async (_what, operation, guess) => {
    const { asked, present, wait } = open()
    await times(100, () => present(operation, guess()))
    expect(asked.names).toBe(100)
    expect(new Set(await times(1000, () => present(operation, guess())))).toEqual(new Set(['RATE_LIMITED']))
    expect(asked.names).toBe(100)
    expect(await present(operation, guess(), '2.2.2.2')).not.toBe('RATE_LIMITED')
    wait(1000)
    expect(await present(operation, guess())).not.toBe('RATE_LIMITED')
  })

  it('thousands of keys at once costs a handful of queries', async () => {
    const { asked, present } = open()
    await times(2000, () => present(read, { 'x-tenant-api-key': newTenantKey() }))
    expect(asked.queries).toBeLessThan(10)
  })

  it('one key again and again costs a query for each moment that passes, and is looked up twice', async () => {
    const { asked, present, wait } = open()
    for (let n = 0; n < 100; n++) {
      expect(new Set(await times(10, () => present(read, { 'x-tenant-api-key': valid })))).toEqual(new Set(['passed']))
      wait(400)
    }
    expect(asked.names).toBe(2)
    expect(asked.queries).toBeLessThan(105)
  })

  it('does not shut out a key that was good before, from the same address', async () => {
    const { present, wait } = open()
    expect(await present(read, { 'x-tenant-api-key': valid })).toBe('passed')
    wait(60_000)
    await times(200, () => present(read, { 'x-tenant-api-key': newTenantKey() }))
    expect(await present(read, { 'x-tenant-api-key': valid })).toBe('passed')
  })

  it('the same wrong key again and again is looked up once', async () => {
    const { asked, present } = open()
    const wrong = newTenantKey()
    for (let n = 0; n < 50; n++) expect(await present(read, { 'x-tenant-api-key': wrong })).toBe('TENANT_KEY_INVALID')
    expect(asked.names).toBe(1)
  })
})
