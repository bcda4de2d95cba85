/** The schedule as a workbook. Every cell is text: nothing a document says can become a formula. */

import { zippedText } from '../../platform/zip-archive.js'
import type { Schedule } from './schedule.js'
import { columns, escaped, titleOf } from './table.js'

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const sheets = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
/** The longest text a cell holds. */
const cellCharacters = 32_767
const [plain, bold] = [0, 1]

export function excelOf(schedule: Schedule): Promise<Buffer> {
  return zippedText({
    '[Content_Types].xml': `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${sheets}" xmlns:r="${office}"><sheets><sheet name="Contradictions" sheetId="1" r:id="r1"/></sheets><definedNames><definedName name="_xlnm.Print_Titles" localSheetId="0">Contradictions!$2:$2</definedName></definedNames></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${head}<styleSheet xmlns="${sheets}"><fonts count="2"><font><sz val="10"/><name val="Calibri"/></font><font><b/><sz val="10"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2">${[plain, bold].map(font => `<xf fontId="${font}" applyFont="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>`).join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': sheetOf(schedule),
  })
}

function sheetOf(schedule: Schedule): string {
  const widths = columns.map(({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`).join('')
  const facts = schedule.facts.map((fact, place) =>
    rowOf(
      place + 3,
      columns.map(column => column.text(fact, place)),
      plain,
    ),
  )
  const titles = rowOf(
    2,
    columns.map(column => column.title),
    bold,
  )
  const view =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="2" topLeftCell="A3" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
  const filter = `<autoFilter ref="A2:${nameOfColumn(columns.length)}${schedule.facts.length + 2}"/>`
  const page = '<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>'
  return `${head}<worksheet xmlns="${sheets}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>${view}<cols>${widths}</cols><sheetData>${rowOf(1, [titleOf(schedule)], bold)}${titles}${facts.join('')}</sheetData>${filter}<mergeCells count="1"><mergeCell ref="A1:${nameOfColumn(columns.length)}1"/></mergeCells>${page}</worksheet>`
}

const lineHeight = 13.5
/** The highest a row can be. */
const mostHeight = 409

/** Said with the file: not every program works out what wrapped text needs, and lines would lie over each other. */
function heightOf(texts: readonly string[]): number {
  const wraps = texts.length === columns.length
  const lines = texts.map((text, at) => {
    const fits = Math.floor((columns[at]?.width ?? 1) * 0.8)
    return wraps ? text.split('\n').reduce((sum, part) => sum + Math.max(1, Math.ceil(part.length / fits)), 0) : 1
  })
  return Math.min(mostHeight, Math.max(...lines) * lineHeight)
}

function rowOf(number: number, texts: readonly string[], style: number): string {
  const cells = texts.map((text, at) => {
    const shown = escaped(text.slice(0, cellCharacters))
    return `<c r="${nameOfColumn(at + 1)}${number}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${shown}</t></is></c>`
  })
  return `<row r="${number}" ht="${heightOf(texts)}" customHeight="1">${cells.join('')}</row>`
}

/** There are fewer than twenty-seven. */
function nameOfColumn(number: number): string {
  return String.fromCharCode(64 + number)
}
