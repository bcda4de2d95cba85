/** The schedule as a document to read and to annotate: each fact with both quotes beside each other, and the decision below. */

import { zippedText } from '../../platform/zip-archive.js'
import type { Schedule, ScheduledFact, ScheduledSide } from './schedule.js'
import { escaped, titleOf } from './table.js'

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const words = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const types = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

export function wordOf(schedule: Schedule): Promise<Buffer> {
  return zippedText({
    '[Content_Types].xml': `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${types}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'word/styles.xml': styles,
    'word/document.xml': `${head}<w:document xmlns:w="${words}"><w:body>${paragraph(titleOf(schedule), 'Title')}${schedule.facts.map(factOf).join('')}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="709" w:footer="709" w:gutter="0"/></w:sectPr></w:body></w:document>`,
  })
}

function style(id: string, name: string, points: number, more = ''): string {
  return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:pPr><w:spacing w:after="80"/>${more}</w:pPr><w:rPr>${id === 'Small' ? '' : '<w:b/>'}<w:sz w:val="${points * 2}"/></w:rPr></w:style>`
}

const styles = `${head}<w:styles xmlns:w="${words}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/><w:sz w:val="20"/></w:rPr></w:rPrDefault></w:docDefaults>${style('Title', 'Title', 16)}${style('Heading1', 'heading 1', 12, '<w:keepNext/><w:outlineLvl w:val="0"/>')}${style('Small', 'Small', 8)}</w:styles>`

function factOf(fact: ScheduledFact, place: number): string {
  const decided =
    fact.decision === '' ? `${fact.status}, not decided` : `${fact.decision}. ${fact.by}, ${fact.decided.slice(0, 10)}: ${fact.reason}`
  const found = `${fact.severity}; found ${fact.found.slice(0, 10)} by ${fact.foundBy}; ${fact.id}`
  return `${paragraph(`${place + 1}. ${fact.fact}`, 'Heading1')}${table([cell('A', fact.a), cell('B', fact.b)])}${paragraph(decided)}${paragraph(found, 'Small')}`
}

function cell(letter: string, { quote, paper, place, issuer, dated, received, replaced }: ScheduledSide): string {
  const about = [issuer, dated === '' ? '' : `dated ${dated}`, received === '' ? '' : `received ${received.slice(0, 10)}`]
    .filter(Boolean)
    .join('; ')
  const parts = [paragraph(`${letter}: “${quote}”`), paragraph([paper, place].filter(Boolean).join(', '), 'Small')]
  return `<w:tc><w:tcPr><w:tcW w:w="4819" w:type="dxa"/></w:tcPr>${parts.join('')}${[about, ...replaced]
    .filter(Boolean)
    .map(each => paragraph(each, 'Small'))
    .join('')}</w:tc>`
}

const line = (side: string) => `<w:${side} w:val="single" w:sz="4" w:color="A0A0A0"/>`

function table(cells: readonly string[]): string {
  const borders = ['top', 'left', 'bottom', 'right', 'insideV'].map(line).join('')
  return `<w:tbl><w:tblPr><w:tblW w:w="9638" w:type="dxa"/><w:tblBorders>${borders}</w:tblBorders></w:tblPr><w:tblGrid><w:gridCol w:w="4819"/><w:gridCol w:w="4819"/></w:tblGrid><w:tr><w:trPr><w:cantSplit/></w:trPr>${cells.join('')}</w:tr></w:tbl>`
}

function paragraph(text: string, styled?: string): string {
  const properties = styled === undefined ? '' : `<w:pPr><w:pStyle w:val="${styled}"/></w:pPr>`
  const runs = escaped(text)
    .split('\n')
    .map(part => `<w:t xml:space="preserve">${part}</w:t>`)
  return `<w:p>${properties}<w:r>${runs.join('<w:br/>')}</w:r></w:p>`
}
