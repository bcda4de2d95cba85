/** Databases that bring back mistakes that were made once, so that the tests which guard against them can be seen to fail. */

import { AppError, isAppError } from '../../src/platform/errors.js'
import type { Database, Rows, Statement, Transaction } from '../../src/store/server/database.js'
import { failureCode } from '../../src/store/server/failures.js'

type Query = <R>(statement: Statement) => Promise<Rows<R>>

function withQuery(db: Database, change: (query: Query) => Query): Database {
  const changed = <T extends Transaction>(tx: T): T => ({ ...tx, query: change(tx.query) })
  return {
    ...db,
    inTenant: (tenantId, work, options) => db.inTenant(tenantId, tx => work(changed(tx)), options),
    engine: (work, options) => db.engine(tx => work(changed(tx)), options),
  }
}

/** What a statement answers that holds this part, changed. */
export function withChangedRows(db: Database, part: string, change: (row: Record<string, unknown>) => Record<string, unknown>): Database {
  return withQuery(db, query => async <R>(statement: Statement) => {
    const answer = await query<R>(statement)
    return statement.text.includes(part) ? { ...answer, rows: answer.rows.map(row => change(row as Record<string, unknown>) as R) } : answer
  })
}

/** A statement that holds this part is never made. */
export function withoutStatement(db: Database, part: string): Database {
  return withQuery(
    db,
    query =>
      async <R>(statement: Statement) =>
        statement.text.includes(part) ? ({ rows: [] as R[], rowCount: 0 } as Rows<R>) : query<R>(statement),
  )
}

/** Statements behind one that failed are met first, and do not say why. */
export function withHiddenReasons(db: Database): Database {
  return withQuery(db, query => {
    let failed = false
    return async <R>(statement: Statement) => {
      try {
        return await query<R>(statement)
      } catch (error) {
        if (failed) throw Object.assign(new Error('current transaction is aborted'), { code: '25P02' })
        failed = true
        await new Promise(resolve => setTimeout(resolve, 20))
        throw error
      }
    }
  })
}

/** A statement that took too long counts as storage that is away. */
export function withOverrunsAsAbsence(db: Database): Database {
  const away = (error: unknown) => {
    if (!isAppError(error, 'STORAGE_UNAVAILABLE') || failureCode(error.cause) !== '57014') return error
    return new AppError('STORAGE_UNAVAILABLE', { cause: Object.assign(new Error('full'), { code: '53100' }) })
  }
  return {
    ...db,
    inTenant: (tenantId, work, options) =>
      db.inTenant(tenantId, work, options).catch((error: unknown) => {
        throw away(error)
      }),
  }
}

/** A transaction's handle goes on working when it is over. */
export function withOpenHandles(db: Database): Database {
  const kept = (query: Query): Query => {
    return <R>(statement: Statement) =>
      query<R>(statement).catch((error: unknown) => {
        if (error instanceof Error && error.message.includes('after the end')) return db.engine(tx => tx.query<R>(statement))
        throw error
      })
  }
  return withQuery(db, kept)
}
