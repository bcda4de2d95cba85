/**
 * Finds quotes in the submitted text: exactly as given, or with blanks and line breaks folded, and answers with the exact slice and
 * its code point offsets. What is not there is not found.
 */

export interface LocatedQuote {
  /** Code points of the text; `quote` is exactly that slice. */
  start: number
  end: number
  quote: string
}

export function quoteFinder(text: string) {
  const folded = foldBlanks(text)
  const codePoints = codePointCounter(text)
  const slice = (start: number, end: number): LocatedQuote | null =>
    splitsPair(text, start) || splitsPair(text, end)
      ? null
      : { start: codePoints(start), end: codePoints(end), quote: text.slice(start, end) }
  return {
    find(given: string): LocatedQuote | null {
      const quote = given.trim()
      if (quote === '') return null
      const exact = text.indexOf(quote)
      if (exact >= 0) return slice(exact, exact + quote.length)
      const words = quote.replace(/\s+/g, ' ')
      const place = folded.text.indexOf(words)
      if (place < 0) return null
      return slice(folded.offsets[place] ?? 0, (folded.offsets[place + words.length - 1] ?? 0) + 1)
    },
    /** The text has it more than once, so that it names no place. */
    isRepeated({ quote }: LocatedQuote): boolean {
      const words = quote.trim().replace(/\s+/g, ' ')
      const first = folded.text.indexOf(words)
      return first >= 0 && folded.text.indexOf(words, first + 1) >= 0
    },
  }
}

/** The text with every run of blanks as one, and for each of its units where that stood. */
function foldBlanks(text: string): { text: string; offsets: Uint32Array } {
  const offsets = new Uint32Array(text.length)
  const parts: string[] = []
  let length = 0
  for (const match of text.matchAll(/\s+|\S+/g)) {
    const part = /\s/.test(match[0][0] ?? '') ? ' ' : match[0]
    for (let unit = 0; unit < part.length; unit++) offsets[length++] = match.index + unit
    parts.push(part)
  }
  return { text: parts.join(''), offsets: offsets.subarray(0, length) }
}

/** Checkpoints every 1024 units keep each answer cheap whatever the length of the text. */
function codePointCounter(text: string): (offset: number) => number {
  const stride = 1024
  const checkpoints: number[] = []
  let count = 0
  for (let unit = 0; unit < text.length; unit++) {
    if (unit % stride === 0) checkpoints.push(count)
    if (!splitsPair(text, unit + 1)) count++
  }
  checkpoints.push(count)
  return offset => {
    const index = Math.floor(offset / stride)
    let points = checkpoints[index] ?? count
    for (let unit = index * stride; unit < offset; unit++) if (!splitsPair(text, unit + 1)) points++
    return points
  }
}

function splitsPair(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false
  const before = text.charCodeAt(offset - 1)
  const after = text.charCodeAt(offset)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}
