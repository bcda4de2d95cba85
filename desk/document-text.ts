/** Texts and names of documents, kept while the case is on the screen: a revision's text never changes. */

import { client } from './session'

const texts = new Map<string, Promise<string>>()
const names = new Map<string, Promise<string>>()
const mostKept = 60

export function documentText(scopeId: string, documentId: string, revision: number): Promise<string> {
  return kept(texts, [scopeId, documentId, revision], () => client.value.documentText(scopeId, documentId, { revision }))
}

export function documentName(scopeId: string, documentId: string): Promise<string> {
  return kept(names, [scopeId, documentId], async () => (await client.value.document(scopeId, documentId)).name ?? documentId)
}

/** Another key may not see what this one saw, and what was erased must not be shown again. */
export function forgetTexts(): void {
  texts.clear()
  names.clear()
}

function kept(known: Map<string, Promise<string>>, parts: readonly unknown[], read: () => Promise<string>): Promise<string> {
  const key = JSON.stringify(parts)
  const found = known.get(key)
  if (found !== undefined) return found
  const made = read()
  known.set(key, made)
  if (known.size > mostKept) known.delete(known.keys().next().value as string)
  made.catch(() => known.delete(key))
  return made
}
