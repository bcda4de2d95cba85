import { expect, it } from 'vitest'
import { extractZip } from './archive.js'

/** An archive that says at its end how many files it has, and how long their list is. */
function ending(count: number, size: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32BE(0x504b0506, 0)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  return Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), end])
}

it.each([
  ['more files than are listed', 20_001, 1_000_000, 'TOO_COMPLEX'],
  ['as many as take another kind of directory', 0xffff, 0xffffffff, 'TOO_COMPLEX'],
  ['a list that is not there', 20_000, 1_000_000, 'BROKEN'],
])('tells an archive of too many files from one that is damaged: %s', (_, count, size, code) => {
  expect(() => extractZip(ending(count, size), { maxChars: 1000, maxUnpackedBytes: 1000 })).toThrow(expect.objectContaining({ code }))
})
