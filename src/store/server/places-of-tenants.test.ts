import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createPlacesOfTenants, placesOf } from './places-of-tenants.js'

/** Work that goes on until it is told to end. */
function setUp(options: Partial<Parameters<typeof createPlacesOfTenants>[0]> = {}) {
  const within = createPlacesOfTenants({ connections: 4, patienceMs: 60_000, ...options })
  const running: string[] = []
  const ends = new Map<string, () => void>()
  const start = (tenantId: string, name: string) =>
    within(tenantId, async () => {
      running.push(name)
      await new Promise<void>(resolve => ends.set(name, resolve))
      running.splice(running.indexOf(name), 1)
      return name
    })
  const end = (name: string) => ends.get(name)?.()
  return { start, running, end }
}

describe('places of a tenant', () => {
  it('are three quarters of the connections, and all where there are next to none', () => {
    expect([1, 2, 3, 4, 6, 8, 40].map(placesOf)).toEqual([1, 2, 2, 3, 4, 6, 30])
  })

  it('leave the others theirs, and go on in the order of coming', async () => {
    const { start, running, end } = setUp()
    const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map(name => start('a', name))
    const other = start('b', 'b1')
    await turn()
    expect(running).toEqual(['a1', 'a2', 'a3', 'b1'])
    end('a2')
    await turn()
    expect(running).toEqual(['a1', 'a3', 'b1', 'a4'])
    for (const name of ['a1', 'a3', 'a4', 'b1']) end(name)
    await turn()
    end('a5')
    expect(await Promise.all([...all, other])).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'b1'])
  })

  it('are waited for as long as for a connection, and whoever gave up takes none', async () => {
    const { start, running, end } = setUp({ connections: 1, patienceMs: 20 })
    const first = start('a', 'a1')
    await expect(start('a', 'a2')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    end('a1')
    await first
    const third = start('a', 'a3')
    await turn()
    expect(running).toEqual(['a3'])
    end('a3')
    expect(await third).toBe('a3')
  })

  it('are free again after work that failed', async () => {
    const within = createPlacesOfTenants({ connections: 1, patienceMs: 60_000 })
    await expect(within('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await within('a', async () => 'done')).toBe('done')
  })
})
