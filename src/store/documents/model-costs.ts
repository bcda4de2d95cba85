/** What models were asked about a case, and what it cost. */

import { ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'
import { shownSql } from './passages.js'

export interface Tokens {
  prompt: number
  completion: number
}

/** Of one document, or of all. */
export async function readTokens(tx: Transaction, place: ScopePlace, documentId: string | null): Promise<Tokens & { asked: number }> {
  return tx.one<Tokens & { asked: number }>(
    `select coalesce(sum(prompt_tokens), 0)::float8 as prompt, coalesce(sum(completion_tokens), 0)::float8 as completion,
       count(distinct document_id) filter (where prompt_tokens + completion_tokens > 0) as asked
     from model_readings where ${ofPlace} and ($4::text is null or document_id = $4)`,
    [...placeOf(place), documentId],
  )
}

/** Documents that are kept from models, and the length of those that are not. */
export async function readShownSize(tx: Transaction, place: ScopePlace): Promise<{ off: number; characters: number }> {
  return tx.one<{ off: number; characters: number }>(
    `select (select count(*) from model_off where ${ofPlace}) as off,
       coalesce((select sum(char_length(d.text)) from documents d where ${ofPlace} and ${shownSql}), 0)::float8 as characters`,
    placeOf(place),
  )
}
