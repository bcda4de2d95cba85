/** The leader's chore that forgets texts after TEXT_RETENTION_DAYS; without that setting they are kept for ever. */

import type { Clock } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import type { Database } from '../store/database.js'
import { removeOldTexts } from '../store/text-retention.js'

const dayMs = 86_400_000
const batchTexts = 200
const batchesPerRun = 50

/** Bounded; answers how many texts were removed in this run. */
export async function runTextRetention(deps: { db: Database; config: Pick<Config, 'textRetentionDays'>; clock: Clock }): Promise<number> {
  const { textRetentionDays } = deps.config
  if (textRetentionDays === undefined) return 0
  const before = new Date(deps.clock.now().getTime() - textRetentionDays * dayMs)
  let removed = 0
  for (let batch = 0; batch < batchesPerRun; batch++) {
    const texts = await removeOldTexts(deps.db, before, batchTexts)
    if (texts === 0) break
    removed += texts
  }
  return removed
}
