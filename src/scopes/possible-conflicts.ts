/** Where documents may disagree, but not surely enough to say so: for a person to look at, best first. */

import { invariant } from '../platform/errors.js'
import { type ClaimViewRow, readClaimRows } from '../store/findings/findings.js'
import { listPossibleRows, type PossibleRow } from '../store/findings/possible-conflicts.js'
import type { ScopePlace } from '../store/scopes/scopes.js'
import type { TenantTransaction } from '../store/server/database.js'
import { toClaimRecord } from './claims.js'
import { type PageRequest, pageOf, readPaging } from './cursors.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { resolveScope } from './lifecycle.js'
import type { Page, PossibleConflictRecord } from './types.js'

export interface ListPossibleInput extends ScopeName, PageRequest {
  status?: PossibleRow['status'] | 'all' | undefined
}

export async function listPossibleConflicts(deps: ScopesDeps, input: ListPossibleInput): Promise<Page<PossibleConflictRecord>> {
  const status = input.status ?? 'open'
  return deps.db.inTenant(
    input.tenantId,
    async tx => {
      const scope = await resolveScope(tx, input.scopeId)
      const list = ['possible-conflicts', input.tenantId, input.scopeId, scope.generation, status]
      const paging = readPaging(input, list, ['number', 'number'])
      const [scoreMicros, possibleNo] = (paging.after ?? []) as number[]
      const after = scoreMicros === undefined || possibleNo === undefined ? null : { scoreMicros, possibleNo }
      const rows = await listPossibleRows(tx, scope, { status, after, limit: paging.limit + 1 })
      const records = await toPossibleRecords(tx, { ...scope, scopeId: input.scopeId }, rows)
      return pageOf(
        rows.map((row, index) => ({ row, record: records[index] as PossibleConflictRecord })),
        paging,
        list,
        { place: ({ row }) => [row.score_micros, row.possible_no], item: ({ record }) => record },
      )
    },
    { readOnly: true, snapshot: true },
  )
}

/** The rows with their claims, in the same order. */
export async function toPossibleRecords(
  tx: TenantTransaction,
  scope: ScopePlace & { scopeId: string },
  rows: readonly PossibleRow[],
): Promise<PossibleConflictRecord[]> {
  const claims = await readClaimRows(
    tx,
    scope,
    rows.flatMap(row => [row.claim_a, row.claim_b]),
  )
  return rows.map(row => toRecord(row, scope.scopeId, claims))
}

function toRecord(row: PossibleRow, scopeId: string, claims: ReadonlyMap<number, ClaimViewRow>): PossibleConflictRecord {
  const [a, b] = [claims.get(row.claim_a), claims.get(row.claim_b)]
  invariant(a !== undefined && b !== undefined, 'a possible conflict has lost a claim')
  return {
    possible_conflict_id: row.possible_conflict_id,
    scope_id: scopeId,
    status: row.status,
    kind: row.kind,
    severity: row.severity,
    score: row.score_micros / 1_000_000,
    subject: a.subject,
    attribute: a.attribute,
    a: toClaimRecord(a),
    b: toClaimRecord(b),
    supporters_a: [],
    supporters_b: [],
    supporters: { a: 0, b: 0 },
    reason: row.reason,
    evidence: row.evidence,
    found_by: row.found_by ?? 'rules',
    detected_at: row.detected_at,
    round: row.detected_round,
    contradiction_id: row.contradiction_id,
    ...(row.decision === null ? {} : { decision: row.decision }),
  }
}
