/**
 * A database on which things go wrong as an injector says: before a statement, and after a commit whose answer does
 * not arrive. Between the service and the real one only when FAULTS is set.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../platform/errors.js'
import type { FaultInjector } from '../../platform/faults.js'
import type { Database, Transaction } from './database.js'

const longestDelayMs = 40

/** `crash` ends the process; whatever it returns to is not to be relied on. */
export function withFaults(db: Database, faults: FaultInjector, crash: () => void): Database {
  const before = async (inTransaction: boolean) => {
    const fault = faults.at(inTransaction ? ['fail', 'collide', 'delay'] : ['fail', 'delay'])
    if (fault === 'delay') await wait(faults.share() * longestDelayMs)
    if (fault === 'fail') throw new Withheld(lost('before it was done'))
    if (fault === 'collide') throw Object.assign(new Error('could not serialize access (on purpose)'), { code: '40001' })
  }
  const after = () => {
    const fault = faults.at(['lose', 'crash'])
    if (fault === 'crash') crash()
    if (fault !== null) throw lost('after it was done')
  }
  /**
   * Statements started together keep their order, none follows one that failed, and none is sent after the transaction
   * is over: a connection behaves like that, and faults must not invent what a connection never does.
   */
  const through = <T extends Transaction, R>(tx: T, work: (tx: T) => Promise<R>): Promise<R> => {
    let gate: Promise<unknown> = Promise.resolve()
    let over: { because: unknown } | undefined
    const turn = async (last: Promise<unknown>) => {
      await last
      if (over !== undefined) throw over.because
      try {
        await before(true)
      } catch (error) {
        over = { because: error }
        throw error
      }
    }
    const query: T['query'] = statement => {
      const mine = turn(gate)
      gate = mine.catch(() => undefined)
      return mine.then(() => {
        if (over !== undefined) throw over.because
        return tx.query(statement)
      })
    }
    return work({ ...tx, query }).finally(() => {
      over ??= { because: lost('before it was done') }
    })
  }
  const committed = async <T>(run: Promise<T>): Promise<T> => {
    const result = await run.catch((error: unknown) => {
      throw error instanceof Withheld ? error.loss : error
    })
    after()
    return result
  }
  return {
    ...db,
    inTenant: (tenantId, work, options) => committed(db.inTenant(tenantId, tx => through(tx, work), options)),
    engine: (work, options) => committed(db.engine(tx => through(tx, work), options)),
    engineQuery: (text, values) => committed(before(false).then(() => db.engineQuery(text, values))),
  }
}

/** A loss on its way through the real database, which would take it for one of its own and give up all its connections, each time. */
class Withheld extends AppError {
  readonly loss: AppError

  constructor(loss: AppError) {
    super('STORAGE_UNAVAILABLE')
    this.loss = loss
  }
}

function lost(when: string): AppError {
  return new AppError('STORAGE_UNAVAILABLE', {
    detail: 'The database does not answer right now.',
    retryAfterSeconds: 1,
    cause: new Error(`Connection terminated ${when} (on purpose)`),
  })
}
