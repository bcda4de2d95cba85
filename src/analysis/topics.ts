/** Which words tell what a statement is about: nouns of the matter, not the language of reports. */

import { NEUTRAL } from './lexicon.js'
import { remembered } from './remember.js'
import { FUNCTION_WORDS, stem } from './words.js'

const PLAIN = new Set(
  `report review data risk plan process assessment information matter issue item area result level basis approach policy case part party team office member committee
   document section year quarter month week day date time number rate eur usd gbp chf jpy not one two three four five six seven eight dr mr ms prof see per due however now also consider
   identify confirm complete resolve address note provide include require submit receive make take give state apply use relate regard subject follow base need remain
   current previous original initial final new old full additional further general specific relevant certain high low material significant
   management board group company entity client customer system service project programme program work action activity measure impact effect change increase decrease
   analysis evidence finding observation response request approval agreement meeting decision recommendation requirement standard
   corp ltd gmbh inc plc llc limited holding holdings bank
   january february march april may june july august september october november december nine ten eleven twelve fifteen twenty thirty
   will shall would could should may might must believe expect ensure allow support q1 q2 q3 q4 h1 h2 fy p.a all any both such than then thus there well still`
    .split(/\s+/)
    .map(word => stem(word)),
)

export const isTopic = remembered(
  20_000,
  term =>
    term.length > 2 && !FUNCTION_WORDS.has(term) && !PLAIN.has(term) && !NEUTRAL.has(term) && !/^\d/.test(term) && !/['’]ll$/.test(term),
)

/** Words that say which scale a value is of find nothing that says the value in prose. */
const SCALES = new Set(['frequency', 'interval', 'status', 'rating', 'cycle', 'schedule', 'classification'].map(word => stem(word)))

/** How often each telling word occurs in a document's statements: what a document keeps coming back to is its matter. */
export function tally(statements: Iterable<readonly string[]>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const terms of statements) for (const term of new Set(terms)) if (isTopic(term)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** Who a document is about, whom a statement names, and the words of its headings. */
export interface Standing {
  owners: ReadonlySet<string>
  entity: ReadonlySet<string>
  above: ReadonlySet<string>
  /** What the statement is about, as against what it says of it. */
  about: ReadonlySet<string>
  /** The noun something is said of, or that is said to be absent. */
  core: ReadonlySet<string>
}

/**
 * Names come first, then words of the headings and those the document uses most, so that two documents about one matter
 * choose the same keys. The document's own subject stands in every statement and finds nothing.
 */
export function byTelling(terms: readonly string[], counts: ReadonlyMap<string, number>, standing: Standing): string[] {
  const rank = (term: string): number =>
    (term.startsWith('@') ? 40 : SCALES.has(term) ? -8 : 0) +
    Math.min(counts.get(term) ?? 1, 6) +
    (standing.owners.has(term) ? -20 : standing.entity.has(term) ? 10 : 0) +
    (standing.above.has(term) ? 3 : 0) +
    (standing.about.has(term) ? 2 : 0) +
    (standing.core.has(term) ? 14 : 0)
  return [...new Set(terms.filter(isTopic))].sort((a, b) => rank(b) - rank(a) || b.length - a.length || (a < b ? -1 : 1))
}
