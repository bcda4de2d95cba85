/** Texts and names of documents, kept while the case is on the screen: a revision's text never changes. */

import { signal } from '@preact/signals'
import { client } from './session'

/** The documents of the case on the screen by their id; those beyond the first are named by it. */
export const documentNames = signal<ReadonlyMap<string, string>>(new Map())
const mostNames = 2000

export async function readNames(scopeId: string): Promise<void> {
  const documents = await client.value.documents(scopeId, { limit: 200 }).toArray(mostNames)
  documentNames.value = new Map(documents.map(each => [each.document_id, each.name ?? each.document_id]))
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

/** Another key may not see what this one saw, and what was erased must not be shown again. */
export function forgetTexts(): void {
  texts.clear()
  documentNames.value = new Map()
}
