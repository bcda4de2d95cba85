/**
 * What of a case is laid beside a document: all of it, as long as that fits what a question may hold, else the passages nearest
 * to each part of the document. Which documents are shown, and in which order, does not depend on the document: servers that
 * remember the beginning of a prompt pay for the case once.
 */
import { type CutPassage, cutDocument, partsOf, shownPassages } from '../../models/passages.js'
import { type ShownDocument, type ShownPassage, shownSize } from '../../models/question.js'
import { rankStatements } from '../../models/ranking.js'
import {
  type CaseDocument,
  findSimilarPassages,
  listCase,
  readCaseDocuments,
  readTexts,
  type ShownText,
} from '../../store/documents/passages.js'
import type { ScopePlace } from '../../store/scopes/scopes.js'
import type { Transaction } from '../../store/server/database.js'

/** Longer documents are asked about in parts. */
const longestPart = 24_000
/** More documents than that are not looked at as a whole. */
const mostDocuments = 400
/** Characters of texts that are read for one document's questions. */
const mostText = 4_000_000
/** Characters of the instructions, about. */
const instructions = 3_000
const mostNearest = 600

export interface CasePart {
  own: ShownPassage[]
  earlier: { document: ShownDocument; passages: ShownPassage[] }[]
}

export interface ShownCase {
  whole: boolean
  parts: CasePart[]
  documents: Map<string, CaseDocument>
  /** Code points of the texts that were read, by document. */
  texts: Map<string, string[]>
}

export interface CaseInput {
  documentId: string
  own: readonly ShownPassage[]
  /** Words of the document's passages. */
  terms: readonly string[]
  contextTokens: number
}

export async function gatherCase(tx: Transaction, place: ScopePlace, input: CaseInput): Promise<ShownCase> {
  const parts = partsOf(input.own, longestPart, shownSize)
  const room =
    input.contextTokens * 3 - instructions - Math.max(0, ...parts.map(part => part.reduce((sum, each) => sum + shownSize(each), 0)))
  const listed = await listCase(tx, place, { except: input.documentId, limit: mostDocuments })
  const characters = listed.reduce((sum, each) => sum + each.characters, 0)
  if (listed.length <= mostDocuments && characters <= room) {
    const shown = await showDocuments(tx, place, listed)
    const size = shown.earlier.reduce((sum, { passages }) => sum + 200 + passages.reduce((all, each) => all + shownSize(each), 0), 0)
    if (size <= room) return { ...shown, whole: true, parts: parts.map(own => ({ own, earlier: shown.earlier })) }
  }
  return nearest(tx, place, input, { parts, room, total: listed.length })
}

async function nearest(
  tx: Transaction,
  place: ScopePlace,
  { documentId, terms }: CaseInput,
  { parts, room, total }: { parts: ShownPassage[][]; room: number; total: number },
): Promise<ShownCase> {
  const similar = await findSimilarPassages(tx, place, terms, documentId)
  const wanted = await readCaseDocuments(tx, place, [...new Set(similar.map(each => each.documentId))])
  const shown = await showDocuments(tx, place, fitting(wanted, mostText))
  const isSimilar = new Set(similar.map(each => `${each.documentId} ${each.at}`))
  const candidates = shown.earlier.flatMap(({ document, passages }) =>
    passages
      .filter((_, at) => isSimilar.has(`${document.documentId} ${at}`))
      .map(passage => ({ ...passage, size: shownSize(passage), passage, text: searched(passage) })),
  )
  const limits = { statements: mostNearest, characters: Math.max(0, room), perPassage: 4 }
  return {
    ...shown,
    whole: false,
    parts: parts.map(own => {
      const ranked = rankStatements(own.map(searched), candidates, Math.max(total, candidates.length), limits)
      const chosen = new Set(ranked.map(each => each.passage))
      const earlier = shown.earlier.map(({ document, passages }) => ({ document, passages: passages.filter(each => chosen.has(each)) }))
      return { own, earlier: earlier.filter(({ passages }) => passages.length > 0) }
    }),
  }
}

/** The first that have room together: one that has none leaves it to those behind it. */
export function fitting<T extends { characters: number }>(documents: readonly T[], most: number): T[] {
  let left = most
  return documents.filter(({ characters }) => {
    if (characters > left) return false
    left -= characters
    return true
  })
}

const searched = ({ text, about }: ShownPassage) => `${text} ${about ?? ''}`

async function showDocuments(tx: Transaction, place: ScopePlace, documents: readonly CaseDocument[]) {
  const texts = new Map((await readTexts(tx, place, documents)).map(each => [each.documentId, each]))
  const points = new Map([...texts].map(([documentId, { text }]) => [documentId, [...text]]))
  const earlier = documents.flatMap(document => {
    const kept = texts.get(document.documentId)
    if (kept === undefined) return []
    return [{ document, passages: shownPassages(document.documentId, points.get(document.documentId) ?? [], passagesIn(kept, document)) }]
  })
  return { earlier, documents: new Map(documents.map(each => [each.documentId, each])), texts: points }
}

/** Documents that were read before passages were kept are cut here. */
function passagesIn({ passages, text }: ShownText, { type, name }: CaseDocument): CutPassage[] {
  return passages ?? cutDocument({ text, type, name }).passages
}

/** Documents that pairs are about and that the questions did not show. */
export async function showMore(tx: Transaction, place: ScopePlace, shown: ShownCase, documentIds: readonly string[]): Promise<void> {
  const missing = [...new Set(documentIds)].filter(each => !shown.texts.has(each))
  const documents = await readCaseDocuments(tx, place, missing)
  for (const document of documents) shown.documents.set(document.documentId, document)
  for (const { documentId, text } of await readTexts(tx, place, documents)) shown.texts.set(documentId, [...text])
}
