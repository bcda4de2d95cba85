/** The words around a quote, so that a reader can judge it without opening the document. */

import type { Client } from '../../client/client.js'
import type { Schema } from '../../contract/types.js'
import { undefinedWhenMissing } from '../undefined-when-missing.js'

export interface Context {
  before: string
  after: string
}

/** By claim. */
type Contexts = ReadonlyMap<string, Context>

/** What is known of quotes beyond themselves: the words around them, and the names of their documents. */
export interface Around {
  contexts: Contexts
  names: ReadonlyMap<string, string>
}

const shownCharacters = 220
const mostDocuments = 200
const lanes = 4

type Finding = Pick<Schema['Contradiction'], 'a' | 'b'>

/** Of both sides of each finding; a document whose text is not kept leaves its quotes without. */
export async function gatherContexts(
  client: Pick<Client, 'documentText'>,
  scopeId: string,
  findings: readonly Finding[],
): Promise<Contexts> {
  const claims = findings.flatMap(({ a, b }) => [a, b]).filter(side => 'claim_id' in side)
  const byDocument = new Map<string, typeof claims>()
  for (const claim of claims) {
    const key = JSON.stringify([claim.document_id, claim.revision])
    byDocument.set(key, [...(byDocument.get(key) ?? []), claim])
  }
  const contexts = new Map<string, Context>()
  const waiting = [...byDocument.values()].slice(0, mostDocuments).values()
  const lane = async () => {
    for (const [first, ...others] of waiting) {
      if (first === undefined) continue
      const text = await client.documentText(scopeId, first.document_id, { revision: first.revision }).catch(undefinedWhenMissing)
      if (text === undefined) continue
      const characters = Array.from(text)
      for (const claim of [first, ...others]) contexts.set(claim.claim_id, contextOf(characters, claim))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return contexts
}

/** `start` and `end` count code points. Begins and ends with a word. */
export function contextOf(characters: readonly string[], { start, end }: { start: number; end: number }): Context {
  const before = characters.slice(Math.max(0, start - shownCharacters), start).join('')
  const after = characters.slice(end, end + shownCharacters).join('')
  return {
    before: start > shownCharacters ? `… ${before.replace(/^\S*\s/, '')}` : before,
    after: end + shownCharacters < characters.length ? `${after.replace(/\s\S*$/, '')} …` : after,
  }
}
