/** Who is to look at a contradiction: said, passed on and taken back by people, on record, twice is once. */

import { invariant } from '../../platform/errors.js'
import { appendEvents } from '../../store/events/events.js'
import { endAssignment, insertAssignment } from '../../store/findings/assignments.js'
import { type ContradictionRow, findContradiction } from '../../store/findings/findings.js'
import type { ScopesDeps } from '../deps.js'
import { lockFound } from '../idempotent.js'
import { dayOf } from '../instants.js'
import type { AssignmentResult } from '../types.js'

export interface Assigning {
  tenantId: string
  contradictionId: string
  /** Null takes it back. */
  to: string | null
  due?: string | null | undefined
  /** Null where nobody was named and the key is nobody's. */
  by: string | null
  bound: boolean
}

export async function assign(deps: ScopesDeps, input: Assigning): Promise<AssignmentResult> {
  const { tenantId, contradictionId, to, by, bound } = input
  const due = input.due == null ? null : dayOf(input.due, '/due')
  const result = await deps.db.inTenant(tenantId, async tx => {
    const { scope, row } = await lockFound(tx, contradictionId, { name: 'contradiction', find: findContradiction })
    const named = { scope_id: scope.scopeId, contradiction_id: contradictionId }
    if (isSo(row, to, due)) return { ...named, assignment: row.assignment, changed: false }
    await endAssignment(tx, scope, row.contradiction_no, by)
    if (to !== null) await insertAssignment(tx, scope, row.contradiction_no, { to, due, by, bound })
    await appendEvents(tx, scope, [{ type: to === null ? 'contradiction.unassigned' : 'contradiction.assigned', data: named }])
    const after = await findContradiction(tx, contradictionId)
    invariant(after !== null, 'a contradiction disappeared under the lock')
    return { ...named, assignment: after.assignment, changed: true }
  })
  deps.hints.notify('events')
  return result
}

function isSo({ assignment }: ContradictionRow, to: string | null, due: string | null): boolean {
  return assignment === null ? to === null : assignment.to === to && assignment.due === due
}
