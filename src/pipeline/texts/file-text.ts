/**
 * Before a document is read, the text of its file: extracted in the child process and kept as the document's text, with
 * what made it. From then on the document is like any other: offsets, replay and rereading refer to the kept text.
 */

import { type FileKind, isPicture, mayBeScan } from '../../contract/file-kinds.js'
import { FileFault } from '../../files/extraction.js'
import { ChildDeath, type FileExtractor } from '../../files/extractor.js'
import { extractorOf } from '../../files/extractors.js'
import { type Ocr, OcrFailure } from '../../files/ocr.js'
import type { ExtractedFile } from '../../files/place-rows.js'
import { sha256 } from '../../platform/digest.js'
import { isAppError } from '../../platform/errors.js'
import type { Logger } from '../../platform/logger.js'
import type { DoubtfulWord } from '../../reading/types.js'
import { type ExtractedText, keepExtractedText } from '../../store/documents/extracted-texts.js'
import { type FileOfDocument, findFile, readChunk } from '../../store/documents/files.js'
import { listDoubtfulWords } from '../../store/documents/recognised-pages.js'
import { lockScopes } from '../../store/events/events.js'
import { holdsLease, type Lease, type LeasedDocument } from '../../store/leases/leases.js'
import type { Database } from '../../store/server/database.js'
import { FairTurns } from '../threads/fair-turns.js'
import type { ReadHow } from '../threads/reader.js'
import { ReadError } from '../threads/threads.js'
import { readFile } from './file-reading.js'
import { createParts, type MailParts } from './mail-parts.js'
import { longReading, requireRoom, type ScanFile, scanReading } from './scan-text.js'
import { type Scans, ScanWithdrawn } from './scans.js'

export interface FileText {
  /** Gives the document its text where it has a file and no text yet. */
  ensure(lease: Lease, document: LeasedDocument, how: ReadHow): Promise<FileOutcome>
  /** Words of a scan whose recognition is doubtful. */
  doubtful(lease: Lease, document: LeasedDocument): Promise<DoubtfulWord[]>
}

/** `untouched`: `mayBegin` said no. Of one that is handed over: how long it is put off, and what has it read beside when it has been. */
export type FileOutcome = 'ready' | 'untouched' | HandOver

export interface HandOver {
  why: 'scan_waits' | 'file_waits'
  putOffMs: number
  begin(): void
}

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
      if (document.text !== null) return 'ready'
      const { tenantId, scopeNo, generation, weight } = lease
      const scan = {
        tenantId,
        scopeNo,
        generation,
        weight,
        seq: document.seq,
        documentId: document.documentId,
        revision: document.revision,
        attempts: document.attempts,
        queuedAt: document.queuedAt,
      }
      const inHand = isInHand(scans, scan)
      if (inHand !== null) return { why: inHand, putOffMs: scans.holdMs, begin: () => undefined }
      const file = await db.inTenant(lease.tenantId, tx => findFile(tx, lease, document), { readOnly: true })
      if (file === null || file.file_id === null) return 'ready'
      const kind = file.type as FileKind
      const source = { kind, bytes: file.file_bytes, chunks: () => chunksOf(db, tenantId, file.file_id as string) }
      const recognise = (how: 'whole' | 'partly') => {
        const said = file.scan_languages?.split('+')
        const own = how === 'whole' && kind === 'pdf' && said === undefined ? ocr : undefined
        return scanReading({ db, scanner, languages: said ?? languages, ocr: own }, scan, source)
      }
      const beginScan = (how: 'whole' | 'partly') => () => void scans.take({ ...scan, ...recognise(how) })
      const asScan = (how: 'whole' | 'partly'): HandOver => {
        return { why: 'scan_waits', putOffMs: scans.putOffMs(tenantId, document.queuedMs), begin: beginScan(how) }
      }
      if (isPicture(kind)) return asScan('whole')
      const reading = readFile(turns, lease, how, (process, signal) => extract(extractors[process] as FileExtractor, source, signal, ocr))
      const extracted = await reading
        .soon(() => scans.hasRoom(tenantId))
        .catch(error => {
          throw how.signal.aborted ? error : toReadError(error)
        })
      if (extracted === null) return 'untouched'
      if (extracted === 'handed over') {
        const store = (text: ExtractedFile, signal: AbortSignal) =>
          keepFile({ db, logger }, lease, { document, file, isLeased: false, signal }, text)
        const begin = () => {
          // It ended with its lease, and nothing is wrong with the file: its document is due when its time is over.
          if (!reading.outliveLease()) return
          if (!scans.take({ ...scan, ...longReading(reading, recognise, store) })) reading.stop(new Error('the file is in hand'))
        }
        return { why: 'file_waits', putOffMs: scans.holdMs, begin }
      }
      if (extracted.scan !== undefined) return asScan(extracted.scan)
      const kept = await keepFile({ db, logger }, lease, { document, file, isLeased: true, signal: how.signal }, extracted).catch(error => {
        throw toReadError(error)
      })
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

/** Mails and archives within each other are followed so far and no farther. */
const mostDepth = 3

/** Those of a mail or archive that is followed no farther are left, with a note. */
function withinDepth({ attachments, notes }: ExtractedFile, depth: number): Pick<ExtractedFile, 'attachments' | 'notes'> {
  if (attachments.length === 0 || depth < mostDepth) return { attachments, notes }
  return { attachments: [], notes: [...notes, `Files ${depth} mails or archives deep, not read: ${attachments.length}.`] }
}

function isInHand(scans: Scans, scan: Parameters<Scans['has']>[0]): HandOver['why'] | null {
  try {
    return scans.has(scan)
  } catch (error) {
    throw toReadError(error)
  }
}

async function extract(
  extractor: FileExtractor,
  { kind, bytes, chunks }: ScanFile,
  signal: AbortSignal,
  ocr: Ocr | undefined,
): Promise<ExtractedFile> {
  try {
    return await extractor.extract({ kind, bytes, chunks: chunks() }, signal)
  } catch (error) {
    if (ocr !== undefined && kind === 'pdf' && error instanceof FileFault && error.code === 'NO_TEXT') return toBeScanned
    throw error
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
  if (error instanceof OcrFailure) return new ReadError('ocr_command_failed', 'transient', error.message, error)
  if (!(error instanceof FileFault)) return error
  return new ReadError(error.code, 'permanent', error.message, error)
}

type TextOfFile = Omit<ExtractedText, 'carries'>

/** Keeps the text, and what came with it as documents of their own. */
async function keepFile(
  deps: Pick<FileTextDeps, 'db' | 'logger'>,
  lease: Lease,
  { document, file, isLeased, signal }: { document: LeasedDocument; file: FileOfDocument; isLeased: boolean; signal: AbortSignal },
  extracted: ExtractedFile,
): Promise<TextOfFile> {
  const { attachments, notes } = withinDepth(extracted, file.part_depth)
  const text: TextOfFile = { ...extracted, notes, textHash: sha256(extracted.text), extractor: extractorOf(file.type as FileKind) }
  const parts = createParts(deps, lease, { document, depth: file.part_depth + 1 })
  try {
    await parts.stage(attachments)
    signal.throwIfAborted()
    const carries = await keep(deps.db, lease, { document, isLeased }, text, parts)
    await parts.drop(carries ? 'left out' : 'all')
  } catch (error) {
    await parts.drop('all')
    throw error
  }
  return text
}

/** Answers whether what came with it counts. */
async function keep(
  db: Database,
  lease: Lease,
  { document, isLeased }: { document: LeasedDocument; isLeased: boolean },
  text: TextOfFile,
  parts: MailParts,
): Promise<boolean> {
  const carries = await db.inTenant(lease.tenantId, async tx => {
    await lockScopes(tx, [lease.scopeNo])
    if (isLeased && !(await holdsLease(tx, lease))) return null
    await requireRoom(tx, text.text)
    // What is attached to a mail is that of the latest revision that counts: a later one may have come to while this was read.
    const isLatest = (await findFile(tx, lease, document))?.overtaken === false
    // Under the lock: others of the same mail or archive may be read at the same time.
    const over = isLatest ? await parts.leaveOut(tx) : []
    const kept = { ...text, notes: [...text.notes, ...over], carries: isLatest ? parts.carried() : null }
    if (!(await keepExtractedText(tx, lease, document, kept))) return null
    if (isLatest) await parts.queue(tx)
    return isLatest
  })
  if (carries !== null) return carries
  if (!isLeased) throw new ScanWithdrawn('the text is waited for no more')
  throw new ReadError('lease_lost', 'transient', 'The document was withdrawn from this worker while its file was read.')
}
