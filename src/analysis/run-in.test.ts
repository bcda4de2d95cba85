import { describe, expect, it } from 'vitest'
import { extract } from './extract.js'
import { initialsIn, runInOf } from './run-in.js'
import type { ExtractedClaim } from './types.js'

const claimsOf = (text: string): ExtractedClaim[] =>
  extract({ documentId: 'd', revision: 1, name: 'd', type: 'txt', source: null, text }).claims

const HEAD = 'MILL REPORT\nDate: 3 May 2031\nPrepared by: Works Office\n\n1. Findings\n\n'

describe('run-in headings', () => {
  it.each([
    ['Occlusion limit. Spot check of 60 vans.', 'Occlusion limit'],
    ['Calder Bay (file TA-418). Mr Sarkan was minister.', 'Calder Bay (file TA-418)'],
    ['Note 7  Fees. The fee was 1.50 %.', 'Fees'],
    ['Point 5. We do not share the view.', ''],
  ])('%s', (text, title) => {
    expect(runInOf(text, true)?.title).toBe(title)
  })

  it.each(['The pump was returned. All others passed.', 'Mr. Olsen left.', 'Thank you. We agree.', 'See Fig. 4 and more'])('%s', text => {
    expect(runInOf(text, true)).toBeNull()
  })

  it('stands above what the item says and is no statement', () => {
    const claims = claimsOf(`${HEAD}1. Grinding wheels. The spare wheel costs EUR 900.\n2. Roof. The roof was repaired in May 2030.\n`)
    expect(claims.some(claim => claim.attribute.startsWith('Grinding'))).toBe(false)
    expect(claims.find(claim => claim.valueText === 'EUR 900')?.hints?.['path']).toContain('Grinding wheels')
  })
})

describe('speakers', () => {
  it('knows initials of people who are named', () => {
    expect([...initialsIn('Present: J. Moss (legal), Dr Rufus Olsen')]).toEqual(expect.arrayContaining(['JM', 'RO']))
  })

  it('reads what somebody says as words, and a short form of a thing as a label', () => {
    const claims = claimsOf(
      `MINUTES OF THE MILL BOARD\n\nPresent: J. Moss (legal), R. Olsen\n\nItem 3 - Letter\nJM: the reply to the owner is due on 16 May 2031.\nEPS: 4.20\n`,
    )
    expect(claims.find(claim => claim.value.type === 'date')?.attribute).toBe('reply to the owner is due')
    expect(claims.find(claim => claim.valueText === '4.20')?.attribute).toBe('EPS')
  })
})

describe('numbered paragraphs', () => {
  it('are read although their first line looks like a heading', () => {
    const claims = claimsOf(`${HEAD}3.3 According to the work order in the maintenance system the left bearing of the
    wheel was replaced on 17 January 2031.
3.4 The manual asks for grease every 200 hours. The sheets show
    that the wheel was greased on 2 March 2031.
`)
    expect(claims.filter(claim => claim.value.type === 'date').map(claim => claim.valueText)).toEqual(['2031-01-17', '2031-03-02'])
  })
})

describe('columns of dates and versions', () => {
  const text = `${HEAD}                     31.12.2031       31.12.2030
                     EUR million      EUR million
  Cash at bank            9.7             14.8
  Net assets            214.6            208.1
`
  it('a day above a column dates its values', () => {
    const cash = claimsOf(text).filter(claim => claim.attribute.startsWith('Cash at bank'))
    expect(cash.map(claim => claim.period?.label)).toEqual(['2031-12-31', '2030-12-31'])
  })

  it('a day below "Date" is the date of its row', () => {
    const claims = claimsOf(`ORDER No. 1\nZurich, 20 January 2031\n\n1. Timetable

   Step                                Date
   ----------------------------------  -------------------
   Opening statement of the mill       28 February 2031
   Reply of the yard                   15 April 2031
`)
    expect(claims.map(claim => `${claim.attribute} = ${claim.valueText}`)).toEqual([
      'Opening statement of the mill · Date = 2031-02-28',
      'Reply of the yard · Date = 2031-04-15',
    ])
  })
})
