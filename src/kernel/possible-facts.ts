/**
 * Which undecided possible conflicts a person is shown, and which belong together. Of each document the best are shown, so that one paper
 * cannot bury the others; the rest wait behind them and come up as those are decided. Those about one fact are one item: they share a
 * statement, or ask the same question. A function of the pairs alone: neither depends on the order in which documents came.
 */

export interface OpenPair {
  no: number
  /** Higher is likelier. */
  score: number
  a: PairSide
  b: PairSide
}

export interface PairSide {
  documentId: string
  /** Where in the document. */
  start: number
  end: number
  statement: number
  /** What it answers, where that is known. */
  question: string | number | null
}

export interface PossibleFact {
  /** Numbers, the best first. */
  shown: number[]
  further: number[]
}

/** The fact with the likeliest first. */
export function factsOf(pairs: readonly OpenPair[], bestOfEach: number): PossibleFact[] {
  const ranked = [...pairs].sort(byRank)
  const shown = bestOfDocuments(ranked, bestOfEach)
  const facts = new Map<string, PossibleFact>()
  const rootOf = joined(ranked)
  for (const pair of ranked) {
    const root = rootOf(statementKey(pair.a))
    const fact = facts.get(root) ?? { shown: [], further: [] }
    facts.set(root, fact)
    fact[shown.has(pair.no) ? 'shown' : 'further'].push(pair.no)
  }
  // What has none to show comes up when those of its documents are decided.
  return [...facts.values()].filter(fact => fact.shown.length > 0)
}

/** All that one of its two documents has among its best. */
function bestOfDocuments(ranked: readonly OpenPair[], bestOfEach: number): ReadonlySet<number> {
  const counts = new Map<string, number>()
  const shown = new Set<number>()
  for (const { no, a, b } of ranked)
    for (const documentId of new Set([a.documentId, b.documentId])) {
      const count = (counts.get(documentId) ?? 0) + 1
      counts.set(documentId, count)
      if (count <= bestOfEach) shown.add(no)
    }
  return shown
}

/** Equal scores go by the passages, which are the same whichever document came first. */
function byRank(one: OpenPair, other: OpenPair): number {
  if (one.score !== other.score) return other.score - one.score
  const [x, y] = [placeOf(one), placeOf(other)]
  return x < y ? -1 : x > y ? 1 : one.no - other.no
}

function placeOf({ a, b }: OpenPair): string {
  return [a, b]
    .map(({ documentId, start, end }) => `${documentId}\u0000${start}\u0000${end}`)
    .sort()
    .join('\u0001')
}

const statementKey = ({ statement }: PairSide): string => `s${statement}`

/** From each statement to one that stands for all it is joined with. */
function joined(pairs: readonly OpenPair[]): (key: string) => string {
  const parents = new Map<string, string>()
  const rootOf = (key: string): string => {
    let root = key
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up
    for (let at = key; at !== root; ) {
      const up = parents.get(at) ?? root
      parents.set(at, root)
      at = up
    }
    return root
  }
  const join = (one: string, other: string): void => {
    const [x, y] = [rootOf(one), rootOf(other)]
    if (x !== y) parents.set(x, y)
  }
  for (const { a, b } of pairs) {
    join(statementKey(a), statementKey(b))
    for (const side of [a, b]) if (side.question !== null) join(statementKey(side), `q${side.question}`)
  }
  return rootOf
}
