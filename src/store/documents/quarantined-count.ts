/** How many documents are quarantined, over all tenants, from the counts that each scope keeps. */

import { across, type Database } from '../server/database.js'

export async function countQuarantined(db: Database): Promise<number> {
  return across(db).value<number>('select coalesce(sum(quarantined), 0)::float8 as documents from scope_heads where quarantined > 0')
}
