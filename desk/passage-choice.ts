/** Where the words that somebody selected stand in a text, in code points as the service counts them. Pure. */

export interface Chosen {
  start: number
  end: number
  quote: string
}

/** In code points, as the service takes it. */
const longestPassage = 2000

export const tooLong = 'A passage has at most 2,000 characters.'

/** Whole documents get selected: only what is not surely too long is counted. */
export function isTooLong(words: string): boolean {
  const said = words.trim()
  return said.length > 2 * longestPassage || pointsIn(said) > longestPassage
}

/** Between two indexes of the string, without the blanks around. Null where nothing is left. */
export function chosenBetween(text: string, from: number, to: number): Chosen | null {
  const said = text.slice(from, to)
  const lead = said.length - said.trimStart().length
  const quote = said.trim()
  if (quote === '') return null
  const start = pointsIn(text.slice(0, from + lead))
  return { start, end: start + pointsIn(quote), quote }
}

/** Of words selected where signs of the text are left out: their place, if they stand in it once. */
export function chosenByWords(text: string, words: string): Chosen | null {
  const parts = words.trim().split(/\s+/).filter(Boolean).map(escaped)
  if (parts.length === 0) return null
  const found = [...text.matchAll(new RegExp(parts.join('[\\s|*_`#>-]+'), 'g'))]
  const [only] = found
  return found.length !== 1 || only === undefined ? null : chosenBetween(text, only.index, only.index + only[0].length)
}

function escaped(part: string): string {
  return part.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

function pointsIn(text: string): number {
  return [...text].length
}
