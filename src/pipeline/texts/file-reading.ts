/**
 * One file that is being read. Its lease waits a moment for it, and in a line that moves; what takes longer is handed over and goes on beside
 * the lease, as scans do, so that what stands behind it in its case is not held up. Where its tenant has handed over enough, its lease waits on.
 *
 *   waiting      for one of the processes that read files; ends with its lease
 *   reading      in one of them; ends with its lease
 *   handed over  waiting or reading as before; ends with the job that took it (`scans.ts`)
 */

import type { ExtractedFile } from '../../files/place-rows.js'
import { invariant } from '../../platform/errors.js'
import type { Lease } from '../../store/leases/leases.js'
import { type Account, accountOf, type FairTurns } from '../threads/fair-turns.js'
import type { ReadHow } from '../threads/reader.js'
import { inTurn } from './file-turns.js'

export interface FileReading {
  /** What came of it within the time that a lease waits: null when it may not begin. */
  soon(hasRoom: () => boolean): Promise<ExtractedFile | null | 'handed over'>
  /** It has been handed over: its lease ends it no longer. False when it did already. */
  outliveLease(): boolean
  /** What comes of it then, ended by this signal. */
  beside(signal: AbortSignal): Promise<ExtractedFile>
  isBegun(): boolean
  /** Pays for it once it has been handed over. */
  readonly account: Account
  stop(reason: Error): void
}

/** Longer than most files take; short for whoever waits behind it. */
const patienceMs = 1000

export function readFile(
  turns: FairTurns,
  lease: Lease,
  how: ReadHow,
  extract: (process: number, signal: AbortSignal) => Promise<ExtractedFile>,
): FileReading {
  const account = accountOf(lease)
  const own = new AbortController()
  const { signal } = own
  const endWithLease = () => own.abort(how.signal.reason)
  how.signal.throwIfAborted()
  how.signal.addEventListener('abort', endWithLease, { once: true })
  let isHandedOver = false
  const cameMs = performance.now()
  let begunMs: number | undefined
  // Whether its scope may go on is looked for by the job, once there is one.
  const mayBegin = async () => isHandedOver || how.mayBegin()
  const take = async (): Promise<ExtractedFile | null> => {
    const taken = await inTurn(turns, { ...how, account, mayBegin, signal }, process => {
      begunMs = performance.now()
      return extract(process, signal)
    })
    // Its lease said no in the moment in which it was handed over.
    return taken === null && isHandedOver ? take() : taken
  }
  // A second of many short ones is no long one: in the line, it is the time for which none of its tenant has begun.
  const waitedMs = () => {
    if (begunMs !== undefined) return performance.now() - begunMs
    return Math.min(performance.now() - cameMs, turns.stillMs(lease.tenantId))
  }
  const read = take()
  // It may fail before anybody waits for it again.
  read.catch(() => undefined)
  return {
    account,
    isBegun: () => begunMs !== undefined,
    stop: reason => own.abort(reason),
    async soon(hasRoom) {
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<'handed over'>(resolve => {
        const look = () => {
          const leftMs = patienceMs - waitedMs()
          isHandedOver = leftMs <= 0 && hasRoom()
          if (isHandedOver) resolve('handed over')
          else timer = setTimeout(look, leftMs > 0 ? leftMs : patienceMs)
        }
        look()
      })
      try {
        return await Promise.race([read, patience])
      } finally {
        clearTimeout(timer)
        if (!isHandedOver) {
          how.signal.removeEventListener('abort', endWithLease)
          how.account.usedMs += account.usedMs
        }
      }
    },
    outliveLease() {
      how.signal.removeEventListener('abort', endWithLease)
      return !signal.aborted
    },
    async beside(until) {
      if (until.aborted) own.abort(until.reason)
      until.addEventListener('abort', () => own.abort(until.reason), { once: true })
      const extracted = await read
      invariant(extracted !== null, 'a file that was handed over is read')
      return extracted
    },
  }
}
