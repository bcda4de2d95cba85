/** The leader's chore that forgets texts after TEXT_RETENTION_DAYS; without that setting they are kept for ever. */

import type { Config } from '../../platform/config.js'
import { removeOldTexts } from '../../store/maintenance/text-retention.js'
import type { Database } from '../../store/server/database.js'

const batchTexts = 200
const batchesPerRun = 50

export interface TextRetentionResult {
  texts: number
  /** Whether there may be more behind the bound of one run. */
  more: boolean
}

export async function runTextRetention(deps: { db: Database; config: Pick<Config, 'textRetentionDays'> }): Promise<TextRetentionResult> {
  const { textRetentionDays } = deps.config
  if (textRetentionDays === undefined) return { texts: 0, more: false }
  let removed = 0
  for (let batch = 0; batch < batchesPerRun; batch++) {
    const texts = await removeOldTexts(deps.db, textRetentionDays, batchTexts)
    if (texts === 0) return { texts: removed, more: false }
    removed += texts
  }
  return { texts: removed, more: true }
}
