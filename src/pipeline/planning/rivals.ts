/**
 * Which claims of the scope a document is held against: those that share enough distinctive words with it. What is
 * looked at depends on the document, not on the size of the scope, and not on the order of arrival: a word that many
 * documents have names nothing, and where still too many claims share words, those that share the least are left out together.
 */

import { LEAST_SHARED } from '../../reading/relations/place.js'
import { commonTerm, type TermRow } from '../../store/claims/claim-terms.js'

/** Words rivals are looked up by, each with its weight. */
export type WantedTerms = readonly (readonly [term: string, weight: number])[]

const mostRivals = 2_000

/** Numbers of the claims to look at. */
export function pickRivals(wanted: WantedTerms, rowsOf: (term: string) => readonly TermRow[]): Set<number> {
  const shared = new Map<number, number>()
  for (const [term, weight] of wanted) {
    const rows = rowsOf(term)
    if (rows.length > commonTerm) continue
    for (const { claimNos } of rows) for (const claimNo of claimNos) shared.set(claimNo, (shared.get(claimNo) ?? 0) + weight)
  }
  const enough = [...shared].filter(([, weight]) => weight >= LEAST_SHARED)
  if (enough.length <= mostRivals) return new Set(enough.map(([claimNo]) => claimNo))
  const weights = enough.map(([, weight]) => weight).sort((a, b) => b - a)
  const tooLittle = weights[mostRivals] ?? 0
  return new Set(enough.filter(([, weight]) => weight > tooLittle).map(([claimNo]) => claimNo))
}

/** Rows by their word. */
export function byTerm(rows: readonly TermRow[]): Map<string, TermRow[]> {
  const found = new Map<string, TermRow[]>()
  for (const row of rows) {
    const known = found.get(row.term)
    if (known === undefined) found.set(row.term, [row])
    else known.push(row)
  }
  return found
}
