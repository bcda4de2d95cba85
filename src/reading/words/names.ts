/** Which words of a document are names: written with a capital where nothing else asks for one. */
import { matchesOf } from '../matches.js'
import { FUNCTION_WORDS } from './stems.js'

export interface Names {
  /** Words with a capital inside a sentence, and never without one. */
  has(lower: string): boolean
  /** Every noun has a capital, as in German: capitals tell nothing. */
  capitalised: boolean
}

/** Inside a sentence: behind a small letter or a comma. */
const INSIDE = /(?<=[\p{Ll}\d,] )(?:(\p{Lu}[\p{L}'’-]+)|(\p{Ll}[\p{L}'’-]+))/gu

export function namesOf(text: string): Names {
  const capital = new Set<string>()
  const small = new Set<string>()
  let capitals = 0
  let smalls = 0
  for (const line of text.split('\n')) {
    const found = matchesOf(INSIDE, line)
    // A line of capitals is a title.
    const isTitle = found.filter(([, upper]) => upper !== undefined).length * 2 > found.length && found.length < 12
    for (const [, upper, lower] of found) {
      if (upper !== undefined) capitals++
      else if (!FUNCTION_WORDS.has(lower!)) smalls++
      if (lower !== undefined) small.add(bare(lower))
      else if (!isTitle) capital.add(bare(upper!))
    }
  }
  return {
    has: lower => capital.has(lower) && !small.has(lower),
    capitalised: capitals > 12 && capitals > smalls * 0.6 && /\b(?:der|die|das|und|ist|nicht)\b/.test(text),
  }
}

const bare = (word: string): string => word.toLowerCase().replace(/['’]s?$/, '')

export const NO_NAMES: Names = { has: () => false, capitalised: false }
