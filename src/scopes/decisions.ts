/** What policy decided about a scope, in the order of its chain, or against it. */

import { type DecisionRow, listDecisionRows } from '../store/findings/findings.js'
import type { PageRequest } from './cursors.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { listInScope } from './scope-list.js'
import type { DecisionRecord, Page } from './types.js'

export function listDecisions(
  deps: ScopesDeps,
  input: ScopeName & PageRequest & { review?: 'pending' | undefined; by?: 'person' | undefined; order?: 'newest' | undefined },
): Promise<Page<DecisionRecord>> {
  const filter = { pending: input.review === 'pending', byPeople: input.by === 'person', newestFirst: input.order === 'newest' }
  return listInScope(deps, input, {
    name: 'decisions',
    // What is not asked for is not in it: cursors of before go on.
    filters: [input.review, ...[input.by, input.order].filter(each => each !== undefined)],
    rows: (tx, scope, { after, limit }) => listDecisionRows(tx, scope, { ...filter, after: after?.[0] as number | undefined, limit }),
    place: row => [row.seq],
    shape: ['number'],
    items: rows => rows.map(toDecisionRecord),
  })
}

export function toDecisionRecord(row: DecisionRow): DecisionRecord {
  const { scope_no: _scopeNo, generation: _generation, actor, verdict, finding_id, reason, ...record } = row
  if (actor.kind !== 'person') return record
  return { ...record, said: { by: actor.id, vouched: actor.bound === true, verdict, finding_id, reason } }
}
