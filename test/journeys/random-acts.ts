/** What may happen to a case, drawn at random: its papers and what each may say, acts of people and of the service, and histories of these. */

import fc from 'fast-check'

const paper = (issuer: string, date: string, revenue: number) =>
  `${issuer}\nNote on Aurelia Holding\nIssued by: ${issuer}\nDate: ${date}\n\n## Key figures FY2025 of Aurelia Holding\n\nRevenue: EUR ${revenue}M\n`

/** What a document may say; each revision is one of these. */
export const texts: Record<string, (value: number) => string> = {
  report: value => paper('Aurelia Holding', '2026-02-01', value),
  audit: value => paper('Brandt Audit', '2026-03-01', value),
  loan: value => paper('Lender South', '2026-04-01', value),
  minutes: value => `Harbour board\nMinutes of 4 May 2022\nThe Corran pier is ${value} m long.\n`,
  corrected: value => `Harbour board\nCorrected minutes of 7 June 2022\nThe Corran pier is ${value} m long.\n`,
  // Said in other words: what differs may be a conflict.
  lease: value => `Keys handed to the tenant: ${value}\n`,
  protocol: value => `Keys given to the tenant: ${value}\n`,
}
const names = Object.keys(texts)

export type Act =
  | { kind: 'say'; document: string; value: number; more: boolean; source: string | null; hurried: boolean }
  | { kind: 'erase'; document: string; hurried: boolean }
  | { kind: 'decide'; at: number; verdict: string }
  | { kind: 'withdraw' | 'object' | 'restore' | 'promote' | 'dismiss' | 'take back'; at: number }
  | { kind: 'report'; at: number }
  | { kind: 'read again' | 'sign off' | 'reset' | 'move' | 'upgrade' }
  | { kind: 'lose text'; document: string }

const at = fc.nat(30)
const document = fc.constantFrom(...names)
/** What follows comes before a worker has had it. */
const hurried = fc.constantFrom(false, false, true)
const say = fc.record({
  kind: fc.constant('say' as const),
  document,
  value: fc.constantFrom(198, 205, 212),
  more: fc.boolean(),
  // Who issued a paper that does not say so itself: the same text of another is another paper.
  source: fc.constantFrom(null, null, 'Port office', 'Brandt Audit'),
  hurried,
})
/** Something is disputed or corrected from the start. */
const beginnings: Act[][] = [
  [first('report', 198), first('audit', 212)],
  [first('minutes', 198), first('corrected', 205)],
  [first('report', 198), first('audit', 212), first('loan', 198)],
  [first('report', 198), first('audit', 212), first('minutes', 198), first('corrected', 205)],
  [first('lease', 198), first('protocol', 205)],
  // Said again with more: what was found before closes by itself, and is found again.
  [first('lease', 198), first('protocol', 205), { ...first('lease', 198), more: true }],
]

function first(documentId: string, value: number): Extract<Act, { kind: 'say' }> {
  return { kind: 'say', document: documentId, value, more: false, source: null, hurried: false }
}

export const histories = fc
  .tuple(
    fc.constantFrom(...beginnings),
    fc.array(
      fc.oneof(
        { weight: 4, arbitrary: say },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant('erase' as const), document, hurried }) },
        {
          weight: 5,
          arbitrary: fc.record({
            kind: fc.constant('decide' as const),
            at,
            verdict: fc.constantFrom('a', 'b', 'a', 'b', 'both', 'neither', 'dismiss', 'disputed', 'clerical_error', 'not_the_same'),
          }),
        },
        { weight: 3, arbitrary: fc.record({ kind: fc.constant('object' as const), at }) },
        {
          weight: 3,
          arbitrary: fc.record({
            kind: fc.constantFrom('withdraw' as const, 'restore' as const, 'promote' as const, 'dismiss' as const),
            at,
          }),
        },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant('take back' as const), at }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('report' as const), at }) },
        {
          weight: 3,
          arbitrary: fc.record({
            kind: fc.constantFrom('read again' as const, 'read again' as const, 'sign off' as const, 'sign off' as const, 'move' as const),
          }),
        },
        { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('reset' as const, 'read again' as const, 'sign off' as const) }) },
      ),
      { minLength: 5, maxLength: 11 },
    ),
  )
  .map(([first, then]): Act[] => [...first, ...then])

/** With texts removed by age and another version of the reader: what such a case ends as hangs on when, but nothing may be silent. */
export const disturbed = fc
  .tuple(
    histories,
    fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('lose text' as const), document }),
        fc.record({ kind: fc.constantFrom('upgrade' as const, 'read again' as const) }),
      ),
      { minLength: 2, maxLength: 4 },
    ),
    fc.infiniteStream(fc.nat(100)),
  )
  .map(([acts, between, places]): Act[] => {
    const all = [...acts]
    for (const act of between) all.splice(2 + (places.next().value % (all.length - 1)), 0, act)
    return all
  })
