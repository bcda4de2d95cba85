/**
 * Texts and names of documents, kept while the case is on the screen: a revision's text never changes until it is erased, or
 * the case is reset and another text has its number.
 */

import { computed, signal } from '@preact/signals'
import type { Schema } from '../src/contract/types.js'
import { onEvent } from './live'
import { client } from './session'

/** The documents of the case on the screen by their id, in their newest revision; those beyond the first are named by it. */
export const documentsOfCase = signal<ReadonlyMap<string, Schema['Document']>>(new Map())
export const documentNames = computed<ReadonlyMap<string, string>>(
  () => new Map([...documentsOfCase.value].map(([id, { name }]) => [id, name ?? id])),
)
const mostNames = 2000

export async function readNames(scopeId: string): Promise<void> {
  const documents = await client.value.documents(scopeId, { limit: 200 }).toArray(mostNames)
  documentsOfCase.value = new Map(documents.map(each => [each.document_id, each]))
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
    documentsOfCase.value = new Map()
  }
}
