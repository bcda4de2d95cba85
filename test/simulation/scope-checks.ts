/** What must hold of the scopes of a database once nothing goes wrong any more. Gives what is wrong, in words. */

import { setTimeout as wait } from 'node:timers/promises'
import { runnableSql } from '../../src/store/runtime/runtime.js'
import type { Database } from '../../src/store/server/database.js'

/** Documents whose live claims are not those of the newest revision that was admitted. */
export async function wrongRevisions(db: Database, tenantId: string | null = null): Promise<string[]> {
  const { rows } = await db.engineQuery<{ document_id: string; revision: number; newest: number }>(
    `select distinct c.document_id, c.revision, n.revision as newest from claims c
     join scopes s on s.tenant_id = c.tenant_id and s.scope_no = c.scope_no and s.generation = c.generation
     cross join lateral (
       select d.revision, d.first_claim_no, d.claim_count from documents d
       where d.tenant_id = c.tenant_id and d.scope_no = c.scope_no and d.generation = c.generation and d.document_id = c.document_id
         and d.status = 'indexed' and d.round is not null
       order by d.revision desc limit 1) n
     where ($1::text is null or c.tenant_id = $1) and c.superseded_at is null
       and not (c.claim_no >= n.first_claim_no and c.claim_no < n.first_claim_no + n.claim_count)`,
    [tenantId],
  )
  return rows.map(row => `claims of revision ${row.revision} of ${row.document_id} are live beside revision ${row.newest}`)
}

/** Documents that wait although nothing keeps them from being leased, still so after a while. */
export async function waitingForNothing(db: Database, withinMs = 60_000): Promise<string[]> {
  const end = performance.now() + withinMs
  for (;;) {
    const { rows } = await db.engineQuery<{ document_id: string; scope_id: string }>(
      `select b.document_id, s.scope_id from backlog b
       join scopes s on s.tenant_id = b.tenant_id and s.scope_no = b.scope_no and s.generation = b.generation
       join tenants t on t.tenant_id = b.tenant_id and t.deleted_at is null
       join scope_leases l on l.tenant_id = b.tenant_id and l.scope_no = b.scope_no
       where b.not_before <= clock_timestamp() and (l.owner is null or l.leased_until < clock_timestamp())
         and ${runnableSql('b.tenant_id', 'b.scope_no')}
         and t.concurrent_scopes > (
           select count(*) from scope_leases o where o.tenant_id = b.tenant_id and o.owner is not null and o.leased_until > clock_timestamp())
       limit 5`,
    )
    if (rows.length === 0) return []
    if (performance.now() > end) return rows.map(row => `${row.document_id} of ${row.scope_id} waits although it may run`)
    await wait(50)
  }
}
