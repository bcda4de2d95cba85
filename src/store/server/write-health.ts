/**
 * Whether the storage takes writes. A full disk or a missing standby refuses them while reading goes on, so a database
 * that answers is not enough. A refusal is remembered for a while, since a small write may succeed where others do not;
 * after that each look tries a write of its own.
 *
 * writable → refused (a write failed for the storage's sake) → writable (a write, or later a probe, succeeded)
 */

import type { Clock } from '../../platform/clock.js'
import { withDeadline } from '../../platform/deadline.js'
import { BusyCase, isAppError } from '../../platform/errors.js'
import type { Database } from './database.js'

export interface WriteHealth {
  /** Does the write and learns from its end. */
  watch<T>(write: () => Promise<T>): Promise<T>
  isWritable(): Promise<boolean>
}

const rememberMs = 5000
const probeMs = 2000

export function createWriteHealth({ db, clock }: { db: Database; clock: Clock }): WriteHealth {
  let refusedAt: number | null = null
  let probing: Promise<boolean> | undefined
  const probe = async (): Promise<boolean> => {
    try {
      await withDeadline(() => writeSome(db), { ms: probeMs, what: 'a write' })
      refusedAt = null
      return true
    } catch {
      // Why it failed is logged with the write that was refused first.
      return false
    }
  }
  return {
    async watch(write) {
      try {
        const result = await write()
        refusedAt = null
        return result
      } catch (error) {
        if (isAppError(error, 'STORAGE_UNAVAILABLE') && !(error.cause instanceof BusyCase)) refusedAt = clock.monotonicMs()
        throw error
      }
    },
    async isWritable() {
      if (refusedAt === null) return true
      if (clock.monotonicMs() - refusedAt < rememberMs) return false
      probing ??= probe().finally(() => {
        probing = undefined
      })
      return probing
    },
  }
}

/** About the size of the largest document: needs room for data and for the log, and leaves nothing behind. */
async function writeSome(db: Database): Promise<void> {
  await db.engine(tx =>
    tx.query({ text: 'create temporary table concord_probe on commit drop as select n from generate_series(1, 30000) as n' }),
  )
}
