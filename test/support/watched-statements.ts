/** A database that tells of each statement of its tenants' transactions before it is sent. */

import type { Database, Statement } from '../../src/store/server/database.js'

export function watchStatements(db: Database, seen: (statement: Statement, tenantId: string) => void): Database {
  return {
    ...db,
    inTenant: (tenantId, work, options) =>
      db.inTenant(
        tenantId,
        tx =>
          work({
            ...tx,
            query: statement => {
              seen(statement, tenantId)
              return tx.query(statement)
            },
          }),
        options,
      ),
  }
}
