/**
 * Before a document is read, the text of its file: extracted in the child process and kept as the document's text, with
 * what made it. From then on the document is like any other: offsets, replay and rereading refer to the kept text.
 */

import { type FileKind, isPicture, mayBeScan, mediaTypes } from '../../contract/file-kinds.js'
import { FileFault } from '../../files/extraction.js'
import { ChildDeath, type FileExtractor } from '../../files/extractor.js'
import { extractorOf } from '../../files/extractors.js'
import type { Ocr } from '../../files/ocr.js'
import type { ExtractedFile } from '../../files/place-rows.js'
import { sha256 } from '../../platform/digest.js'
import { isAppError } from '../../platform/errors.js'
import type { Logger } from '../../platform/logger.js'
import type { DoubtfulWord } from '../../reading/types.js'
import { type ExtractedText, keepExtractedText } from '../../store/documents/extracted-texts.js'
import { hasFormerParts, retireParts } from '../../store/documents/file-documents.js'
import { type FileOfDocument, findFile, readChunk } from '../../store/documents/files.js'
import { listDoubtfulWords } from '../../store/documents/recognised-pages.js'
import { lockScopes } from '../../store/events/events.js'
import { holdsLease, type Lease, type LeasedDocument } from '../../store/leases/leases.js'
import type { Database } from '../../store/server/database.js'
import { FairTurns } from '../threads/fair-turns.js'
import type { ReadHow } from '../threads/reader.js'
import { ReadError } from '../threads/threads.js'
import { inTurn } from './file-turns.js'
import { createParts, type MailParts } from './mail-parts.js'
import { requireRoom, scanReading } from './scan-text.js'
import type { Scans } from './scans.js'

export interface FileText {
  /** Gives the document its text where it has a file and no text yet. */
  ensure(lease: Lease, document: LeasedDocument, how: ReadHow): Promise<FileOutcome>
  /** Words of a scan whose recognition is doubtful. */
  doubtful(lease: Lease, document: LeasedDocument): Promise<DoubtfulWord[]>
}

/** `untouched`: `mayBegin` said no. Of a scan: how long it is put off, and what begins its reading when it has been. */
export type FileOutcome = 'ready' | 'untouched' | { putOffMs: number; begin(): void }

export interface FileTextDeps {
  db: Database
  /** One file at a time each. */
  extractors: readonly FileExtractor[]
  /** Recognises the letters of scans and pictures. */
  scanner: FileExtractor
  scans: Scans
  /** What they are in, where nothing else is said. */
  languages: readonly string[]
  /** Reads scans in its place, where one is set up. */
  ocr?: Ocr | undefined
  logger: Logger
}

export function createFileText({ db, extractors, scanner, scans, languages, ocr, logger }: FileTextDeps): FileText {
  // Nothing tells how long a file will take before it is read, so no tenant ever has more than half of the processes.
  const mostPerTenant = Math.max(1, Math.floor(extractors.length / 2))
  const turns = new FairTurns(extractors.length, { hasExpress: false, mostPerTenant })
  return {
    async ensure(lease, document, how) {
      if (document.text !== null) {
        if (document.revision > 1) await retireFormerParts(db, lease, document)
        return 'ready'
      }
      const { tenantId, scopeNo, generation, weight } = lease
      const scan = {
        tenantId,
        scopeNo,
        generation,
        weight,
        seq: document.seq,
        documentId: document.documentId,
        revision: document.revision,
      }
      if (isInHand(scans, scan)) return { putOffMs: scans.holdMs, begin: () => undefined }
      const file = await db.inTenant(lease.tenantId, tx => findFile(tx, lease, document), { readOnly: true })
      if (file === null || file.file_id === null) return 'ready'
      const extracted = await extract({ db, extractors, turns, hasOcr: ocr !== undefined }, { lease, file }, how)
      if (extracted === null) return 'untouched'
      if (extracted.scan !== undefined) {
        const source = {
          kind: file.type as FileKind,
          bytes: file.file_bytes,
          chunks: () => chunksOf(db, lease.tenantId, file.file_id as string),
        }
        const said = file.scan_languages?.split('+')
        const own = extracted.scan === 'whole' && source.kind === 'pdf' && said === undefined ? ocr : undefined
        const begin = () => scans.take({ ...scan, ...scanReading({ db, scanner, languages: said ?? languages, ocr: own }, scan, source) })
        return { putOffMs: scans.holdMs, begin }
      }
      const { attachments, notes } = withinDepth(extracted, file.part_depth)
      const kept: ExtractedText = { ...extracted, notes, textHash: sha256(extracted.text), extractor: extractorOf(file.type as FileKind) }
      const parts = createParts({ db, logger }, lease, { document, depth: file.part_depth + 1 })
      try {
        // What is attached to a mail is that of the latest revision that was read.
        if (!file.overtaken) await parts.stage(attachments)
        await keep(db, lease, document, kept, file.overtaken ? null : parts)
      } catch (error) {
        await parts.drop('all')
        throw toReadError(error)
      }
      await parts.drop('left out')
      document.text = kept.text
      document.textHash = kept.textHash.toString('hex')
      return 'ready'
    },
    async doubtful(lease, document) {
      if (!mayBeScan(document.type)) return []
      return db.inTenant(lease.tenantId, tx => listDoubtfulWords(tx, lease, document), { readOnly: true })
    },
  }
}

/** Kinds that bring other documents. */
const carriers = [mediaTypes.eml, mediaTypes.msg, mediaTypes.zip]

/** Mails and archives within each other are followed so far and no farther. */
const mostDepth = 3

/** Those of a mail or archive that is followed no farther are left, with a note. */
function withinDepth({ attachments, notes }: ExtractedFile, depth: number): Pick<ExtractedFile, 'attachments' | 'notes'> {
  if (attachments.length === 0 || depth < mostDepth) return { attachments, notes }
  return { attachments: [], notes: [...notes, `Files ${depth} mails or archives deep, not read: ${attachments.length}.`] }
}

/** What came as text now may have been a mail or an archive before, with files that it carries no more. */
async function retireFormerParts(db: Database, lease: Lease, document: LeasedDocument): Promise<void> {
  if (!(await db.inTenant(lease.tenantId, tx => hasFormerParts(tx, lease, document, carriers), { readOnly: true }))) return
  await db.inTenant(lease.tenantId, async tx => {
    await lockScopes(tx, [lease.scopeNo])
    if (await holdsLease(tx, lease)) await retireParts(tx, lease, document, [])
  })
}

function isInHand(scans: Scans, scan: Parameters<Scans['has']>[0]): boolean {
  try {
    return scans.has(scan)
  } catch (error) {
    throw toReadError(error)
  }
}

async function extract(
  { db, extractors, turns, hasOcr }: Pick<FileTextDeps, 'db' | 'extractors'> & { turns: FairTurns; hasOcr: boolean },
  { lease, file }: { lease: Lease; file: FileOfDocument },
  how: ReadHow,
): Promise<ExtractedFile | null> {
  const { signal } = how
  const kind = file.type as FileKind
  if (isPicture(kind)) return toBeScanned
  const input = { kind, bytes: file.file_bytes, chunks: chunksOf(db, lease.tenantId, file.file_id as string) }
  try {
    return await inTurn(turns, how, process => (extractors[process] as FileExtractor).extract(input, signal))
  } catch (error) {
    if (hasOcr && kind === 'pdf' && error instanceof FileFault && error.code === 'NO_TEXT') return toBeScanned
    throw signal.aborted ? error : toReadError(error)
  }
}

const toBeScanned = { scan: 'whole' } as ExtractedFile

async function* chunksOf(db: Database, tenantId: string, fileId: string): AsyncGenerator<Buffer> {
  for (let chunkNo = 0; ; chunkNo++) {
    const chunk = await db.inTenant(tenantId, tx => readChunk(tx, tenantId, fileId, chunkNo), { readOnly: true })
    if (chunk === null) return
    yield chunk
  }
}

/** A fault of the file quarantines it at once; a process that died of something else costs an attempt and is retried. */
function toReadError(error: unknown): unknown {
  if (isAppError(error, 'QUOTA_EXCEEDED')) {
    return new ReadError('QUOTA_EXCEEDED', 'permanent', "The text of the file or its attachments would exceed the tenant's limits.", error)
  }
  if (error instanceof ChildDeath) return new ReadError('file_process_death', 'transient', error.message, error)
  if (!(error instanceof FileFault)) return error
  return new ReadError(error.code, 'permanent', error.message, error)
}

async function keep(db: Database, lease: Lease, document: LeasedDocument, text: ExtractedText, parts: MailParts | null): Promise<void> {
  const kept = await db.inTenant(lease.tenantId, async tx => {
    await lockScopes(tx, [lease.scopeNo])
    if (!(await holdsLease(tx, lease))) return false
    await requireRoom(tx, text.text)
    // Under the lock: others of the same mail or archive may be read at the same time.
    const over = (await parts?.leaveOut(tx)) ?? []
    if (!(await keepExtractedText(tx, lease, document, { ...text, notes: [...text.notes, ...over] }))) return false
    await parts?.queue(tx)
    return true
  })
  if (!kept) throw new ReadError('lease_lost', 'transient', 'The document was withdrawn from this worker while its file was read.')
}
