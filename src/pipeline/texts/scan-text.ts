/**
 * How one scan is read in turns: a few pages are recognised in each, every page once, and the text of all is written in the last. And how a long
 * file is read to its end that was begun elsewhere, and may turn out to be a scan.
 */

import type { FileKind } from '../../contract/file-kinds.js'
import type { FileExtractor } from '../../files/extractor.js'
import { scannerOf } from '../../files/extractors.js'
import type { Ocr } from '../../files/ocr.js'
import type { ExtractedFile } from '../../files/place-rows.js'
import { sha256 } from '../../platform/digest.js'
import { AppError } from '../../platform/errors.js'
import { brokenQuota } from '../../store/documents/documents-intake.js'
import { keepExtractedText } from '../../store/documents/extracted-texts.js'
import { keepReading, lastReading, listReadings } from '../../store/documents/recognised-pages.js'
import { lockScopes } from '../../store/events/events.js'
import type { ScanRef } from '../../store/leases/scan-claims.js'
import type { Database, TenantTransaction } from '../../store/server/database.js'
import type { FileReading } from './file-reading.js'
import { type Scan, ScanWithdrawn } from './scans.js'

export interface ScanTextDeps {
  db: Database
  scanner: FileExtractor
  languages: readonly string[]
  /** Reads it in place of the scanner. */
  ocr: Ocr | undefined
}

export interface ScanFile {
  kind: FileKind
  bytes: number
  chunks(): AsyncIterable<Buffer>
}

type ScanTurns = Pick<Scan, 'turn' | 'keep'>

export function scanReading({ db, scanner, languages, ocr }: ScanTextDeps, scan: ScanRef, file: ScanFile): ScanTurns {
  const onPage = async (page: number, reading: Buffer) => {
    const kept = await db.inTenant(scan.tenantId, async tx => {
      await lockScopes(tx, [scan.scopeNo])
      return keepReading(tx, scan, scan, { page, reading: reading.toString('utf8') })
    })
    if (!kept) throw new ScanWithdrawn('the page is waited for no more')
  }
  const inTenant = <T>(work: (tx: TenantTransaction) => Promise<T>) => db.inTenant(scan.tenantId, work, { readOnly: true })
  const { kind, bytes, chunks } = file
  /** The first page that was not looked at; null when there is none. Known once pages from before a crash are counted. */
  let from: number | null | undefined
  return {
    async turn(signal) {
      if (ocr !== undefined) return ocr.read(chunks(), signal)
      if (from === undefined) from = (await inTenant(tx => lastReading(tx, scan, scan))) + 1
      if (from !== null) {
        const { nextPage = null } = await scanner.extract({ kind, bytes, chunks: chunks() }, signal, { languages, from, onPage })
        from = nextPage
        if (from !== null) return undefined
      }
      const readings = Buffer.from(await inTenant(tx => listReadings(tx, scan, scan)), 'utf8')
      return scanner.extract({ kind, bytes, chunks: chunks() }, signal, { languages, readings })
    },
    keep: text => keep(db, scan, text, ocr === undefined ? scannerOf(languages) : 'ocr@1'),
  }
}

export function longReading(
  reading: FileReading,
  recognise: (how: 'whole' | 'partly') => ScanTurns,
  store: (text: ExtractedFile, signal: AbortSignal) => Promise<unknown>,
): ScanTurns & Required<Pick<Scan, 'begun'>> {
  let scanned: ScanTurns | undefined
  return {
    begun: { account: reading.account, isOver: () => scanned !== undefined, isReading: reading.isBegun },
    async turn(signal) {
      if (scanned !== undefined) return scanned.turn(signal)
      const extracted = await reading.beside(signal)
      if (extracted.scan === undefined) return extracted
      scanned = recognise(extracted.scan)
      return undefined
    },
    async keep(text, signal) {
      await (scanned === undefined ? store(text, signal) : scanned.keep(text, signal))
    },
  }
}

async function keep(db: Database, scan: ScanRef, { text, places, notes, words }: ExtractedFile, extractor: string): Promise<void> {
  await db.inTenant(scan.tenantId, async tx => {
    await lockScopes(tx, [scan.scopeNo])
    await requireRoom(tx, text)
    await keepExtractedText(tx, scan, scan, { text, places, notes, words, textHash: sha256(text), extractor, carries: [] })
  })
}

/** The file was counted as it came; a small one can hold millions of characters. */
export async function requireRoom(tx: TenantTransaction, text: string): Promise<void> {
  const limit = await brokenQuota(tx, { documents: 0, bytes: Buffer.byteLength(text), scopes: 0 })
  if (limit !== null) throw new AppError('QUOTA_EXCEEDED')
}
