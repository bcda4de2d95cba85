/**
 * Charges the turns of tenants, beside the work. An act of a person may lock the tenant's row for seconds, and each charge that waits
 * for it keeps a connection from everybody else: of a tenant one is under way at a time, and what comes meanwhile is added up and
 * charged with the next.
 */

import { pause } from '../../platform/deadline.js'
import type { Logger } from '../../platform/logger.js'
import type { Database } from '../server/database.js'
import { chargeTurn } from './leases.js'

export interface TurnCharges {
  /** Resolves when it is written or has failed. A failure is logged and costs the fair order a little, nothing else. */
  charge(tenantId: string, usedMs: number): Promise<void>
  /** Everything charged so far is written, or has had so long. */
  close(graceMs?: number): Promise<void>
}

/** Acts of several tenants may each hold up the charges of theirs: the other connections are for documents. */
export function chargesAtOnce(connections: number): number {
  return Math.max(1, Math.min(2, Math.floor(connections / 3)))
}

interface Owed {
  ms: number
  written: Promise<void>
}

export function createTurnCharges({ db, logger }: { db: Pick<Database, 'engineQuery'>; logger: Logger }): TurnCharges {
  const underWay = new Map<string, Promise<void>>()
  const owed = new Map<string, Owed>()

  const write = (tenantId: string, ms: number): Promise<void> => {
    const written = chargeTurn(db, tenantId, ms)
      .catch(error => logger.debug({ err: error, tenant_id: tenantId }, 'fair-share accounting failed'))
      .then(() => void underWay.delete(tenantId))
    underWay.set(tenantId, written)
    return written
  }

  const writeOwed = (tenantId: string): Promise<void> => {
    const ms = owed.get(tenantId)?.ms ?? 0
    owed.delete(tenantId)
    return write(tenantId, ms)
  }

  return {
    charge(tenantId, usedMs) {
      const next = owed.get(tenantId)
      if (next !== undefined) {
        next.ms += usedMs
        return next.written
      }
      const before = underWay.get(tenantId)
      if (before === undefined) return write(tenantId, usedMs)
      const written = before.then(() => writeOwed(tenantId))
      owed.set(tenantId, { ms: usedMs, written })
      return written
    },
    async close(graceMs = 5000) {
      const over = new AbortController()
      const all = Promise.all([...underWay.values(), ...[...owed.values()].map(({ written }) => written)])
      await Promise.race([all, pause(graceMs, over.signal)])
      over.abort()
    },
  }
}
