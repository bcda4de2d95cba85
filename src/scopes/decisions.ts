/** What policy decided about a scope, in the order of its chain. */

import { type DecisionRow, listDecisionRows } from '../store/findings.js'
import { type PageRequest, pageOf, readPaging } from './cursors.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { resolveScope } from './lifecycle.js'
import type { DecisionRecord, Page } from './types.js'

export async function listDecisions(deps: ScopesDeps, input: ScopeName & PageRequest): Promise<Page<DecisionRecord>> {
  return deps.db.inTenant(
    input.tenantId,
    async tx => {
      const scope = await resolveScope(tx, input.scopeId)
      const list = ['decisions', input.tenantId, input.scopeId, scope.generation]
      const paging = readPaging(input, list, ['number'])
      const rows = await listDecisionRows(tx, scope, { after: (paging.after?.[0] ?? -1) as number, limit: paging.limit + 1 })
      return pageOf(rows, paging, list, { place: row => [row.seq], item: toDecisionRecord })
    },
    { readOnly: true },
  )
}

export function toDecisionRecord(row: DecisionRow): DecisionRecord {
  const { scope_no: _scopeNo, generation: _generation, ...record } = row
  return record
}
