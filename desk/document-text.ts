/**
 * Texts and names of documents, kept while the case is on the screen: a revision's text never changes until it is erased, or
 * the case is reset and another text has its number.
 */

import { signal } from '@preact/signals'
import { onEvent } from './live'
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
    documentNames.value = new Map()
  }
}
