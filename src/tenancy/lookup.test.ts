import { describe, expect, it } from 'vitest'
import { createLookup } from './lookup.js'

function setUp() {
  let now = 1000
  const asked: string[][] = []
  const held: (() => void)[] = []
  let holding = false
  const existing = new Set(['a', 'b'])
  const lookup = createLookup<string>({
    clock: { now: () => new Date(0), monotonicMs: () => now },
    ask: async names => {
      asked.push(names)
      const answer = new Map(names.filter(name => existing.has(name)).map(name => [name, `owner of ${name}`]))
      if (holding) await new Promise<void>(resolve => held.push(resolve))
      return answer
    },
  })
  return {
    lookup,
    asked,
    existing,
    pass: (ms: number) => (now += ms),
    hold: () => (holding = true),
    release: () => {
      holding = false
      for (const go of held.splice(0)) go()
    },
  }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

describe('a lookup', () => {
  it('asks for names that come in together with one query', async () => {
    const { lookup, asked } = setUp()
    const answers = await Promise.all(['a', 'x', 'b', 'a'].map(name => lookup.find(name)))
    expect(answers).toEqual(['owner of a', undefined, 'owner of b', 'owner of a'])
    expect(asked).toEqual([['a', 'x', 'b']])
  })

  it('keeps a few queries running at once, and puts the rest into the next', async () => {
    const { lookup, asked, hold, release } = setUp()
    hold()
    const answers: unknown[] = []
    for (let n = 0; n < 100; n++) {
      answers.push(lookup.find(`guess ${n}`))
      await turn()
    }
    expect(asked).toHaveLength(4)
    release()
    await Promise.all(answers)
    expect(asked.map(names => names.length)).toEqual([1, 1, 1, 1, 96])
  })

  it('remembers what it found for less than a second', async () => {
    const { lookup, asked, existing, pass } = setUp()
    await lookup.find('a')
    expect(lookup.find('a')).toBe('owner of a')
    existing.delete('a')
    pass(400)
    expect(await lookup.find('a')).toBeUndefined()
    expect(asked).toHaveLength(2)
  })

  it('remembers what it did not find', async () => {
    const { lookup, asked, pass } = setUp()
    await lookup.find('x')
    expect(lookup.find('x')).toBeUndefined()
    expect(asked).toHaveLength(1)
    pass(5000)
    await lookup.find('x')
    expect(asked).toHaveLength(2)
  })

  it('forgets at once when told, also what is on its way', async () => {
    const { lookup, asked, existing, hold, release } = setUp()
    hold()
    const before = [lookup.find('a'), lookup.find('x')]
    await turn()
    existing.delete('a')
    existing.add('x')
    lookup.forget()
    release()
    await Promise.all(before)
    expect(await lookup.find('a')).toBeUndefined()
    expect(await lookup.find('x')).toBe('owner of x')
    expect(asked).toHaveLength(3)
  })

  it('knows which names it found before, and no longer once they are gone', async () => {
    const { lookup, existing, pass } = setUp()
    await Promise.all([lookup.find('a'), lookup.find('x')])
    pass(60_000)
    expect([lookup.wasFound('a'), lookup.wasFound('x')]).toEqual([true, false])
    existing.delete('a')
    await lookup.find('a')
    expect(lookup.wasFound('a')).toBe(false)
  })

  it('does not take a failing question for a no', async () => {
    let fails = true
    const lookup = createLookup<string>({
      clock: { now: () => new Date(0), monotonicMs: () => 0 },
      ask: async names => {
        if (fails) throw new Error('away')
        return new Map(names.map(name => [name, name]))
      },
    })
    await expect(Promise.all([lookup.find('a'), lookup.find('b')])).rejects.toThrow('away')
    fails = false
    expect(await lookup.find('a')).toBe('a')
  })
})
