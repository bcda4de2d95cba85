import { describe, expect, it, vi } from 'vitest'
import { accountOf, FairTurns } from '../threads/fair-turns.js'
import { inTurn } from './file-turns.js'

const settled = () => new Promise(resolve => setImmediate(resolve))

function world() {
  let nowMs = 0
  const turns = new FairTurns(1, { now: () => nowMs, hasExpress: false })
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    ask: (name: string, { mayBegin = async () => true, signal = new AbortController().signal } = {}) => {
      const account = accountOf({ tenantId: name.slice(0, 1), weight: 1 })
      return inTurn(turns, { account, mayBegin, signal }, () => {
        begun.push(name)
        return new Promise<string>(resolve => ends.push(() => resolve(name)))
      })
    },
    /** The file in hand is read. */
    async end(ms: number) {
      await settled()
      nowMs += ms
      ends.shift()?.()
      await settled()
    },
  }
}

describe('files that wait for their turn', () => {
  it('are read one at a time, those of a tenant with one before the second of a tenant with many', async () => {
    const { begun, ask, end } = world()
    const reads = ['a1', 'a2', 'a3', 'b1'].map(name => ask(name))
    for (let n = 1; n <= 4; n++) {
      await settled()
      expect(begun).toHaveLength(n)
      await end(1000)
    }
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3'])
    expect(await Promise.all(reads)).toEqual(['a1', 'a2', 'a3', 'b1'])
  })

  it('do not begin where they no longer may when their turn comes', async () => {
    const { begun, ask, end } = world()
    let may = true
    void ask('a1')
    const [paused, next] = [ask('b1', { mayBegin: async () => may }), ask('c1')]
    may = false
    await end(10)
    expect(await paused).toBeNull()
    expect(begun).toEqual(['a1', 'c1'])
    await end(10)
    expect(await next).toBe('c1')
  })

  it('look whether they may go on, by which their worker is seen to live; one that is read does not', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const { begun, ask } = world()
      const looks = { reading: 0, waiting: 0 }
      const counted = (which: keyof typeof looks) => async () => ++looks[which] > 0
      void ask('a1', { mayBegin: counted('reading') })
      void ask('b1', { mayBegin: counted('waiting') })
      await settled()
      expect(begun).toEqual(['a1'])
      await vi.advanceTimersByTimeAsync(400_000)
      expect(looks.reading).toBe(1)
      expect(looks.waiting).toBeGreaterThan(1000)
    } finally {
      vi.useRealTimers()
    }
  })

  it('leave the line when they are paused or stopped', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const { begun, ask } = world()
      let may = true
      const stop = new AbortController()
      void ask('a1')
      const [paused, stopped] = [ask('b1', { mayBegin: async () => may }), ask('c1', { signal: stop.signal })]
      stop.abort(new Error('stopped'))
      await expect(stopped).rejects.toThrow('stopped')
      may = false
      await vi.advanceTimersByTimeAsync(200)
      expect(await paused).toBeNull()
      expect(begun).toEqual(['a1'])
    } finally {
      vi.useRealTimers()
    }
  })
})
