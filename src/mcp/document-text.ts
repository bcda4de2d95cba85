/** Texts of documents, piece by piece. */

import type { Client } from '../client/client.js'
import { ProblemError } from '../client/problem-error.js'

export interface PieceWanted {
  scope_id: string
  document_id: string
  revision?: number
  offset?: number
  length?: number
}

/** The record with a piece of the text; without one where there is none to read. */
export async function readText(client: Client, { scope_id, document_id, revision, offset = 0, length = 10_000 }: PieceWanted) {
  const document = await client.document(scope_id, document_id)
  const text = await textOf(client, { scope_id, document_id, revision })
  if (text === null) return { document, text }
  const piece = pieceOf(text, offset, length)
  return { document, ...piece }
}

/** Registered, erased or past its time: then the record says more than a refusal. */
async function textOf(client: Client, { scope_id, document_id, revision }: PieceWanted & { revision?: number | undefined }) {
  try {
    return await client.documentText(scope_id, document_id, { revision })
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'DOCUMENT_NOT_FOUND') return null
    throw error
  }
}

/** By code points, without making an array of a long text. */
export function pieceOf(text: string, offset: number, length: number): { text: string; offset: number; next_offset: number | null } {
  const start = unitsBefore(text, 0, offset)
  const end = unitsBefore(text, start, length)
  return { text: text.slice(start, end), offset, next_offset: end < text.length ? offset + length : null }
}

function unitsBefore(text: string, from: number, codePoints: number): number {
  let at = from
  for (let passed = 0; passed < codePoints && at < text.length; passed++) at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1
  return at
}
