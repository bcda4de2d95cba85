/** The document a person means: by its id, by the beginning of its id, or by its name, if that is the name of one alone. */

import type { Client } from '../client/client.js'
import type { Schema } from '../client/index.js'
import { ProblemError } from '../client/problem-error.js'
import { CommandError, exitCodes } from './command-error.js'
import { printable } from './text-layout.js'

/** Further back nobody looks for what was meant. */
const mostSearched = 10_000

export async function documentIn(client: Client, scopeId: string, given: string): Promise<Schema['Document']> {
  try {
    return await client.document(scopeId, given)
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'DOCUMENT_NOT_FOUND') throw error
    const documents = await client.documents(scopeId, { limit: 200 }).toArray(mostSearched)
    const meant = documents.filter(({ document_id: id, name }) => id.startsWith(given) || name === given)
    const [only] = meant
    if (only === undefined) throw error
    if (meant.length === 1) return only
    const first = meant.slice(0, 5).map(({ document_id: id }) => printable(id))
    throw new CommandError(
      `${printable(given)} may be one of ${meant.length} documents: ${first.join(', ')}${meant.length > 5 ? ' …' : ''}`,
      {
        next: 'give more of the id',
        exitCode: exitCodes.usage,
      },
    )
  }
}
