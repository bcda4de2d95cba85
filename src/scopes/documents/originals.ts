/** The original of a document, chunk by chunk: each is read in a transaction of its own when the reader asks for more. */

import { downloadName } from '../../files/file-names.js'
import { AppError } from '../../platform/errors.js'
import { chunkBytes, findFile, readChunk } from '../../store/documents/files.js'
import { readTenant } from '../../store/server/database.js'
import type { ScopesDeps } from '../deps.js'
import { resolveScope } from '../lifecycle.js'
import { type GetDocumentInput, requireDocument } from './documents.js'

export interface Original {
  revision: number
  /** To save it under. */
  name: string
  mediaType: string
  bytes: number
  sha256: Buffer
  /** The bytes from the first to the last, both included; without a range all of them. */
  chunks(range?: { first: number; last: number }): AsyncGenerator<Buffer>
}

export async function openOriginal(
  deps: Pick<ScopesDeps, 'db'>,
  { tenantId, scopeId, documentId, revision }: GetDocumentInput,
): Promise<Original> {
  const file = await readTenant(deps.db, tenantId, async tx => {
    const scope = await resolveScope(tx, scopeId)
    const row = await requireDocument(tx, scope, documentId, revision)
    return findFile(tx, scope, { documentId, revision: row.revision })
  })
  const fileId = file?.file_id ?? null
  if (file === null || fileId === null) throw new AppError('ORIGINAL_NOT_FOUND')
  return {
    revision: file.revision,
    name: downloadName(file.name, file.type),
    mediaType: file.file_media_type,
    bytes: file.file_bytes,
    sha256: file.file_sha256,
    async *chunks({ first, last } = { first: 0, last: file.file_bytes - 1 }) {
      // Every chunk but the last of a file is full, so that where a byte lies can be told from its number.
      for (let chunkNo = Math.floor(first / chunkBytes); chunkNo * chunkBytes <= last; chunkNo++) {
        const chunk = await readTenant(deps.db, tenantId, tx => readChunk(tx, tenantId, fileId, chunkNo))
        // Erased meanwhile: the reader sees a file that breaks off, never a whole one that is not.
        if (chunk === null) throw new AppError('ORIGINAL_NOT_FOUND')
        const start = chunkNo * chunkBytes
        yield chunk.subarray(Math.max(0, first - start), last - start + 1)
      }
    },
  }
}
