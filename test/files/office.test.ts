import { describe, expect, it } from 'vitest'
import type { FileKind } from '../../src/contract/file-kinds.js'
import { extract } from '../../src/files/extract.js'
import { sniffKind } from '../../src/files/sniff.js'
import { columnName } from '../../src/files/xlsx-sheets.js'
import { commented, deleted, docxOf, inserted, odsOf, odtOf, pptxOf, said, shape } from '../support/office.js'
import { zipOf } from '../support/zip.js'

const limits = { maxChars: 200_000, maxUnpackedBytes: 16 * 1024 * 1024 }
const read = (bytes: Buffer, kind: FileKind, given = limits) => extract(bytes, kind, given)
const kindOf = (bytes: Buffer, name: string) => sniffKind({ head: bytes.subarray(0, 65_536), tail: bytes, name, declared: null })
const faultOf = (bytes: Buffer, kind: FileKind, given = limits) =>
  read(bytes, kind, given).then(
    () => 'read',
    (error: { code?: string }) => error.code,
  )

type Read = Awaited<ReturnType<typeof read>>
const placeOf = ({ text, places }: Read, quote: string) => {
  expect(text).toContain(quote)
  const at = [...text.slice(0, text.indexOf(quote))].length
  return places?.labels[places.starts.filter(start => start <= at).length - 1]
}

const trackedEnd = `[Tracked changes and comments]

Paragraph 1, deleted by Ana Berg on 2026-03-01: EUR 12,500 (it read: “The rent is EUR 12,500 a month.”)
Paragraph 1, inserted by Ana Berg on 2026-03-01: EUR 12,900`

describe('a Word document with tracked changes and comments', () => {
  const tracked = docxOf(
    [
      said('The rent is ') + deleted('EUR 12,500') + inserted('EUR 12,900') + said(' a month.'),
      deleted('The tenant may sublet the archive.'),
      commented('Notice is six months.'),
    ],
    ['Agreed were three months.'],
  )

  it('reads as with all changes accepted, and says below what was inserted, deleted and commented, by whom and when', async () => {
    const { text, notes, places } = await read(tracked, 'docx')
    expect(text).toBe(`The rent is EUR 12,900 a month.

Notice is six months.

${trackedEnd}
Paragraph 1, deleted by Ana Berg on 2026-03-01: The tenant may sublet the archive.
Paragraph 2, comment by Ben Roth on 2026-03-02 on “Notice is six months.”: Agreed were three months.`)
    expect(notes).toEqual([expect.stringContaining('1 inserted, 2 deleted, 1 commented')])
    expect(places?.labels).toEqual(['1', '2', '1', '2'])
  })

  it('that was deleted whole still shows what it said', async () => {
    expect((await read(docxOf([deleted('The deal is off.')]), 'docx')).text).toBe(
      '[Tracked changes and comments]\n\nParagraph 1, deleted by Ana Berg on 2026-03-01: The deal is off.',
    )
  })

  it('joins paragraphs whose mark of end was deleted, within a box and a cell as well, and no other', async () => {
    const endDeleted = '<w:pPr><w:rPr><w:del w:author="Ana Berg" w:date="2026-03-01T10:00:00Z"/></w:rPr></w:pPr>'
    const p = (content: string) => `<w:p>${content}</w:p>`
    const two = (first: string, second: string) => p(endDeleted + said(first)) + p(said(second))
    const box = `<w:r><w:pict><v:shape><v:textbox><w:txbxContent>${two('A deposit of 3', '00 EUR.')}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`
    const table = `<w:tbl><w:tr><w:tc>${two('Ro', 'om')}</w:tc><w:tc>${p(endDeleted + said('Area'))}</w:tc></w:tr></w:tbl>`
    const found = await read(
      docxOf([
        endDeleted + said('The fee is 1'),
        endDeleted + deleted('Old words.'),
        `${said('00 EUR ')}${deleted('a year.')}${inserted('a month.')}`,
        endDeleted + deleted('Gone whole.'),
        said('Stays.') + box,
        endDeleted + said('Before a table'),
        table,
        endDeleted + said('The last.'),
      ]),
      'docx',
    )
    expect(found.text).toBe(`The fee is 100 EUR a month.

Stays.

A deposit of 300 EUR.

Before a table

| Room | Area |
|---|---|

The last.

[Tracked changes and comments]

Paragraph 1, deleted by Ana Berg on 2026-03-01: Old words. (it read: “The fee is 1 Old words. 00 EUR a year.”)
Paragraph 1, deleted by Ana Berg on 2026-03-01: a year. (it read: “The fee is 1 Old words. 00 EUR a year.”)
Paragraph 1, inserted by Ana Berg on 2026-03-01: a month.
Paragraph 1, deleted by Ana Berg on 2026-03-01: Gone whole.`)
    expect(placeOf(found, 'A deposit')).toBe('3')
  })

  it('with a hundred thousand changes in one paragraph is read through once', async () => {
    const changes = Array.from({ length: 100_000 }, (_none, n) => deleted('a', `Person ${n % 2}`)).join('')
    expect(await faultOf(docxOf([changes]), 'docx')).toBe('TOO_LONG')
  })

  it('cannot write the line below which changes stand', async () => {
    const { text } = await read(docxOf([said('[Tracked changes and comments]'), said('The rent is EUR 5.')]), 'docx')
    expect(text).toBe('(Tracked changes and comments)\n\nThe rent is EUR 5.')
  })

  it('numbers rows of tables, and names the row of a change', async () => {
    const cell = (content: string) => `<w:tc><w:p>${content}</w:p></w:tc>`
    const table = `<w:tbl><w:tr>${cell(said('Room'))}${cell(said('Area'))}</w:tr><w:tr>${cell(said('Hall'))}${cell(deleted('40 m²') + inserted('44 m²'))}</w:tr></w:tbl>`
    const found = await read(docxOf([said('Areas'), table]), 'docx')
    expect(found.text).toContain('| Hall | 44 m² |')
    expect(placeOf(found, '44 m²')).toBe('3')
    expect(found.text).toContain('Paragraph 3, deleted by Ana Berg on 2026-03-01: 40 m²')
  })
})

describe('an OpenDocument text', () => {
  const styles = '<style:style style:name="P1" style:parent-style-name="Title"/>'
  const cell = (text: string, more = '') => `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`
  const body = `<text:p text:style-name="P1">Lease</text:p><text:h text:outline-level="2">Terms</text:h>
    <text:list><text:list-item><text:p>Notice of<text:s text:c="1"/>six months</text:p></text:list-item></text:list>
    <text:p>The rent is <text:span>EUR 5</text:span><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Without heating.</text:p></text:note-body></text:note>.</text:p>
    <table:table><table:table-row>${cell('Room')}${cell('Area')}</table:table-row>
    <table:table-row>${cell('Hall', 'table:number-columns-spanned="2"')}<table:covered-table-cell/></table:table-row>
    <table:table-row>${cell('Roof', 'table:number-rows-spanned="2"')}${cell('9 m²')}</table:table-row>
    <table:table-row><table:covered-table-cell/>${cell('8 m²')}</table:table-row></table:table>`

  it('gives headings, lists, notes and tables, with the paragraph of each part', async () => {
    const found = await read(odtOf(body, styles), 'odt')
    expect(found.text).toBe(
      '# Lease\n\n## Terms\n\n- Notice of six months\n\nThe rent is EUR 5.\n\nWithout heating.\n\n| Room | Area |\n|---|---|\n| Hall |  |\n| Roof | 9 m² |\n| Roof | 8 m² |',
    )
    expect(placeOf(found, 'The rent')).toBe('4')
    expect(placeOf(found, '8 m²')).toBe('9')
  })

  it('has the words of its fields, and not what is said of its pictures', async () => {
    const logo = '<draw:frame><draw:image/><svg:title>Logo</svg:title><svg:desc>A tree</svg:desc></draw:frame>'
    const fields = `<text:p>Of the <text:title>Lease of Hamburg</text:title>${logo}: <text:span><text:title>signed</text:title></text:span> on <text:date>2 March</text:date>.</text:p>`
    expect((await read(odtOf(fields), 'odt')).text).toBe('Of the Lease of Hamburg: signed on 2 March.')
  })

  it('puts what was deleted back where it was, and tells it apart', async () => {
    const region = (id: string, did: string) =>
      `<text:changed-region text:id="${id}">${did.replace('>', '><office:change-info><dc:creator>Ana Berg</dc:creator><dc:date>2026-03-01T10:00:00</dc:date></office:change-info>')}</text:changed-region>`
    const changes = `<text:tracked-changes>${region('d1', '<text:deletion><text:p>EUR 12,500</text:p></text:deletion>')}${region('i1', '<text:insertion></text:insertion>')}${region('f1', '<text:format-change></text:format-change>')}</text:tracked-changes>`
    const comment = (name: string, text: string) =>
      `<office:annotation office:name="${name}"><dc:creator>Ben Roth</dc:creator><dc:date>2026-03-02T08:00:00</dc:date><meta:creator-initials>BR</meta:creator-initials><text:p>${text}</text:p></office:annotation>`
    const { text } = await read(
      odtOf(
        `${changes}<text:p>The <text:change-start text:change-id="f1"/>rent<text:change-end text:change-id="f1"/> is <text:change text:change-id="d1"/><text:change-start text:change-id="i1"/>EUR 12,900<text:change-end text:change-id="i1"/> a month.</text:p>
         <text:p>Notice is ${comment('c1', 'Agreed were three months.')}six months<office:annotation-end office:name="c1"/>.</text:p>`,
      ),
      'odt',
    )
    expect(text).toBe(
      `The rent is EUR 12,900 a month.\n\nNotice is six months.\n\n${trackedEnd}\nParagraph 2, comment by Ben Roth on 2026-03-02 on “six months”: Agreed were three months.`,
    )
  })
})

describe('an OpenDocument spreadsheet', () => {
  it('gives every sheet as a table, days and figures written as in any language, with the cell of each part', async () => {
    const cell = (type: string, value: string, shown: string, more = '') =>
      `<table:table-cell office:value-type="${type}" office:${type === 'date' ? 'date-value' : 'value'}="${value}" ${more}><text:p>${shown}</text:p></table:table-cell>`
    const text = (shown: string, more = '') =>
      `<table:table-cell office:value-type="string" ${more}><text:p>${shown}</text:p></table:table-cell>`
    const rows = `<table:table-row>${text('Item')}${text('Amount')}${text('Share')}${text('Paid on')}</table:table-row>
      <table:table-row>${text('Staff')}${cell('currency', '1234567.5', '1.234.567,50 €', 'office:currency="EUR"')}${cell('percentage', '0.625', '62,5 %')}${cell('date', '2025-12-31', '31.12.25')}</table:table-row>
      <table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
      <table:table-row><table:table-cell table:number-columns-repeated="2"/>${cell('float', '0.125', '0,125')}<table:table-cell><office:annotation><text:p>not a cell</text:p></office:annotation></table:table-cell></table:table-row>`
    const found = await read(odsOf({ Costs: rows, Empty: '' }), 'ods')
    expect(found.text).toBe(
      '# Costs\n\n| Item | Amount | Share | Paid on |\n|---|---|---|---|\n| Staff | EUR 1,234,567.50 | 62.5% | 2025-12-31 |\n\n0.125',
    )
    expect(placeOf(found, '62.5%')).toBe('Costs!C2')
    expect(placeOf(found, '0.125')).toBe('Costs!C6')
  })

  it.each([
    ['13500', 'EUR 13,500', 'EUR 13,500'],
    ['13500', '13.500,00 €', '13,500.00 €'],
    ['13500', '13.500,– €', '13,500 €'],
    ['500', '500 kg', '500 kg'],
    ['1500.125', '1500,125 kg', '1500.125 kg'],
    ['420', 'about 420 m²', 'about 420 m²'],
    ['-1200', '-EUR 1.200', 'EUR -1,200'],
    ['-1200', '(1.200) kg', '-1,200 kg'],
    ['-5', '-5 kg (net)', '-5 kg (net)'],
    ['2', '2 of 7', '2 of 7'],
    ['12345', 'CO2: 12.345', 'CO2: 12.345'],
    ['2.675', '2,68 kg', '2.68 kg'],
  ])('keeps what stands around the figure of a cell: %s shown as %s', async (value, shown, written) => {
    const row = `<table:table-row><table:table-cell office:value-type="float" office:value="${value}"><text:p>${shown}</text:p></table:table-cell></table:table-row>`
    expect((await read(odsOf({ Costs: row }), 'ods')).text).toBe(`# Costs\n\n${written}`)
  })

  it('keeps what a price is for beside its currency', async () => {
    const row =
      '<table:table-row><table:table-cell office:value-type="currency" office:currency="EUR" office:value="12"><text:p>12,00 €/m²</text:p></table:table-cell></table:table-row>'
    expect((await read(odsOf({ Costs: row }), 'ods')).text).toBe('# Costs\n\nEUR 12.00/m²')
  })

  it('with a stray cell far to the right is read without the empty columns before it', async () => {
    const text = (shown: string) => `<table:table-cell office:value-type="string"><text:p>${shown}</text:p></table:table-cell>`
    const row = (n: number) =>
      `<table:table-row>${text(`Room ${n}`)}${text(`${n} m²`)}${n === 7 ? `<table:table-cell table:number-columns-repeated="1000000000"/>${text('stray')}` : ''}</table:table-row>`
    const found = await read(odsOf({ Rooms: Array.from({ length: 40 }, (_, n) => row(n + 1)).join('') }), 'ods')
    expect(found.text).toContain('| Room 7 | 7 m² | stray |\n| Room 8 | 8 m² |  |')
    expect([placeOf(found, '40 m²'), placeOf(found, 'stray')]).toEqual(['Rooms!B40', `Rooms!${columnName(1_000_000_002)}7`])
  })
})

describe('a presentation', () => {
  it('gives slides as pages: title, items, texts, tables and notes', async () => {
    const table = `<p:graphicFrame><a:tbl>${[
      ['Item', 'Area'],
      ['Office', '420 m²'],
    ]
      .map(row => `<a:tr>${row.map(text => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`).join('')}</a:tr>`)
      .join('')}</a:tbl></p:graphicFrame>`
    const deck = pptxOf([
      {
        shapes:
          shape('ctrTitle', 'Hamburg office') +
          shape('body', 'The rent is EUR 12,900 a month.', 'Notice of six months') +
          shape('sldNum', '1'),
        notes: 'The landlord wants more.',
      },
      { shapes: shape(null, 'A free text.') + table, hidden: true },
    ])
    const found = await read(deck, 'pptx')
    expect(found.text).toBe(
      '# Hamburg office\n\n- The rent is EUR 12,900 a month.\n- Notice of six months\n\n## Notes\n\nThe landlord wants more.\n\nA free text.\n\n| Item | Area |\n|---|---|\n| Office | 420 m² |',
    )
    expect([placeOf(found, 'The rent'), placeOf(found, 'The landlord'), placeOf(found, '420 m²')]).toEqual(['1', '1', '2'])
    expect(found.places?.kind).toBe('page')
    expect(found.notes).toEqual(['Slides that are not shown when it is presented, read like the others: 1.'])
  })
})

it.each<[string, FileKind, () => Buffer]>([
  ['OpenDocument', 'odt', () => odtOf('<text:h text:outline-level="-3">Rent</text:h>')],
  ['Word', 'docx', () => docxOf([`<w:pPr><w:outlineLvl w:val="-3"/></w:pPr>${said('Rent')}`])],
])('a heading of no level that there is, in %s, is one of the first', async (_name, kind, bytes) => {
  expect((await read(bytes(), kind)).text).toBe('# Rent')
})

describe('kinds of office files', () => {
  it('are told by their content, whatever they are called', () => {
    expect(kindOf(odtOf('<text:p>a</text:p>'), 'a.docx')).toBe('odt')
    expect(kindOf(odsOf({ a: '' }), 'a.zip')).toBe('ods')
    expect(kindOf(pptxOf([]), 'a.pdf')).toBe('pptx')
    expect(kindOf(docxOf([said('a')]), 'a.odt')).toBe('docx')
  })

  it.each<[string, FileKind, () => Buffer, string]>([
    ['an encrypted text', 'odt', () => odtOf('', '', { 'META-INF/manifest.xml': '<a><manifest:encryption-data/></a>' }), 'ENCRYPTED'],
    ['a text without content', 'odt', () => zipOf({ mimetype: 'application/vnd.oasis.opendocument.text' }), 'BROKEN'],
    ['a spreadsheet of nothing', 'ods', () => odsOf({ a: '' }), 'NO_TEXT'],
    [
      'a row that stands for too many',
      'ods',
      () =>
        odsOf({
          a: `<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384"><text:p>1</text:p></table:table-cell></table:table-row>`,
        }),
      'TOO_COMPLEX',
    ],
    ['a presentation of nothing', 'pptx', () => pptxOf([{ shapes: '' }]), 'NO_TEXT'],
    [
      'what was deleted a million times',
      'odt',
      () =>
        odtOf(
          `<text:tracked-changes><text:changed-region text:id="d"><text:deletion><text:p>${'word '.repeat(10_000)}</text:p></text:deletion></text:changed-region></text:tracked-changes><text:p>${'<text:change text:change-id="d"/>'.repeat(100_000)}</text:p>`,
        ),
      'TOO_LONG',
    ],
    [
      'a bomb of blanks',
      'odt',
      () => zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': Buffer.alloc(17 * 1024 * 1024, 32) }),
      'TOO_LARGE',
    ],
  ])('%s are refused for their reason', async (_name, kind, bytes, code) => {
    expect(await faultOf(bytes(), kind)).toBe(code)
  })
})
