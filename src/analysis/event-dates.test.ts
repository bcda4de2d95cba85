/** Dates without a verb of their own, in clauses behind a noun, or told by another word for the same event. */
import { describe, expect, it } from 'vitest'
import { analyseFolder } from '../../test/support/score-corpus.js'
import { extract } from './extract.js'

const note = (issuer: string, day: string, body: string): string =>
  `NOTE ON THE YARD\n\nPrepared by: ${issuer}\nDate: ${day}\n\n1. Dates\n\n${body}\n`
const told = (body: string): string[] =>
  extract({ documentId: 'd', revision: 1, name: 'd.txt', type: 'txt', source: null, text: note('Tester', '2031-12-01', body) })
    .claims.filter(claim => claim.value.type === 'date')
    .map(({ valueText, hints }) => `${valueText} ${hints?.['marks']} ${hints?.['terms']} ${hints?.['mood']}`)
const findings = (first: string, second: string): string[] =>
  analyseFolder([
    { name: 'a.txt', text: note('Yard Office', '2031-11-01', first) },
    { name: 'b.txt', text: note('Port Authority', '2031-12-01', second) },
  ]).findings.flatMap(finding => (/ against "20/.test(finding.reason) ? [finding.verdict] : []))

describe('dates of sentences', () => {
  it.each([
    ['We refer to the mooring permit, which was refused on 4 May 2031.', '2031-05-04 event:refuse moor permit fact'],
    ['The ferryman, whose charter ended on 30 June 2031, sailed on.', '2031-06-30 event:expire ferryman chart open'],
    ['The fire in the net loft on 1 May 2031 spread to the quay.', '2031-05-01 event:held fir net loft fact'],
    ['The winch failure of 12 March 2031 stopped both berths.', '2031-03-12 event:fail winch fact'],
    ['The chandler has exclusivity until 30 April 2032.', '2032-04-30 event:expire exclusiv open'],
    ['The owners adopted a dredging plan ending on 31 March 2035.', '2035-03-31 event:expire dredg plan open'],
    ['The slip loan, repayable on 30 June 2034, is secured.', '2034-06-30 event:due slip loan due'],
    ['The kiln roof, last renewed in 2009, leaks.', '2009 event:change kiln roof fact'],
    ['The ice store, in use since May 2029, holds 400 crates.', '2029-05 event:start ice stor fact'],
    ['The ice store has been in operation since May 2029.', '2029-05 event:start ice stor fact'],
    ['The harbour kitchen was closed in May 2029.', '2029-05 event:close harbour kitchen fact'],
    ['The ballast notice reached our office on 7 March 2031.', '2031-03-07 event:reach ballast notic fact'],
    ['The pilot was given until 9 April 2031 to answer the log query.', '2031-04-09 event:due log quer due'],
    ['The tide table cut-off was 15 May 2031.', '2031-05-15  tid tabl cut fact'],
    ['The lodge agreed to extend the date for the dredging plan to 30 May 2032.', '2032-05-30 event:due dredg plan due'],
    ["The crane was not brought to the yard's attention until 9 May 2031.", '2031-05-09 event:notify cran fact'],
    [
      'The berth returns for the fourth quarter of 2030 were filed on 12 February 2031.',
      '2031-02-12 n:fourth;event:file berth return fact',
    ],
    ['We describe a spin-off which took effect on 1 January 2031.', '2031-01-01 event:start spin fact'],
    ['The spin-off took effect for tax purposes and under harbour law on 1 April 2031.', '2031-04-01 event:start spin fact'],
    ['The tide table cut-off is given as 15 May 2031 in the almanac.', '2031-05-15  tid tabl cut open'],
    ['The next inspection will take place on 4 November 2032.', '2032-11-04 event:inspect next inspect plan'],
    ['The mooring tariff applies until 30 June 2031.', '2031-06-30 event:expire moor tariff open'],
    ['The swing bridge is closed until 30 June 2031.', '2031-06-30 event:pause swing bridg open'],
    ['The pilots first met on 3 May 2031.', '2031-05-03 event:meet first pilot fact'],
    ['The harbour panel approved the amended tide table on 12 March 2031.', '2031-03-12 event:approve tid tabl fact'],
    ['The net loft had been out of service since 28 May 2031.', '2031-05-28 event:stop net loft fact'],
    ['The berth sale remained open until 31 August 2030.', '2030-08-31 event:expire berth sale open'],
    ['The next berth review falls on 25 March 2033.', '2033-03-25 event:review berth plan'],
    ['The rope bond does not expire until 31 July 2033.', '2033-07-31 event:expire rop bond open'],
    ['Completion of the net loft was certified on 18 April 2031.', '2031-04-18 event:complete net loft fact'],
    ['The tower crane was still standing; it was taken down on 23 March 2031.', '2031-03-23 event:remove tower cran fact'],
    ['The rope loan was signed on 5 May 2030 and first drawn on 19 May 2030.', '2030-05-19 event:take first rop loan fact'],
    ['The tide certificate bears the date of 14 May 2031.', '2031-05-14 event:issue tid certific fact'],
    ['In 2027 the harbour board sold the paddling pool to a club.', '2027 by:board;event:sell paddl pool fact'],
    ['The fire launch was called at 03:10 on 4 May 2031 and left.', '2031-05-04 event:call fir launch fact'],
    ['The berth lease terminates on 31 December 2032.', '2032-12-31 event:expire berth leas open'],
    ['Transfer of the mate to the cutter took place on 6 May 2031.', '2031-05-06 event:transfer mat cut fact'],
    ['The bilge fan was switched off on 3 May 2031 for cleaning.', '2031-05-03 event:stop bilg fan fact'],
    ['The dosing tariff has applied since 1 March 2031.', '2031-03-01 event:start dosing tariff fact'],
    ['The berth permit was applied for on 3 March 2031.', '2031-03-03 event:file berth permit fact'],
    ['The last rescue drill on board was in June 2031.', '2031-06 event:held rescu drill board fact'],
    ['Slip start / end: 1 April 2030 / 31 March 2033', '2033-03-31 event:expire slip open'],
    ['Slip start / end: 1 April 2030 / 31 March 2033', '2030-04-01 event:start slip open'],
    ['Tug winch (new): in use since 13 January 2031', '2031-01-13 event:start tug winch fact'],
  ])('%j', (sentence, wanted) => {
    expect(told(sentence)).toContain(wanted)
  })

  it.each([
    'Your letter of 4 May 2031 names three berths.',
    'The dues for the year ending on 31 March 2031 were low.',
    'The meeting heard of the fire.',
  ])('%j dates no event', sentence => {
    expect(told(sentence)).toEqual([])
  })
})

describe('words for one event', () => {
  it.each([
    ['The salvage agreement was signed on 18 January 2031.', 'The salvage agreement was concluded on 16 January 2031.', 'contradiction'],
    ['The ice store has been in operation since May 2029.', 'The ice store was commissioned in August 2030.', 'contradiction'],
    ['The oil stain was discovered on 2 May 2031.', 'The oil stain was noticed on 4 May 2031.', 'contradiction'],
    ['The berth tender was handed in on 3 May 2031.', 'The berth tender was submitted on 5 May 2031.', 'contradiction'],
    ['The berthing claim was filed on 4 March 2031.', 'The berthing claim was received on 17 March 2031.', 'contradiction'],
    ['The dredge plan must be filed by 31 July 2031.', 'Filing of the dredge plan was put off until 30 September 2031.', 'supersession'],
    ['The berth deposit was paid on 4 May 2031.', 'The berth deposit was received on 20 May 2031.', 'contradiction'],
    // A form need not say to whom it happened.
    ['Date of admission: 3 March 2031', 'The patient was admitted on 5 March 2031.', 'contradiction'],
    ['The patient was admitted on 5 March 2031.', 'Date of admission: 3 March 2031', 'contradiction'],
    ['The main dock loan matures on 15 September 2034.', 'The main loan falls due in March 2034.', 'contradiction'],
  ])('%j / %j', (first, second, wanted) => {
    expect(findings(first, second)).toEqual([wanted])
  })

  it.each([
    // What was sent is on its way for a while.
    ['The berthing claim was filed on 4 March 2031.', 'The berthing claim was received on 6 March 2031.'],
    ['The anchors were sent on 4 March 2031.', 'The anchors were received on 17 March 2031.'],
    ['The ferryman moved in on 1 March 2030.', 'The ferryman moved out on 31 May 2031.'],
    ['Construction of the ice store started in June 2029.', 'The ice store opened in March 2030.'],
    ['The harbour agency was notified on 22 April 2031.', 'The claim of the harbour agency was filed on 25 May 2031.'],
    ['The harbour board approved the tide budget on 3 May 2031.', 'The pilots council approved the tide budget on 17 May 2031.'],
    ['The mate was transferred to the cutter on 4 May 2031.', 'The mate was transferred to the tug on 9 May 2031.'],
    ['The annual regatta was held on 20 May 2030.', 'The annual regatta was held on 19 May 2031.'],
    ['The berth deposit was paid on 4 May 2031.', 'The berth deposit was received on 6 May 2031.'],
    ['The berth invoice was received on 4 May 2031.', 'The berth invoice was paid on 26 May 2031.'],
    ['The bilge pump was installed in May 2030.', 'The bilge pump was commissioned in July 2030.'],
    ['The claimant gave notice on 14 March 2031.', 'The respondent gave notice on 28 March 2031.'],
    ['The bilge fan was switched off on 3 May 2031.', 'The bilge fan was switched on again on 7 May 2031.'],
    ['The loan was signed on 5 May 2031.', 'The lease was signed on 3 February 2031.'],
    ['Recommendation 4 is to be met by 31 May 2032.', 'Recommendation 5 is to be met by 30 June 2032.'],
    ['The mooring tariff applies from 1 July 2031.', 'The mooring tariff applies until 30 June 2031.'],
    ['The swing bridge was closed on 3 May 2031.', 'The swing bridge is closed until 30 June 2031.'],
    ['Date of admission: 3 March 2031', 'The harbour apprentice school admitted the fleet on 5 March 2031.'],
  ])('%j / %j are of two days', (first, second) => {
    expect(findings(first, second)).toEqual([])
  })
})
