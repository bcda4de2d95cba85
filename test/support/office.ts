/** Office files as programs write them, as far as reading them looks. */

import { zipOf } from './zip.js'

const marks = (by: string) => `w:id="1" w:author="${by}" w:date="2026-03-01T10:00:00Z"`

/** Word's marks of a tracked change. */
export const inserted = (text: string, by = 'Ana Berg') => `<w:ins ${marks(by)}><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:ins>`
export const deleted = (text: string, by = 'Ana Berg') =>
  `<w:del ${marks(by)}><w:r><w:delText xml:space="preserve">${text}</w:delText></w:r></w:del>`
export const said = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
export const commented = (text: string, id = '0') =>
  `<w:commentRangeStart w:id="${id}"/>${said(text)}<w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>`

export function docxOf(paragraphs: readonly string[], comments: readonly string[] = []): Buffer {
  const body = paragraphs.map(each => (each.startsWith('<w:tbl') ? each : `<w:p>${each}</w:p>`)).join('')
  const remarks = comments.map(
    (text, id) => `<w:comment w:id="${id}" w:author="Ben Roth" w:date="2026-03-02T08:00:00Z"><w:p>${said(text)}</w:p></w:comment>`,
  )
  return zipOf({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    ...(comments.length > 0 && { 'word/comments.xml': `<w:comments xmlns:w="w">${remarks.join('')}</w:comments>` }),
  })
}

const spaces = ['office', 'style', 'text', 'table', 'dc', 'fo', 'draw'].map(name => `xmlns:${name}="${name}"`).join(' ')

function odfOf(kind: 'text' | 'spreadsheet', body: string, styles: string, more: Record<string, string>): Buffer {
  const content = `<office:document-content ${spaces}><office:automatic-styles>${styles}</office:automatic-styles><office:body>
    <office:${kind}>${body}</office:${kind}></office:body></office:document-content>`
  return zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': content,
    'META-INF/manifest.xml': '<manifest:manifest/>',
    ...more,
  })
}

export const odtOf = (body: string, styles = '', more: Record<string, string> = {}) => odfOf('text', body, styles, more)

export const odsOf = (sheets: Record<string, string>) =>
  odfOf(
    'spreadsheet',
    Object.entries(sheets)
      .map(([name, rows]) => `<table:table table:name="${name}">${rows}</table:table>`)
      .join(''),
    '',
    {},
  )

export interface SlideParts {
  shapes: string
  notes?: string
  hidden?: boolean
}

/** A shape with a text in it; `place` is what the layout calls it. */
export const shape = (place: string | null, ...paragraphs: string[]) =>
  `<p:sp><p:nvSpPr><p:nvPr>${place === null ? '' : `<p:ph type="${place}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs
    .map(text => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`

export function pptxOf(slides: readonly SlideParts[]): Buffer {
  const parts: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${slides
      .map((_, n) => `<p:sldId id="${256 + n}" r:id="rId${n + 1}"/>`)
      .join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(slides.map((_, n) => [`rId${n + 1}`, 'slide', `slides/slide${n + 1}.xml`])),
  }
  for (const [n, { shapes, notes, hidden }] of slides.entries()) {
    const tree = (of: string) => `<p:cSld><p:spTree>${of}</p:spTree></p:cSld>`
    parts[`ppt/slides/slide${n + 1}.xml`] = `<p:sld xmlns:p="p" xmlns:a="a"${hidden ? ' show="0"' : ''}>${tree(shapes)}</p:sld>`
    if (notes === undefined) continue
    parts[`ppt/slides/_rels/slide${n + 1}.xml.rels`] = relations([['rId1', 'notesSlide', `../notesSlides/notesSlide${n + 1}.xml`]])
    parts[`ppt/notesSlides/notesSlide${n + 1}.xml`] =
      `<p:notes xmlns:p="p" xmlns:a="a">${tree(shape('sldImg', '') + shape('body', notes) + shape('sldNum', '1'))}</p:notes>`
  }
  return zipOf(parts)
}

function relations(all: readonly (readonly [id: string, type: string, target: string])[]): string {
  const base = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  return `<Relationships>${all.map(([id, type, target]) => `<Relationship Id="${id}" Type="${base}/${type}" Target="${target}"/>`).join('')}</Relationships>`
}
