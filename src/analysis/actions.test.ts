/** Who does what, what a noun is called, and how both meet whoever says the opposite in other words. */
import { describe, expect, it } from 'vitest'
import { analyseFolder } from '../../test/support/score-corpus.js'
import { verdictsBetween as verdicts } from '../../test/support/two-letters.js'
import { actionOf } from './actions.js'
import { coreOf } from './cores.js'
import { traitOf } from './traits.js'
import { stem, tokenize } from './words.js'

const action = (text: string) => actionOf(text, tokenize(text))
const core = (text: string) => coreOf(text, tokenize(text))
const trait = (text: string) => traitOf(text, tokenize(text))

describe('acts', () => {
  it.each([
    [
      'The yard did not send a single drawing within the week',
      { head: 'draw', predicate: 'giv', negated: true, none: true, agent: ['yard'] },
    ],
    ['The yard gave drawings of each winch', { head: 'draw', about: ['winch'], predicate: 'giv', negated: false }],
    ['They failed to grease the winch', { head: 'winch', predicate: stem('grease'), negated: true }],
    ['The skipper was told of the leak by telephone', { head: 'leak', predicate: 'report', negated: false }],
    ['The skipper had informed the owner of the leak', { head: 'leak', predicate: 'report', agent: ['skip'] }],
  ])('of %j', (text, wanted) => {
    expect(action(text)).toMatchObject(wanted)
  })

  it('are none where something only is so, or a month looks like a verb', () => {
    expect(action('The winch was greased by the crew')).toBeNull()
    expect(action('On 11 May 2031 the winch')).toBeNull()
    expect(action('On 11 May 2031 the foreman gave an order')).toMatchObject({ head: stem('order'), predicate: 'giv' })
  })

  it('meet what was done to the same thing', () => {
    expect(core('No drawing of the winch was ever sent')).toMatchObject({ head: 'draw', predicate: 'giv', negated: true, none: true })
  })
})

describe('traits', () => {
  it('are adjectives that are so or not so', () => {
    expect(trait('The surveyor issued an unqualified certificate')).toMatchObject({ head: stem('certificate'), negated: true })
    expect(trait('It contains a qualified certificate')).toMatchObject({ head: stem('certificate'), negated: false })
    expect(trait('This is not an independent winch crew')).toMatchObject({ head: 'crew', about: ['winch'], negated: true })
    expect(trait('The unqualified certificate was framed')).toBeNull()
  })
})

describe('opposite statements', () => {
  it.each([
    ['The yard gave notice of each defect in the winch house.', 'The yard did not give a single notice of a defect.'],
    ['The bosun gave an oral instruction to weld the drum.', 'No instruction to weld the drum was ever given.'],
    ['The surveyor issued an unqualified certificate for the drum.', 'The file contains a qualified certificate for the drum.'],
    ['The ropes are inspected against wear once a month.', 'Rope inspection for wear has been running weekly since 2029.'],
    ['Each jam was caused by salt in the gearbox.', 'The jams were the result of poor greasing by the crew.'],
    ['The winch trial took place in Hamnvik.', 'The winch trial was held at the quay in Storvand.'],
    ['The cause of the jam was salt in the gearbox.', 'Worn teeth led to the jam.'],
    ['Our divers traced the leak to a cracked flange.', 'A cracked flange was not the cause of the leak.'],
    ['The winch was inspected by Ms Ines Holt.', 'The winch was inspected by Mr Tor Dahl.'],
    ['None of the divers is or has been a trained rope climber.', 'Mr Dahl, a diver, is thus a trained rope climber.'],
    ['The quay crane may remain in use until May.', 'The quay crane must not be used.'],
    ['The quay committee approved the winch budget.', 'The quay committee rejected the winch budget.'],
    ['Drum brake sealed: yes', 'The drum brake was not sealed.'],
    ['Frequency of rope checks: daily', 'Rope checks are made once a week.'],
    ['The quay bond is rated A.', 'The rating of the quay bond is BBB.'],
    ['The quay wall is made of granite.', 'The quay wall is built of concrete.'],
    ['Ms Ines Holt inspected the winch.', 'The winch was inspected by Mr Tor Dahl.'],
    ['The lease is governed by Norwegian law.', 'The lease is subject to the law of Ireland.'],
    ['The winch has a valid permit.', 'The winch has no valid permit.'],
    ['The yard holds a diving licence.', 'The yard does not hold a diving licence.'],
    ['The bosun switched off the winch before the dive.', 'The winch was not switched off before the dive.'],
    ['The divers were given access to the drum.', 'The divers were not given access to the drum.'],
    ['There were no injuries on the quay.', 'Two riggers were injured on the quay.'],
    ['The quay crane is in good condition.', 'The quay crane is in poor condition.'],
    ['All ten ropes have been paid.', 'Two ropes remain unpaid.'],
    ['The owner was informed of the leak.', 'The owner was not told about the leak.'],
  ])('%j against %j', (first, second) => {
    expect(verdicts(first, second)).toContain('contradiction')
  })

  it.each([
    ['The yard gave notice of each defect.', 'The insurer did not give notice of termination.'],
    ['Each jam was caused by salt in the gearbox.', 'The jams were the result of salt from the deck.'],
    ['The weekly winch report was late.', 'The winch is greased daily by the crew.'],
    ['The winch trial took place in Hamnvik.', 'The crane trial took place in Storvand.'],
    ['The jam may have been caused by salt.', 'The jam was caused by poor greasing.'],
    ['I have no link to the quay owner.', 'The divers added four links to the chain.'],
    ['No winch was late in spring.', 'The yard delivered 12 winches in spring.'],
    ['Mr Dahl is a trained rope climber.', 'Ms Holt is not a trained rope climber.'],
    ['The winch was inspected by Ms Ines Holt.', 'The boiler was inspected by Mr Tor Dahl.'],
    ['The winch has no valid permit.', 'The bosun has a valid permit for the crane.'],
    ['The roof of the shed was mended.', 'The roof of the boat house has never been mended.'],
    ['No leaks were reported in May.', 'Two leaks were reported in June.'],
    ['We do not accept that the ropes are intact.', 'The ropes are damaged.'],
  ])('%j and %j both hold', (first, second) => {
    expect(verdicts(first, second)).not.toContain('contradiction')
  })
})

describe('what a later document ends', () => {
  it.each([
    ['No suspension of quay payments is planned.', 'Quay payments are suspended from today.'],
    ['Quay payments are suspended.', 'Quay payments were resumed on 2 March.'],
    [
      'The board has appointed Ms Ines Holt as the person responsible for rope safety.',
      'Since 1 March 2031 Mr Tor Dahl has been the person responsible for rope safety.',
    ],
  ])('%j by %j', (first, second) => {
    expect(verdicts(first, second)).toEqual(['supersession'])
  })
})

describe('documents of different houses', () => {
  const letterhead = (house: string, text: string): string =>
    `${house}\n\nDate: 3 March 2031\nSubject: Winch\n\nThe file of Orbel Marine Ltd was opened in January. ${text}\n`
  const met = (second: string): number =>
    analyseFolder([
      { name: 'a.txt', text: letterhead('Orbel Marine Ltd', 'The winch gate was locked.') },
      { name: 'b.txt', text: second },
    ]).findings.length

  it('meet when one names the other', () => {
    expect(met(letterhead('Tamsin Surveyors LLP', 'The winch gate was not locked.'))).toBe(1)
  })
})

describe('the status of a numbered entry', () => {
  const register = (day: string, rows: string): string =>
    `# Winch house actions\n\nDate: ${day}\n\n| No | Action | Status |\n|---|---|---|\n${rows}\n`

  it('gives way to its status in a later register', () => {
    const found = analyseFolder([
      {
        name: 'a.md',
        text: register('2031-03-03', '| WH-011 | Renew the drum brake | not started |\n| WH-012 | Paint the quay rail | closed |'),
      },
      { name: 'b.md', text: register('2031-06-03', '| WH-011 | Drum brake | in progress |\n| WH-012 | Quay rail | closed |') },
    ]).findings
    expect(found.map(finding => finding.verdict)).toEqual(['supersession'])
    expect(found[0]!.reason).toContain('not started')
  })
})
