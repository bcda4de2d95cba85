import { describe, expect, it } from 'vitest'
import { partOf, zipOf } from './zip-archive.js'

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const chunk of chunks) pieces.push(chunk)
  return Buffer.concat(pieces)
}

const archive = () =>
  zipOf([partOf('a.txt', Buffer.from('123456789')), partOf('für/b.txt', Buffer.alloc(70_000, 7)), partOf('empty', Buffer.alloc(0))])

describe('an archive', () => {
  it('is as long as it says, and lists its parts with their sums', async () => {
    const whole = await bytesOf(archive().chunks())
    expect(whole.length).toBe(archive().bytes)
    const listing = whole.readUInt32LE(whole.length - 6)
    expect(whole.readUInt32LE(listing)).toBe(0x02014b50)
    // The sum every description of CRC-32 gives for these digits.
    expect(whole.readUInt32LE(listing + 16)).toBe(0xcbf43926)
    expect(whole.readUInt16LE(whole.length - 12)).toBe(3)
  })

  it('says it was made on Unix, with rights, so that nobody recodes the names', async () => {
    const whole = await bytesOf(archive().chunks())
    const names = ['a.txt', 'für/b.txt', 'empty']
    let at = whole.readUInt32LE(whole.length - 6)
    for (const name of names) {
      const bytes = Buffer.from(name)
      expect([whole.readUInt16LE(at + 4), whole.readUInt16LE(at + 8) & 0x0800, whole.readUInt32LE(at + 38)]).toEqual([
        0x0314, 0x0800, 0x81a40000,
      ])
      expect(whole.subarray(at + 46, at + 46 + bytes.length)).toEqual(bytes)
      at += 46 + bytes.length
    }
  })

  it('is the same from whichever byte it is read', async () => {
    const whole = await bytesOf(archive().chunks())
    const places = [0, 1, 29, 35, 44, 60, 5000, whole.length - 30, whole.length - 1]
    for (const first of places) {
      for (const last of [first, Math.min(first + 40, whole.length - 1), whole.length - 1]) {
        expect((await bytesOf(archive().chunks({ first, last }))).equals(whole.subarray(first, last + 1)), `${first}-${last}`).toBe(true)
      }
    }
  })

  it('reads each part once when it is given out whole', async () => {
    let reads = 0
    const counted = partOf('a.txt', Buffer.from('123456789'))
    const { read } = counted
    const part = {
      ...counted,
      read(range: Parameters<typeof read>[0]) {
        reads++
        return read(range)
      },
    }
    expect((await bytesOf(zipOf([part]).chunks())).equals(await bytesOf(zipOf([counted]).chunks()))).toBe(true)
    expect(reads).toBe(1)
  })

  it('that is too large for the format is not begun', () => {
    const huge = { ...partOf('x', Buffer.alloc(0)), bytes: 2 ** 32 }
    expect(() => zipOf([huge])).toThrow(RangeError)
  })
})
