/**
 * Before a document is read, the text of its file: extracted in the child process and kept as the document's text, with
 * what made it. From then on the document is like any other: offsets, replay and rereading refer to the kept text.
 */

import { type Extracted, FileFault } from '../files/extraction.js'
import { ChildDeath, type FileExtractor } from '../files/extractor.js'
import { extractorOf } from '../files/extractors.js'
import type { FileKind } from '../files/kinds.js'
import { sha256 } from '../platform/digest.js'
import type { Database } from '../store/database.js'
import { lockScopes } from '../store/events.js'
import { type ExtractedText, keepExtractedText } from '../store/extracted-texts.js'
import { type FileOfDocument, findFile, readChunk } from '../store/files.js'
import { holdsLease, type Lease, type LeasedDocument } from '../store/leases.js'
import { ReadError } from './threads.js'

export interface FileText {
  /** Gives the document its text where it has a file and no text yet. False when `mayBegin` said no. */
  ensure(lease: Lease, document: LeasedDocument, how: { mayBegin: () => Promise<boolean>; signal: AbortSignal }): Promise<boolean>
}

export function createFileText({ db, extractor }: { db: Database; extractor: FileExtractor }): FileText {
  return {
    async ensure(lease, document, { mayBegin, signal }) {
      if (document.text !== null) return true
      const file = await db.inTenant(lease.tenantId, tx => findFile(tx, lease, document), { readOnly: true })
      if (file === null || file.file_id === null) return true
      if (!(await mayBegin())) return false
      const extracted = await extract(db, extractor, lease.tenantId, file, signal)
      const kept: ExtractedText = {
        ...extracted,
        textHash: sha256(extracted.text),
        extractor: extractorOf(file.type as FileKind),
      }
      await keep(db, lease, document, kept)
      document.text = kept.text
      document.textHash = kept.textHash.toString('hex')
      return true
    },
  }
}

async function extract(
  db: Database,
  extractor: FileExtractor,
  tenantId: string,
  file: FileOfDocument,
  signal: AbortSignal,
): Promise<Extracted> {
  const chunks = chunksOf(db, tenantId, file.file_id as string)
  try {
    return await extractor.extract({ kind: file.type as FileKind, bytes: file.file_bytes, chunks }, signal)
  } catch (error) {
    throw signal.aborted ? error : toReadError(error)
  }
}

async function* chunksOf(db: Database, tenantId: string, fileId: string): AsyncGenerator<Buffer> {
  for (let chunkNo = 0; ; chunkNo++) {
    const chunk = await db.inTenant(tenantId, tx => readChunk(tx, tenantId, fileId, chunkNo), { readOnly: true })
    if (chunk === null) return
    yield chunk
  }
}

/** What the file is, is told at once; what happened to the process may have had other reasons, and is tried again. */
function toReadError(error: unknown): unknown {
  if (error instanceof ChildDeath) return new ReadError('file_process_death', 'transient', error.message, error)
  if (!(error instanceof FileFault)) return error
  const passing = error.code === 'TOO_SLOW' || error.code === 'TOO_MUCH_MEMORY'
  return new ReadError(error.code, passing ? 'transient' : 'permanent', error.message, error)
}

async function keep(db: Database, lease: Lease, document: LeasedDocument, text: ExtractedText): Promise<void> {
  const kept = await db.inTenant(lease.tenantId, async tx => {
    await lockScopes(tx, [lease.scopeNo])
    return (await holdsLease(tx, lease)) && (await keepExtractedText(tx, lease, document, text))
  })
  if (!kept) throw new ReadError('lease_lost', 'transient', 'The document was taken back while its file was read.')
}
