/** What policy decided about a scope, in the order of its chain. */

import { type DecisionRow, listDecisionRows } from '../store/findings/findings.js'
import { type PageRequest, pageOf, readPaging } from './cursors.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { resolveScope } from './lifecycle.js'
import type { DecisionRecord, Page } from './types.js'

export interface ListDecisionsInput extends ScopeName, PageRequest {
  /** Only what waits for a person. */
  review?: 'pending' | undefined
}

export async function listDecisions(deps: ScopesDeps, input: ListDecisionsInput): Promise<Page<DecisionRecord>> {
  return deps.db.inTenant(
    input.tenantId,
    async tx => {
      const scope = await resolveScope(tx, input.scopeId)
      const list = ['decisions', input.tenantId, input.scopeId, scope.generation, input.review]
      const paging = readPaging(input, list, ['number'])
      const after = (paging.after?.[0] ?? -1) as number
      const rows = await listDecisionRows(tx, scope, { pending: input.review === 'pending', after, limit: paging.limit + 1 })
      return pageOf(rows, paging, list, { place: row => [row.seq], item: toDecisionRecord })
    },
    { readOnly: true },
  )
}

export function toDecisionRecord(row: DecisionRow): DecisionRecord {
  const { scope_no: _scopeNo, generation: _generation, actor: _actor, ...record } = row
  return record
}
