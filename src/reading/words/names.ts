/** Which words of a document are names: written with a capital where nothing else asks for one. */
import { DIGIT, kindAt, LOWER, lettersEnd, UPPER } from './characters.js'
import { type Form, formOf } from './forms.js'

export interface Names {
  /** Words with a capital inside a sentence, and never without one. */
  has(lower: string): boolean
}

export function namesOf(text: string): Names {
  const capital = new Set<string>()
  const small = new Set<string>()
  for (const line of text.split('\n')) {
    const words = wordsInside(line)
    const upper = words.filter(({ capital }) => capital)
    // A line of capitals is a title.
    const isTitle = upper.length * 2 > words.length && words.length < 12
    if (!isTitle) for (const { bare } of upper) capital.add(bare)
    for (const word of words) if (!word.capital) small.add(word.bare)
  }
  return { has: lower => capital.has(lower) && !small.has(lower) }
}

/** Words inside a sentence: behind a small letter, a digit or a comma. */
function wordsInside(line: string): Form[] {
  const words: Form[] = []
  for (let at = line.indexOf(' ', 1); at >= 0; at = line.indexOf(' ', at + 1)) {
    if ((kindAt(line, at - 1) & (LOWER | DIGIT)) === 0 && line[at - 1] !== ',') continue
    if ((kindAt(line, at + 1) & (LOWER | UPPER)) === 0) continue
    const end = lettersEnd(line, at + 2, "'’-")
    if (end > at + 2) words.push(formOf(line.slice(at + 1, end)))
  }
  return words
}

export const NO_NAMES: Names = { has: () => false }
