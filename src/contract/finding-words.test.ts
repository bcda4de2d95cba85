import type { Static } from 'typebox'
import { describe, expect, it } from 'vitest'
import { byPerson, leftOpenWords, othersOf, replacedWords, sayWord, unnamedWords, whyDecided } from './finding-words.js'
import type { ClaimRecord } from './findings.js'

type Claim = Static<typeof ClaimRecord>

const claim = (documentId: string, ended: string | null = null, at = '2026-03-04T10:15:00.000Z') =>
  ({
    claim_id: documentId,
    document_id: documentId,
    revision: 1,
    superseded_at: ended === null ? null : at,
    superseded_reason: ended,
  }) as Claim
const revised = 'A new revision of the same document.'

describe('who else is on a side', () => {
  it('says the same while it counts, and did so where something ended it', () => {
    const others = [claim('note', revised), claim('letter')]
    expect(othersOf(claim('report'), others, 7)).toEqual({ saying: 6, replaced: [others[0]] })
    expect(replacedWords(claim('note', revised), id => `${id}.txt`)).toBe(
      'note.txt, revision 1, said the same and no longer counts: A new revision of the same document.',
    )
  })

  it('was decided about with a side that does not count, unless something ended it before or by itself', () => {
    const decided = 'Decided by Ada: Audited.'
    const [note, letter, earlier] = [claim('note', decided), claim('letter', revised), claim('memo', decided, '2026-01-01T00:00:00.000Z')]
    expect(othersOf(claim('report', decided), [note, letter, earlier], 4)).toEqual({ saying: 2, replaced: [letter, earlier] })
    expect(othersOf(claim('report', decided), [claim('tax')], 1)).toEqual({ saying: 1, replaced: [] })
    expect(othersOf({ quote: 'Ten.', source: 'a call' }, [], 0)).toEqual({ saying: 0, replaced: [] })
    const sides = [claim('report'), claim('report', decided), { quote: 'Ten.', source: 'a call' }]
    expect(sides.map(side => sayWord(side, 2))).toEqual(['say', 'said', 'say'])
    expect(sides.map(side => sayWord(side, 1))).toEqual(['says', 'said', 'says'])
    expect([1, 2].map(unnamedWords)).toEqual(['and 1 more that says or said the same', 'and 2 more that say or said the same'])
  })
})

describe('why a contradiction is decided', () => {
  const resolution = { resolved_at: '2026-03-04T10:15:00.000Z', round: 3 }

  it('is what a person said, and of one that closed by itself what ended a side', () => {
    const lost = claim('report', 'Decided by Ada: Audited.')
    const byAda = { ...resolution, verdict: 'b' as const, by: 'Ada', reason: 'Audited.' }
    expect(whyDecided({ a: lost, b: claim('audit'), resolution: byAda })).toBe('Audited.')
    const byItself = { ...resolution, verdict: 'superseded' as const, by: 'system', reason: 'A side has no live claim left.' }
    expect(whyDecided({ a: claim('note'), b: lost, resolution: byItself })).toBe(
      'A side has no live claim left. B no longer counts: Decided by Ada: Audited.',
    )
    expect(whyDecided({ a: claim('note'), b: claim('audit'), resolution: { ...byItself, reason: 'It was not found again.' } })).toBe(
      'It was not found again.',
    )
  })
})

it('a person who signed twice is one, and not whoever only gave that name', () => {
  const [first, second, given] = [
    { by: 'Ada', vouched: true, at: 1 },
    { by: 'Ada', vouched: true, at: 2 },
    { by: 'Ada', vouched: false, at: 3 },
  ]
  expect(byPerson([first!, given!, second!])).toEqual([[first, second], [given]])
  const spelt = { by: ' ADA ', vouched: true, at: 4 }
  expect(byPerson([first!, spelt])).toEqual([[first, spelt]])
})

it('says what a sign-off left open, and nothing where nothing was', () => {
  expect(leftOpenWords({ contradictions: 0, possible_conflicts: 0 })).toBeNull()
  expect(leftOpenWords({ contradictions: 1, possible_conflicts: 0 })).toBe('1 contradiction left open')
  expect(leftOpenWords({ contradictions: 2, possible_conflicts: 1 })).toBe('2 contradictions and 1 possible conflict left open')
})
