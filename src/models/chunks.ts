/** Cuts a long text at the borders of its blocks, so that each part is asked about with statements of its own. */

export interface Chunk {
  text: string
  /** Code points of the whole text. */
  start: number
  end: number
}

export function chunksOf(text: string, longest: number): Chunk[] {
  const points = [...text]
  const chunks: Chunk[] = []
  for (let start = 0; start < points.length; ) {
    const end = points.length - start <= longest ? points.length : borderBefore(points, start, start + longest)
    chunks.push({ text: points.slice(start, end).join(''), start, end })
    start = end
  }
  return chunks
}

/** Behind an empty line, else behind a line, else behind a sentence, else right there; never in the first half. */
function borderBefore(points: readonly string[], start: number, limit: number): number {
  const earliest = start + Math.ceil((limit - start) / 2)
  const isBorder: ((at: number) => boolean)[] = [
    at => points[at - 1] === '\n' && points[at - 2] === '\n',
    at => points[at - 1] === '\n',
    at => points[at - 1] === ' ' && /[.!?]/.test(points[at - 2] ?? ''),
  ]
  for (const fits of isBorder) for (let at = limit; at > earliest; at--) if (fits(at)) return at
  return limit
}
