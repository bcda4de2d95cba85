import { expect, it } from 'vitest'
import { addressOf, pageNear, passageAtAddress } from './passage-address'

it('leads to the passage it was made of, and to none that is not one', () => {
  const place = { revision: 2, start: 120, end: 164 }
  expect(passageAtAddress(addressOf(place))).toEqual(place)
  for (const none of [undefined, 'clm_abc', 'r0.1-2', 'r1.9-9', 'r1.10-9', 'r1.1-2x', 'r1.-1-2']) expect(passageAtAddress(none)).toBeNull()
})

it('stands on the page of the statement before it', () => {
  const claims = [
    { start: 300, page: 3 },
    { start: 10, page: 1 },
    { start: 100, page: 2 },
  ]
  expect(pageNear({ revision: 1, start: 150, end: 160 }, claims)).toBe(2)
  expect(pageNear({ revision: 1, start: 0, end: 5 }, claims)).toBe(3)
  expect(pageNear({ revision: 1, start: 0, end: 5 }, [{ start: 1, page: null }])).toBeNull()
})
