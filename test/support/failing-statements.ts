/**
 * A database on which chosen statements fail on the server, in the middle of their transaction: an error with the chosen
 * SQLSTATE is raised in the statement's place, whatever was sent with it follows, and the server refuses all of that. So
 * it is how a full disk, a time limit or a deadlock meets statements that share a round trip.
 */

import type { Database, Statement, Transaction } from '../../src/store/server/database.js'

export interface StatementPlace extends Statement {
  /** Undefined in a transaction across tenants. */
  tenantId: string | undefined
  /** Place in its transaction, from 0. */
  position: number
}

/** `choose` gives the SQLSTATE a statement fails with, or null. */
export function withFailingStatements(db: Database, choose: (place: StatementPlace) => string | null): Database {
  return {
    ...db,
    inTenant: (tenantId, work, options) => db.inTenant(tenantId, tx => work(failing(tx, choose)), options),
    engine: (work, options) => db.engine(tx => work(failing(tx, choose)), options),
  }
}

function failing<T extends Transaction & { tenantId?: string }>(tx: T, choose: (place: StatementPlace) => string | null): T {
  let position = 0
  const query = async <R>(statement: Statement) => {
    const state = choose({ ...statement, tenantId: tx.tenantId, position: position++ })
    if (state === null) return tx.query<R>(statement)
    const raised = tx.query<R>({ text: `do $$ begin raise exception 'on purpose' using errcode = '${state}'; end $$` })
    tx.query(statement).catch(() => undefined)
    return raised
  }
  return { ...tx, query }
}
