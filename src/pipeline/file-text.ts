/**
 * Before a document is read, the text of its file: extracted in the child process and kept as the document's text, with
 * what made it. From then on the document is like any other: offsets, replay and rereading refer to the kept text.
 */

import { type Extracted, FileFault } from '../files/extraction.js'
import { ChildDeath, type FileExtractor } from '../files/extractor.js'
import { extractorOf } from '../files/extractors.js'
import type { FileKind } from '../files/kinds.js'
import type { Ocr } from '../files/ocr.js'
import { sha256 } from '../platform/digest.js'
import { isAppError } from '../platform/errors.js'
import type { Logger } from '../platform/logger.js'
import type { Database } from '../store/database.js'
import { lockScopes } from '../store/events.js'
import { type ExtractedText, keepExtractedText } from '../store/extracted-texts.js'
import { type FileOfDocument, findFile, readChunk } from '../store/files.js'
import { holdsLease, type Lease, type LeasedDocument } from '../store/leases.js'
import { createParts, type MailParts } from './mail-parts.js'
import { ReadError } from './threads.js'

export interface FileText {
  /** Gives the document its text where it has a file and no text yet. False when `mayBegin` said no. */
  ensure(lease: Lease, document: LeasedDocument, how: { mayBegin: () => Promise<boolean>; signal: AbortSignal }): Promise<boolean>
}

export interface FileTextDeps {
  db: Database
  extractor: FileExtractor
  /** Reads scans, where one is set up. */
  ocr?: Ocr | undefined
  logger: Logger
}

export function createFileText({ db, extractor, ocr, logger }: FileTextDeps): FileText {
  return {
    async ensure(lease, document, { mayBegin, signal }) {
      if (document.text !== null) return true
      const file = await db.inTenant(lease.tenantId, tx => findFile(tx, lease, document), { readOnly: true })
      if (file === null || file.file_id === null) return true
      if (!(await mayBegin())) return false
      const { extracted, by } = await extract({ db, extractor, ocr }, lease.tenantId, file, signal)
      const { attachments, notes } = withinDepth(extracted, file.part_depth)
      const kept: ExtractedText = {
        ...extracted,
        notes,
        textHash: sha256(extracted.text),
        extractor: by,
      }
      const parts = createParts({ db, logger }, lease, { document, depth: file.part_depth + 1 })
      try {
        await parts.stage(attachments)
        await keep(db, lease, document, kept, parts)
      } catch (error) {
        await parts.drop()
        throw toReadError(error)
      }
      document.text = kept.text
      document.textHash = kept.textHash.toString('hex')
      return true
    },
  }
}

/** Mails within mails are followed so far and no farther. */
const mostDepth = 3

function withinDepth({ attachments, notes }: Extracted, depth: number): Pick<Extracted, 'attachments' | 'notes'> {
  if (depth < mostDepth || attachments.length === 0) return { attachments, notes }
  return { attachments: [], notes: [...notes, `Attachments of a mail ${depth} mails deep, not read: ${attachments.length}.`] }
}

async function extract(
  { db, extractor, ocr }: Pick<FileTextDeps, 'db' | 'extractor' | 'ocr'>,
  tenantId: string,
  file: FileOfDocument,
  signal: AbortSignal,
): Promise<{ extracted: Extracted; by: string }> {
  const kind = file.type as FileKind
  const chunks = () => chunksOf(db, tenantId, file.file_id as string)
  try {
    return { extracted: await extractor.extract({ kind, bytes: file.file_bytes, chunks: chunks() }, signal), by: extractorOf(kind) }
  } catch (error) {
    const isScan = kind === 'pdf' && error instanceof FileFault && error.code === 'NO_TEXT'
    if (!isScan || ocr === undefined) throw signal.aborted ? error : toReadError(error)
  }
  try {
    return { extracted: await ocr.read(chunks(), signal), by: 'ocr@1' }
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
  if (isAppError(error, 'QUOTA_EXCEEDED')) {
    return new ReadError('QUOTA_EXCEEDED', 'permanent', "The tenant's limits leave no room for what is attached to the mail.", error)
  }
  if (error instanceof ChildDeath) return new ReadError('file_process_death', 'transient', error.message, error)
  if (!(error instanceof FileFault)) return error
  const passing = error.code === 'TOO_SLOW' || error.code === 'TOO_MUCH_MEMORY'
  return new ReadError(error.code, passing ? 'transient' : 'permanent', error.message, error)
}

async function keep(db: Database, lease: Lease, document: LeasedDocument, text: ExtractedText, parts: MailParts): Promise<void> {
  const kept = await db.inTenant(lease.tenantId, async tx => {
    await lockScopes(tx, [lease.scopeNo])
    if (!(await holdsLease(tx, lease)) || !(await keepExtractedText(tx, lease, document, text))) return false
    await parts.queue(tx)
    return true
  })
  if (!kept) throw new ReadError('lease_lost', 'transient', 'The document was taken back while its file was read.')
}
