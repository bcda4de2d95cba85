/** A possible conflict between the first and the last claim of a scope, whatever the reader finds: written as a round would. */

import type { TestService } from './service.js'

export async function addPossible(service: TestService, tenantId: string, scopeId: string): Promise<string> {
  const id = `pcf_${scopeId.padEnd(22, 'x').slice(0, 22)}`
  const { owner } = service.database
  await owner.query(
    `insert into possible_conflicts (tenant_id, scope_no, generation, possible_no, possible_conflict_id, status, kind, severity, score_micros,
       claim_a, claim_b, reason, detected_at, detected_round)
     select s.tenant_id, s.scope_no, s.generation, 1000, $3, 'open', 'numeric', 'low', 500000, min(c.claim_no), max(c.claim_no),
       'These may be two names of one thing.', now(), 1
     from scopes s join claims c on c.tenant_id = s.tenant_id and c.scope_no = s.scope_no and c.generation = s.generation
     where s.tenant_id = $1 and s.scope_id = $2 group by s.tenant_id, s.scope_no, s.generation`,
    [tenantId, scopeId, id],
  )
  await owner.query(
    `update scope_states t set aggregates = (t.aggregates::jsonb || jsonb_build_object('possibleOpen', (t.aggregates->>'possibleOpen')::integer + 1))::json
     from scopes s where s.tenant_id = $1 and s.scope_id = $2 and t.tenant_id = s.tenant_id and t.scope_no = s.scope_no`,
    [tenantId, scopeId],
  )
  return id
}
