/** Whether the service can do its work: the database answers and takes writes. Concurrent probes share one check. */

import type { Database } from '../store/server/database.js'
import type { WriteHealth } from '../store/server/write-health.js'

export function createReadiness(db: Database, writes: WriteHealth): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined
  const ask = async () => (await db.health()).ok && (await writes.isWritable())
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
}
