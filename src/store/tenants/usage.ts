/** What tenants use is kept as one row for each change (see `tenant_usage` in `migrations/0001_baseline.sql`), which are added up here. */

import { across, type Database } from '../server/database.js'

/** Answers how many tenants had more than one row, of at most `limit`. */
export async function addUpUsage(db: Database, limit: number): Promise<number> {
  return across(db).value<number>('select concord_add_up_usage($1) as tenants', [limit])
}
