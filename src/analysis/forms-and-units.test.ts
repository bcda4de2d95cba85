/** Forms in two columns below a sentence, tables with a column of units, units of the sea, and words that look alike. */
import { describe, expect, it } from 'vitest'
import { analyseFolder } from '../../test/support/score-corpus.js'
import { verdictsBetween } from '../../test/support/two-letters.js'
import { extract } from './extract.js'
import { stem } from './words.js'

const read = (text: string, type = 'txt') =>
  extract({ documentId: 'd', revision: 1, name: `d.${type}`, type, source: null, text }).claims.map(claim => ({
    name: claim.attribute,
    value: claim.valueText,
    unit: claim.unit,
    type: claim.value.type,
  }))

/** Two months apart, so that something may have changed. */
const verdicts = (first: string, second: string): string[] => verdictsBetween(first, second, ['3 March 2031', '9 May 2031'])

describe('forms', () => {
  const FORM = `ORBEL MARINE LTD
FERRY SHEET

CREW
A bosun is on duty in every watch, by day and by night.
Night crew                  never fewer than 4 hands
Hired hands                 6 % of hours worked (2030)
Divers                      11, led by the bosun

TABLE OF THE DAY
Meals                       served at noon and at dusk
Visits                      at any hour, dogs welcome
Mail                        by the noon boat
`
  it('go on in two columns below a sentence', () => {
    const names = read(FORM).map(claim => claim.name)
    expect(names).toEqual(expect.arrayContaining(['Hired hands', 'Divers']))
    expect(names.filter(name => /hands Hired|Divers 11 Meals/.test(name))).toEqual([])
  })

  it('take the unit of the row from its column, whatever that is called', () => {
    const rows =
      'record,unit,value,measure,comment\nbasic rate of bosuns,all ferries,11.90,GBP,no supplement\nshare of hired hours,all ferries,23,percent,\n'
    expect(read(rows, 'csv')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: expect.stringContaining('basic rate'), type: 'money', unit: 'GBP' }),
        expect.objectContaining({ name: expect.stringContaining('share of hired'), type: 'percent' }),
      ]),
    )
  })

  it('give days in a label to the number', () => {
    expect(verdicts('Time in dry dock: 21 days', '| Item | Value |\n|---|---|\n| Days in dry dock | 34 |\n| Hull | teak |')).toContain(
      'contradiction',
    )
  })
})

it('reads units of the sea', () => {
  const text = 'Our speed was 11.5 knots. Sight was 2 nautical miles. The light carries 9 nm. Her log shows 14 kn.'
  expect(read(text).map(({ value, unit }) => `${value} ${unit}`)).toEqual(
    expect.arrayContaining(['11.5 knots knot', '2 nautical miles nmi', '9 nm nmi', '14 kn knot']),
  )
})

it('lets what is decided replace what was proposed', () => {
  expect(verdicts('We propose a mooring penalty of EUR 40,000.', 'The mooring penalty is set at EUR 24,000.')).toEqual(['supersession'])
})

it.each([
  ['No crates were exported.', 'The lighter carried 130 crates.'],
  ['No winch trial took place on 9 February.', 'A winch trial will take place on 26 June.'],
  ['Next meeting: 14 April 2031', 'Next meeting: 13 June 2031'],
  ['There is no supplement in force.', 'Rope is supplied by the yard.'],
])('holds %j and %j together', (first, second) => {
  expect(verdicts(first, second)).not.toContain('contradiction')
})

it('lets a later day change what was so', () => {
  expect(verdicts('Four of the nine lockers are unlocked.', 'All nine lockers have been locked since 2 May 2031.')).not.toContain(
    'contradiction',
  )
})

it('keeps words apart that only look alike', () => {
  expect(stem('supplement')).not.toBe(stem('supply'))
  expect(stem('department')).not.toBe(stem('departure'))
})

describe('names of figures', () => {
  it('take a stay, a span or a term from the unit', () => {
    expect(verdicts('Stay in the dry dock: 9 days', 'She spent 14 days in the dry dock.')).toContain('contradiction')
  })

  it('are those of a holding where somebody holds a share', () => {
    expect(verdicts('Holding in Larch Marine: 100 %', 'The trustee holds 80 % of Larch Marine Ltd.')).toContain('contradiction')
  })

  it('leave out which entry of a log it is', () => {
    expect(
      read('ORBEL MARINE LTD\nDOCK LOG\n\nENTRY 1\nHull grade ............ 2\nBerth ............ North\n').map(claim => claim.name),
    ).toContain('Hull grade')
  })

  it('give a column its unit although it says per year', () => {
    expect(read('| Case | GWh per year |\n|---|---|\n| Calm | 2,905 |\n| Storm | 3,110 |\n', 'md').map(claim => claim.unit)).toEqual([
      'GWh',
      'GWh',
    ])
  })

  it('keep their role whatever else the sentence speaks of', () => {
    const claims = extract({
      documentId: 'd',
      revision: 1,
      name: 'd.txt',
      type: 'txt',
      source: null,
      text: 'With the new berth limit the average mooring cover falls to 1.21x.',
    }).claims
    expect(claims.find(claim => claim.valueText === '1.21x')?.role).toBe('actual')
  })

  it('belong to nobody who only speaks of them', () => {
    expect(verdicts('9 hatches leak at the quay.', 'Holm Ltd reported that 17 hatches leak at the quay.').length).toBeGreaterThan(0)
  })

  it('are none in the nights of a month', () => {
    expect(read('Four bosuns stood watch on the night of 13/14 March.').map(claim => claim.value)).not.toContain('13')
  })
})

describe('what accuses nobody', () => {
  it.each([
    ['The mooring wage is EUR 14.20 an hour.', 'The mooring wage has been EUR 15.60 an hour since 1 April 2031.'],
    ['The mooring wage is EUR 14.20 an hour.', 'We demand a mooring wage of EUR 16.00 an hour.'],
    ['We ask that the hull balance be paid out.', 'The hull balance has not been paid out.'],
    ['Submitted to: Board for Rope Ceilings', 'The yard does not share the view that the rope ceiling of the board was 10 m.'],
  ])('%j and %j', (first, second) => {
    expect(verdicts(first, second)).not.toContain('contradiction')
  })
})

describe('where a unit stands', () => {
  const units = (text: string, type = 'txt'): (string | null)[] => read(text, type).map(claim => claim.unit)

  it('in the heading above a list', () => {
    expect(
      units('ORBEL MARINE LTD\nCARGO SHEET\n\nC. CARGO 2031 (tonnes, fresh weight)\nHerring roe : 84,000\nDeep sand : 18,440\n'),
    ).toEqual(['tonne', 'tonne'])
  })

  it('alone above a column', () => {
    expect(units('| Cargo | Tonnes, fresh weight |\n|---|---|\n| Herring roe | 84,000 |\n| Deep sand | 18,440 |\n', 'md')).toEqual([
      'tonne',
      'tonne',
    ])
  })

  it('at the end of a label', () => {
    expect(units('First bag, mean in minutes: 12.6')).toEqual(['minute'])
  })

  it('behind the word that says which hours', () => {
    expect(units('The winch had 8,320 running hours.')).toContain('hour')
  })

  it('in a quotient that is no code', () => {
    expect(verdicts('Heat content (39.6 MJ/Nm3): 389,700 GJ', 'Heat content: 372,700 GJ')).toContain('contradiction')
  })
})

it('sets two parties against each other where a report is about their disagreement', () => {
  const text = (title: string): string => `${title}

CASES:

  CASE 1: Vessel 01-022 (moved to Site 07)
    Site 01 assessment (Round 4): Sound
      Hull crack sum: 42mm
    Site 07 assessment (Round 6): Worn
      Hull crack sum: 48mm
`
  const found = (title: string): string[] => analyseFolder([{ name: 'a.txt', text: text(title) }]).findings.map(finding => finding.verdict)
  expect(found('CROSS-SITE DISCREPANCY REPORT')).toEqual(['contradiction'])
  expect(found('CROSS-SITE PROGRESS REPORT')).toEqual([])
})

it('names a sum by what it is of where a verb brings it', () => {
  const names = read('The charter brings EUR 3.1M demurrage. The quay represents EUR 9.2M berthage.').map(
    claim => `${claim.name} ${claim.value}`,
  )
  expect(names).toEqual(expect.arrayContaining(['demurrage EUR 3.1M', 'berthage EUR 9.2M']))
})
