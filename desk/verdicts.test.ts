import { describe, expect, it } from 'vitest'
import { decidedWords } from '../src/contract/finding-words.js'
import { effectWords } from './verdict-effect'
import { asksForSide, chosenByKey, reasonsFor, swapped, verdicts, withReason } from './verdicts'

describe('a verdict', () => {
  it('has a key of its own and usual reasons', () => {
    expect(new Set(verdicts.map(each => each.key)).size).toBe(verdicts.length)
    // Those keys do something else on the same page.
    for (const { key } of verdicts) expect('jkust/?').not.toContain(key)
    for (const { verdict } of verdicts) expect(reasonsFor(verdict).length).toBeGreaterThan(1)
  })

  it('that names a slip asks for its side, which the keys of the sides answer', () => {
    const slip = chosenByKey('clerical_error', undefined)
    expect(asksForSide(slip)).toBe(true)
    const answered = chosenByKey('b', slip)
    expect(answered).toEqual({ verdict: 'clerical_error', side: 'b' })
    expect(asksForSide(answered)).toBe(false)
    expect(chosenByKey('a', answered)).toEqual({ verdict: 'a' })
    expect(chosenByKey('disputed', slip)).toEqual({ verdict: 'disputed' })
    expect(asksForSide(undefined)).toBe(false)
  })

  it('is turned round with the sides', () => {
    expect(swapped({ verdict: 'a' })).toEqual({ verdict: 'b' })
    expect(swapped({ verdict: 'clerical_error', side: 'b' })).toEqual({ verdict: 'clerical_error', side: 'a' })
    for (const verdict of ['both', 'neither', 'disputed', 'not_the_same'] as const) expect(swapped({ verdict })).toEqual({ verdict })
  })

  it('says what it would do, and what was decided', () => {
    const alone = { ended: 1, closed: [] }
    expect(effectWords({ verdict: 'b' }, alone, [])).toBe('What A says stops counting.')
    expect(effectWords({ verdict: 'a' }, { ended: 2, closed: ['1'] }, ['Price: 4 or 5?'])).toBe(
      'What B says stops counting, with 1 other statement that says the same. With it closes “Price: 4 or 5?”.',
    )
    expect(effectWords({ verdict: 'a' }, { ended: 1, closed: ['1', '2', '3', '4', '5'] }, ['p', 'q', 'r', 's', 't'])).toBe(
      'What B says stops counting. With it close “p”, “q”, “r” and 2 other findings.',
    )
    expect(effectWords({ verdict: 'clerical_error', side: 'a' }, alone, [])).toBe(
      'What A says stops counting, and nothing takes its place.',
    )
    expect(effectWords({ verdict: 'both' }, { ended: 0, closed: [] }, [])).toBe('Nothing stops counting.')
    expect(effectWords({ verdict: 'disputed' }, { ended: 0, closed: [] }, [])).toMatch(/^Both count\. .*disputed/)
    expect(effectWords({ verdict: 'not_the_same' }, { ended: 0, closed: [] }, [])).toMatch(/^Both count\. .*no contradiction/)
    expect(decidedWords({ verdict: 'clerical_error', side: 'b' })).toBe('B is a slip of the pen')
    expect(decidedWords({ verdict: 'disputed' })).toBe('Stays disputed; both count')
    expect(decidedWords(undefined)).toBe('Decided')
    expect(decidedWords({ verdict: 'superseded' })).toBe('Closed by itself: one side no longer counts')
  })
})

it('a usual reason replaces another, and never what somebody wrote', () => {
  expect(withReason('', 'A digit is wrong.')).toBe('A digit is wrong.')
  expect(withReason('Copied wrongly.', 'A digit is wrong.')).toBe('A digit is wrong.')
  expect(withReason('See page 3.', 'A digit is wrong.')).toBe('See page 3. A digit is wrong.')
  expect(withReason('See page 3. A digit is wrong.', 'A digit is wrong.')).toBe('See page 3. A digit is wrong.')
})
