/**
 * A database on which things go wrong as an injector says: before a statement, and after a commit whose answer does
 * not arrive. Between the service and the real one only when FAULTS is set.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../platform/errors.js'
import type { FaultInjector } from '../platform/faults.js'
import type { Database, Transaction } from './database.js'

const longestDelayMs = 40

/** `crash` ends the process; whatever it returns to is not to be relied on. */
export function withFaults(db: Database, faults: FaultInjector, crash: () => void): Database {
  const before = async (inTransaction: boolean) => {
    const fault = faults.at(inTransaction ? ['fail', 'collide', 'delay'] : ['fail', 'delay'])
    if (fault === 'delay') await wait(faults.share() * longestDelayMs)
    if (fault === 'fail') throw lost('before it was done')
    if (fault === 'collide') throw Object.assign(new Error('could not serialize access (on purpose)'), { code: '40001' })
  }
  const after = () => {
    const fault = faults.at(['lose', 'crash'])
    if (fault === 'crash') crash()
    if (fault !== null) throw lost('after it was done')
  }
  const faulty = <T extends Transaction>(tx: T): T => ({
    ...tx,
    query: async statement => {
      await before(true)
      return tx.query(statement)
    },
  })
  const committed = async <T>(run: Promise<T>): Promise<T> => {
    const result = await run
    after()
    return result
  }
  return {
    ...db,
    inTenant: (tenantId, work, options) => committed(db.inTenant(tenantId, tx => work(faulty(tx)), options)),
    engine: (work, options) => committed(db.engine(tx => work(faulty(tx)), options)),
    engineQuery: async (name, text, values) => {
      await before(false)
      return committed(db.engineQuery(name, text, values))
    },
  }
}

function lost(when: string): AppError {
  return new AppError('STORAGE_UNAVAILABLE', {
    detail: 'The database does not answer right now.',
    retryAfterSeconds: 1,
    cause: new Error(`Connection terminated ${when} (on purpose)`),
  })
}
