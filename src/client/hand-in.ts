/**
 * Handing in a file, the same way for the desk and the command line: what is a short text goes as text, everything else as
 * the file it is, and what is never read is not sent. Its document id is made from its name unless one is given, and its
 * idempotency key from scope, name and content, so that the same file handed in twice, here or there, is one document. Needs nothing of Node.js.
 */

import { type FileKind, headBytes, kindByHead, meantKind, mediaTypes, refusalOf, textKinds } from '../contract/file-kinds.js'
import type { CallOptions, Schema } from './api.js'
import type { Client } from './client.js'
import { erasedWords, saysStill } from './known-document.js'
import { ProblemError } from './problem-error.js'
import type { FileAnswer, FileFields, IngestAnswer } from './tenant-calls.js'

export interface FileToHandIn {
  scopeId: string
  /** As people will know it: a path below the folder that was chosen, with slashes. */
  name: string
  bytes: Uint8Array
  source?: string | undefined
  /** Takes it as text of this type, whatever it looks like. */
  type?: string | undefined
  /** Made from the name unless given. */
  documentId?: string | undefined
  /** No model is asked about it or shown it. */
  model?: 'off' | undefined
  /** What it is about. */
  about?: string | undefined
}

/** `key` and `hash` are missing where there is no `crypto.subtle`: on pages that are not served securely. */
interface Marks {
  key: string | undefined
  /** SHA-256 of what is handed in, as hex. */
  hash: string | undefined
  model?: 'off' | undefined
  /** What it is about. */
  said?: string | undefined
}

export type HandIn = Marks &
  ({ as: 'text'; document: Schema['IngestDocumentRequest'] } | { as: 'file'; about: FileFields; bytes: Uint8Array; mediaType: string })

/** What is not handed in, and why. */
export class NotTakenError extends Error {
  override name = 'NotTakenError'
}

/** Why a file that begins so is not taken; null when it may be. Saves reading the rest of it. */
export function refusedByHead(name: string, head: Uint8Array): string | null {
  if (head.length === 0) return 'It is empty.'
  const meant = meantKind(name, null)
  return kindByHead(head.subarray(0, headBytes), meant) === null ? refusalOf(meant) : null
}

/** How the file is handed in. Throws NotTakenError for what the service never reads. */
export async function handInOf(file: FileToHandIn, { textCharacters = mostTextCharacters } = {}): Promise<HandIn> {
  const { scopeId, name, bytes, source = '', model, about: said } = file
  const marked = Object.entries({ model, about: said, document: file.documentId }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  )
  const refusal = file.type === undefined || bytes.length === 0 ? refusedByHead(name, bytes) : null
  if (refusal !== null) throw new NotTakenError(refusal)
  const kind = kindByHead(bytes.subarray(0, headBytes), meantKind(name, null))
  const text = file.type !== undefined || textKinds.some(each => each === kind) ? shortText(bytes, textCharacters) : null
  const hash = await digestOf(bytes)
  const about = {
    scope_id: scopeId,
    name: Array.from(name).slice(-500).join(''),
    document_id: file.documentId ?? (await documentIdOf(name)),
    source: file.source,
  }
  if (text === null) {
    const mediaType = mediaTypeOf(file.type ?? kind)
    return {
      as: 'file',
      about: { ...about, model, about: said },
      bytes,
      mediaType,
      hash,
      said,
      key: hash && (await keyOf([scopeId, name, source, hash, ...marked])),
    }
  }
  const type = file.type ?? kind ?? 'txt'
  const key = await keyOf([scopeId, name, type, source, text, ...marked])
  return { as: 'text', document: { ...about, type, text }, hash: await digestOf(new TextEncoder().encode(text)), key, model, said }
}

/** Of archives, most of which are office files, the service finds out what they are. */
function mediaTypeOf(kind: string | null): string {
  return (kind === 'zip' ? undefined : mediaTypes[kind as FileKind]) ?? 'application/octet-stream'
}

type Handing = Pick<Client, 'ingest' | 'ingestFile' | 'document'>
export type HandedIn = Pick<IngestAnswer | FileAnswer, 'document_id' | 'seq' | 'replayed'>

export async function sendHandIn(client: Handing, handIn: HandIn, options: CallOptions = {}): Promise<HandedIn> {
  return sendAgainIfChanged(client, handIn, await sendOnce(client, handIn, handIn.key, options), options)
}

/**
 * What was handed in before under the same key is handed in again, under a key of that revision, if the document says
 * something else by now or was taken out unread. Throws NotTakenError where it was erased: nobody may take it for one that is there.
 */
export async function sendAgainIfChanged(client: Handing, handIn: HandIn, first: HandedIn, options: CallOptions = {}): Promise<HandedIn> {
  const { key, hash, said } = handIn
  if (!first.replayed || first.document_id === null || key === undefined || hash === undefined) return first
  const scopeId = handIn.as === 'text' ? handIn.document.scope_id : handIn.about.scope_id
  const now = await client.document(scopeId, first.document_id, options).catch(unlessForbidden)
  const erased = now && erasedWords(now)
  if (erased) throw new NotTakenError(erased)
  if (now === null || (saysStill(now, hash) && (said === undefined || now.about === said))) return first
  return sendOnce(client, handIn, await keyOf([key, String(now.revision)]), options)
}

function sendOnce(client: Handing, handIn: HandIn, key: string | undefined, options: CallOptions): Promise<HandedIn> {
  const keyed = key === undefined ? {} : { idempotency_key: key }
  if (handIn.as === 'text') return client.ingest({ ...handIn.document, ...keyed }, { ...options, model: handIn.model, about: handIn.said })
  return client.ingestFile(new Blob([new Uint8Array(handIn.bytes)], { type: handIn.mediaType }), { ...handIn.about, ...keyed }, options)
}

/** A key may hand in and not read. */
function unlessForbidden(error: unknown): null {
  if (error instanceof ProblemError && error.status === 403) return null
  throw error
}

/** Of one text; longer ones go as files. */
const mostTextCharacters = 100_000

/** Null for what is longer or in another encoding than UTF-8. */
function shortText(bytes: Uint8Array, most: number): string | null {
  // A character takes at most four bytes, so that what is far too long is not decoded at all.
  if (bytes.length > most * 4) return null
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text !== '' && (text.length <= most ? text.length : Array.from(text).length) <= most ? text : null
  } catch {
    // Not UTF-8: the service finds out which encoding it is.
    return null
  }
}

/** The same for the same name, without repeating it: an id outlives the erasing of its document. */
async function documentIdOf(name: string): Promise<string | undefined> {
  const digest = await digestOf(JSON.stringify([name]))
  return digest && `file-${digest.slice(0, 32)}`
}

async function keyOf(parts: readonly string[]): Promise<string | undefined> {
  const digest = await digestOf(JSON.stringify(parts))
  return digest && `file-${digest}`
}

/** SHA-256 as hex. */
async function digestOf(content: string | Uint8Array): Promise<string | undefined> {
  if (crypto.subtle === undefined) return undefined
  const given = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
  const bytes = await crypto.subtle.digest('SHA-256', given)
  return Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('')
}
