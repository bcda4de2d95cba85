/** What policy decided about a scope, in the order of its chain. */

import { type DecisionRow, listDecisionRows } from '../store/findings/findings.js'
import type { PageRequest } from './cursors.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { listInScope } from './scope-list.js'
import type { DecisionRecord, Page } from './types.js'

export function listDecisions(
  deps: ScopesDeps,
  input: ScopeName & PageRequest & { review?: 'pending' | undefined },
): Promise<Page<DecisionRecord>> {
  const pending = input.review === 'pending'
  return listInScope(deps, input, {
    name: 'decisions',
    filters: [input.review],
    rows: (tx, scope, { after, limit }) => listDecisionRows(tx, scope, { pending, after: (after?.[0] ?? -1) as number, limit }),
    place: row => [row.seq],
    shape: ['number'],
    items: rows => rows.map(toDecisionRecord),
  })
}

export function toDecisionRecord(row: DecisionRow): DecisionRecord {
  const { scope_no: _scopeNo, generation: _generation, actor: _actor, ...record } = row
  return record
}
