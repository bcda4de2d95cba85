/**
 * Texts and names of documents, kept while the case is on the screen: a revision's text never changes until it is erased, or
 * the case is reset and another text has its number.
 */

import { computed, signal } from '@preact/signals'
import type { Schema } from '../src/contract/types.js'
import { onEvent } from './live'
import { client } from './session'

/** The documents of the case on the screen by their id, in their newest revision: the first of them, and those that were asked for since. */
export const documentsOfCase = signal<ReadonlyMap<string, Schema['Document']>>(new Map())
/** Whoever asks for a name that is not known yet has it looked up, and reads an id until it is there. */
export const documentNames = computed<ReadonlyMap<string, string>>(
  () => new LookedUp([...documentsOfCase.value].map(([id, { name }]) => [id, name ?? id])),
)
const mostNames = 2000
/** As many as a request may ask for, in characters and ids. */
const [mostAsked, longestAsked] = [100, 4000]
/** What a view shows is drawn in one go: its papers are asked for together. */
const gatherMs = 20

/** The case whose names these are. */
let named: { scopeId: string; asked: Set<string>; hasAll: boolean } | undefined
let wanted = new Set<string>()
/** Rises when the case is left: what comes late for the one before is not the next one's. */
let visit = 0

class LookedUp extends Map<string, string> {
  override get(id: string): string | undefined {
    const name = super.get(id)
    if (name === undefined) lookUp(id)
    return name
  }
}

function lookUp(id: string): void {
  if (named === undefined || named.hasAll || named.asked.has(id)) return
  named.asked.add(id)
  wanted.add(id)
  if (wanted.size > 1) return
  setTimeout(() => {
    const [ids, of] = [[...wanted], named]
    wanted = new Set()
    // What cannot be read now is asked for again when it is drawn again.
    if (of !== undefined) readDocuments(of.scopeId, ids).catch(() => ids.map(each => of.asked.delete(each)))
  }, gatherMs)
}

async function readDocuments(scopeId: string, ids: readonly string[]): Promise<void> {
  const own = visit
  const pages = await Promise.all(asksOf(ids).map(each => client.value.documents(scopeId, { ids: each, limit: 200 }).toArray(200)))
  add(pages.flat(), own)
}

/** The id of a case does not tell it: another tenant may have one of the same id. */
function add(documents: readonly Schema['Document'][], own: number): void {
  if (own !== visit || documents.length === 0) return
  documentsOfCase.value = new Map([...documentsOfCase.value, ...documents.map(each => [each.document_id, each] as const)])
}

/** Ids as lists are narrowed to them, in as many requests as it takes. */
export function asksOf(ids: readonly string[]): string[] {
  const asks: string[][] = []
  let length = 0
  for (const id of ids.map(each => each.replace(/[%,]/g, encodeURIComponent))) {
    const last = asks.at(-1)
    length += id.length + 1
    if (last === undefined || last.length === mostAsked || length > longestAsked) {
      asks.push([id])
      length = id.length + 1
    } else last.push(id)
  }
  return asks.map(ask => ask.join())
}

export async function readNames(scopeId: string): Promise<void> {
  const own = visit
  const documents = await client.value.documents(scopeId, { limit: 200 }).toArray(mostNames)
  if (own !== visit) return
  const known = new Map(documents.map(each => [each.document_id, each]))
  // Those beyond the first that were asked for may have changed as well; their old names stand until then.
  const further = named?.scopeId === scopeId ? [...documentsOfCase.value].filter(([id]) => !known.has(id)).slice(0, mostNames) : []
  named = { scopeId, asked: new Set(further.map(([id]) => id)), hasAll: documents.length < mostNames }
  documentsOfCase.value = named.hasAll ? known : new Map([...known, ...further])
  if (!named.hasAll) await readDocuments(scopeId, [...named.asked])
}

/** What came with a mail or an archive, in a case of more documents than are known. */
export async function readParts(scopeId: string, documentId: string): Promise<void> {
  if (named?.hasAll) return
  const own = visit
  const parts = await client.value.documents(scopeId, { part_of: documentId, limit: 200 }).toArray(mostNames)
  if (own !== visit) return
  // A paper that is opened by its address is there before the names of the others.
  named ??= { scopeId, asked: new Set(), hasAll: false }
  add(parts, own)
}

const texts = new Map<string, Promise<string>>()
const mostKept = 60

export function documentText(scopeId: string, documentId: string, revision: number): Promise<string> {
  const key = JSON.stringify([scopeId, documentId, revision])
  const found = texts.get(key)
  if (found !== undefined) return found
  const read = client.value.documentText(scopeId, documentId, { revision })
  texts.set(key, read)
  if (texts.size > mostKept) texts.delete(texts.keys().next().value as string)
  read.catch(() => texts.delete(key))
  return read
}

/** What is known of a revision: its kind, and whether its original is kept. */
export async function documentOf(scopeId: string, documentId: string, revision: number): Promise<Schema['Document'] | undefined> {
  const known = documentsOfCase.value.get(documentId)
  if (known?.revision === revision) return known
  return (await client.value.revisions(scopeId, documentId, { limit: 100 }).toArray(100)).find(each => each.revision === revision)
}

/** Rises when the texts are forgotten, so that views which show one read it again. */
export const textsForgotten = signal(0)

function forgetTexts(): void {
  texts.clear()
  textsForgotten.value++
}

/** After a gap anything may have been erased. */
const endsTexts = /^(document\.erased|scope\.(reset|deleted)|stream\.gap)$/

/** Forgets texts as they are erased. Gives how to stop, which forgets everything: another key may not see what this one saw. */
export function followTexts(): () => void {
  const stop = onEvent(type => {
    if (endsTexts.test(type)) forgetTexts()
  })
  return () => {
    stop()
    forgetTexts()
    visit++
    named = undefined
    wanted.clear()
    documentsOfCase.value = new Map()
  }
}
