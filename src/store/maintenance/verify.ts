/**
 * The promises of the log, asked of a whole database: no gap, no orphan, no event without its state, no state without
 * its event, counts and backlog that agree with the documents; and that what counts follows from what is said. One snapshot, read only; each broken promise names the
 * scopes it is broken in.
 */

import type { Database } from '../server/database.js'
import { type BrokenInvariant, type Invariant, invariants } from './verify-invariants.js'
import { findUnsettled, standingPromise } from './verify-standing.js'

export interface Verification {
  /** What was asked, whether or not it held. */
  invariants: { name: string; promise: string; broken: number }[]
  /** At most `perInvariant` of each. */
  broken: BrokenInvariant[]
  scopes: number
  documents: number
  events: number
}

const perInvariant = 100
const statementTimeoutMs = 600_000

export async function verifyDatabase(db: Database): Promise<Verification> {
  return db.engine(
    async tx => {
      const result: Verification = { invariants: [], broken: [], scopes: 0, documents: 0, events: 0 }
      for (const { name, promise, sql } of invariants) {
        const { rows } = await tx.query<Omit<BrokenInvariant, 'invariant'>>({ text: asked(sql), values: [perInvariant] })
        result.invariants.push({ name, promise, broken: rows.length })
        result.broken.push(...rows.map(row => ({ invariant: name, ...row })))
      }
      const unsettled = await findUnsettled(tx, perInvariant)
      result.invariants.push({ ...standingPromise, broken: unsettled.length })
      result.broken.push(...unsettled)
      const { rows } = await tx.query<{ scopes: number; documents: number; events: number }>({
        text: 'select (select count(*) from scopes) as scopes, (select count(*) from documents) as documents, (select count(*) from events) as events',
      })
      return { ...result, ...rows[0] }
    },
    { readOnly: true, snapshot: true, statementTimeoutMs },
  )
}

/** Invariants answer (tenant_id, scope_no, detail); people know scopes by their names. */
function asked(sql: Invariant['sql']): string {
  return `select b.tenant_id as "tenantId", coalesce(s.scope_id, b.scope_no::text) as "scopeId", b.detail
    from (${sql}) as b(tenant_id, scope_no, detail) left join scopes s on s.tenant_id = b.tenant_id and s.scope_no = b.scope_no limit $1`
}
