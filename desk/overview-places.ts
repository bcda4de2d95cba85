/** Where groups of papers stand on the line of time, and the arcs between them. Pure. */

import { countOf } from '../src/contract/field-words.js'
import type { Schema } from '../src/contract/types.js'

type Group = Schema['CaseOverview']['papers']['groups'][number]

export interface Place {
  x: number
  y: number
}

/** Issuers in the order of their first paper; those that are not known come last. */
export function lanesOf(groups: readonly Group[]): (string | null)[] {
  const firsts = new Map<string | null, string>()
  for (const { issuer, from } of groups) if (from < (firsts.get(issuer) ?? '9999-12-31')) firsts.set(issuer, from)
  const order = ([issuer, first]: readonly [string | null, string]) => `${issuer === null ? 1 : 0} ${first} ${issuer ?? ''}`
  return [...firsts].sort((a, b) => (order(a) < order(b) ? -1 : 1)).map(([issuer]) => issuer)
}

export function placesOf(
  groups: readonly Group[],
  lanes: readonly (string | null)[],
  { left, width, lane }: { left: number; width: number; lane: number },
): Place[] {
  const middle = ({ from, to }: Group) => (Date.parse(from) + Date.parse(to)) / 2
  const times = groups.map(middle)
  const [first, last] = [Math.min(...times), Math.max(...times)]
  return groups.map((group, index) => ({
    x: left + (last === first ? 0.5 : ((times[index] ?? first) - first) / (last - first)) * width,
    y: lanes.indexOf(group.issuer) * lane + lane / 2,
  }))
}

/** Bent upwards on one line, sideways between lines; a loop where both are one group. */
export function arcBetween(a: Place | undefined, b: Place | undefined): string {
  if (a === undefined || b === undefined) return ''
  if (a === b) return `M${a.x - 4} ${a.y}c-10 -22 18 -22 8 0`
  const bend = Math.min(60, 12 + Math.abs(a.x - b.x) / 8)
  const [x, y] = [(a.x + b.x) / 2, (a.y + b.y) / 2]
  return a.y === b.y ? `M${a.x} ${a.y}Q${x} ${y - bend} ${b.x} ${b.y}` : `M${a.x} ${a.y}Q${x + bend} ${y} ${b.x} ${b.y}`
}

export function titleOfGroup({ count, papers, issuer, from, to }: Group, names: ReadonlyMap<string, string>): string {
  const [only] = papers
  const when = from === to ? from : `${from} to ${to}`
  if (count === 1 && only !== undefined) return `${names.get(only.document_id) ?? only.name ?? only.document_id}, ${when}`
  return `${countOf(count, 'document')}${issuer === null ? '' : ` of ${issuer}`}, ${when}`
}
