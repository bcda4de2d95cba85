import { describe, expect, it } from 'vitest'
import { canonicalJson, digest, sha256 } from './canonical.js'

describe('canonical JSON', () => {
  it('does not depend on the order members were written in', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'é' }], a: 1e21 })).toBe('{"a":1e+21,"b":[1,{"c":"é","d":null}]}')
    expect(digest({ a: 1, b: 2 })).toBe(digest({ b: 2, a: 1 }))
  })

  it('refuses what JSON cannot carry', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, undefined, '\ud800']) expect(() => canonicalJson(value)).toThrow()
  })

  it('hashes to lower-case hex', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
