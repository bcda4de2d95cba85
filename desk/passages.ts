/** Passages of a text: where they lie in JavaScript's own counting, and how they cut the text into pieces. Pure. */

export interface Passage {
  /** In code points. */
  start: number
  end: number
  /** `differs`: what the other side says otherwise; `main`: the sentence around it. */
  kind: 'main' | 'soft' | 'claim' | 'differs'
  id?: string
}

export interface Piece {
  /** Index in the text, in UTF-16 units. */
  start: number
  text: string
  passages: Passage[]
}

/** Code point offsets as indexes of the string. Most texts have no character beyond 16 bits, and are not walked through. */
export function indexesOf(text: string, offsets: readonly number[]): Map<number, number> {
  const found = new Map<number, number>()
  if (!/[\ud800-\udbff]/.test(text)) {
    for (const offset of offsets) found.set(offset, Math.min(offset, text.length))
    return found
  }
  const wanted = [...new Set(offsets)].sort((a, b) => a - b)
  let index = 0
  let point = 0
  for (const offset of wanted) {
    while (point < offset && index < text.length) {
      index += (text.codePointAt(index) as number) > 0xffff ? 2 : 1
      point++
    }
    found.set(offset, index)
  }
  return found
}

/** Blocks of pieces; a block is a stretch of lines, so that what is out of sight need not be laid out. */
export function piecesOf(text: string, passages: readonly Passage[]): Piece[][] {
  const at = indexesOf(
    text,
    passages.flatMap(each => [each.start, each.end]),
  )
  const spans = passages
    .map(passage => ({ passage, from: at.get(passage.start) ?? 0, to: at.get(passage.end) ?? 0 }))
    .filter(span => span.to > span.from)
    .sort((a, b) => a.from - b.from || a.to - b.to)
  const edges = new Set<number>([0, text.length])
  for (const { from, to } of spans) edges.add(from).add(to)
  const breaks = blockBreaks(text, spans)
  for (const each of breaks) edges.add(each)
  const places = [...edges].sort((a, b) => a - b)
  const isBreak = new Set(breaks)
  const blocks: Piece[][] = [[]]
  let next = 0
  let open: typeof spans = []
  for (const [index, start] of places.slice(0, -1).entries()) {
    const end = places[index + 1] as number
    open = open.filter(span => span.to > start)
    while (next < spans.length && (spans[next]?.from ?? 0) <= start) open.push(spans[next++] as (typeof spans)[number])
    if (isBreak.has(start)) blocks.push([])
    blocks.at(-1)?.push({ start, text: text.slice(start, end), passages: open.map(span => span.passage) })
  }
  return blocks
}

const blockLength = 2000

/** Ends of lines about every two thousand characters, none inside a passage. */
function blockBreaks(text: string, spans: readonly { from: number; to: number }[]): number[] {
  const breaks: number[] = []
  let covered = 0
  let next = 0
  for (let place = text.indexOf('\n', blockLength); place >= 0; place = text.indexOf('\n', place + blockLength)) {
    const at = place + 1
    while (next < spans.length && (spans[next]?.from ?? 0) < at) covered = Math.max(covered, spans[next++]?.to ?? 0)
    if (at < text.length && covered <= at) breaks.push(at)
  }
  return breaks
}

/** The heading or title line a passage stands under; null where the text has none above it. */
export function headingAbove(text: string, offset: number): string | null {
  const index = indexesOf(text, [offset]).get(offset) ?? 0
  const lines = text
    .slice(Math.max(0, index - 20_000), index)
    .split('\n')
    .slice(0, -1)
    .reverse()
  const heading = lines.find(line => /^#{1,6}\s+\S/.test(line)) ?? lines.find(line => /^[\p{Lu}\d][^.:;!?|]{2,79}$/u.test(line.trim()))
  return heading === undefined ? null : heading.replace(/^#+\s+/, '').trim()
}

/** What the head of a document says of itself on a line of its own, such as `Issuer: Brandt Audit`. */
export function saidInHead(text: string, labels: RegExp): string | null {
  const line = text
    .slice(0, 2000)
    .split('\n')
    .find(each => each.length < 200 && labels.test(each.split(':', 1)[0]?.trim() ?? ''))
  return line?.slice(line.indexOf(':') + 1).trim() || null
}
