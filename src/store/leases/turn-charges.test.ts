import { describe, expect, it } from 'vitest'
import { createLogger } from '../../platform/logger.js'
import { chargesAtOnce, createTurnCharges } from './turn-charges.js'

/** Charges that are written when the test says so, or fail. */
function world() {
  const written: [tenantId: unknown, ms: unknown][] = []
  const ends: ((error?: Error) => void)[] = []
  const engineQuery = async (_sql: string, values: readonly unknown[] = []) => {
    written.push([values[0], values[1]])
    await new Promise<void>((resolve, reject) => {
      ends.push(error => (error ? reject(error) : resolve()))
    })
    return { rows: [], rowCount: 1 }
  }
  const charges = createTurnCharges({ db: { engineQuery }, logger: createLogger({ level: 'silent' }) })
  return { charges, written, end: (error?: Error) => ends.shift()?.(error) }
}

describe('charges of a tenant', () => {
  it('are written one at a time, and what comes meanwhile with the next', async () => {
    const { charges, written, end } = world()
    const first = charges.charge('ten_a', 5)
    const others = [1, 2, 3].map(ms => charges.charge('ten_a', ms))
    void charges.charge('ten_b', 9)
    expect(written).toEqual([
      ['ten_a', 5],
      ['ten_b', 9],
    ])
    end()
    await first
    await expect.poll(() => written.slice(2)).toEqual([['ten_a', 6]])
    end()
    end()
    await Promise.all(others)
    await charges.close()
    void charges.charge('ten_a', 7)
    expect(written.slice(3)).toEqual([['ten_a', 7]])
  })

  it('go on behind one that failed', async () => {
    const { charges, written, end } = world()
    const first = charges.charge('ten_a', 5)
    const second = charges.charge('ten_a', 1)
    end(new Error('away'))
    await first
    await expect.poll(() => written).toHaveLength(2)
    end()
    await second
    expect(written[1]).toEqual(['ten_a', 1])
  })

  it('are waited for at the end, those that were not begun as well, but not for ever', async () => {
    const { charges, written, end } = world()
    void charges.charge('ten_a', 5)
    void charges.charge('ten_a', 1)
    await charges.close(1)
    expect(written).toEqual([['ten_a', 5]])
    const closed = charges.close(60_000)
    end()
    await expect.poll(() => written).toHaveLength(2)
    end()
    await closed
    expect(written[1]).toEqual(['ten_a', 1])
  })
})

it('take a third of the connections at most, two however many there are', () => {
  expect([2, 3, 5, 6, 20].map(chargesAtOnce)).toEqual([1, 1, 1, 2, 2])
})
