import { describe, expect, it } from 'vitest'
import { type Account, accountOf, FairTurns, type Turn } from './fair-turns.js'

const settled = () => new Promise(resolve => setImmediate(resolve))

function world(threads: number, options: ConstructorParameters<typeof FairTurns>[1] = {}) {
  let nowMs = 0
  const turns = new FairTurns(threads, { ...options, now: () => nowMs })
  const begun: { by: string; turn: Turn }[] = []
  const account = (tenantId: string, weight = 1): Account => accountOf({ tenantId, weight })
  return {
    begun,
    account,
    ask: (to: Account, how: { isPlanning?: boolean; isShort?: boolean; signal?: AbortSignal; preferred?: number } = {}) =>
      turns.take({ account: to, isPlanning: false, isShort: false, signal: new AbortController().signal, ...how }).then(turn => {
        begun.push({ by: to.tenantId, turn })
      }),
    /** Ends the task that began so many before now. */
    async end(index: number, ms: number) {
      await settled()
      nowMs += ms
      begun[index]?.turn.leave()
      await settled()
    },
  }
}

describe('turns of threads', () => {
  it('say on whose behalf they are waited for, until they come or nobody wants them', async () => {
    const { ask, account, end } = world(1)
    const [first, second, stopped] = [account('first'), account('second'), account('stopped')]
    const stop = new AbortController()
    void ask(first)
    void ask(second)
    const refused = ask(stopped, { signal: stop.signal }).catch(() => undefined)
    expect([first, second, stopped].map(({ waits }) => waits.count)).toEqual([0, 1, 1])
    stop.abort()
    await refused
    await end(0, 10)
    expect([first, second, stopped].map(({ waits }) => waits.count)).toEqual([0, 0, 0])
  })

  it('go to another tenant before the second of the many tasks of one', async () => {
    const { ask, account, begun, end } = world(1)
    const [many, one] = [account('many'), account('one')]
    for (let n = 0; n < 32; n++) void ask(many)
    void ask(one)
    await end(0, 1000)
    expect(begun.map(({ by }) => by)).toEqual(['many', 'one'])
  })

  it('are charged by time, not by number', async () => {
    const { ask, account, begun, end } = world(1)
    const [long, short] = [account('long'), account('short')]
    for (let n = 0; n < 4; n++) void ask(long)
    for (let n = 0; n < 12; n++) void ask(short)
    await end(0, 1000)
    for (let n = 1; n <= 9; n++) await end(n, 100)
    expect(begun.slice(1, 11).every(({ by }) => by === 'short')).toBe(true)
    expect([long.usedMs, short.usedMs]).toEqual([1000, 900])
  })

  it('follow weights', async () => {
    const { ask, account, begun, end } = world(1)
    for (let n = 0; n < 40; n++) void Promise.all([ask(account('plain')), ask(account('weighty', 3))])
    for (let n = 0; n < 40; n++) await end(n, 100)
    expect(begun.slice(0, 40).filter(({ by }) => by === 'weighty').length).toBeGreaterThanOrEqual(28)
  })

  it('let planning of a tenant go before its reading', async () => {
    const { ask, account, begun, end } = world(1)
    const tenant = account('tenant')
    void ask(tenant)
    void ask(tenant, { isShort: false })
    const planned = ask(tenant, { isPlanning: true })
    await end(0, 10)
    await planned
    expect(begun).toHaveLength(2)
  })

  it('have an express thread for short tasks while all others are busy', async () => {
    const { ask, account, begun, end } = world(2)
    const long = account('long')
    for (let n = 0; n < 5; n++) void ask(long)
    await ask(account('short'), { isShort: true })
    expect(begun.map(({ turn }) => turn.thread)).toEqual([0, 1, 2])
    await end(2, 5)
    expect(begun).toHaveLength(3)
  })

  it('leave threads to others where a tenant may have only so many', async () => {
    const { begun, ask, account, end } = world(3, { hasExpress: false, mostPerTenant: 1 })
    const [a, b, c] = [account('a'), account('b'), account('c')]
    for (const each of [a, a, a, b, b, c]) void ask(each)
    await settled()
    expect(begun.map(({ by }) => by)).toEqual(['a', 'b', 'c'])
    await end(1, 1000)
    await end(0, 5000)
    await end(2, 1000)
    expect(begun.map(({ by }) => by)).toEqual(['a', 'b', 'c', 'b', 'a'])
    await end(4, 1000)
    expect(begun.map(({ by }) => by)).toEqual(['a', 'b', 'c', 'b', 'a', 'a'])
  })

  it('take nothing from those behind one that gives up', async () => {
    const { ask, account, begun, end } = world(1)
    const leaving = new AbortController()
    void ask(account('a'))
    const given = ask(account('b'), { signal: leaving.signal })
    void ask(account('c'))
    leaving.abort(new Error('over'))
    await expect(given).rejects.toThrow('over')
    await end(0, 1)
    expect(begun.map(({ by }) => by)).toEqual(['a', 'c'])
  })
})
