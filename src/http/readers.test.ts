import { describe, expect, it } from 'vitest'
import { createReaders, type Readers } from './readers.js'

const caller = (tenantId: string, credential = `${tenantId}-key`) => ({ tenantId, credential })

function enterAll(readers: Readers, who: ReturnType<typeof caller>): { left: (() => void)[]; code: string } {
  const left: (() => void)[] = []
  for (;;) {
    try {
      left.push(readers.enter(who))
    } catch (error) {
      return { left, code: (error as { code: string }).code }
    }
  }
}

describe('readers', () => {
  it('of one tenant cannot lock out others: it is told 429 at its share', () => {
    const readers = createReaders({ most: 600, areScarce: () => false })
    expect(enterAll(readers, caller('a'))).toMatchObject({ left: { length: 400 }, code: 'RATE_LIMITED' })
    expect(enterAll(readers, caller('a', 'second key')).left.length).toBeGreaterThan(10)
    expect(enterAll(readers, caller('b')).left.length).toBeGreaterThan(40)
  })

  it('leave their place once', () => {
    const readers = createReaders({ most: 3, areScarce: () => false })
    const [leave] = enterAll(readers, caller('a')).left
    leave?.()
    leave?.()
    expect(readers.count()).toBe(enterAll(createReaders({ most: 3, areScarce: () => false }), caller('a')).left.length - 1)
  })

  it('are not let in while connections are scarce', () => {
    const readers = createReaders({ most: 600, areScarce: () => true })
    expect(enterAll(readers, caller('a'))).toMatchObject({ left: [], code: 'OVERLOADED' })
  })
})
