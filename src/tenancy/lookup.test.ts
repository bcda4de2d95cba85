import { describe, expect, it } from 'vitest'
import { createGeneration, createLookup } from './lookup.js'

function setUp() {
  let now = 1000
  const changes = { generation: 7, asked: 0 }
  const asked: string[][] = []
  const held: (() => void)[] = []
  let holding = false
  const existing = new Set(['a', 'b'])
  const clock = { now: () => new Date(0), monotonicMs: () => now }
  const generation = createGeneration({
    clock,
    read: async () => {
      changes.asked++
      return changes.generation
    },
  })
  const lookup = createLookup<string>({
    clock,
    generation,
    lastsMs: value => (value === 'owner of b' ? 1000 : Number.POSITIVE_INFINITY),
    ask: async names => {
      asked.push(names)
      const answer = new Map(names.filter(name => existing.has(name)).map(name => [name, `owner of ${name}`]))
      if (holding) await new Promise<void>(resolve => held.push(resolve))
      return answer
    },
  })
  return {
    lookup,
    generation,
    changes,
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

  it('remembers what it found as long as its generation lasts, and asks for that alone', async () => {
    const { lookup, generation, changes, asked, existing, pass } = setUp()
    await generation.confirm()
    await lookup.find('a')
    expect(lookup.find('a')).toBe('owner of a')
    for (let n = 0; n < 10; n++) {
      pass(400)
      expect(await Promise.all(['a', 'a', 'a'].map(name => lookup.find(name)))).toEqual(Array(3).fill('owner of a'))
      expect(lookup.find('a')).toBe('owner of a')
    }
    expect([asked.length, changes.asked]).toEqual([1, 11])
    existing.delete('a')
    changes.generation++
    pass(400)
    expect(await lookup.find('a')).toBeUndefined()
    expect(asked).toHaveLength(2)
  })

  it('asks again for what has expired, and after a minute for everything', async () => {
    const { lookup, generation, asked, pass } = setUp()
    await generation.confirm()
    await Promise.all([lookup.find('a'), lookup.find('b')])
    pass(1000)
    await Promise.all([lookup.find('a'), lookup.find('b')])
    expect(asked).toEqual([['a', 'b'], ['b']])
    pass(59_000)
    await lookup.find('a')
    expect(asked).toHaveLength(3)
  })

  it('believes nothing that was found before it was told of a change', async () => {
    const { lookup, generation, changes, existing } = setUp()
    await generation.confirm()
    await lookup.find('a')
    const before = generation.confirm()
    await Promise.resolve()
    existing.delete('a')
    changes.generation++
    generation.doubt()
    await before
    expect(generation.isFresh()).toBe(false)
    expect(await lookup.find('a')).toBeUndefined()
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

  it('forgets what was missing when told, also what is on its way', async () => {
    const { lookup, asked, existing, hold, release } = setUp()
    hold()
    const before = lookup.find('x')
    await turn()
    existing.add('x')
    lookup.forgetMissing()
    release()
    await before
    expect(await lookup.find('x')).toBe('owner of x')
    expect(asked).toHaveLength(2)
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
    const clock = { now: () => new Date(0), monotonicMs: () => 0 }
    const lookup = createLookup<string>({
      clock,
      generation: createGeneration({ clock, read: async () => 0 }),
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
