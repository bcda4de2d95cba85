import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FileKind } from '../../src/contract/file-kinds.js'
import { FileFault, type Places } from '../../src/files/extraction.js'
import { createFileExtractor, type FileExtractor } from '../../src/files/extractor.js'
import type { PlaceRows } from '../../src/files/place-rows.js'
import { createWalls } from '../../src/files/walls.js'
import { createLogger } from '../../src/platform/logger.js'
import { pdfOf as printedPdf } from '../support/pdf.js'
import { zipOf } from '../support/zip.js'

const logger = createLogger({ level: 'fatal' })
const options = { timeoutMs: 10_000, memoryMb: 300, maxChars: 200_000, walls: createWalls(logger), logger }
let extractor: FileExtractor
beforeAll(() => {
  extractor = createFileExtractor(options)
})
afterAll(() => extractor.close())

const sample = (name: string) => readFileSync(new URL(`./samples/${name}`, import.meta.url))

async function extract(bytes: Buffer, kind: FileKind, by: FileExtractor = extractor) {
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
  })()
  const read = await by.extract({ kind, bytes: bytes.length, chunks }, new AbortController().signal)
  return { ...read, places: placesIn(read.places) }
}

/** The arrays of the rows, taken apart again: their notation is that of JSON but for the braces. */
function placesIn(places: PlaceRows | null): Places | null {
  if (places === null) return null
  const all = (of: 'starts' | 'labels') => places.rows.flatMap(row => JSON.parse(`[${row[of].toString('utf8').slice(1, -1)}]`))
  return { kind: places.kind, starts: all('starts'), labels: all('labels') }
}

/** The page, cell or paragraph at which a quote begins. */
function placeOf({ text, places }: Awaited<ReturnType<typeof extract>>, quote: string): string | undefined {
  const at = [...text.slice(0, text.indexOf(quote))].length
  expect(text).toContain(quote)
  return places?.labels[places.starts.filter(start => start <= at).length - 1]
}

const leaseText = `# Lease agreement

The rent is EUR 12,500 a month from 1 April 2026.

## Terms

- Deposit of three months
- Notice of six months

| Item | Area | Rent |
|---|---|---|
| Office | 420 m² | EUR 9,500 |
| Archive | 150 m² | EUR 3,000 |

Signed in Hamburg.`

describe('a PDF', () => {
  it('of LibreOffice gives headings, items and a table with narrow columns', async () => {
    expect((await extract(sample('lease.pdf'), 'pdf')).text).toBe(leaseText)
  })

  it('of Chromium gives its text in order, with the page of each part', async () => {
    const read = await extract(sample('power.pdf'), 'pdf')
    expect(read.text).toMatch(
      /^# Power report 2025\n\nThe total consumption of Alder Works in 2025 was 4,120 MWh\.\n\n\| Site \| Contract \| Consumption \|/,
    )
    expect(read.text).toContain('| Hamburg | Fixed price until March 2027 | 2,480 MWh |')
    for (let n = 1; n < 40; n++) {
      expect(read.text).toContain(
        `Paragraph ${n} of the long report says that site ${n} used ${100 + n} MWh of power in the year 2025, and`,
      )
    }
    expect(placeOf(read, 'The total consumption')).toBe('1')
    expect(placeOf(read, 'Paragraph 39 of')).toBe(read.places?.labels.at(-1))
    expect(placeOf(read, 'The licence of the plant ends on 31 March 2027.')).toBe(read.places?.labels.at(-1))
    expect(read.places?.labels).toEqual(Array.from({ length: read.places?.labels.length ?? 0 }, (_, index) => String(index + 1)))
    expect(Number(read.places?.labels.at(-1))).toBeGreaterThan(1)
  })

  it('in columns is read column by column', async () => {
    const { text } = await extract(sample('columns.pdf'), 'pdf')
    const marks = [...text.matchAll(/mark M(\d+)\./g)].map(match => Number(match[1]))
    expect(marks).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(text).toContain('Column text number 7 goes on for some lines so that the order of reading can be told from it')
  })

  it('puts a cell together whose text stands beside the others', async () => {
    const { text } = await extract(sample('wrapped.pdf'), 'pdf')
    expect(text).toContain('| Revenue | EUR 39.6M | EUR 41.2M |')
  })
})

describe('office files', () => {
  it('of Word give headings, lists and tables, with the paragraph of each part', async () => {
    const read = await extract(sample('lease.docx'), 'docx')
    expect(read.text).toBe(leaseText)
    expect(placeOf(read, 'The rent is')).toBe('2')
    expect(placeOf(read, 'EUR 3,000')).toBe('8')
  })

  it('of Word read without instructions and copies', async () => {
    const body = `<w:p><w:r><w:t>The rent is 5</w:t></w:r>
      <w:r><w:instrText>HYPERLINK "http://127.0.0.1:9"</w:instrText></w:r></w:p>
      <w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent></mc:Choice>
      <mc:Fallback><w:pict><w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`
    const older = `<w:p><w:r><w:pict><v:shape><v:textbox><w:txbxContent><w:p><w:r><w:t>In a box of Word 2007.</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`
    const file = zipOf({ 'word/document.xml': `<w:document xmlns:w="w" xmlns:mc="mc"><w:body>${body}${older}</w:body></w:document>` })
    expect((await extract(file, 'docx')).text).toBe('The rent is 5\n\nIn a box.\n\nIn a box of Word 2007.')
  })

  it('of Excel give every sheet as a table under its name, cells as shown, with the cell of each part', async () => {
    const read = await extract(sample('costs.xlsx'), 'xlsx')
    expect(read.text).toContain(
      '# Costs 2025\n\n| Item | Amount | Share | Paid on |\n|---|---|---|---|\n| Staff | 1,234,567.50 | 62.5% | 2025-12-31 |',
    )
    expect(read.text).toContain('# Notes\n\nThe audit of Alder Works ended in May 2026.')
    expect(placeOf(read, '740,740.50')).toBe('Costs 2025!B3')
    expect(placeOf(read, '2026-01-15')).toBe('Costs 2025!D3')
    expect(placeOf(read, 'The audit')).toBe('Notes!A1')
  })
})

describe('a mail', () => {
  it('gives its headers, its text and what was attached', async () => {
    const read = await extract(sample('mail.eml'), 'eml')
    expect(read.text).toMatch(
      /^From: Ana Berg <ana@alder\.example>\nTo: Board <board@alder\.example>\nDate: .*2026.*\nSubject: Lease of the Hamburg office – Entwurf\n\nDear all,\n\n/,
    )
    expect(read.text).toContain('the rent of the Hamburg office is EUR 12,900 a month.')
    expect(read.attachments.map(({ name }) => name)).toEqual(['lease.docx', 'mail.eml'])
    expect(Buffer.from(read.attachments[0]!.bytes).equals(sample('lease.docx'))).toBe(true)
    expect(read.notes).toEqual(['Attached pictures too small to be of a page, not read: 1.'])
  })

  it('in Windows-1252 keeps its signs', async () => {
    const mail =
      'From: a@b.example\r\nSubject: =?windows-1252?Q?=80_12?=\r\nContent-Type: text/plain; charset=windows-1252\r\n\r\nThe rent \x96 \x8012.'
    expect((await extract(Buffer.from(mail, 'latin1'), 'eml')).text).toMatch(/Subject: € 12\n\nThe rent – €12\.$/)
  })

  it('to a group names everybody in it, and to one without members the group', async () => {
    const mail =
      'From: a@x.example\r\nTo: Team: Ben <b@y.example>, c@y.example;, d@z.example\r\nCc: undisclosed-recipients:;\r\n\r\nThe rent is EUR 5.'
    expect((await extract(Buffer.from(mail), 'eml')).text).toMatch(
      /\nTo: Team: Ben <b@y\.example>, c@y\.example;, d@z\.example\nCc: undisclosed-recipients\n/,
    )
  })

  it('in HTML alone gives headings and tables, and runs nothing', async () => {
    const { text } = await extract(sample('html-mail.eml'), 'eml')
    expect(text).toContain('# Figures\n\nThe revenue was EUR 4M.\n\n| Year | Revenue |\n|---|---|\n| 2024 | 3 |\n| 2025 | 4 |')
    expect(text).not.toContain('x()')
  })
})

describe('a text', () => {
  it.each([
    ['UTF-8', Buffer.from('Größe: 4 m²'), 0],
    ['UTF-16 with a mark', Buffer.from('\ufeffGröße: 4 m²', 'utf16le'), 0],
    ['UTF-16 without one', Buffer.from('Größe: 4 m² und so weiter', 'utf16le'), 1],
    ['Windows-1252', Buffer.from('Größe: 4 m², \x8012', 'latin1'), 1],
  ])('in %s is decoded, with a note where that had to be guessed', async (_name, bytes, notes) => {
    const read = await extract(bytes, 'txt')
    expect(read.text).toMatch(/^Größe: 4 m²(, €12| und so weiter)?$/)
    expect(read.notes).toHaveLength(notes)
  })

  it('of a CSV file knows its cells', async () => {
    const read = await extract(Buffer.from('Item;Note\n"a;b\nc";"x"\n'), 'csv')
    expect(placeOf(read, '"x"')).toBe('B2')
  })

  it('knows thousands of cells, in rows that are stored as they come', async () => {
    const read = await extract(Buffer.from(Array.from({ length: 700 }, (_, n) => `Room ${n},${n} m²\n`).join('')), 'csv')
    expect(placeOf(read, 'Room 650')).toBe('A651')
    expect(placeOf(read, '650 m²')).toBe('B651')
  })
})

describe('a file that cannot be read', () => {
  const pdfOf = (body: string) => Buffer.from(`%PDF-1.4\n${body}\ntrailer<</Root 1 0 R/Size 9>>\n%%EOF`)
  const emptyPage =
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj'
  const sheet = (rows: string) =>
    zipOf({
      'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    })
  it.each<[string, FileKind, () => Buffer, string]>([
    ['a scan', 'pdf', () => pdfOf(emptyPage), 'NO_TEXT'],
    ['no PDF behind its mark', 'pdf', () => Buffer.from('%PDF-1.7 and nothing else'), 'BROKEN'],
    ['half a DOCX', 'docx', () => sample('lease.docx').subarray(0, 3000), 'BROKEN'],
    [
      'an encrypted DOCX',
      'docx',
      () =>
        Buffer.concat([
          Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
          Buffer.alloc(600),
          Buffer.from('EncryptedPackage', 'utf16le'),
        ]),
      'ENCRYPTED',
    ],
    ['a bomb of zeros', 'docx', () => zipOf({ 'word/document.xml': Buffer.alloc(130 * 1024 * 1024, 32) }), 'TOO_LARGE'],
    ['too long a text', 'txt', () => Buffer.from('word '.repeat(60_000)), 'TOO_LONG'],
    ['more cells than anybody looks at', 'csv', () => Buffer.from(`rent${','.repeat(500_001)}`), 'TOO_COMPLEX'],
    ['an empty sheet', 'xlsx', () => sheet(''), 'NO_TEXT'],
  ])('%s is refused for its reason', async (_name, kind, bytes, code) => {
    const patient = createFileExtractor({ ...options, maxChars: kind === 'csv' ? 2_000_000 : options.maxChars })
    const fault = await extract(bytes(), kind, patient)
      .catch((error: unknown) => error)
      .finally(() => patient.close())
    expect(fault).toBeInstanceOf(FileFault)
    expect((fault as FileFault).code).toBe(code)
  })

  it('reads past a million empty rows and one hundred thousand objects', async () => {
    const rows = '<row r="1"><c r="A1" t="str"><v>Revenue was 4.</v></c></row>' + '<row/>'.repeat(1_000_000)
    expect((await extract(sheet(rows), 'xlsx')).text).toBe('# S\n\nRevenue was 4.')
    const objects = Array.from({ length: 100_000 }, (_, n) => `${n + 10} 0 obj<</A ${n}>>endobj`).join('\n')
    const fault = await extract(pdfOf(`${emptyPage}\n${objects}`), 'pdf').catch((error: unknown) => error)
    expect((fault as FileFault).code).toBe('NO_TEXT')
  })

  it('a book with an empty page among its pictures is read, and says which page was not', async () => {
    const pages = Array.from({ length: 501 }, (_none, n) => (n === 6 ? [] : [`Page ${n + 1} of the book.`]))
    const book = await extract(printedPdf(pages, { script: '/Image' }), 'pdf')
    expect(book).toMatchObject({ notes: ['Pages without text, not recognised in a document of this length: 7.'] })
    expect([book.scan, book.text.includes('Page 501 of the book.')]).toEqual([undefined, true])
  })

  it('a sheet of more cells than a call takes arguments is read', async () => {
    const cells = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
    const rows = Array.from(
      { length: 20_000 },
      (_none, n) => `<row r="${n + 1}">${cells.map(c => `<c r="${c}${n + 1}"><v>1</v></c>`).join('')}</row>`,
    )
    const patient = createFileExtractor({ ...options, maxChars: 2_000_000 })
    const { text } = await extract(sheet(rows.join('')), 'xlsx', patient).finally(() => patient.close())
    expect(text.match(/^\| 1 /gm)).toHaveLength(20_000)
  })

  it('expands no entity and asks for nothing on the network', async () => {
    let asked = 0
    const server = createServer((_request, response) => {
      asked++
      response.end()
    }).listen(0)
    const { port } = server.address() as AddressInfo
    const xml = `<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "http://127.0.0.1:${port}/x">]>
      <w:document xmlns:w="w"><w:body><w:p><w:r><w:t>Here: &b; &x; end.</w:t></w:r></w:p></w:body></w:document>`
    const rels = `<Relationships><Relationship Id="r" TargetMode="External" Target="http://127.0.0.1:${port}/y"/></Relationships>`
    const { text } = await extract(zipOf({ 'word/document.xml': xml, 'word/_rels/document.xml.rels': rels }), 'docx')
    server.close()
    expect([text, asked]).toEqual(['Here: &b; &x; end.', 0])
  })

  it('ends the process that takes too much memory, and the next file is read by another', async () => {
    const small = createFileExtractor({ ...options, memoryMb: 128, maxChars: 20_000_000, timeoutMs: 30_000 })
    const heavy = Buffer.from(`<html>${'<p>a</p>'.repeat(10)}`)
    try {
      expect((await extract(heavy, 'html', small)).text).toContain('<p>a</p>')
      const wide = sheet(`<row>${'<c t="str"><v>a cell with some words</v></c>'.repeat(400_000)}</row>`)
      const fault = await extract(wide, 'xlsx', small).catch((error: unknown) => error)
      expect((fault as FileFault).code).toBe('TOO_MUCH_MEMORY')
      expect((await extract(heavy, 'html', small)).text).toContain('<p>a</p>')
    } finally {
      await small.close()
    }
  })
})
