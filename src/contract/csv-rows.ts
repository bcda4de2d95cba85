/** Fields of a CSV text and where each stands in it. Quoted fields may hold separators and line breaks. Pure. */

export interface Field {
  from: number
  to: number
  text: string
}

export function csvRows(text: string): Field[][] {
  const separator = separatorOf(text)
  const rows: Field[][] = []
  let row: Field[] = []
  let from = 0
  let quoted = false
  const close = (to: number) => {
    const said = text.slice(from, to).replace(/\r$/, '')
    row.push({ from, to, text: /^\s*"[\s\S]*"\s*$/.test(said) ? said.trim().slice(1, -1).replaceAll('""', '"') : said })
    from = to + 1
  }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') quoted = !quoted
    else if (!quoted && sign === separator) close(at)
    else if (!quoted && sign === '\n') {
      close(at)
      rows.push(row)
      row = []
    }
  }
  if (from < text.length || row.length > 0) {
    close(text.length)
    rows.push(row)
  }
  return rows
}

/** Of the first line, the one that stands there most often. */
export function separatorOf(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  const counts = [',', ';', '\t', '|'].map(each => [each, line.split(each).length] as const)
  return counts.reduce((most, each) => (each[1] > most[1] ? each : most))[0]
}
