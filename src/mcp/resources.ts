/** What agents can attach: the report of a case, and documents. Both come marked, as the answers of tools do. */

import { answered } from '../client/api.js'
import type { Client } from '../client/client.js'
import { named, reportUri } from './addresses.js'
import { markedAsData } from './answers.js'
import { pieceOf } from './document-text.js'
import { gatherCase, reportText } from './report.js'

const mostCharacters = 50_000

export const resourceTemplates = [
  {
    uriTemplate: 'concord://scopes/{scope_id}/report',
    name: 'report',
    title: 'Report of a case',
    description: 'What is settled, what contradicts what, and what may: one page.',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'concord://scopes/{scope_id}/documents/{document_id}',
    name: 'document',
    title: 'Document of a case',
    description: `The text as it was submitted, up to ${mostCharacters} characters; read_document gives the rest.`,
    mimeType: 'text/plain',
  },
]

/** The reports; documents are found through them. */
export async function listResources(client: Client, cursor: string | undefined) {
  const page = await answered(client.api.GET('/api/scopes', { params: { query: { limit: 50, cursor } } }))
  const resources = page.items.map(({ scope_id, display_name }) => ({
    uri: reportUri(scope_id),
    name: scope_id,
    title: `Report of ${display_name ?? scope_id}`,
    mimeType: 'text/markdown',
  }))
  return { resources, ...(page.next === null ? {} : { nextCursor: page.next }) }
}

export async function readResource(client: Client, uri: string) {
  const { scopeId, documentId } = named(uri)
  const whole = documentId === undefined ? reportText(await gatherCase(client, scopeId)) : await client.documentText(scopeId, documentId)
  const { text, next_offset } = pieceOf(whole, 0, mostCharacters)
  const mimeType = documentId === undefined ? 'text/markdown' : 'text/plain'
  return { contents: [{ uri, mimeType, text: markedAsData(text, next_offset !== null) }] }
}
