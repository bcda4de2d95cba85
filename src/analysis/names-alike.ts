/**
 * Whether two names of organisations, sites or assets may be of one. Written in loops: a function made for each comparison
 * is forgotten with it, and what the engine made of it has to be made again.
 */
import { remembered } from './remember.js'
import { stem } from './words.js'

/** The same few names are held against each other in every comparison. */
export const wordsOf = remembered(2_000, (key): readonly string[] => key.split(' '))

export function related(x: string, y: string): boolean {
  if (x === y) return true
  const a = wordsOf(x)
  const b = wordsOf(y)
  if (a.every(word => b.includes(word)) || b.every(word => a.includes(word))) return true
  // "Sollum Hydro" and "Sollum power plant": one name with other words for what it is.
  return (
    a[0] === b[0] &&
    a[0]!.length >= 4 &&
    [...a.slice(1), ...b.slice(1)].every(word => ASSETS.has(word) || (a.includes(word) && b.includes(word)))
  )
}

const ASSETS = new Set(
  'plant site facility park project hydropower hydro power works station building property estate portfolio vessel aircraft terminal mine refinery farm hospital clinic school group company holding business centre center tower house office factory port airport'
    .split(' ')
    .map(word => stem(word)),
)

/** Whether a name of the one may be of one thing with a name of the other. */
export function anyRelated(left: readonly string[], right: readonly string[]): boolean {
  for (const x of left) for (const y of right) if (related(x, y)) return true
  return false
}

export function allIn(words: readonly string[], known: ReadonlySet<string>): boolean {
  for (const word of words) if (!known.has(word)) return false
  return true
}
