/** The original of a document, chunk by chunk: each is read in a transaction of its own when the reader asks for more. */

import { AppError } from '../platform/errors.js'
import { findFile, readChunk } from '../store/documents/files.js'
import { readTenant } from '../store/server/database.js'
import type { ScopesDeps } from './deps.js'
import { type GetDocumentInput, requireDocument } from './documents.js'
import { resolveScope } from './lifecycle.js'

export interface Original {
  name: string
  mediaType: string
  bytes: number
  sha256: Buffer
  chunks(): AsyncGenerator<Buffer>
}

export async function openOriginal(deps: ScopesDeps, { tenantId, scopeId, documentId, revision }: GetDocumentInput): Promise<Original> {
  const file = await readTenant(deps.db, tenantId, async tx => {
    const scope = await resolveScope(tx, scopeId)
    const row = await requireDocument(tx, scope, documentId, revision)
    return findFile(tx, scope, { documentId, revision: row.revision })
  })
  const fileId = file?.file_id ?? null
  if (file === null || fileId === null) throw new AppError('ORIGINAL_NOT_FOUND')
  return {
    name: file.name,
    mediaType: file.file_media_type,
    bytes: file.file_bytes,
    sha256: file.file_sha256,
    async *chunks() {
      for (let sent = 0, chunkNo = 0; sent < file.file_bytes; chunkNo++) {
        const chunk = await readTenant(deps.db, tenantId, tx => readChunk(tx, tenantId, fileId, chunkNo))
        // Erased meanwhile: the reader sees a file that breaks off, never a whole one that is not.
        if (chunk === null) throw new AppError('ORIGINAL_NOT_FOUND')
        sent += chunk.length
        yield chunk
      }
    },
  }
}
