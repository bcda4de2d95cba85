import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../platform/errors.js'
import { findUnstorable, parseJson, readBody } from './json-body.js'

const parse = (text: string) => parseJson(Buffer.from(text))

describe('parseJson', () => {
  it('gives what JSON.parse gives for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), value => {
        fc.pre(!JSON.stringify(value).includes('__proto__'))
        expect(parse(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('refuses a repeated member name at any depth, also when it is written differently', () => {
    expect(() => parse('{"a":1,"a":2}')).toThrow(/repeated/)
    expect(() => parse('{"x":[{"a":1,"\\u0061":2}]}')).toThrow(/repeated/)
  })

  it('is not misled by braces, colons and quotes inside strings', () => {
    expect(parse('{"a":"{\\"b\\":1,\\"b\\":2}\\\\","c":":"}')).toEqual({ a: '{"b":1,"b":2}\\', c: ':' })
  })

  it('refuses __proto__, invalid UTF-8, broken JSON and endless nesting', () => {
    expect(() => parse('{"__proto__":{}}')).toThrow(/reserved/)
    expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(/UTF-8/)
    expect(() => parse('{"a":')).toThrow(/not valid JSON/)
    expect(() => parse('['.repeat(65) + ']'.repeat(65))).toThrow(/deeper/)
    expect(() => parse('\ufeff\ufeff{}')).toThrow(/not valid JSON/)
  })

  it('takes no byte order mark for a part of the value', () => {
    expect(parse('\ufeff{}')).toEqual({})
  })

  it('never quotes the body in a refusal', () => {
    expect(() => parse('{"text": "secret words" oops}')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('secret') }),
    )
  })
})

describe('findUnstorable', () => {
  it('points at NUL characters and lone surrogates', () => {
    expect(findUnstorable({ a: ['x', 'y\u0000'], 'b/c': '\ud800' })).toEqual([
      { pointer: '/a/1', detail: 'must not contain NUL characters' },
      { pointer: '/b~1c', detail: 'must not contain lone surrogates' },
    ])
    expect(findUnstorable({ ok: '😀', '\udc00': 1 })).toHaveLength(1)
  })
})

describe('readBody', () => {
  const message = (chunks: Buffer[]) => Readable.from(chunks) as unknown as IncomingMessage

  const arrive = () => undefined

  it('reads up to the limit and refuses one byte more', async () => {
    const limits = { limitBytes: 10, arrive }
    expect((await readBody(message([Buffer.alloc(6), Buffer.alloc(4)]), limits)).length).toBe(10)
    await expect(readBody(message([Buffer.alloc(6), Buffer.alloc(5)]), limits)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  })

  it('puts pieces of every length together in order', async () => {
    const lengths = [1, 1, 5000, 3, 4095, 4096, 1, ...Array.from({ length: 9000 }, () => 1), 16_384, 2]
    const chunks = lengths.map((length, n) => Buffer.alloc(length, n % 251))
    expect((await readBody(message(chunks), { limitBytes: 1e6, arrive })).equals(Buffer.concat(chunks))).toBe(true)
  })

  it('is refused as soon as there is no room, and reads the rest to its end', async () => {
    let asked = 0
    const stream = message([Buffer.alloc(6), Buffer.alloc(6), Buffer.alloc(6)])
    const full = () => {
      if (++asked === 2) throw new AppError('OVERLOADED')
    }
    const ended = once(stream, 'end')
    await expect(readBody(stream, { limitBytes: 100, arrive: full })).rejects.toMatchObject({ code: 'OVERLOADED' })
    await ended
    expect(asked).toBe(2)
  })
})
