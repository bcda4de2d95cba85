/**
 * What of a case is laid beside a document: all of it, as long as that fits what a question may hold, else the passages nearest
 * to each part of the document. Which documents are shown, and in which order, does not depend on the document: servers that
 * remember the beginning of a prompt pay for the case once.
 *
 * Transactions only read. What is worked out from that, with none open, gives way to others after each document, after some passages
 * and after each part: a long document beside a large case takes the main thread for a second in all, and never for long.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import { type CutPassage, cutDocument, partsOf, shownPassages } from '../../models/passages.js'
import { type ShownDocument, type ShownPassage, shownSize } from '../../models/question.js'
import { indexStatements, type StatementIndex } from '../../models/ranking.js'
import { type CodePointSlice, codePointSlices } from '../../reading/normalize/code-points.js'
import { saidOf } from '../../reading/normalize/remarks.js'
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
/** Of texts that are read for one document's questions. */
const mostBytes = 8_000_000
/** A code point has at most so many: a text of more bytes than that has no room, whatever its script. */
const bytesOfCharacter = 4
/** Characters of the instructions, about. */
const instructions = 3_000
const mostNearest = 600

/** A document and those of its passages that a question shows. */
export interface Laid {
  document: ShownDocument
  passages: ShownPassage[]
}

export interface ShownCase {
  whole: boolean
  /** Of the document, each short enough for one question. */
  parts: ShownPassage[][]
  /** What is laid beside a part. Worked out when it is asked for: the tokens of a document pay for a few parts of a long one. */
  beside(part: readonly ShownPassage[]): Promise<Laid[]>
  documents: Map<string, CaseDocument>
  /** What the documents say whose texts were read, without what was deleted and commented in them. */
  texts: Map<string, CodePointSlice>
}

export interface CaseInput {
  documentId: string
  own: readonly ShownPassage[]
  /** Words of the document's passages. */
  terms: readonly string[]
  contextTokens: number
}

/** Runs work in a transaction of its own. */
export type InScope = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>

export async function gatherCase(inScope: InScope, place: ScopePlace, input: CaseInput): Promise<ShownCase> {
  const parts = partsOf(input.own, longestPart, shownSize)
  const room = input.contextTokens * 3 - instructions - Math.max(0, ...parts.map(sizeOf))
  const { listed, texts } = await inScope(async tx => {
    const listed = await listCase(tx, place, { except: input.documentId, limit: mostDocuments })
    const bytes = listed.reduce((sum, each) => sum + each.bytes, 0)
    const mayFit = listed.length <= mostDocuments && bytes <= room * bytesOfCharacter
    return { listed, texts: mayFit ? await readTexts(tx, place, listed) : null }
  })
  if (texts !== null) {
    const { earlier, ...shown } = await showDocuments(listed, texts)
    const size = earlier.reduce((sum, { passages }) => sum + 200 + sizeOf(passages), 0)
    if (size <= room) return { ...shown, whole: true, parts, beside: async () => earlier }
  }
  return nearest(inScope, place, input, { parts, room, total: listed.length })
}

function sizeOf(passages: readonly ShownPassage[]): number {
  return passages.reduce((sum, each) => sum + shownSize(each), 0)
}

async function nearest(
  inScope: InScope,
  place: ScopePlace,
  { documentId, terms }: CaseInput,
  { parts, room, total }: { parts: ShownPassage[][]; room: number; total: number },
): Promise<ShownCase> {
  const { similar, documents, texts } = await inScope(async tx => {
    const similar = await findSimilarPassages(tx, place, terms, documentId)
    const wanted = await readCaseDocuments(tx, place, [...new Set(similar.map(each => each.documentId))])
    const documents = fitting(wanted, mostBytes)
    return { similar, documents, texts: await readTexts(tx, place, documents) }
  })
  const places = new Map<string, Set<number>>()
  for (const { documentId, at } of similar) places.set(documentId, (places.get(documentId) ?? new Set()).add(at))
  const { earlier, ...shown } = await showDocuments(documents, texts, places)
  const candidates = earlier.flatMap(({ passages }) =>
    passages.map(passage => ({ ...passage, size: shownSize(passage), passage, text: searched(passage) })),
  )
  const limits = { statements: mostNearest, characters: Math.max(0, room), perPassage: 4 }
  let index: StatementIndex<(typeof candidates)[number]> | undefined
  const beside = async (part: readonly ShownPassage[]): Promise<Laid[]> => {
    index ??= await indexStatements(candidates, Math.max(total, candidates.length), breathe)
    const chosen = new Set((await index.nearest(part.map(searched), limits)).map(each => each.passage))
    const laid = earlier.map(({ document, passages }) => ({ document, passages: passages.filter(each => chosen.has(each)) }))
    return laid.filter(({ passages }) => passages.length > 0)
  }
  return { ...shown, whole: false, parts, beside }
}

/** The first that have room together: one that has none leaves it to those behind it. */
export function fitting<T extends { bytes: number }>(documents: readonly T[], most: number): T[] {
  let left = most
  return documents.filter(({ bytes }) => {
    if (bytes > left) return false
    left -= bytes
    return true
  })
}

/** What a passage says, and what it is about. */
export const searched = ({ text, about }: ShownPassage) => `${text} ${about ?? ''}`

/** Of each document the passages at its `places`, or all. */
async function showDocuments(
  documents: readonly CaseDocument[],
  read: readonly ShownText[],
  places?: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<Pick<ShownCase, 'documents' | 'texts'> & { earlier: Laid[] }> {
  const kept = new Map(read.map(each => [each.documentId, each]))
  const texts = new Map<string, CodePointSlice>()
  const earlier: Laid[] = []
  for (const document of documents) {
    const { documentId } = document
    const text = kept.get(documentId)
    if (text === undefined) continue
    await breathe()
    const slice = codePointSlices(saidOf(text.text, document.type))
    const cut = passagesIn(text, document).filter((_, at) => places === undefined || places.get(documentId)?.has(at) === true)
    texts.set(documentId, slice)
    earlier.push({ document, passages: shownPassages(documentId, slice, cut) })
  }
  return { earlier, texts, documents: new Map(documents.map(each => [each.documentId, each])) }
}

/** Documents that were read before passages were kept are cut here. */
function passagesIn({ passages, text }: ShownText, { type, name }: CaseDocument): CutPassage[] {
  return passages ?? cutDocument({ text, type, name }).passages
}

/** Documents that pairs are about and that the questions did not show. */
export async function showMore(tx: Transaction, place: ScopePlace, shown: ShownCase, documentIds: readonly string[]): Promise<void> {
  const missing = [...new Set(documentIds)].filter(each => !shown.texts.has(each))
  const documents = await readCaseDocuments(tx, place, missing)
  const texts = new Map((await readTexts(tx, place, documents)).map(({ documentId, text }) => [documentId, text]))
  for (const document of documents) {
    const { documentId, type } = document
    const text = texts.get(documentId)
    shown.documents.set(documentId, document)
    if (text !== undefined) shown.texts.set(documentId, codePointSlices(saidOf(text, type)))
  }
}
