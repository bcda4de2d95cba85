import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createShares, type Holder } from './shares.js'

const holder = (tenant: string, key = `${tenant}-key`): Holder => ({ tenant, key })

function takeAll(shares: ReturnType<typeof createShares>, who: Holder): number {
  let taken = 0
  for (; shares.ask(who, 1) === 'free'; taken++) shares.take(who, 1)
  return taken
}

describe('shares', () => {
  it('give one key two thirds, and leave something to another key of its tenant and more to another tenant', () => {
    const shares = createShares(900)
    expect(takeAll(shares, holder('a', 'one'))).toBe(600)
    expect(shares.ask(holder('a', 'one'), 1)).toBe('over')
    expect(takeAll(shares, holder('a', 'two'))).toBeGreaterThan(90)
    expect(takeAll(shares, holder('b'))).toBeGreaterThan(60)
  })

  it('leave room for whoever comes new, however many hold their share', () => {
    const shares = createShares(20_000)
    for (let n = 0; n < 20; n++) takeAll(shares, holder(`greedy ${n}`))
    expect(takeAll(shares, holder('new'))).toBeGreaterThan(50)
  })

  it('let everybody have one thing while there is room, however large', () => {
    const shares = createShares(10)
    expect(shares.ask(holder('a'), 10)).toBe('free')
    expect(shares.ask(holder('a'), 11)).toBe('full')
  })

  it('give back all that was taken', () => {
    const shares = createShares(30)
    const taken = takeAll(shares, holder('a'))
    shares.give(holder('a'), taken)
    expect(shares.used()).toBe(0)
    expect(takeAll(shares, holder('a'))).toBe(taken)
  })

  it('never give out more than there is', () => {
    const asks = fc.array(
      fc.record({ tenant: fc.constantFrom('a', 'b', 'c'), key: fc.constantFrom('1', '2'), amount: fc.integer({ min: 1, max: 40 }) }),
    )
    fc.assert(
      fc.property(asks, wanted => {
        const shares = createShares(100)
        for (const { amount, ...who } of wanted) if (shares.ask(who, amount) === 'free') shares.take(who, amount)
        return shares.used() <= 100
      }),
    )
  })
})
