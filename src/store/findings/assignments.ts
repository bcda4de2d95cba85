/** Rows of assignments: at most one stands on a contradiction; those that ended stay on record. */

import { ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import { isoSql } from '../server/columns.js'
import type { TenantTransaction } from '../server/database.js'
import { shownInstant } from './finding-history.js'

/** As readers see it beside the contradiction. */
export interface StandingAssignment {
  to: string
  due: string | null
  by: string | null
  vouched: boolean
  assigned_at: string
}

const ofContradiction = `s.tenant_id = x.tenant_id and s.scope_no = x.scope_no and s.generation = x.generation and s.contradiction_no = x.contradiction_no`

/** Of assignments `s`: those that stood at the instant `known`, or stand now. */
function stands(known: string | null): string {
  if (known === null) return 's.ended_at is null'
  return `${shownInstant('s.assigned_at')} <= ${known} and coalesce(${shownInstant('s.ended_at')} > ${known}, true)`
}

/** Who looks at contradiction `x`, and how much was written about it. */
export function togetherColumns(known: string | null): string {
  return `(select json_build_object('to', s.assigned_to, 'due', s.due, 'by', s.assigned_by, 'vouched', s.assigned_bound,
      'assigned_at', ${isoSql('s.assigned_at')})
    from assignments s where ${ofContradiction} and ${stands(known)} order by s.assignment_no desc limit 1) as assignment,
  (select count(*) from comments s where ${ofContradiction}${known === null ? '' : ` and ${shownInstant('s.said_at')} <= ${known}`}) as comments`
}

/** Contradictions `x` that `person` is to look at. */
export function assignedTo(person: string, known: string | null): string {
  return `exists (select from assignments s where ${ofContradiction} and ${stands(known)} and s.assigned_to = ${person})`
}

/** Under the scope's lock. False when nobody was assigned. */
export async function endAssignment(
  tx: TenantTransaction,
  scope: ScopePlace,
  contradictionNo: number,
  by: string | null,
): Promise<boolean> {
  return tx.touches(
    `update assignments set ended_by = $5, ended_at = clock_timestamp() where ${ofPlace} and contradiction_no = $4 and ended_at is null`,
    [...placeOf(scope), contradictionNo, by],
  )
}

export interface AssignmentWrite {
  to: string
  due: string | null
  by: string | null
  bound: boolean
}

/** Under the scope's lock, where none stands. */
export async function insertAssignment(
  tx: TenantTransaction,
  scope: ScopePlace,
  contradictionNo: number,
  { to, due, by, bound }: AssignmentWrite,
): Promise<void> {
  await tx.run(
    `insert into assignments (tenant_id, scope_no, generation, contradiction_no, assignment_no, assigned_to, due, assigned_by, assigned_bound)
     select $1, $2, $3, $4, coalesce(max(assignment_no), 0) + 1, $5, $6, $7, $8 from assignments where ${ofPlace} and contradiction_no = $4`,
    [...placeOf(scope), contradictionNo, to, due, by, bound],
  )
}
