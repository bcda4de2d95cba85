import { describe, expect, it } from 'vitest'
import { createFaultInjector, type FaultKind, faultKinds, parseFaults } from './faults.js'

describe('the setting', () => {
  it('names a seed, a rate and kinds', () => {
    expect(parseFaults('seed=7,rate=0.02')).toEqual({ seed: 7, rate: 0.02, kinds: ['fail', 'collide', 'delay', 'lose'] })
    expect(parseFaults('seed=7, rate=1, kinds=lose+crash')).toEqual({ seed: 7, rate: 1, kinds: ['lose', 'crash'] })
  })

  it('may ask for poisoned documents, alone or besides', () => {
    expect(parseFaults('poison')).toBeNull()
    expect(parseFaults('poison,seed=1,rate=0')).toMatchObject({ seed: 1, rate: 0 })
  })

  it.each(['', 'seed=7', 'rate=0.1', 'seed=-1,rate=0.1', 'seed=1,rate=2', 'seed=1,rate=0.1,kinds=explode', 'seed=1,rate=0.1,more=1'])(
    'refuses %j',
    text => {
      expect(parseFaults(text)).toBeUndefined()
    },
  )
})

describe('the injector', () => {
  const sequence = (seed: number) => {
    const injector = createFaultInjector({ seed, rate: 0.3, kinds: faultKinds })
    return Array.from({ length: 200 }, () => injector.at(faultKinds))
  }

  it('repeats itself for the same seed and differs for another', () => {
    expect(sequence(7)).toEqual(sequence(7))
    expect(sequence(7)).not.toEqual(sequence(8))
  })

  it('keeps about its rate and gives only what is possible', () => {
    const injector = createFaultInjector({ seed: 1, rate: 0.1, kinds: ['fail', 'lose'] })
    const faults = Array.from({ length: 5000 }, () => injector.at(['fail', 'delay'])).filter((fault): fault is FaultKind => fault !== null)
    expect(new Set(faults)).toEqual(new Set(['fail']))
    expect(faults.length).toBeGreaterThan(350)
    expect(faults.length).toBeLessThan(650)
    expect(injector.counts().fail).toBe(faults.length)
  })
})
