/** The document a person means: by its id, by the beginning of its id, or by its name, if that is the name of one alone. */

import type { Client } from '../client/client.js'
import type { Schema } from '../client/index.js'
import { ProblemError } from '../client/problem-error.js'
import { ambiguous } from './named-finding.js'

/** Further back nobody looks for what was meant. */
const mostSearched = 10_000

export async function documentIn(client: Client, scopeId: string, given: string): Promise<Schema['Document']> {
  try {
    return await client.document(scopeId, given)
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'DOCUMENT_NOT_FOUND') throw error
    const documents = await client.documents(scopeId, { limit: 200 }).toArray(mostSearched)
    const meant = documents.filter(({ document_id: id, name }) => id.startsWith(given) || name === given)
    const ids = meant.map(({ document_id: id }) => id)
    const [only] = meant
    if (only === undefined) throw error
    if (meant.length === 1) return only
    throw ambiguous(given, 'documents', ids)
  }
}
