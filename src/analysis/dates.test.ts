/** Dates as values of events: what they are of, which older dates they replace, and which of them can be held against each other. */
import { describe, expect, it } from 'vitest'
import { analyseFolder } from '../../test/support/score-corpus.js'
import { compareValues } from './compare.js'
import { extract } from './extract.js'
import type { ExtractedClaim } from './types.js'

const head = 'REPORT OF THE YARD\n\nPrepared by: Tester\nDate: 2031-03-01\n\nFINDINGS\n\n'
const dated = (body: string, type = 'txt', top = head): ExtractedClaim[] =>
  extract({ documentId: 'd', revision: 1, name: `d.${type}`, type, source: null, text: top + body }).claims.filter(
    claim => claim.value.type === 'date',
  )
const told = (body: string, type?: string, top?: string): string[] =>
  dated(body, type, top).map(({ valueText, hints }) => `${valueText} ${hints?.['marks']} ${hints?.['terms']} ${hints?.['mood']}`)

describe('dates of sentences', () => {
  it.each([
    ['Fennick Quay is on schedule for practical completion in Q1 2032.', 'Q1 2032 event:complete fennick qua plan'],
    ['Delivery of six new barges will begin in September 2031.', '2031-09 event:start deliver barg plan'],
    ['The flood plan was last revised in 2029.', '2029 event:revise flood plan fact'],
    ['The flood plan has not been revised since 2026.', '2026 event:revise flood plan fact'],
    ['The tanks, built in 2009, are of steel.', '2009 event:build tank open'],
    ['All welders who handle the torch are to be trained by 31 May 2031.', '2031-05-31 event:train weld due'],
    ['We shall submit the survey of the north basin by 31 December 2031.', '2031-12-31 event:file surv north basin due'],
    ['The dredger sailed on 2 January 2031 and arrived on 9 January 2031.', '2031-01-09 event:arrive dredg fact'],
    ['Olsen was appointed master of the dock on 12 July 2030.', '2030-07-12 event:appoint olsen mast dock fact'],
    ['The reply to the pilots was filed on 8 February 2031.', '2031-02-08 event:file repl pilot fact'],
    ['The owner errs about the repair of the crane: it was completed in January 2031.', '2031-01 event:complete repair cran fact'],
    ['The installation of the hoist was completed in January 2031.', '2031-01 event:install hoist fact'],
    ['The winch bond matures in 2035.', '2035 event:expire winch bond open'],
    ['On 12 January 2031, the bilge pump was replaced by the crew.', '2031-01-12 event:change bilg pump fact'],
    ['On 7 January 2031 the owners signed the charter.', '2031-01-07 event:sign chart fact'],
    ['Mr Aldous has been master of the dock since 1 March 2029.', '2029-03-01 event:appoint mr aldous mast dock fact'],
    ['Comments on the chart are to be sent no later than 30 September 2031.', '2031-09-30 event:send comment chart limit'],
    ['Both owners are asked to reply within 20 days, that is by 9 May 2031.', '2031-05-09 event:due repl due'],
    ['The harbour tariff takes effect on 1 July 2031.', '2031-07-01 event:start harbour tariff plan'],
    ['The dredger was put back into service on 4 January 2031.', '2031-01-04 event:resume dredg fact'],
    ['The ferry service will cease at the end of 2032.', '2032 event:stop fer servic plan'],
    ['The flats were handed over on 4 January 2031.', '2031-01-04 event:deliver flat fact'],
    ['The tunnel was closed between 3 May and 9 June 2030.', '2030-05-03 to 2030-06-09 event:close tunnel fact'],
    ['The kiln policy runs from 1 January 2031 to 31 December 2032.', '2032-12-31 event:expire kiln policy open'],
    ['The winch was out of service from 3 September to 14 November 2030.', '2030-09-03 to 2030-11-14 event:servic winch fact'],
  ])('%j', (sentence, wanted) => {
    expect(told(sentence)).toContain(wanted)
  })

  it('a pronoun stands for what the sentence before was about', () => {
    expect(told('The hearing is vacated. It will be held from 2 to 6 June 2031.')).toEqual([
      '2031-06-02 to 2031-06-06 event:held hear plan',
    ])
  })

  it.each([
    'The letter of 3 May 2030 was examined by the tribunal.',
    'The Board decided to restate the harbour dues at 31 December 2030.',
    'The inquiry found no record of any call in June 2030.',
    'The park has two sheds and one barn, completed in 2006.',
    'Revenue in Q1 2031 was EUR 4 million.',
    'The report was issued on 4 February 2031.',
    'The audit for 2030 cost EUR 4,000.',
    'If the option is used, the charter ends on 31 December 2032.',
    'The charter may be ended on 30 June 2032.',
  ])('%j dates no event', sentence => {
    expect(told(sentence)).toEqual([])
  })

  it('takes a bare noun for the one its heading names', () => {
    expect(told('The programme is to be completed by 30 June 2032.', 'txt', `${head}3. DREDGING PROGRAMME\n\n`)).toEqual([
      '2032-06-30 event:complete dredg program due',
    ])
  })

  it('a range whose first day has no year takes it from the second', () => {
    expect(dated('The lock was closed from 3 September to 14 November 2029.')[0]?.value).toMatchObject({ from: '2029-09-03' })
  })

  it('a date broken at the end of a line is one date', () => {
    expect(dated('The file on the old slipway of the northern yard was last reviewed in March\n     2029.')[0]?.valueText).toBe('2029-03')
  })
})

describe('dates behind labels and in cells', () => {
  it.each([
    ['Engineer of the dock: Olsen & Ray, since 2 March 2029', '2029-03-02 event:appoint engin dock fact'],
    ['Year of construction (plate): 2006', '2006 event:build'],
  ])('%j', (line, wanted) => {
    expect(told(line)[0]).toContain(wanted)
  })

  it('reads what a cell says happened', () => {
    const rows = 'id;subject;finding;grade\nA-1;Crane certificate;expired on 31 May 2030;high\nA-2;Fire log;complete;low\n'
    expect(told(rows, 'csv', '')).toContainEqual(expect.stringContaining('2030-05-31 event:expire'))
  })

  it('an event alone is of what its heading names', () => {
    expect(told('Completion date confirmed: 30 September 2032', 'txt', `${head}4. DREDGING PROGRAMME\n\n`)).toEqual([
      '2032-09-30 event:complete dredg program plan',
    ])
  })
})

describe('dates that are given up', () => {
  const moved = (body: string): unknown[] => dated(body).map(claim => [claim.valueText, claim.hints?.['priorLow']])
  const day = (iso: string): number => Date.parse(iso) / 86_400_000
  it.each([
    ['Completion of the pier has moved from Q1 2032 to Q3 2032.', 'Q3 2032', '2032-01-01'],
    ['The end of the lease is extended from 15 March 2031 to 15 March 2033.', '2033-03-15', '2031-03-15'],
    ['Delivery of the crane is brought forward from 9 June 2032 to 4 May 2032.', '2032-05-04', '2032-06-09'],
    ['Deadline for tenders: 21 May 2031 (previously 14 May 2031)', '2031-05-21', '2031-05-14'],
    ['Finding 4 (Moorings): overdue (due 31 January 2031, revised to 30 April 2031)', '2031-04-30', '2031-01-31'],
  ])('%j', (sentence, value, prior) => {
    expect(moved(sentence)).toEqual([[value, day(prior)]])
  })

  it('a column of older dates is cited by the newer', () => {
    const rows = '| Work | Revised date | Original date |\n|---|---|---|\n| Paint the hull | 9 June 2032 | 4 May 2032 |\n'
    expect(dated(rows, 'md').map(claim => [claim.valueText, claim.hints?.['priorLow']])).toEqual([
      ['2032-06-09', day('2032-05-04')],
      ['2032-05-04', null],
    ])
  })
})

const note = (issuer: string, day: string, body: string): string =>
  `NOTE ON THE YARD\n\nPrepared by: ${issuer}\nDate: ${day}\n\n1. Dates\n\n${body}\n`
const findings = (first: string, second: string): string[] =>
  analyseFolder([
    { name: 'a.txt', text: note('Yard Office', '2031-03-01', first) },
    { name: 'b.txt', text: note('Port Authority', '2031-04-01', second) },
  ]).findings.flatMap(finding => (finding.label.startsWith('date') || / against "20/.test(finding.reason) ? [finding.verdict] : []))

describe('dates held against each other', () => {
  it.each([
    ['The crane certificate is valid until 31 December 2031.', 'The crane certificate expired on 31 January 2031.', ['contradiction']],
    ['The slipway was inspected on 4 February 2031.', 'The slipway was inspected on 9 February 2031.', ['contradiction']],
    // A deadline is kept or missed, and a plan may lie within what is allowed.
    ['The slipway report must be filed by 30 March 2031.', 'The slipway report was filed on 28 March 2031.', []],
    [
      'The north slipway must be completed by 31 December 2032 at the latest.',
      'Completion of the north slipway is planned for 30 June 2032.',
      [],
    ],
    ['The charter was signed on 7 January 2031.', 'The charter with the pilots was signed on 17 January 2031.', ['contradiction']],
    ['The bilge alarm was last tested in May 2029.', 'The bilge alarm has not been tested since 2027.', ['contradiction']],
    ['The tunnel was closed from 3 May to 9 June 2030.', 'The tunnel was closed from 3 May to 30 June 2030.', ['contradiction']],
    ['The deadline for comments is 30 September 2031.', 'Comments on the chart must be received by 15 October 2031.', ['contradiction']],
    // What is called the last time was the last until then.
    ['The air filters were last changed in June 2029.', 'The air filters were changed in January 2031.', ['contradiction']],
    ['The air filters were last changed in June 2029.', 'The air filters were changed on 18 March 2031.', []],
    ['The air filters were last changed in June 2029.', 'The air filters were changed in January 2027.', []],
    ['The dye was approved in Norway on 4 March 2029.', 'The dye was approved in Iceland on 14 January 2028.', []],
    ['The interim order was made on 4 March 2030.', 'The final order was made on 14 April 2030.', []],
    ['The request was filed on 4 March 2030.', 'The reply to the request was filed on 14 March 2030.', []],
    ['Boiler 1 was commissioned on 4 May 2030.', 'Commissioning of boiler 2 took place on 14 June 2030.', []],
    ['Boiler 2 was commissioned on 4 May 2030.', 'Commissioning of boiler 2 took place on 14 June 2030.', ['contradiction']],
    // Other times, other things.
    ['The winch failed on 4 January 2031.', 'The winch failed on 14 March 2031.', []],
    ['A hatch was repaired on 4 March 2031.', 'The hatch was repaired on 9 March 2031.', []],
    ['Two valves were replaced on 3 March 2031.', 'Three valves were replaced on 9 March 2031.', []],
    ['The north lock was repaired on 3 March 2031.', 'The lock was repaired on 9 March 2031.', []],
    ['The quay was visited on 3 March 2031.', 'The quay was visited again on 9 March 2031.', []],
    ['The audit for 2029 was completed on 3 March 2031.', 'The audit for 2030 was completed on 9 March 2031.', []],
    // The day after the last one.
    ['Ferry services are suspended until 30 March 2031.', 'Ferry services were resumed on 31 March 2031.', []],
    ['The pier lease ends on 15 March 2031.', 'The pier lease is extended from 15 March 2031 to 15 March 2033.', ['supersession']],
  ])('%j / %j', (first, second, wanted) => {
    expect(findings(first, second)).toEqual(wanted)
  })

  it('what a register says was done is held against no deadline', () => {
    const rows = 'no;action;target;status;remark\nP-7;Reply to the pilots;9 May 2031;closed;Sent 8 May 2031\n'
    const found = analyseFolder([
      {
        name: 'a.txt',
        text: note('Port Authority', '2031-03-01', 'Both owners are asked to reply within 20 days, that is by 9 May 2031.'),
      },
      { name: 'b.csv', text: rows },
    ])
    expect(found.findings).toEqual([])
  })

  it('spans differ when they begin or end on other days', () => {
    const span = (from: string, to: string) => ({ type: 'date', from, to, grain: 'range' }) as const
    expect(compareValues(span('2030-09-03', '2030-11-15'), span('2030-09-03', '2030-10-03'))).toBe('different')
    expect(compareValues(span('2030-09-03', '2030-11-15'), span('2030-09-01', '2030-12-01'))).toBe('compatible')
  })
})
