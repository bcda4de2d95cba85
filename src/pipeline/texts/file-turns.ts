/**
 * The line of files that wait for one of the processes that read them, fair between tenants. Whether a file may begin is asked when its turn
 * comes, minutes after it came where scans are read; it leaves the line when its scope is paused or its worker stops.
 */

import { unlessPaused } from '../leasing/unless-paused.js'
import type { FairTurns } from '../threads/fair-turns.js'
import type { ReadHow } from '../threads/reader.js'

/** Null when `mayBegin` said no. */
export async function inTurn<T>(
  turns: FairTurns,
  { account, mayBegin, signal }: ReadHow,
  work: (process: number) => Promise<T>,
): Promise<T | null> {
  const turn = await unlessPaused({ mayGoOn: mayBegin, signal }, until =>
    turns.take({ account, isPlanning: false, isShort: false, signal: until }),
  )
  if (turn === null) return null
  try {
    return (await mayBegin()) ? await work(turn.thread) : null
  } finally {
    turn.leave()
  }
}
