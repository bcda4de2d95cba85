/**
 * Ends leases and waits that last longer than any does: they began while the clock of the database was ahead, and nobody would go on
 * with these scopes and webhooks until that time comes. The statements that lease look at what is due and at nothing else; this is for
 * the leader.
 */

import { lockFreeScopes } from '../events/events.js'
import type { ScopeKey } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import type { Database } from '../server/database.js'

/** A lease lasts an hour at most, as a webhook waits; a document waits for a day, a scope rests until the next day begins. */
const ahead = "now() + interval '2 days'"

/** Answers in how many scopes there was something to end; those in which somebody is at work are left for the next time. */
export async function endWaitsAhead(db: Database, limit: number): Promise<number> {
  await db.engineQuery(`update webhooks set due_at = now() where due_at > ${ahead}`)
  await db.engineQuery(`update webhooks set leased_until = now() where owner is not null and leased_until > ${ahead}`)
  return db.engine(async tx => {
    const held = await tx.rows<ScopeKey>(
      `select tenant_id as "tenantId", scope_no as "scopeNo" from scope_leases where owner is not null and leased_until > ${ahead}
       union
       select tenant_id, scope_no from scope_heads where has_backlog and turn_at > ${ahead}
       limit $1`,
      [limit],
    )
    // The leader comes again soon for those in which somebody is at work.
    const free = await lockFreeScopes(
      tx,
      held.map(({ scopeNo }) => scopeNo),
    )
    const scopes = held.filter(({ scopeNo }) => free.has(scopeNo))
    const named = columnsOf(scopes, 'tenantId', 'scopeNo')
    const chosen =
      'from unnest($1::text[], $2::bigint[]) as t (tenant_id, scope_no) where c.tenant_id = t.tenant_id and c.scope_no = t.scope_no'
    await tx.run(`update backlog c set not_before = '-infinity' ${chosen} and c.not_before > ${ahead}`, named)
    await tx.run(`update scope_leases c set leased_until = now() ${chosen} and c.owner is not null and c.leased_until > ${ahead}`, named)
    await tx.run(`update scope_heads c set turn_at = now(), rest_until = null ${chosen} and c.turn_at > ${ahead}`, named)
    await tx.run(`update tenant_turns set due_at = now() where due_at > ${ahead}`)
    return held.length
  })
}
