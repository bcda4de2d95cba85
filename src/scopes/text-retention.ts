/** The leader's chore that forgets texts after TEXT_RETENTION_DAYS; without that setting they are kept for ever. */

import type { Config } from '../platform/config.js'
import { removeOldTexts } from '../store/maintenance/text-retention.js'
import type { Database } from '../store/server/database.js'

const batchTexts = 200
const batchesPerRun = 50

/** Bounded; answers how many texts were removed in this run. */
export async function runTextRetention(deps: { db: Database; config: Pick<Config, 'textRetentionDays'> }): Promise<number> {
  const { textRetentionDays } = deps.config
  if (textRetentionDays === undefined) return 0
  let removed = 0
  for (let batch = 0; batch < batchesPerRun; batch++) {
    const texts = await removeOldTexts(deps.db, textRetentionDays, batchTexts)
    if (texts === 0) break
    removed += texts
  }
  return removed
}
