import { describe, expect, it } from 'vitest'
import { extract } from './extract.js'
import type { Extraction } from './types.js'

const read = (text: string, type = 'txt'): Extraction => extract({ documentId: 'd', revision: 1, name: 'd', type, source: null, text })
const said = (found: Extraction): string[] => found.claims.map(claim => `${claim.attribute} = ${claim.valueText}`)

describe('forms below the title', () => {
  const notice = read(`HARROW BOATS BV          SAFETY NOTICE - UPDATE
-----------------------------------------------
Notice number            : SN-31-014, issue B
Date of issue            : 6 May 2031
Hulls concerned          : 1,150 worldwide
Longest pumping time     : 95 min
Complaints to 31 Jan 2031: 44 (corrected)
Rudder kit available     : 15 July 2031
-----------------------------------------------

What has changed

The figure in issue A left out the records of two yards.
`)

  it('takes every label for a claim but those by which the document speaks of itself', () => {
    expect(said(notice)).toEqual(
      expect.arrayContaining([
        'Hulls concerned = 1,150',
        'Longest pumping time = 95 min',
        'Complaints to 31 Jan 2031 = 44',
        'Rudder kit available = 2031-07-15',
      ]),
    )
    expect(said(notice).some(text => /Notice number|Date of issue/.test(text))).toBe(false)
  })

  it('reads who writes, when and under which reference', () => {
    expect(notice.profile).toMatchObject({ issuer: 'HARROW BOATS BV', issuedOn: '2031-05-06', title: 'SAFETY NOTICE - UPDATE' })
    expect(notice.profile.reference).toContain('SN-31-014')
  })
})

describe('who wrote a document, and when', () => {
  const cases: [string, string, string, string | null, string][] = [
    [
      'a letterhead',
      'txt',
      'QUILL & HOLM\nOslo, 5 September 2031\n\nDear colleague,\n\nThe offer is open.\n\nYours sincerely\nK. Holm',
      'QUILL & HOLM',
      '2031-09-05',
    ],
    [
      'a legal form with stops',
      'txt',
      'Tarn Foods S.A.\nOur ref. T/31                     20 May 2031\n\nDear Sirs,\n\nThe rent is paid.\n',
      'Tarn Foods S.A.',
      '2031-05-20',
    ],
    [
      'minutes',
      'md',
      '# Orrin Partners: minutes of the valuation committee\n\n**Meeting:** 22 January 2031, 10:00\n\n## 1. Values\n\nThe value is EUR 3 million.\n',
      'Orrin Partners, valuation committee',
      '2031-01-22',
    ],
    [
      'minutes of a meeting',
      'txt',
      'TARN HOSPITALS GROUP - RISK COMMITTEE\nMinutes of the meeting of 17 April 2031, Board Room\n\nItem 1 - Fleet\nThe fleet has 40 vans.\n',
      'TARN HOSPITALS GROUP - RISK COMMITTEE',
      '2031-04-17',
    ],
    [
      'a byline',
      'html',
      '<h1>Mill incident summary</h1><p>Author: Safety Team (A. Reader). Date: 5 March 2031. Period: 1 December 2030 to 28 February 2031.</p><p>There were 14 incidents.</p>',
      'Safety Team (A. Reader)',
      '2031-03-05',
    ],
    [
      'labels side by side',
      'txt',
      'TARN GROUP\nACTION REGISTER\nDate of report: 12 September 2031        Prepared by: Quality Office (N. Bee)\n\nThe fleet has 40 vans.\n',
      'Quality Office (N. Bee)',
      '2031-09-12',
    ],
    [
      'a message',
      'txt',
      'From: Petra Novak <p.novak@mill-service.example>\nTo: R. Olsen\nDate: Mon, 1 September 2031 09:12\nSubject: progress\n\nWe started on 4 August.\n\nBest regards\nPetra Novak\nCoordinator, Mill Service Ltd\n',
      'Petra Novak, Mill Service Ltd',
      '2031-09-01',
    ],
    [
      'a signature',
      'txt',
      'PROCEDURAL ORDER No. 2\nZurich, 4 June 2031\n\nThe hearing will be held in February 2032 in the conference centre.\n\nFor the Tribunal\nL. Aubin',
      'Tribunal',
      '2031-06-04',
    ],
    [
      'a witness',
      'txt',
      'WITNESS STATEMENT OF TOBIAS HAGEN                  CW-1\n28 February 2031\n\n1. The gate was opened on 2 June 2029.\n',
      'TOBIAS HAGEN',
      '2031-02-28',
    ],
    [
      'a comment in a csv',
      'csv',
      '# Tarn Group; Action plan; version 2.0; 20 May 2031\nno;action;status\nP-1;Paint the hull;open\nP-2;Mend the sail;closed\n',
      'Tarn Group',
      '2031-05-20',
    ],
  ]
  it.each(cases)('%s', (_what, type, text, issuer, issuedOn) => {
    expect(read(text, type).profile).toMatchObject({ issuer, issuedOn })
  })

  it('does not take a letterhead for what a letter is about', () => {
    const letter = read(
      'ALDER MUTUAL INSURANCE\nClaims\n11 June 2031\n\nDear Ms Moss,\n\nThe retention is GBP 50,000 for each claim.\n\nYours sincerely,\nG. Toll',
    )
    expect(letter.profile.principalSubject).toBeNull()
    expect(letter.claims[0]?.hints?.['section']).toBe('')
  })
})

describe('labels in one line without stops', () => {
  it('are parted at labels of a header, and only after an answer', () => {
    const memo = read(
      '**MEMORANDUM**\n\n**To:** Ethics Board  **From:** Pharmacy  **Date:** 7 July 2031\n\nThe stock is 1,840 vials.\n',
      'md',
    )
    expect(memo.profile).toMatchObject({ issuer: 'Pharmacy', issuedOn: '2031-07-07' })
    const report = read('LAB REPORT\nReport Date: 7 July 2031\nPrepared by: Lab\n\nThe stock is 1,840 vials.\n')
    expect(report.profile).toMatchObject({ title: 'LAB REPORT', issuer: 'Lab', issuedOn: '2031-07-07' })
  })

  it('keep a long answer from heading the answers below it', () => {
    const found = read(
      `ADJUSTER'S REPORT\nDate: 2 April 2031\n\nCause of fire      Electrical fault in the packing hall of the dairy (report of 20 January 2031)\nReserve            EUR 950,000\nExcess             EUR 25,000\n`,
    )
    expect(said(found)).toEqual(expect.arrayContaining(['Reserve = EUR 950,000', 'Excess = EUR 25,000']))
  })
})
