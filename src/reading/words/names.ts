/** Which words of a document are names: written with a capital where nothing else asks for one. */
import { DIGIT, kindAt, LOWER, lettersEnd, UPPER } from './characters.js'
import { type Form, formOf } from './forms.js'
import { FUNCTION_WORDS } from './stems.js'

export interface Names {
  /** Words with a capital inside a sentence, and never without one. */
  has(lower: string): boolean
  /** Every noun has a capital, as in German: capitals tell nothing. */
  capitalised: boolean
}

export function namesOf(text: string): Names {
  const capital = new Set<string>()
  const small = new Set<string>()
  let capitals = 0
  let smalls = 0
  for (const line of text.split('\n')) {
    const words = wordsInside(line)
    const upper = words.filter(({ capital }) => capital)
    // A line of capitals is a title.
    const isTitle = upper.length * 2 > words.length && words.length < 12
    capitals += upper.length
    if (!isTitle) for (const { bare } of upper) capital.add(bare)
    for (const { capital, form, bare } of words) {
      if (capital) continue
      if (!FUNCTION_WORDS.has(form)) smalls++
      small.add(bare)
    }
  }
  return {
    has: lower => capital.has(lower) && !small.has(lower),
    capitalised: capitals > 12 && capitals > smalls * 0.6 && /\b(?:der|die|das|und|ist|nicht)\b/.test(text),
  }
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

export const NO_NAMES: Names = { has: () => false, capitalised: false }
