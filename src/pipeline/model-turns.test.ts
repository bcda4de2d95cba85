import { describe, expect, it } from 'vitest'
import { createModelTurns, turnWaitMs } from './model-turns.js'

const scope = (tenantId: string, scopeNo = 1) => ({ tenantId, scopeNo })

describe('turns at the model', () => {
  it('keep a place that comes free for who was turned away', () => {
    let ms = 0
    const turns = createModelTurns({ places: 1, now: () => ms })
    const first = turns.begin(scope('many'))
    expect(first?.isWanted()).toBe(false)
    expect(turns.begin(scope('single'))).toBeNull()
    expect(first?.isWanted()).toBe(true)
    first?.end()
    ms += turnWaitMs / 2
    expect(turns.begin(scope('many'))).toBeNull()
    expect(turns.begin(scope('single'))).not.toBeNull()
  })

  it('are not kept for ever', () => {
    let ms = 0
    const turns = createModelTurns({ places: 1, now: () => ms })
    const first = turns.begin(scope('many'))
    turns.begin(scope('gone'))
    first?.end()
    ms += 10 * turnWaitMs
    expect(turns.begin(scope('many'))).not.toBeNull()
  })

  it('go to the tenant served longest ago, however many scopes another has in line', () => {
    const turns = createModelTurns({ places: 1, now: () => 0 })
    const first = turns.begin(scope('large', 1))
    for (let scopeNo = 2; scopeNo < 50; scopeNo++) expect(turns.begin(scope('large', scopeNo))).toBeNull()
    expect(turns.begin(scope('small'))).toBeNull()
    first?.end()
    expect(turns.begin(scope('large', 2))).toBeNull()
    const small = turns.begin(scope('small'))
    expect(small).not.toBeNull()
    small?.end()
    expect(turns.begin(scope('large', 3))).toBeNull()
    expect(turns.begin(scope('large', 2))).not.toBeNull()
  })

  it('are as many at a time as there are places', () => {
    const turns = createModelTurns({ places: 3, now: () => 0 })
    expect([1, 2, 3, 4].map(scopeNo => turns.begin(scope('one', scopeNo)) !== null)).toEqual([true, true, true, false])
  })
})
