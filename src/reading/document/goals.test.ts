import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { extract } from './extract.js'

const goalsIn = (text: string, type: string) =>
  extract({ documentId: 'd', revision: 1, name: 'd', type, source: null, text }).goals.map(({ what, owner, due, done }) => ({
    what,
    owner,
    due,
    done,
  }))

describe('goals of action registers', () => {
  it('takes what, who, until when and whether it is done from the row', () => {
    expect(
      goalsIn(
        'no;action;owner;target;status\nP-1;Paint the whole hull;Yard;9 May 2031;closed\nP-2;Mend the main sail;Loft;1 June 2031;in progress\n',
        'csv',
      ),
    ).toEqual([
      { what: 'Paint the whole hull', owner: 'Yard', due: '2031-05-09', done: true },
      { what: 'Mend the main sail', owner: 'Loft', due: '2031-06-01', done: false },
    ])
  })

  it('takes items below a heading of actions, and sentences of duty, as the page about reading shows', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/analysis.md'), 'utf8')
    const [, example = ''] = /## Goals\n.*?```\n(.*?)```/s.exec(page) ?? []
    expect(goalsIn(example, 'md')).toEqual([
      { what: 'Repair the north gate by 9 May 2031, owner: Harbour Works', owner: 'Harbour Works', due: '2031-05-09', done: false },
      { what: 'Inspect the crane: completed on 1 April 2031', owner: null, due: '2031-04-01', done: true },
      { what: 'The yard must renew its insurance before 30 June 2031.', owner: null, due: '2031-06-30', done: false },
    ])
  })

  it('takes no row of a table of figures', () => {
    expect(goalsIn('| Site | Reports | Status |\n|---|---|---|\n| Moorland | 6 | open |\n| Fenland | 8 | closed |\n', 'md')).toEqual([])
  })
})
