/**
 * Reads scans and pictures beside everything else: recognising letters takes a processor for seconds a page. A worker that meets a scan
 * hands it over and goes on, and the document waits in the queue, put off as long as this process has it in hand. So texts and other
 * files never wait behind a scan, neither those of other cases nor those behind it in its own. Other files whose text is not there in a moment
 * are handed over as well (`file-reading.ts`): they are being read, or wait in the line of files, and take no turn of scans.
 *
 *   waiting  for its turn, fair between tenants: one turn at a time, a few pages
 *   reading  each page is kept as it is recognised, and read once however often the process dies
 *   done     its text is kept: the document is due, and read like any text
 *   failed   the document is due, and the worker that takes it is told why. Another process may take it, fail and have it tried anew: what
 *            this one knows of an earlier attempt is not told then
 *
 * Where a tenant, or all of them together, have as many scans in hand as may be, the next ones are put off longer the longer they have waited:
 * each return takes a lease and leaves two events, and a bulk of scans would come back by the thousand while few of them are read.
 *
 * A scan whose scope is paused or stopped, that was erased or whose process ends is given up: it is due again, and goes on where it was.
 */

import type { ExtractedFile } from '../../files/place-rows.js'
import { isAppError } from '../../platform/errors.js'
import type { Logger } from '../../platform/logger.js'
import type { LeasedDocument } from '../../store/leases/leases.js'
import { endScan, extendScans, type ScanRef, scanKey } from '../../store/leases/scan-claims.js'
import type { TurnCharges } from '../../store/leases/turn-charges.js'
import type { Database } from '../../store/server/database.js'
import { type Account, accountOf, FairTurns } from '../threads/fair-turns.js'

/** A scan in one attempt at its document: each failure and each time a person has it tried anew makes another one. */
type ScanAttempt = Pick<ScanRef, 'scopeNo' | 'generation' | 'seq'> & Pick<LeasedDocument, 'attempts' | 'queuedAt'>

export interface Scan extends ScanRef, ScanAttempt {
  weight: number
  /** One turn. Undefined when there is more to do. */
  turn(signal: AbortSignal): Promise<ExtractedFile | undefined>
  /** Keeps the text, if it is still waited for. */
  keep(text: ExtractedFile, signal: AbortSignal): Promise<void>
  /** Of a long file: until its text is there it is in the line of files, in which it came this far. */
  begun?: { account: Account; isOver(): boolean; isReading(): boolean }
}

export interface Scans {
  /** How long a document that is in hand, or has room, is put off when it is handed over. */
  readonly holdMs: number
  /** How long a scan that has waited so long is put off: without room for it as long again, within bounds. */
  putOffMs(tenantId: string, waitedMs: number): number
  /** What the document waits for if it is in hand. Throws what its reading failed with in this attempt, once. */
  has(scan: ScanAttempt): 'scan_waits' | 'file_waits' | null
  /** Whether a long file of the tenant may be handed over; it stays with its lease otherwise. */
  hasRoom(tenantId: string): boolean
  /** The document has been put off. False when it is in hand, or there is no room for another scan; a long file had room before it was put off. */
  take(scan: Scan): boolean
  close(): Promise<void>
}

export interface ScansOptions {
  db: Database
  charges: Pick<TurnCharges, 'charge'>
  holdMs: number
  /** A document is due. */
  notify(): void
  logger: Logger
}

/** The document waits for it no more: it was erased, or another process has it in hand. */
export class ScanWithdrawn extends Error {}

interface Job {
  scan: Scan
  account: Account
  stop: AbortController
  ended: Promise<void>
}

/** Scans in hand at a time, and as many long files; scans beyond come again. */
const mostJobs = 1000
/** Of one tenant: it leaves room for those of others. */
const mostPerTenant = 100
/** Scans without room are put off so many times as long as others at least: a hundred in hand are not read sooner. */
const leastHolds = 8
/** Places that came free wait no longer for the last of them, so that a hundred scans last until it comes. */
const longestPutOffMs = 240_000
/** How often the scan that is read is looked at: a stop ends it within a second. */
const lookMs = 500

export function createScans({ db, charges, holdMs, notify, logger }: ScansOptions): Scans {
  const turns = new FairTurns(1, { hasExpress: false })
  const jobs = new Map<string, Job>()
  const failures = new Map<string, { scan: Scan; error: unknown }>()
  let beat: NodeJS.Timeout | undefined

  /** Ends those that may not go on. What cannot be asked goes on: when the database is away, keeping a page fails. */
  const look = async (looked: readonly Job[]): Promise<void> => {
    try {
      const held = await extendScans(
        db,
        looked.map(({ scan }) => scan),
        holdMs,
      )
      for (const { scan, stop } of looked) if (!held.has(scanKey(scan))) stop.abort(new Error('the scan may not go on'))
    } catch (error) {
      logger.debug({ err: error }, 'scans could not be put off')
    }
  }

  /** One at a time: a look waits for whoever is erasing one of the documents, and each has a connection as long. */
  const lookEvery = (ms: number, jobsNow: () => readonly Job[]): NodeJS.Timeout => {
    let isLooking = false
    return setInterval(() => {
      const looked = isLooking ? [] : jobsNow()
      if (looked.length === 0) return
      isLooking = true
      void look(looked).then(() => {
        isLooking = false
      })
    }, ms)
  }

  /** Reads as long as it takes, in turns. */
  const read = async (job: Job): Promise<void> => {
    const { scan, account, stop } = job
    let chargedMs = 0
    for (;;) {
      const turn = isInLine(scan) ? null : await turns.take({ account, isPlanning: false, isShort: false, signal: stop.signal })
      let watch: NodeJS.Timeout | undefined
      try {
        await look([job])
        stop.signal.throwIfAborted()
        // One that waits in the line of files is looked at with all the others.
        watch = lookEvery(lookMs, () => (!isInLine(scan) || scan.begun?.isReading() ? [job] : []))
        const text = await scan.turn(stop.signal)
        if (text === undefined) continue
        await scan.keep(text, stop.signal)
        return
      } finally {
        clearInterval(watch)
        turn?.leave()
        const usedMs = account.usedMs - chargedMs
        chargedMs = account.usedMs
        void charges.charge(scan.tenantId, usedMs)
      }
    }
  }

  const run = async (key: string, job: Job): Promise<void> => {
    const { scan, stop } = job
    const fields = { tenant_id: scan.tenantId, document_id: scan.documentId }
    let isWithdrawn = false
    try {
      await read(job)
    } catch (error) {
      isWithdrawn = error instanceof ScanWithdrawn
      // Without the database nothing is known of the file: it is due when its time is over, and goes on where it was.
      if (!isWithdrawn && !stop.signal.aborted && !isAppError(error, 'STORAGE_UNAVAILABLE')) failures.set(key, { scan, error })
    }
    // Before it is due: whoever takes it then is told of the failure.
    jobs.delete(key)
    if (jobs.size === 0) clearInterval(beat)
    if (failures.size > mostJobs) failures.delete(failures.keys().next().value as string)
    if (isWithdrawn) return
    await endScan(db, scan).catch(error => logger.warn({ ...fields, err: error }, 'scan not given back: due when its time is over'))
    notify()
  }

  const hasRoom = (tenantId: string, isFile: boolean): boolean => {
    const alike = [...jobs.values()].filter(({ scan }) => isInLine(scan) === isFile)
    return alike.length < mostJobs && alike.filter(({ scan }) => scan.tenantId === tenantId).length < mostPerTenant
  }

  return {
    holdMs,
    putOffMs(tenantId, waitedMs) {
      return hasRoom(tenantId, false) ? holdMs : Math.min(longestPutOffMs, Math.max(leastHolds * holdMs, Math.round(waitedMs)))
    },
    has(scan) {
      const key = scanKey(scan)
      const failed = failures.get(key)
      failures.delete(key)
      if (failed?.scan.attempts === scan.attempts && failed.scan.queuedAt === scan.queuedAt) throw failed.error
      const job = jobs.get(key)
      return job === undefined ? null : isInLine(job.scan) ? 'file_waits' : 'scan_waits'
    },
    hasRoom: tenantId => hasRoom(tenantId, true),
    take(scan) {
      const key = scanKey(scan)
      if (jobs.has(key)) return false
      if (!isInLine(scan) && !hasRoom(scan.tenantId, false)) return false
      const job: Job = { scan, account: scan.begun?.account ?? accountOf(scan), stop: new AbortController(), ended: Promise.resolve() }
      if (jobs.size === 0) beat = lookEvery(holdMs / 4, () => [...jobs.values()]).unref()
      jobs.set(key, job)
      job.ended = run(key, job)
      return true
    },
    async close() {
      const open = [...jobs.values()]
      for (const { stop } of open) stop.abort(new Error('the process ends'))
      await Promise.all(open.map(({ ended }) => ended))
    },
  }
}

/** Of files, where it takes no turn of scans. */
function isInLine({ begun }: Scan): boolean {
  return begun !== undefined && !begun.isOver()
}
