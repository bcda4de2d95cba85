import { expect, it } from 'vitest'
import { roomFor } from './mail-parts.js'

const mib = 1024 * 1024

it('lets a mail or an archive bring so many documents and so many bytes, all within it together', () => {
  const parts = [{ bytes: 40 * mib }, { bytes: 20 * mib }, { bytes: 20 * mib }, { bytes: 1 }]
  expect(roomFor(parts, { documents: 1, bytes: 1 })).toBe(2)
  expect(roomFor(parts, { documents: 99, bytes: 0 })).toBe(1)
  expect(roomFor(parts, { documents: 100, bytes: 0 })).toBe(0)
  expect(roomFor(parts.slice(1), { documents: 0, bytes: 0 })).toBe(3)
})
