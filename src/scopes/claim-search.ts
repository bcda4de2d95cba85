/**
 * Claims by what they say: the rare words of a question are looked up where claims are kept by their words, and what is found
 * is ranked by BM25. Where no claim has a word of it (a figure, half a word), the newest claims are looked through as they are
 * written. Either way the cost is bounded, whatever the size of the scope.
 */

import { rarityWeight, wordScore } from '../reading/words/bm25.js'
import { plainWords, type SearchedWord, searchedWords } from '../reading/words/search-words.js'
import { mostPostings, newestClaimNo, type Posting, readPostings } from '../store/claims/claim-postings.js'
import { type ClaimFilter, type ClaimText, listClaimTexts } from '../store/findings/findings.js'
import type { ScopePlace } from '../store/scopes/scopes.js'
import type { TenantTransaction } from '../store/server/database.js'

export interface FoundClaim {
  claimNo: number
  score: number
}

export type SearchFilter = Omit<ClaimFilter, 'claimNos' | 'after' | 'limit'>

/** So many are ranked at most: those that share the most. */
const mostRanked = 100
/** So many of the newest are looked through where no word leads anywhere. */
const mostLookedThrough = 2_000

/** The best first; of equals the newer. */
export async function searchClaims(tx: TenantTransaction, scope: ScopePlace, text: string, filter: SearchFilter): Promise<FoundClaim[]> {
  const newest = await newestClaimNo(tx, scope)
  const words = searchedWords(text)
  const postings = await readPostings(tx, scope, { terms: words.flatMap(({ terms }) => terms), documentId: filter.documentId })
  const weighed = weigh(words, postings, newest + 1)
  const claimNos = shareMost(weighed)
  const texts = await listClaimTexts(tx, scope, { ...filter, claimNos, after: -1, limit: mostRanked })
  const found = texts.length > 0 ? rank(weighed, texts) : await lookThrough(tx, scope, text, newest, filter)
  return found.sort((a, b) => b.score - a.score || b.claimNo - a.claimNo)
}

interface WeighedWord {
  word: string
  weight: number
  /** Claims found under it. */
  claimNos: ReadonlySet<number>
}

function weigh(words: readonly SearchedWord[], postings: readonly Posting[], claims: number): WeighedWord[] {
  return words.map(({ word, terms }) => {
    const own = postings.filter(({ term }) => terms.includes(term))
    const having = Math.max(0, ...own.map(posting => frequency(posting, claims)))
    return { word, weight: rarityWeight(claims, Math.min(having, claims)), claimNos: new Set(own.flatMap(({ claimNos }) => claimNos)) }
  })
}

/** How many claims have a term; where only the newest were looked at, the others are taken to have it as often. */
function frequency({ claimNos, oldest }: Posting, claims: number): number {
  return claimNos.length < mostPostings ? claimNos.length : (claimNos.length * claims) / Math.max(1, claims - oldest)
}

function shareMost(words: readonly WeighedWord[]): number[] {
  const shared = new Map<number, number>()
  for (const { weight, claimNos } of words) for (const claimNo of claimNos) shared.set(claimNo, (shared.get(claimNo) ?? 0) + weight)
  return [...shared]
    .sort(([a, x], [b, y]) => y - x || b - a)
    .slice(0, mostRanked)
    .map(([claimNo]) => claimNo)
}

function rank(words: readonly WeighedWord[], texts: readonly ClaimText[]): FoundClaim[] {
  const read = texts.map(({ claimNo, text }) => ({ claimNo, words: plainWords(text) }))
  const average = read.reduce((sum, each) => sum + each.words.length, 0) / (read.length || 1)
  return read.map(({ claimNo, words: own }) => {
    const counts = new Map<string, number>()
    for (const word of own) counts.set(word, (counts.get(word) ?? 0) + 1)
    let score = 0
    for (const { word, weight, claimNos } of words) {
      // What stands above a statement or names its document leads to it and is not in its words.
      const count = counts.get(word) ?? (claimNos.has(claimNo) ? 1 : 0)
      if (count > 0) score += wordScore({ weight, count }, { length: own.length, average })
    }
    return { claimNo, score }
  })
}

async function lookThrough(
  tx: TenantTransaction,
  scope: ScopePlace,
  text: string,
  newest: number,
  filter: SearchFilter,
): Promise<FoundClaim[]> {
  const parts = text.toLowerCase().split(/\s+/).filter(Boolean)
  const page = { after: newest - mostLookedThrough, limit: mostLookedThrough }
  const texts = await listClaimTexts(tx, scope, { ...filter, ...page })
  return texts.filter(claim => parts.every(part => claim.text.toLowerCase().includes(part))).map(({ claimNo }) => ({ claimNo, score: 0 }))
}
