/**
 * Takes a file in: its bytes are written as an upload while they come, and the last transaction makes a queued document of
 * it, with its event and its original. What fails before that leaves nothing behind. The same request is the same fields
 * and the same bytes.
 */

import { createHash } from 'node:crypto'
import { type FileKind, headBytes, kindByHead, meantKind, mediaTypes, refusalOf } from '../../contract/file-kinds.js'
import { isCurrentExtractor } from '../../files/extractors.js'
import { fileName } from '../../files/file-names.js'
import { sniffKind, tailBytes } from '../../files/sniff.js'
import { AppError, invalidMember } from '../../platform/errors.js'
import { newId } from '../../platform/ids.js'
import { queueFile } from '../../store/documents/file-documents.js'
import { appendChunk, chunkBytes, dropUpload } from '../../store/documents/files.js'
import { keepFromModel } from '../../store/documents/model-off.js'
import type { ScopesDeps } from '../deps.js'
import { actOnScope } from '../idempotent.js'
import type { FileAnswer } from '../types.js'

export interface FileFields {
  scope_id: string
  document_id?: string | undefined
  name?: string | undefined
  source?: string | undefined
  model?: 'off' | undefined
  about?: string | undefined
}

export interface ReceiveFileInput {
  tenantId: string
  fields: FileFields
  idempotencyKey: string | undefined
  file: { name: string | null; declared: string | null; bytes: AsyncIterable<Buffer> }
  maxBytes: number
  /** Whether a scope that does not exist is made, as by ingest. */
  mayCreateScope: boolean
  trace: string | null
}

export async function receiveFile(deps: ScopesDeps, input: ReceiveFileInput): Promise<{ body: FileAnswer; replayed: boolean }> {
  const { tenantId, fields } = input
  const fileId = newId('fil')
  let kept = false
  try {
    const received = await receive(deps, input, fileId)
    const name = fields.name ?? fileName(input.file.name ?? '', 'file')
    const request = {
      document_id: fields.document_id,
      name,
      source: fields.source,
      sha256: received.sha256.toString('hex'),
      model: fields.model,
      about: fields.about,
    }
    // Its bytes were counted as they came.
    const makesScopeFor = input.mayCreateScope ? { documents: 1, bytes: 0 } : undefined
    const act = { tenantId, scopeId: fields.scope_id, operation: 'file', request, idempotencyKey: input.idempotencyKey, makesScopeFor }
    const { body: queued, replayed } = await actOnScope(deps, act, async (tx, scope) => {
      const documentId = fields.document_id ?? newId('doc')
      if (fields.model === 'off') await keepFromModel(tx, scope, documentId)
      return queueFile(tx, scope, {
        documentId,
        name,
        source: fields.source ?? null,
        about: fields.about ?? null,
        kind: received.kind,
        isCurrent: extractor => isCurrentExtractor(received.kind, extractor),
        file: { fileId, mediaType: mediaTypes[received.kind], part: null, trace: input.trace, ...received },
      })
    })
    kept = !replayed
    deps.hints.notify('backlog')
    return { body: answerOf(input, { ...received, ...queued, name }), replayed }
  } finally {
    if (!kept) await forget(deps, tenantId, fileId)
  }
}

interface Received {
  kind: FileKind
  sha256: Buffer
  bytes: number
}

async function receive(deps: ScopesDeps, { tenantId, file, maxBytes }: ReceiveFileInput, fileId: string): Promise<Received> {
  const hash = createHash('sha256')
  let head: Buffer = Buffer.alloc(0)
  let tail: Buffer = Buffer.alloc(0)
  let bytes = 0
  let chunks = 0
  for await (const chunk of inChunks(file.bytes)) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new AppError('PAYLOAD_TOO_LARGE', { detail: `The file has more than ${maxBytes} bytes.` })
    if (chunks === 0) {
      head = chunk.subarray(0, headBytes)
      if (kindByHead(head, null) === null) throw unread(file)
    }
    tail = Buffer.concat([tail, chunk]).subarray(-tailBytes)
    hash.update(chunk)
    const chunkNo = chunks++
    await deps.db.inTenant(tenantId, tx => appendChunk(tx, fileId, chunkNo, chunk))
  }
  if (bytes === 0) throw invalidMember('/file', 'must not be empty')
  const kind = sniffKind({ head, tail, name: file.name ?? '', declared: file.declared })
  if (kind === null) throw unread(file)
  return { kind, sha256: hash.digest(), bytes }
}

function unread({ name, declared }: ReceiveFileInput['file']): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: refusalOf(meantKind(name ?? '', declared)) })
}

async function* inChunks(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const piece of pieces) {
    waiting.push(piece)
    length += piece.length
    while (length >= chunkBytes) {
      const all = Buffer.concat(waiting)
      yield all.subarray(0, chunkBytes)
      waiting = [all.subarray(chunkBytes)]
      length -= chunkBytes
    }
  }
  if (length > 0) yield Buffer.concat(waiting)
}

/** What is not removed now is removed within the hour. */
async function forget(deps: ScopesDeps, tenantId: string, fileId: string): Promise<void> {
  await deps.db
    .inTenant(tenantId, tx => dropUpload(tx, fileId))
    .catch(error => deps.logger.debug({ err: error }, 'upload orphaned, left to retention'))
}

function answerOf(
  { fields, idempotencyKey }: ReceiveFileInput,
  { kind, sha256, bytes, name, documentId, seq }: Received & { name: string; documentId: string; seq: number },
): FileAnswer {
  return {
    scope_id: fields.scope_id,
    name,
    type: kind,
    document_id: documentId,
    idempotency_key: idempotencyKey ?? null,
    queued: true,
    seq,
    integration_version: 'v1',
    message: 'Document queued for processing.',
    file: { sha256: sha256.toString('hex'), media_type: mediaTypes[kind], bytes },
  }
}
