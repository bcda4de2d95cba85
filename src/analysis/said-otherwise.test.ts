/** The same matter said and denied in other words and forms: amounts that are there, answers of forms, other verbs, what opens a sentence. */
import { describe, expect, it } from 'vitest'
import { verdictsBetween as verdicts } from '../../test/support/two-letters.js'
import { stem } from './words.js'

describe('what is there by its amount', () => {
  it.each([
    ['The charter contains no demurrage cap.', 'The charter carries a demurrage cap of EUR 25,000.'],
    ['No lighterage bonus was granted.', 'A lighterage bonus of EUR 4,000 was granted.'],
    ['The ferry has no anchor winch of its own.', 'The ferry runs on an anchor winch of its own.'],
    ['The hatches have no gaskets.', 'The hatches are fitted with gaskets.'],
    ['No divers are used.', 'The hull work is done by divers.'],
  ])('%j against %j', (first, second) => {
    expect(verdicts(first, second)).toContain('contradiction')
  })

  it.each([
    ['No lighterage bonus was granted.', 'A lighterage bonus of EUR 4,000 was requested by the crew.'],
    ['No hull sample thawed.', 'In a hull sample of 400 the paint was dull.'],
  ])('%j beside %j', (first, second) => {
    expect(verdicts(first, second)).toEqual([])
  })
})

describe('answers of forms', () => {
  it.each([
    ['Keel leak test ......... NOT DONE (gauge not on board)', 'A keel leak test was carried out.'],
    ['| Item | Answer |\n|---|---|\n| Keel leak test | not performed |\n| Rudder | teak |', 'A keel leak test was carried out.'],
  ])('%j against %j', (first, second) => {
    expect(verdicts(first, second)).toContain('contradiction')
  })
})

describe('other verbs and nouns', () => {
  it.each([
    ['The pilot has not paid a mooring deposit.', 'The mooring deposit of EUR 900 was paid.'],
    ['No reservation of berths has been made.', 'The agent has reserved its berths by letter.'],
    ['The bosun has not returned to work.', 'The bosun resumed work in February.'],
    ['The yard has the keel declaration.', 'The yard could not produce the keel declaration.'],
    ['The agent disputes the freight note.', 'The freight note is undisputed.'],
    ['The flooding was confined to the galley.', 'Flooding of the whole hull was found.'],
    ['None of the persons on board is indicted.', 'Mr Holm is an indicted person.'],
    ['The cargo roll is complete.', 'Four entries are missing from the cargo roll.'],
    ['The agent is not prepared to attend the hearing.', 'The agent attended the hearing.'],
    ['The crew did not meet in 2030.', 'The crew met four times in 2030.'],
  ])('%j against %j', (first, second) => {
    expect(verdicts(first, second).length).toBeGreaterThan(0)
  })

  it.each([
    ['The flooding was confined to the galley.', 'The whole crew was found.'],
    ['Six oars were removed for the survey.', 'The ferry has 180 oars.'],
    ['Whether the berths have been reserved.', 'No reservation of berths has been made.'],
  ])('%j beside %j', (first, second) => {
    expect(verdicts(first, second)).toEqual([])
  })
})

describe('what the sentence is about', () => {
  it.each([
    ['We do not require a surge filter on the strength of the study.', 'With the study of May, a surge filter was required at the quay.'],
    ['Stage three has not been paid.', 'Stage payments to the yard: all stages due have been paid.'],
    ['All stages due have been paid.', 'The yard had told the agent that stage three was unpaid.'],
    ['The yard has the keel declaration.', 'The yard could not produce the keel declaration mentioned to the agent.'],
  ])('%j against %j', (first, second) => {
    expect(verdicts(first, second).length).toBeGreaterThan(0)
  })
})

it('folds one and many alike, and what is done with its verb', () => {
  for (const [one, other] of [
    ['order', 'orders'],
    ['offer', 'offers'],
    ['error', 'errors'],
    ['cover', 'covers'],
    ['leakage', 'leak'],
    ['closure', 'closed'],
    ['failure', 'fail'],
  ])
    expect(stem(one!)).toBe(stem(other!))
})
