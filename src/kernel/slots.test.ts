import fc from 'fast-check'
import { expect, test } from 'vitest'
import { moveSlots, type SlotClaim, type SlotStanding } from './slots.js'

const claim = (claimId: string, slotKey: string, micros: number): SlotClaim => ({ claimId, slotKey, micros })

function standingsOf(claims: readonly SlotClaim[]): SlotStanding[] {
  const keys = [...new Set(claims.map(each => each.slotKey))]
  return keys.map(slotKey => {
    const own = claims.filter(each => each.slotKey === slotKey)
    return { slotKey, live: own.length, bestMicros: Math.max(...own.map(each => each.micros)), claims: own }
  })
}

const figuresOf = (claims: readonly SlotClaim[]) => {
  const standings = standingsOf(claims)
  return { claims: claims.length, slots: standings.length, best: standings.reduce((sum, slot) => sum + slot.bestMicros, 0) }
}

test('a new claim opens its slot, and the last one to end closes it', () => {
  const opened = moveSlots([], [claim('a', 'revenue', 800_000)], [])
  expect(opened).toMatchObject({ claimsLive: 1, slotsLive: 1, slotsAdded: 1, slotsDropped: 0, bestConfidenceMicros: 800_000 })
  const before = standingsOf([claim('a', 'revenue', 800_000)])
  expect(moveSlots(before, [], [claim('a', 'revenue', 800_000)])).toMatchObject({
    slotsLive: -1,
    slotsDropped: 1,
    bestConfidenceMicros: -800_000,
  })
})

test('moving adds up to what counting anew gives, whatever begins and ends', () => {
  const claims = fc.uniqueArray(
    fc.record({
      claimId: fc.string({ minLength: 1, maxLength: 4 }),
      slotKey: fc.constantFrom('a', 'b', 'c', 'd'),
      micros: fc.nat(1_000_000),
    }),
    { selector: each => each.claimId, maxLength: 30 },
  )
  fc.assert(
    fc.property(
      claims,
      fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
      fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
      (all, old, ends) => {
        const before = all.filter((_, index) => old[index])
        const begun = all.filter((_, index) => !old[index])
        const ended = all.filter((_, index) => ends[index])
        const move = moveSlots(standingsOf(before), begun, ended)
        const after = figuresOf(all.filter(each => !ended.includes(each)))
        const then = figuresOf(before)
        expect({
          claims: then.claims + move.claimsLive,
          slots: then.slots + move.slotsLive,
          best: then.best + move.bestConfidenceMicros,
        }).toEqual(after)
      },
    ),
  )
})

test('a crowded slot keeps its figures beyond what is visible', () => {
  const visible = [claim('y', 'a', 500_000), claim('x', 'a', 400_000)]
  const crowded: SlotStanding = { slotKey: 'a', live: 100, bestMicros: 900_000, claims: visible }
  expect(moveSlots([crowded], [claim('z', 'a', 600_000)], []).after).toEqual([{ slotKey: 'a', live: 101, bestMicros: 900_000 }])
  expect(moveSlots([crowded], [], [claim('y', 'a', 500_000)]).after).toEqual([{ slotKey: 'a', live: 99, bestMicros: 900_000 }])
  expect(moveSlots([crowded], [], [claim('old', 'a', 900_000)]).after).toEqual([{ slotKey: 'a', live: 99, bestMicros: 500_000 }])
})
