/** Papers of a case on a line of time: single ones in a small case, in a large one those of an issuer in a stretch of time. Pure. */

export interface DatedPaper {
  documentId: string
  name: string | null
  issuer: string | null
  /** When it was written, else when it came. */
  day: string
}

export interface PaperGroup {
  issuer: string | null
  from: string
  to: string
  papers: DatedPaper[]
}

export interface PaperLink {
  a: number
  b: number
  kind: 'contradicts' | 'replaces'
  count: number
  open: number
}

export const mostGroups = 60
/** Issuers with a line of their own; the others share one. */
const mostIssuers = 11

export function groupPapers(papers: readonly DatedPaper[]): PaperGroup[] {
  const ordered = [...papers].sort((a, b) => (a.day === b.day ? (a.documentId < b.documentId ? -1 : 1) : a.day < b.day ? -1 : 1))
  if (ordered.length <= mostGroups) return ordered.map(paper => ({ issuer: paper.issuer, from: paper.day, to: paper.day, papers: [paper] }))
  const lanes = new Map<string | null, DatedPaper[]>()
  const named = largestIssuers(ordered)
  for (const paper of ordered) {
    const issuer = paper.issuer !== null && named.has(paper.issuer) ? paper.issuer : null
    lanes.set(issuer, [...(lanes.get(issuer) ?? []), paper])
  }
  const perLane = Math.floor(mostGroups / lanes.size)
  return [...lanes].flatMap(([issuer, of]) => stretches(of, perLane).map(part => groupOf(issuer, part)))
}

function largestIssuers(papers: readonly DatedPaper[]): Set<string> {
  const counts = new Map<string, number>()
  for (const { issuer } of papers) if (issuer !== null) counts.set(issuer, (counts.get(issuer) ?? 0) + 1)
  const largest = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, mostIssuers)
  return new Set(largest.map(([issuer]) => issuer))
}

/** Equal stretches of time; those without a paper are left out. */
function stretches(papers: readonly DatedPaper[], most: number): DatedPaper[][] {
  const times = papers.map(paper => Date.parse(paper.day))
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const width = (last - first) / most || 1
  const parts = new Map<number, DatedPaper[]>()
  for (const [index, paper] of papers.entries()) {
    const place = Math.min(most - 1, Math.floor(((times[index] ?? first) - first) / width))
    parts.set(place, [...(parts.get(place) ?? []), paper])
  }
  return [...parts.values()]
}

function groupOf(issuer: string | null, papers: DatedPaper[]): PaperGroup {
  return { issuer, from: papers[0]?.day ?? '', to: papers.at(-1)?.day ?? '', papers }
}

interface PairOfPapers extends Omit<PaperLink, 'a' | 'b'> {
  a: string
  b: string
}

/** What lies between papers, added up for their groups; undecided ones first. */
export function linkGroups(groups: readonly PaperGroup[], pairs: readonly PairOfPapers[], most: number): PaperLink[] {
  const placeOf = new Map(groups.flatMap(({ papers }, place) => papers.map(paper => [paper.documentId, place] as const)))
  const links = new Map<string, PaperLink>()
  for (const { a: one, b: other, kind, count, open } of pairs) {
    const [from, to] = [placeOf.get(one), placeOf.get(other)]
    if (from === undefined || to === undefined) continue
    // Which of two contradicts the other is no question; which replaces is.
    const [a, b] = kind === 'contradicts' && from > to ? [to, from] : [from, to]
    const link = links.get(`${kind} ${a} ${b}`) ?? { a, b, kind, count: 0, open: 0 }
    link.count += count
    link.open += open
    links.set(`${kind} ${a} ${b}`, link)
  }
  return [...links.values()].sort((x, y) => y.open - x.open || y.count - x.count || x.a - y.a || x.b - y.b).slice(0, most)
}
