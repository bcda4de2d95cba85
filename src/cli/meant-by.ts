/**
 * What a person means by the beginning of the id of a finding, decision or document. Commands that decide name no scope, so all that
 * the key reaches are searched. What is not found is left as it was given: the service says so. So is what is too little to mean one
 * of them: what a command decides about the only finding that there happens to be was not asked for.
 */

import type { Client } from '../client/client.js'
import { ProblemError } from '../client/problem-error.js'
import type { Schema } from '../contract/types.js'
import { CommandError, exitCodes } from './command-error.js'
import { printable } from './text-layout.js'

/** Its kind, and at least 4 of the 22 letters of its own; a whole one is not looked for. */
const beginning = /^[a-z]{3}_[0-9A-Za-z]{4,21}$/
/** What ids of documents begin with that were not chosen: it says nothing about which one is meant. */
const beforeOwn = /^(?:file-|doc_)/
const fewestOwn = 4
const mostSearched = 10_000

export function contradictionId(client: Client, given: string): Promise<string> {
  return meantBy(client, given, 'contradictions', async function* (scopeId) {
    for await (const each of client.contradictions(scopeId, { status: 'all', limit: 200 })) yield each.contradiction_id
  })
}

export function possibleConflictId(client: Client, given: string): Promise<string> {
  return meantBy(client, given, 'possible conflicts', async function* (scopeId) {
    for await (const each of client.possibleConflicts(scopeId, { status: 'all', limit: 200 })) yield each.possible_conflict_id
  })
}

export function supersessionId(client: Client, given: string): Promise<string> {
  return meantBy(client, given, 'supersessions', async function* (scopeId) {
    for await (const each of client.supersessions(scopeId, { status: 'all', limit: 200 })) yield each.supersession_id
  })
}

/** One that waits for a person. */
export function pendingDecisionId(client: Client, given: string): Promise<string> {
  return meantBy(client, given, 'decisions', async function* (scopeId) {
    for await (const each of client.decisions(scopeId, { review: 'pending', limit: 200 })) yield each.decision_id
  })
}

async function meantBy(client: Client, given: string, what: string, idsIn: (scopeId: string) => AsyncIterable<string>): Promise<string> {
  if (!beginning.test(given)) return given
  const meant: string[] = []
  let searched = 0
  for await (const { scope_id: scopeId } of client.scopes({ limit: 200 })) {
    for await (const id of idsIn(scopeId)) {
      if (id.startsWith(given)) meant.push(id)
      if (++searched === mostSearched) throw unclear(`There are more than ${mostSearched} ${what} to look for ${printable(given)} in`)
    }
  }
  if (meant.length > 1) throw ambiguous(given, what, meant)
  return meant[0] ?? given
}

/** By its id, by a beginning of its id that is long enough to mean it, or by its name, if that is the name of one alone. */
export async function documentIn(client: Client, scopeId: string, given: string): Promise<Schema['Document']> {
  try {
    return await client.document(scopeId, given)
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'DOCUMENT_NOT_FOUND') throw error
    const documents = await client.documents(scopeId, { limit: 200 }).toArray(mostSearched)
    const meant = documents.filter(({ document_id: id, name }) => beginsId(given, id) || name === given)
    const ids = meant.map(({ document_id: id }) => id)
    const [only] = meant
    if (only === undefined) throw error
    if (meant.length === 1) return only
    throw ambiguous(given, 'documents', ids)
  }
}

function beginsId(given: string, id: string): boolean {
  return id.startsWith(given) && given.length >= (beforeOwn.exec(id)?.[0].length ?? 0) + fewestOwn
}

function ambiguous(given: string, what: string, ids: readonly string[]): CommandError {
  const first = ids.slice(0, 5).map(printable).join(', ')
  return unclear(`${printable(given)} may be one of ${ids.length} ${what}: ${first}${ids.length > 5 ? ' …' : ''}`)
}

function unclear(message: string): CommandError {
  return new CommandError(message, { next: 'give more of the id', exitCode: exitCodes.usage })
}
