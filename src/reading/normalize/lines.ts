/** The lines of a text as offsets, for LF, CRLF and CR alike. A last line without a line break counts; an empty rest does not. */

export interface Line {
  readonly start: number
  /** Where the text of the line ends. */
  readonly end: number
  /** Where the next line starts, after the line break. */
  readonly next: number
}

export function linesOf(source: string, from: number): Line[] {
  const lines: Line[] = []
  const breaks = /\r\n|\n|\r/g
  breaks.lastIndex = from
  let start = from
  for (let match = breaks.exec(source); match !== null; match = breaks.exec(source)) {
    lines.push({ start, end: match.index, next: breaks.lastIndex })
    start = breaks.lastIndex
  }
  if (start < source.length) lines.push({ start, end: source.length, next: source.length })
  return lines
}
