import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWellFormedTenantId, isWellFormedTenantKey, newId, newTenantId, newTenantKey, randomBase62, tenantKeyPrefix } from './ids.js'

describe('ids and keys', () => {
  it('have the shape that is promised', () => {
    expect(newTenantId()).toMatch(/^ten_[0-9A-Za-z]{22}$/)
    expect(newId('doc')).toMatch(/^doc_[0-9A-Za-z]{22}$/)
    expect(isWellFormedTenantId(newTenantId())).toBe(true)
    expect(newTenantKey()).toMatch(/^cnk_[0-9A-Za-z]{38}$/)
    expect(tenantKeyPrefix('cnk_12345678rest')).toBe('cnk_12345678')
  })

  it('do not repeat', () => {
    expect(new Set(Array.from({ length: 10_000 }, newTenantId)).size).toBe(10_000)
  })

  it('use every letter about equally often', () => {
    const counts = new Map<string, number>()
    for (const letter of randomBase62(62_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    expect(counts.size).toBe(62)
    // Expected 1,000 each with a deviation of 32; eight deviations do not happen by chance.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(256)
  })

  it('carry check characters that any change of one character breaks', () => {
    const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 41 }), fc.constantFrom(...letters), (at, letter) => {
        const key = newTenantKey()
        const changed = key.slice(0, at) + letter + key.slice(at + 1)
        return isWellFormedTenantKey(key) && isWellFormedTenantKey(changed) === (changed === key)
      }),
    )
  })

  it.each([
    '',
    'cnk_',
    'cnk_short',
    `cnk_${'é'.repeat(38)}`,
    `key_${'0'.repeat(38)}`,
    `${newTenantKey()}0`,
    ` ${newTenantKey()}`,
    `${newTenantKey()}\n`,
  ])('refuse %j as a key', value => {
    expect(isWellFormedTenantKey(value)).toBe(false)
  })

  it('are checked with the CRC-32 everyone knows', () => {
    // zlib's CRC-32 of thirty-two "0", in base62.
    expect(isWellFormedTenantKey(`cnk_${'0'.repeat(32)}2wjyrI`)).toBe(true)
  })
})
