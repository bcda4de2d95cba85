import { expect, it } from 'vitest'
import { readsKeptBetween } from './reads-kept.js'

const day = (n: number) => `2026-03-0${n}T00:00:00.000Z`
const kept = (n: number, reads: 'all' | 'people' | 'off' | null) => ({ since: day(n), reads })

it.each([
  ['from before it was found', [kept(1, 'people')], 'people'],
  ['everybody’s', [kept(1, 'all')], 'all'],
  ['everybody’s, then those of people', [kept(1, 'all'), kept(4, 'people')], 'people'],
  ['none', [kept(1, 'off')], 'none'],
  ['before anything was noted', [], 'none'],
  ['since after it was found', [kept(4, 'people')], 'part'],
  ['not any more', [kept(1, 'people'), kept(4, 'off')], 'part'],
  ['not before it was found', [kept(1, 'off'), kept(2, 'people')], 'people'],
  ['not after the moment that is asked about', [kept(1, 'people'), kept(6, 'off')], 'people'],
  ['in a log that was cut since', [kept(1, 'people'), kept(4, null)], 'part'],
  ['in a log that was cut behind that moment', [kept(1, 'people'), kept(7, null)], 'none'],
  ['in a log that was cut before', [kept(1, 'people'), kept(2, null)], 'people'],
] as const)('says whose reads were kept between two days: %s', (_, rows, expected) => {
  expect(readsKeptBetween(rows, { from: day(3), to: day(5) })).toBe(expected)
})

it('goes up to now where no moment is given', () => {
  expect(readsKeptBetween([kept(1, 'people'), kept(6, 'off')], { from: day(3), to: null })).toBe('part')
})
