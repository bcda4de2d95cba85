/** Long sentences say several things; each clause is held against what others say. */
import { describe, expect, it } from 'vitest'
import { verdictsBetween as verdicts } from '../../test/support/two-letters.js'
import { clausesOf } from './clauses.js'

describe('the clauses of a sentence', () => {
  it.each([
    [
      'The bosun said that the winch was greased and that it had been tested, and the mate was told of it.',
      ['the winch was greased', 'the winch had been tested', 'the mate was told of it.'],
    ],
    ['When the ferry left, the bosun noted that the hatches were shut.', ['the hatches were shut.']],
    ['According to the mate, who joined in May, the davits were oiled.', ['the davits were oiled.']],
    ['Although the ropes came in May, they were never weighed.', ['the ropes were never weighed.']],
    [
      'The cooper checked the casks and handed the key to the mate.',
      ['The cooper checked the casks', 'The cooper handed the key to the mate.'],
    ],
    ['The bosun says she oiled the davits.', ['The bosun oiled the davits.']],
  ])('%j', (sentence, clauses) => {
    expect(clausesOf(sentence)).toEqual(clauses)
  })

  it.each([
    'The winch was greased.',
    'If the winch was greased, the mate was told, and the bosun left.',
    'The mate doubts that the winch was greased.',
    'Nobody has shown that the winch was greased and that it ran.',
  ])('none in %j', sentence => {
    expect(clausesOf(sentence)).toEqual([])
  })

  it('takes time in step with its length', () => {
    const sentence = `The bosun said that ${'the winch, which was old, and that it was '.repeat(2_000)}`
    expect(clausesOf(sentence)).toEqual([])
  })
})

describe('a clause that another denies', () => {
  it.each([
    [
      'The bosun said that the hatches were shut and that the davits had been greased before the ferry left.',
      'The surveyor, who came on board in May, found that the davits had not been greased.',
    ],
    ['The ropes were weighed, and a bosun was present throughout the hoist.', 'The mate found that no bosun was present during the hoist.'],
    ['The davits were greased, and the ropes were weighed by two men.', 'At the time of the visit the davits had not been greased.'],
    ['The hatch seals were not weighed by the cooper.', 'The cooper weighed the hatch seals, so the ferry could leave.'],
    ['The mate was aware of the bilge leak when the ferry left.', 'The mate did not know of the bilge leak.'],
    ['The davits were greased before the hoist, as the mate reports.', 'The davits were greased only after the hoist.'],
    ['The davits were delivered seven weeks late.', 'The delivery of the davits was made within the agreed period.'],
    ['The mate guaranteed the davits, and the ferry left.', 'The davits are not guaranteed by the mate, as the letter shows.'],
    ['The tar does not contain any traces of barnacle.', 'The cooper detected traces of barnacle in the tar, and the mate was told.'],
    ['The crew were given the hoist table in May.', 'No hoist table was given to the crew.'],
    ['The keel was covered by a barnacle guarantee of ten years.', 'There is no barnacle guarantee for the keel.'],
    ['The keel was tarred before the mast was hoisted.', 'The mast was hoisted before the keel was tarred.'],
    ['The hoist notice was sent to all coopers on 3 May.', 'Eleven coopers never received the hoist notice.'],
    ['The mate has accepted liability for the keel damage.', 'The mate denies liability for the keel damage and has left the ferry.'],
    ['The coopers were asked about the hoist in February 2029.', 'The coopers were at no time asked before the hoist of May 2029 began.'],
    ['A reserve for barnacles was left out of the tender.', 'The tender includes a reserve for barnacles and covers the keel.'],
  ])('%j against %j', (first, second) => {
    expect(verdicts(first, second)).toContain('contradiction')
  })

  it.each([
    ['The hatch seals were not weighed by the cooper.', 'The hatch seals were weighed on 3 May.'],
    [
      'The davits were greased in May 2029 by the mate, who saw no rust.',
      'The davits were not greased in 2030, because the ferry was sold.',
    ],
    ['The mate did not grease the davits before the hoist.', 'The mate greased the davits after the hoist, and the ferry left.'],
    ['The keel was tarred before the mast was hoisted.', 'The mast was hoisted before the ferry left.'],
    ['The coopers saw the tender, and they express no verdict on it.', 'The coopers weighed the casks and issued a verdict in March.'],
    ['It seems to us that the davits were not greased.', 'The davits were greased, and the ferry left.'],
    ['No barnacle adjustment was made.', 'The barnacle bill has been paid, and the barnacle price will be adjusted.'],
  ])('%j beside %j', (first, second) => {
    expect(verdicts(first, second).filter(verdict => verdict === 'contradiction')).toEqual([])
  })
})
