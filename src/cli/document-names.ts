/** Documents for people: with their names, where a program gets ids. */

import type { Client } from '../client/index.js'

/** Documents whose names are asked for; others are shown with their ids. */
const mostNamed = 1000

/** The id of a file is a hash, which tells nobody which paper it is. A name that two documents have tells as little. */
export async function documentNames(client: Client, scopeId: string): Promise<ReadonlyMap<string, string>> {
  const documents = await client.documents(scopeId, { limit: 200 }).toArray(mostNamed)
  const uses = new Map<string | null, number>()
  for (const { name } of documents) uses.set(name, (uses.get(name) ?? 0) + 1)
  return new Map(documents.flatMap(({ document_id: id, name }) => (name !== null && uses.get(name) === 1 ? [[id, name]] : [])))
}

/** Findings with the names on both of their sides. */
export async function withDocumentNames<T extends object>(client: Client, scopeId: string, findings: readonly T[]): Promise<T[]> {
  if (findings.length === 0) return []
  const names = await documentNames(client, scopeId)
  const named = (side: unknown): unknown => {
    if (Array.isArray(side)) return side.map(named)
    if (typeof side !== 'object' || side === null || !('document_id' in side)) return side
    return { ...side, document_id: names.get(side.document_id as string) ?? side.document_id }
  }
  return findings.map(finding => Object.fromEntries(Object.entries(finding).map(([key, value]) => [key, named(value)])) as T)
}
