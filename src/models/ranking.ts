/**
 * Chooses the earlier statements that are laid beside a document: for each of its passages the best few by BM25, until so
 * many statements or characters are reached. Nothing depends on the order of candidates: ties go by document id and offset.
 *
 * Candidates are indexed once for all parts of a document. What a word adds to a candidate does not depend on the passage that
 * has it, so a passage looks at the candidates that share a word with it and no others.
 */
import { rarityWeight, wordScore } from '../reading/words/bm25.js'
import { searchWords } from './search-words.js'

export interface Candidate {
  documentId: string
  start: number
  /** What is searched: the statement, and the words of its heading and document where they are known. */
  text: string
  /** Characters it costs when it is listed. */
  size: number
}

export interface RankingLimits {
  statements: number
  characters: number
  /** For each passage, before the rest is filled up. */
  perPassage: number
}

export interface StatementIndex<T> {
  /** The statements that are laid beside these passages. */
  nearest(passages: readonly string[], limits: RankingLimits): Promise<T[]>
}

/** Statements between two breaths: at their longest they take some milliseconds. */
const breath = 16

/** `total` is how many statements the scope has. `breathe` is waited for in between, so that others get their turn. */
export async function indexStatements<T extends Candidate>(
  candidates: readonly T[],
  total: number,
  breathe: () => Promise<unknown>,
): Promise<StatementIndex<T>> {
  const sorted = [...candidates].sort(byPlace)
  const lengths: number[] = []
  const postings = new Map<string, Posting[]>()
  for (const [at, { text }] of sorted.entries()) {
    if (at % breath === 0) await breathe()
    const words = searchWords(text)
    lengths.push(words.length)
    for (const [word, count] of countsOf(words)) {
      const known = postings.get(word)
      if (known === undefined) postings.set(word, [{ at, count }])
      else known.push({ at, count })
    }
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / (lengths.length || 1)
  const weighed = new Map<string, Scored[]>()
  /** The candidates that have a word, and what it adds to their scores. */
  const scoresOf = (word: string): Scored[] => {
    const found = postings.get(word) ?? []
    const weight = rarityWeight(Math.max(total, sorted.length), found.length)
    const known =
      weighed.get(word) ??
      found.map(({ at, count }) => ({ at, score: wordScore({ weight, count }, { length: lengths[at] ?? 0, average }) }))
    weighed.set(word, known)
    return known
  }
  return {
    async nearest(passages, limits) {
      const scores = new Float64Array(sorted.length)
      const best = new Float64Array(sorted.length)
      const firsts: Scored[][] = []
      for (const [n, passage] of passages.entries()) {
        if (n % breath === 0) await breathe()
        const met: number[] = []
        for (const word of new Set(searchWords(passage))) {
          for (const { at, score } of scoresOf(word)) {
            if (scores[at] === 0) met.push(at)
            scores[at]! += score
          }
        }
        firsts.push(bestOf(met, scores, limits.perPassage))
        for (const at of met) {
          best[at] = Math.max(best[at]!, scores[at]!)
          scores[at] = 0
        }
      }
      return choose(sorted, firsts, best, limits)
    },
  }
}

/** A candidate that has a word, and how often. */
interface Posting {
  at: number
  count: number
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

interface Scored {
  at: number
  score: number
}

/** The first few of one passage. */
function bestOf(met: readonly number[], scores: Float64Array, count: number): Scored[] {
  const few: Scored[] = []
  for (const at of met) {
    const each = { at, score: scores[at]! }
    let place = few.length
    while (place > 0 && byScore(few[place - 1]!, each) > 0) place--
    if (place >= count) continue
    few.splice(place, 0, each)
    few.length = Math.min(few.length, count)
  }
  return few
}

/** First the best of every passage, then their second best and so on; beyond the few of each, whatever scores best. */
function choose<T extends Candidate>(sorted: readonly T[], firsts: readonly Scored[][], best: Float64Array, limits: RankingLimits): T[] {
  const chosen = new Set<T>()
  let characters = 0
  const take = ({ at }: Scored): void => {
    const candidate = sorted[at]!
    if (chosen.has(candidate) || chosen.size >= limits.statements || characters + candidate.size > limits.characters) return
    chosen.add(candidate)
    characters += candidate.size
  }
  for (let place = 0; place < limits.perPassage; place++) {
    for (const each of firsts.flatMap(ranking => ranking[place] ?? []).sort(byScore)) take(each)
  }
  const rest = [...best].map((score, at) => ({ at, score })).filter(({ score }) => score > 0)
  for (const each of rest.sort(byScore)) take(each)
  return [...chosen]
}

/** Candidates stand by place: of those that score the same the first comes first. */
function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || a.at - b.at
}

function byPlace(a: Pick<Candidate, 'documentId' | 'start'>, b: Pick<Candidate, 'documentId' | 'start'>): number {
  return a.documentId === b.documentId ? a.start - b.start : a.documentId < b.documentId ? -1 : 1
}
