import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SetDigest } from './set-digest.js'

function digestOf(members: Iterable<string>): SetDigest {
  const digest = new SetDigest()
  for (const member of members) digest.add(member)
  return digest
}

describe('the digest of a set', () => {
  it('is the same whatever order members came and went in', () => {
    const sets = fc.uniqueArray(fc.string({ unit: 'binary' }), { maxLength: 12 })
    fc.assert(
      fc.property(sets, sets, (kept, others) => {
        const passing = others.filter(each => !kept.includes(each))
        const digest = digestOf([...passing, ...kept].reverse())
        for (const member of passing) digest.remove(member)
        expect(digest.hex()).toBe(digestOf(kept).hex())
      }),
      { numRuns: 30 },
    )
  })

  it('is another one for every other set', () => {
    const sets = [[], ['a'], ['b'], ['a', 'b'], ['ab'], ['a', 'a']]
    expect(new Set(sets.map(each => digestOf(each).hex())).size).toBe(sets.length)
  })

  it('goes on from its bytes', () => {
    const kept = new SetDigest(digestOf(['a', 'b']).toBytes())
    kept.remove('a')
    kept.add('c')
    expect(kept.hex()).toBe(digestOf(['c', 'b']).hex())
    expect(() => new SetDigest(Buffer.alloc(12))).toThrow('2048 bytes')
  })

  it('stays what certificates on record say', () => {
    expect(digestOf(['a', 'b']).hex()).toBe('c127afb2a20a4716b793cc41baa97fa3d5eaa9336330c26ed0e1b6d366ed27a0')
  })
})
