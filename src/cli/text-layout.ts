/** Text in columns: widths as a terminal shows them, tables, wrapping, and two texts side by side. */

const ansi = /\u001b\[[0-9;]*m/g
/** East Asian and emoji characters take two columns, combining ones none. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const zeroWidth = /\p{M}|\p{Cf}/u

export function widthOf(text: string): number {
  let width = 0
  for (const character of text.replace(ansi, '')) width += zeroWidth.test(character) ? 0 : wide.test(character) ? 2 : 1
  return width
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text
}

/** Documents hold anything; what would move the cursor or colour the terminal is shown, not obeyed. */
export function printable(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f]/g, '�')
}

/** The same of a whole text, which keeps its lines. A carriage return alone would write over the line. */
export function printableText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '�')
}

export function figure(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(3)
}

export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  for (const character of text) {
    if (widthOf(kept + character) > width - 1) break
    kept += character
  }
  return `${kept}…`
}

export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap(part => chop(part, width))) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

function chop(word: string, width: number): string[] {
  const parts: string[] = []
  let part = ''
  for (const character of word) {
    if (widthOf(part + character) > width) {
      parts.push(part)
      part = ''
    }
    part += character
  }
  return [...parts, part]
}

/** Its title, and what it shows of an item: numbers stand to the right, and `max` shortens. */
export type Column<T> = readonly [title: string, cell: (item: T) => string | number, how?: { align?: 'right'; max?: number }]

export function table<T>(items: readonly T[], columns: readonly Column<T>[], head: (text: string) => string): string[] {
  const shown = columns.map(([title, cell, { align, max = 1000 } = {}]) => {
    const values = items.map(cell)
    const cells = values.map(value => shorten(String(value), max))
    const isRight = align === 'right' || values.some(value => typeof value === 'number')
    return { isRight, cells: [title, ...cells], width: Math.max(...[title, ...cells].map(widthOf)) }
  })
  const lineOf = (row: number) =>
    shown.map(({ cells, isRight, width }) => (isRight ? padStart : padEnd)(cells[row] as string, width)).join('  ')
  return [head(lineOf(0).trimEnd()), ...items.map((_, index) => lineOf(index + 1).trimEnd())]
}

export function sideBySide(left: readonly string[], right: readonly string[], width: number): string[] {
  const rows = Math.max(left.length, right.length)
  return Array.from({ length: rows }, (_, index) => `${padEnd(left[index] ?? '', width)} │ ${right[index] ?? ''}`.trimEnd())
}
