/**
 * Tenants that have documents waiting and may not be served: paused ones, some whose documents wait for their next
 * attempt, some that have as many scopes leased as they may. More of each than anybody looks at at once.
 */

import type { PipelineWorld } from '../pipeline/support.js'

const paused = 140
const backingOff = 20
const bound = 20

export async function addBystanders(world: PipelineWorld): Promise<void> {
  const tenants = async (count: number, concurrentScopes?: number) => {
    const made: string[] = []
    for (let n = 0; n < count; n++) made.push(await world.newTenant(concurrentScopes === undefined ? {} : { concurrentScopes }))
    return made
  }
  const [halted, waiting, full] = [await tenants(paused), await tenants(backingOff), await tenants(bound, 1)]
  const documents = (tenantIds: readonly string[], scopeId: string) =>
    tenantIds.map(tenantId => ({ tenantId, scopeId, documentId: 'doc', text: 'Costs were EUR 1M in 2025.' }))
  // Before any document, so that no worker gets one of them.
  await world.rows(`insert into runtime_states (tenant_id, scope_no, state) select t, 0, 'paused' from unnest($1::text[]) t`, [
    [...halted, ...waiting, ...full],
  ])
  await world.ingest([...documents(halted, 'case'), ...documents(waiting, 'case'), ...documents(full, 'held'), ...documents(full, 'case')])
  await world.rows(`update backlog set attempts = 1, not_before = clock_timestamp() + interval '1 hour' where tenant_id = any ($1)`, [
    waiting,
  ])
  await world.rows(
    `update scope_leases l set owner = 'somebody', fence = fence + 1, leased_until = clock_timestamp() + interval '1 hour'
     from scopes s where s.tenant_id = l.tenant_id and s.scope_no = l.scope_no and s.scope_id = 'held' and l.tenant_id = any ($1)`,
    [full],
  )
  await world.rows(`update runtime_states set state = 'running' where tenant_id = any ($1)`, [[...waiting, ...full]])
}
