/**
 * A Word document as paragraphs of runs, tables, and what was inserted and deleted in them. Paragraphs are numbered as the
 * extractor numbers them, so that a passage is found by the number of its paragraph. Pure but for the XML that is handed in.
 */

export interface Run {
  text: string
  bold: boolean
  italic: boolean
  underline: boolean
  change: 'inserted' | 'deleted' | null
  by: string | null
}

export interface WordParagraph {
  kind: 'paragraph'
  /** Null where it says nothing, and in tables. */
  number: number | null
  level: number | null
  listed: boolean
  runs: Run[]
}

export interface WordTable {
  kind: 'table'
  rows: { number: number | null; cells: { span: number; paragraphs: WordParagraph[] }[] }[]
}

export type WordBlock = WordParagraph | WordTable

const mostBlocks = 20_000

export function wordBlocks(parts: readonly Document[], headings: ReadonlyMap<string, number>): WordBlock[] {
  const blocks: WordBlock[] = []
  let count = 0
  const next = () => ++count
  const walk = (parent: Element) => {
    for (const child of parent.children) {
      if (blocks.length > mostBlocks) return
      if (child.localName === 'p') blocks.push(...paragraphsOf(child, headings, next))
      else if (child.localName === 'tbl') blocks.push(tableOf(child, headings, next))
      else if (child.localName !== 'sectPr') walk(child)
    }
  }
  for (const part of parts) if (part.documentElement !== null) walk(part.documentElement)
  return blocks
}

/** The paragraph, and after it those of boxes within it. */
function paragraphsOf(element: Element, headings: ReadonlyMap<string, number>, next: () => number): WordParagraph[] {
  const boxes: Element[] = []
  const paragraph: WordParagraph = { kind: 'paragraph', number: null, level: null, listed: false, runs: [] }
  readInto(paragraph, element, { headings, boxes, change: null, by: null })
  const own = [paragraph, ...boxes.flatMap(box => paragraphsOf(box, headings, () => 0))]
  for (const each of own) each.number = acceptedText(each).trim() === '' ? null : next()
  return own
}

interface Place {
  headings: ReadonlyMap<string, number>
  boxes: Element[]
  change: Run['change']
  by: string | null
}

const skipped = new Set(['Fallback', 'instrText', 'pict', 'pPrChange', 'rPrChange', 'tbl'])

function readInto(paragraph: WordParagraph, parent: Element, place: Place): void {
  for (const child of parent.children) {
    const name = child.localName
    if (skipped.has(name)) continue
    if (name === 'p') place.boxes.push(child)
    else if (name === 'pStyle') paragraph.level = place.headings.get(valOf(child)) ?? paragraph.level
    else if (name === 'outlineLvl') paragraph.level ??= Number(valOf(child)) < 9 ? Number(valOf(child)) + 1 : null
    else if (name === 'numId') paragraph.listed = valOf(child) !== '0'
    else if (name === 'r') paragraph.runs.push(...runsOf(child, place))
    else {
      const change = name === 'ins' || name === 'moveTo' ? 'inserted' : name === 'del' || name === 'moveFrom' ? 'deleted' : place.change
      readInto(paragraph, child, { ...place, change, by: change === place.change ? place.by : attributeOf(child, 'author') })
    }
  }
}

function runsOf(element: Element, place: Place): Run[] {
  const run: Run = { text: '', bold: false, italic: false, underline: false, change: place.change, by: place.by }
  for (const child of element.children) {
    const name = child.localName
    if (name === 't' || name === 'delText') run.text += child.textContent ?? ''
    else if (name === 'tab') run.text += '\t'
    else if (name === 'br' || name === 'cr') run.text += '\n'
    else if (name === 'noBreakHyphen') run.text += '-'
    else if (name === 'rPr') {
      const has = (property: string) =>
        [...child.children].some(each => each.localName === property && !['0', 'false', 'none'].includes(valOf(each)))
      Object.assign(run, { bold: has('b'), italic: has('i'), underline: has('u') })
    } else if (name !== 'instrText' && name !== 'pict')
      for (const box of child.getElementsByTagNameNS('*', 'txbxContent')) boxesOf(box, place)
  }
  return run.text === '' ? [] : [run]
}

/** What an older program is given in its place is a copy. */
function boxesOf(box: Element, place: Place): void {
  if (box.closest('Fallback') === null) place.boxes.push(...[...box.children].filter(each => each.localName === 'p'))
}

function tableOf(element: Element, headings: ReadonlyMap<string, number>, next: () => number): WordTable {
  const rows = [...element.children].filter(each => each.localName === 'tr')
  return {
    kind: 'table',
    rows: rows.map(row => {
      const cells = [...row.children]
        .filter(each => each.localName === 'tc')
        .map(cell => ({
          span: Math.min(60, Number(valOf(cell.getElementsByTagNameNS('*', 'gridSpan')[0])) || 1),
          paragraphs: [...cell.getElementsByTagNameNS('*', 'p')].flatMap(each => paragraphsOf(each, headings, () => 0)),
        }))
      const says = cells.some(cell => cell.paragraphs.some(each => acceptedText(each).trim() !== ''))
      return { number: says ? next() : null, cells }
    }),
  }
}

/** As it reads with all changes accepted, which is what was read. */
export function acceptedText({ runs }: WordParagraph): string {
  return runs.map(run => (run.change === 'deleted' ? '' : run.text)).join('')
}

function valOf(element: Element | undefined): string {
  return element === undefined ? '' : (attributeOf(element, 'val') ?? '')
}

function attributeOf(element: Element, name: string): string | null {
  for (const attribute of element.attributes) if (attribute.localName === name) return attribute.value
  return null
}
