/**
 * The chore that forgets: events past their time, when a time is set, and idempotency keys past theirs. Each run is
 * bounded and says whether there is more; the leader calls it again soon then, and otherwise at its leisure. No clock of
 * this process is asked: what is too old is the database's to say.
 */

import type { Config } from '../platform/config.js'
import type { LogPosition } from '../store/events/events-reading.js'
import { type RemovedBatch, type RemovedEvents, removeOldEvents, removeOldKeys } from '../store/maintenance/events-retention.js'
import type { Database } from '../store/server/database.js'

export interface RetentionResult {
  events: number
  idempotencyKeys: number
  more: boolean
}

export interface RetentionDependencies {
  db: Database
  config: Pick<Config, 'eventRetentionDays' | 'idempotencyRetentionHours'>
}

const batchRows = 500
const batchesPerRun = 20

export async function runRetention({ db, config }: RetentionDependencies): Promise<RetentionResult> {
  const { eventRetentionDays, idempotencyRetentionHours } = config
  const events = eventRetentionDays === undefined ? { removed: 0, more: false } : await removeEvents(db, 24 * eventRetentionDays)
  const keys = await inBatches(limit => removeOldKeys(db, idempotencyRetentionHours, limit))
  return { events: events.removed, idempotencyKeys: keys.removed, more: events.more || keys.more }
}

async function removeEvents(db: Database, hours: number): Promise<{ removed: number; more: boolean }> {
  let from: LogPosition | null = null
  return inBatches(async limit => {
    const batch: RemovedEvents = await removeOldEvents(db, hours, limit, from)
    from = batch.from
    return batch
  })
}

async function inBatches(removeBatch: (limit: number) => Promise<RemovedBatch>): Promise<{ removed: number; more: boolean }> {
  let removed = 0
  for (let batch = 0; batch < batchesPerRun; batch++) {
    const { removed: count, isFull } = await removeBatch(batchRows)
    removed += count
    if (!isFull) return { removed, more: false }
  }
  return { removed, more: true }
}
