import { describe, expect, it } from 'vitest'
import { extract } from './extract.js'
import type { DocumentProfile } from './types.js'

const profileOf = (text: string, type = 'txt'): DocumentProfile =>
  extract({ documentId: 'd', revision: 1, name: 'd', type, source: null, text }).profile
const BODY = '\n\nThe gate was opened on 3 January 2031. It is 41 m wide.\n'

describe('the day a document gives as its own', () => {
  const lines: [string, string | null][] = [
    ['Issued 24 February 2031 to the Lenders', '2031-02-24'],
    ['(issued 24 February 2031 to the Agent)', '2031-02-24'],
    ['24 February 2031, 14:00-16:20, Boardroom', '2031-02-24'],
    ['Held 24 February 2031, 10:00, by video', '2031-02-24'],
    ['Served by Wren & Pike LLP on 24 February 2031. This schedule replaces the schedule served on 2 January 2031.', '2031-02-24'],
    ['Conformed copy, 24 February 2031', '2031-02-24'],
    ['Final, approved by the Board 24 February 2031', '2031-02-24'],
    ['Version 3.0 of 24 February 2031', '2031-02-24'],
    ['Final report, 24 February 2031 (draft 2 January 2031)', '2031-02-24'],
    ['dated the 24th day of February 2031', '2031-02-24'],
    ['Reported by M. Quill, fitter, on 24 February 2031 at 15:10', '2031-02-24'],
    ['Submitted to the Authority on 24 February 2031', '2031-02-24'],
    ['Raised 24 February 2031 by fitter T. Quill', '2031-02-24'],
    ['Issued under section 51 on 24 February 2031', '2031-02-24'],
    ['Place and date of issue: Hull, 24 February 2031', '2031-02-24'],
    ['Date/time of report: 24 February 2031 21:40', '2031-02-24'],
    ['Drawn 24 February 2031 under the agreement of 2 January 2031', null],
    ['Next review 24 February 2031', null],
    ['Inspection of 24 February 2031', null],
    ['Response to your letter of 24 February 2031', null],
  ]
  it.each(lines)('%s', (line, day) => {
    expect(profileOf(`GATE NOTE\n${line}${BODY}`).issuedOn).toBe(day)
  })

  it('is the day a log was printed, not that of its first entry', () => {
    const log = profileOf('GATE LOG\nPrinted 26/11/2031 by Gate Office\n\n03/11/2031 08:40 Gate 2 opened\n04/11/2031 09:15 Gate 2 shut\n')
    expect(log).toMatchObject({ issuer: 'Gate Office', issuedOn: '2031-11-26' })
    expect(profileOf('GATE LOG\n03/11/2031, Gate 2 opened\n04/11/2031, Gate 2 shut\n').issuedOn).toBeNull()
  })

  it('is not the day an opinion is given as of, where another stands below', () => {
    const opinion = profileOf(
      `Gate opinion as of 31 December 2030\nM. Quill FIA, Appointed Actuary, Wren Mutual Insurance\n24 February 2031${BODY}`,
    )
    expect(opinion).toMatchObject({ issuer: 'M. Quill FIA, Appointed Actuary, Wren Mutual Insurance', issuedOn: '2031-02-24' })
  })

  it('stands below a declaration', () => {
    const sworn = profileOf(
      'STATUTORY DECLARATION\n\nI, Marta Quill, of 4 Gate Lane, declare:\n\n1. The gate was moved on 3 May 2031.\n\nDeclared at Hull on 12 June 2031\n',
    )
    expect(sworn).toMatchObject({ issuer: 'Marta Quill', issuedOn: '2031-06-12' })
  })

  it('stands at the margin below two lines of a letterhead', () => {
    const letter = profileOf(
      `WREN VALLEY COUNCIL\nDepartment of Gates\n${' '.repeat(50)}14 August 2031\nMr T. Quill\n\nDear Mr Quill,\n\nYour application of 2 June 2031 was refused.\n`,
    )
    expect(letter).toMatchObject({ issuer: 'WREN VALLEY COUNCIL', issuedOn: '2031-08-14' })
  })

  it('is read from labels in one line, parted by bars or two spaces', () => {
    const expected = { issuer: 'J. Quill', issuedOn: '2031-03-18' }
    expect(profileOf(`GATE NOTE\nDate: 18 March 2031 | Analyst: J. Quill | Account 077${BODY}`)).toMatchObject(expected)
    expect(profileOf(`GATE NOTE\nDate: 18 March 2031  Analyst: J. Quill  Account: 077${BODY}`)).toMatchObject(expected)
    expect(profileOf(`<h1>Gate note</h1><p>Date: 18 March 2031 | Author: J. Quill | Ward 7</p><p>${BODY}</p>`, 'html')).toMatchObject(
      expected,
    )
  })

  it('is read from what an export says of itself', () => {
    expect(
      profileOf('# Exported by Gate Systems Office on 4 June 2031 09:12\nid;date;m\n1;2031-05-02;14\n2;2031-05-03;3\n', 'csv'),
    ).toMatchObject({
      issuer: 'Gate Systems Office',
      issuedOn: '2031-06-04',
    })
    expect(
      profileOf(
        'Prepared by,Gate Store,,\nDate,2031-06-04,,\nitem,n,unit,expiry\nBolt,40,bag,2032-01-01\nNut,12,box,2033-01-01\nPin,7,box,2034-01-01\n',
        'csv',
      ),
    ).toMatchObject({ issuer: 'Gate Store', issuedOn: '2031-06-04' })
    expect(
      profileOf('{"exported_by":"Gate Metering Ltd","exported_at":"2031-06-04T09:12:00Z","rows":[{"m":"M1","n":3}]}', 'json'),
    ).toMatchObject({
      issuer: 'Gate Metering Ltd',
      issuedOn: '2031-06-04',
    })
  })
})

describe('who writes', () => {
  const cases: [string, string | null][] = [
    ['MARL v HOLT TRUST\nREPORT by Mr A. Quill MS FRCS, Consultant Surgeon, instructed by Wren LLP', 'Mr A. Quill MS FRCS'],
    ['Value of Gate House\nPrepared for Wren Bank on behalf of Holt Ports Ltd', null],
    ['GATE RECORD\nWren General Hospital\nConsultant in charge: Dr P. Ruel', 'Wren General Hospital'],
    [
      'GATE REGISTER\nWren Foods BV, Quality Department\n\nSupplier: Marl Ltd\nAuditor: P. Wey\n\nSupplier: Sole SA\nAuditor: M. Krug',
      'Wren Foods BV, Quality Department',
    ],
    ['NATIONAL GATE AGENCY\nApplicant: Holt Ports Ltd', 'NATIONAL GATE AGENCY'],
    ['WREN RATINGS\nOPINION\nLead analyst: T. Quill', 'WREN RATINGS'],
    ['Assessment of the covenant -- Holt Group plc', null],
    ['From: claims@wrenmutual.example\nTo: A. Holt\nSubject: gate', 'wrenmutual'],
    ['GATE INSPECTION REPORT\nWren Primary School\nLead inspector: Joan Quill', 'Joan Quill'],
    ['Second opinion\nProf. E. Quill, University of Wren', 'Prof. E. Quill, University of Wren'],
    ['STEERING GROUP MINUTES\nHeld 5 March 2031', 'STEERING GROUP'],
    ['PRESS RELEASE\nHull, 4 June 2031 - Holt Ports Ltd today announced a new gate.', 'Holt Ports Ltd'],
    ['Gate note\nAuthor: T. Quill\nDepartment: Gates, Wren Foods BV', 'T. Quill, Gates, Wren Foods BV'],
  ]
  it.each(cases)('%s', (head, issuer) => {
    expect(profileOf(`${head}${BODY}`).issuer).toBe(issuer)
  })

  it('is whom the last lines sign for', () => {
    expect(profileOf(`GATE CERTIFICATE\nIssued 4 June 2031${BODY}\nFor Holt Ports Ltd\nJ. Marr, Director\n`).issuer).toBe('Holt Ports Ltd')
  })
})

describe('what a document takes the place of', () => {
  const cases: [string, string[]][] = [
    ['This report replaces the initial report of 20 March 2031.', ['initial report of 20 March 2031']],
    ['In place of our letter of 12 May 2031, please note the rent.', ['letter of 12 May 2031, please note the rent']],
    ['The figures of Report No. 7 are withdrawn.', ['figures of Report No. 7']],
    ['Our certificate of 2 May 2031 is cancelled by this one.', ['certificate of 2 May 2031']],
    ['The memo of 2 May 2031 no longer applies.', ['memo of 2 May 2031']],
    ['This sheet is issued instead of C-31-014.', ['C-31-014']],
    ['Please disregard our offer of 3 May 2031.', ['offer of 3 May 2031']],
    ['It is version 2.0 (supersedes 1.1 of 3 May 2031).', ['1.1 of 3 May 2031']],
    ['The new pump replaces the pump of 1998.', []],
    ['The report of 2 May 2031 is superseded by the report of the valuer.', []],
  ]
  it.each(cases)('%s', (sentence, replaced) => {
    expect(profileOf(`GATE NOTE\nWren Ltd\n4 June 2031\n\n${sentence}\n`).supersedes).toEqual(replaced)
  })
})
