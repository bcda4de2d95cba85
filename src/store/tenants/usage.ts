/** What tenants use is kept as one row for each change (see `migrations/0028_usage.sql`), which are added up here. */

import type { Database } from '../server/database.js'

/** Answers how many tenants had more than one row, of at most `limit`. */
export async function addUpUsage(db: Database, limit: number): Promise<number> {
  const { rows } = await db.engineQuery<{ tenants: number }>('select concord_add_up_usage($1) as tenants', [limit])
  return rows[0]?.tenants ?? 0
}
