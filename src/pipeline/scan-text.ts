/**
 * Reads scans and pictures, beside other files: recognising letters takes a processor for seconds a page. A turn is a few pages, so that a
 * long scan holds up no other tenant's; each page is kept as it is recognised, and read once however often its worker dies.
 */

import type { FileKind } from '../contract/file-kinds.js'
import type { FileExtractor } from '../files/extractor.js'
import type { ExtractedFile } from '../files/place-rows.js'
import { keepReading, listReadings } from '../store/documents/recognised-pages.js'
import { lockScopes } from '../store/events/events.js'
import { holdsLease, type Lease, type LeasedDocument } from '../store/leases/leases.js'
import type { Database } from '../store/server/database.js'
import type { FairTurns } from './fair-turns.js'
import { inTurn } from './file-turns.js'
import type { ReadHow } from './reader.js'
import { ReadError } from './threads.js'

export interface ScanDeps {
  db: Database
  scanner: FileExtractor
  turns: FairTurns
}

export interface ScanFile {
  kind: FileKind
  bytes: number
  chunks(): AsyncIterable<Buffer>
  languages: readonly string[]
}

/** Null when `mayBegin` said no. */
export async function readScan(
  { db, scanner, turns }: ScanDeps,
  { lease, document }: { lease: Lease; document: LeasedDocument },
  file: ScanFile,
  how: ReadHow,
): Promise<ExtractedFile | null> {
  const onPage = async (page: number, reading: Buffer) => {
    const kept = await db.inTenant(lease.tenantId, async tx => {
      await lockScopes(tx, [lease.scopeNo])
      return (await holdsLease(tx, lease)) && keepReading(tx, lease, document, { page, reading: reading.toString('utf8') })
    })
    if (!kept)
      throw new ReadError('lease_lost', 'transient', 'The document was withdrawn from this worker while its pages were recognised.')
  }
  for (;;) {
    const known = await db.inTenant(lease.tenantId, tx => listReadings(tx, lease, document), { readOnly: true })
    const { kind, bytes, chunks, languages } = file
    const read = await inTurn(turns, how, async () => {
      // Each page has its deadline, so whoever waits for them is not stuck.
      how.account.waits.count++
      try {
        return await scanner.extract({ kind, bytes, chunks: chunks() }, how.signal, {
          languages,
          known: Buffer.from(known, 'utf8'),
          onPage,
        })
      } finally {
        how.account.waits.count--
      }
    })
    if (read === null || read.scan !== 'partly') return read
  }
}
