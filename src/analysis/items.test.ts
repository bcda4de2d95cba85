/** Numbered entries of registers and reports, followed by kind and number. */
import { describe, expect, it } from 'vitest'
import { analyseFolder } from '../../test/support/score-corpus.js'
import { itemAbove, itemIn, itemSaid } from './items.js'

describe('numbered entries', () => {
  it.each([
    ['Finding 3 (Mooring lines)', 'find:3'],
    ['OBSERVATION 12: FENDER WEAR', 'observ:12'],
    ['Corrective action no. 4', 'action:4'],
    ['Finding 2.1', 'find:2.1'],
    ['Fender wear', null],
    ['Finding out more', null],
  ])('%j is %j', (text, wanted) => {
    expect(itemIn(text)).toBe(wanted)
  })

  it('is the nearest one above', () => {
    expect(itemAbove(['Finding 1', 'FINDING 2 — MATERIAL', 'Title: Fender wear'])).toBe('find:2')
  })

  it.each([
    ['Point 3 of the letter (piles) stays open.', 'point:3'],
    ['Enforcement notice EN-24-031 is closed.', 'code en-#-#:en-24-031'],
    ['Point 3 of the letter was sent in May.', null],
  ])('has its status said in %j: %j', (text, wanted) => {
    expect(itemSaid(text)).toBe(wanted)
  })
})

const head = (issuer: string, date: string, rest = ''): string =>
  `Report on Brackwater Terminal\n\nPrepared by: ${issuer}\nDate: ${date}\n${rest}\n1. Status\n\n`

function verdicts(first: string, second: string, issuers: [string, string] = ['Halden Survey', 'Corvin Partners']): string[] {
  const result = analyseFolder([
    { name: '1.txt', text: head(issuers[0], '2025-03-01', 'Reference: HS-2025-17\n') + first },
    { name: '2.txt', text: head(issuers[1], '2025-04-10') + second },
  ])
  return [...new Set(result.findings.map(finding => finding.verdict))]
}

const OPEN =
  'FINDING 1 — MATERIAL\nTitle: Overloaded crane rail\n  The rail bends by 4 mm.\n  Status: OPEN — action due 30 September 2025\n'

describe('the status of a numbered entry', () => {
  it('is replaced by a later one, whatever its title there', () => {
    expect(verdicts(OPEN, 'Finding 1 (Rail): CLOSED — Remediated\n')).toEqual(['supersession'])
    expect(verdicts(OPEN, 'FINDINGS OF HS-2025-17\n\n  Finding 1 (Load test): CLOSED — Remediated\n')).toEqual(['supersession'])
  })

  it('may be said in sentences, and of whatever a label names', () => {
    const one: [string, string] = ['Halden Survey', 'Halden Survey']
    expect(verdicts('Recommendation 4 remains outstanding.\n', 'Recommendation 4 has been implemented.\n', one)).toEqual(['supersession'])
    expect(verdicts('Berth licence status: SUSPENDED\n', 'Berth licence status: REINSTATED\n', one)).toEqual(['supersession'])
    expect(verdicts('Finding F-03: Closed\n', 'Finding F-03 remains open.\n')).toContain('contradiction')
  })

  it('contradicts who closed it when somebody else finds it open', () => {
    expect(verdicts('Finding 7 (Crane rail): CLOSED — Remediated\n', 'Finding 7 (Crane rail): OPEN — not remediated\n')).toContain(
      'contradiction',
    )
  })

  it('is another one when nothing but the number ties the two', () => {
    expect(verdicts(OPEN, 'Finding 1 (Kitchen hygiene): CLOSED — Remediated\n')).toEqual([])
  })
})
