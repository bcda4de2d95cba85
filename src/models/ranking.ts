/**
 * Chooses the earlier statements that are laid beside a document: for each of its passages the best few by BM25, until so
 * many statements or characters are reached. Nothing depends on the order of candidates: ties go by document id and offset.
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

interface RankingLimits {
  statements: number
  characters: number
  /** For each passage, before the rest is filled up. */
  perPassage: number
}

interface Indexed<T> {
  candidate: T
  counts: Map<string, number>
  length: number
}

/** `total` is how many statements the scope has. */
export function rankStatements<T extends Candidate>(
  passages: readonly string[],
  candidates: readonly T[],
  total: number,
  limits: RankingLimits,
): T[] {
  const indexed = [...candidates].sort(byPlace).map(index)
  const weigh = weights(indexed, Math.max(total, indexed.length))
  const average = indexed.reduce((sum, { length }) => sum + length, 0) / (indexed.length || 1)
  const rankings = passages.map(passage => rankOne(passage, indexed, weigh, average))
  return choose(rankings, limits)
}

function index<T extends Candidate>(candidate: T): Indexed<T> {
  const counts = new Map<string, number>()
  const words = searchWords(candidate.text)
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return { candidate, counts, length: words.length }
}

/** In how many statements a word is, is counted among the candidates. */
function weights<T>(indexed: readonly Indexed<T>[], total: number): (word: string) => number {
  const found = new Map<string, number>()
  for (const { counts } of indexed) for (const word of counts.keys()) found.set(word, (found.get(word) ?? 0) + 1)
  return word => rarityWeight(total, found.get(word) ?? 0)
}

interface Scored<T> {
  candidate: T
  score: number
}

function rankOne<T extends Candidate>(
  passage: string,
  indexed: readonly Indexed<T>[],
  weigh: (word: string) => number,
  average: number,
): Scored<T>[] {
  const words = [...new Set(searchWords(passage))].map(word => ({ word, weight: weigh(word) }))
  return indexed
    .map(({ candidate, counts, length }) => {
      let score = 0
      for (const { word, weight } of words) {
        const count = counts.get(word) ?? 0
        if (count > 0) score += wordScore({ weight, count }, { length, average })
      }
      return { candidate, score }
    })
    .filter(({ score }) => score > 0)
    .sort(byScore)
}

/** First the best of every passage, then their second best and so on; beyond the few of each, whatever scores best. */
function choose<T extends Candidate>(rankings: readonly Scored<T>[][], limits: RankingLimits): T[] {
  const chosen = new Set<T>()
  let characters = 0
  const take = (candidate: T): void => {
    if (chosen.has(candidate) || chosen.size >= limits.statements || characters + candidate.size > limits.characters) return
    chosen.add(candidate)
    characters += candidate.size
  }
  for (let place = 0; place < limits.perPassage; place++) {
    const row = rankings.flatMap(ranking => ranking[place] ?? [])
    for (const { candidate } of row.sort(byScore)) take(candidate)
  }
  const rest = rankings.flatMap(ranking => ranking.slice(limits.perPassage))
  for (const { candidate } of rest.sort(byScore)) take(candidate)
  return [...chosen]
}

function byScore(a: Scored<Candidate>, b: Scored<Candidate>): number {
  return b.score - a.score || byPlace(a.candidate, b.candidate)
}

function byPlace(a: Pick<Candidate, 'documentId' | 'start'>, b: Pick<Candidate, 'documentId' | 'start'>): number {
  return a.documentId === b.documentId ? a.start - b.start : a.documentId < b.documentId ? -1 : 1
}
