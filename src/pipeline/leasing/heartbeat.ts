/** Keeps a lease while its documents are worked on, and says when it is lost. */

import type { Logger } from '../../platform/logger.js'
import { extendLease, type Lease } from '../../store/leases/leases.js'
import type { Database } from '../../store/server/database.js'

/** A beat that cannot reach the database is no loss yet: the lease runs out by the database's own clock. */
export function startHeartbeat(
  deps: { db: Database; leaseMs: number; logger: Logger },
  lease: Lease,
  lost: AbortController,
): NodeJS.Timeout {
  const { db, leaseMs, logger } = deps
  return setInterval(() => {
    extendLease(db, lease, leaseMs).then(
      held => {
        if (!held) lost.abort(new Error('the lease is lost'))
      },
      error => logger.debug({ err: error, tenant_id: lease.tenantId, scope_id: lease.scopeId }, 'lease heartbeat failed'),
    )
  }, leaseMs / 4)
}
