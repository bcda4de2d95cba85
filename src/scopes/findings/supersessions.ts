/** What replaced what in a scope, and why: so that no claim stops counting silently. */

import { invariant } from '../../platform/errors.js'
import { readClaimRows } from '../../store/findings/findings.js'
import { listSupersessionRows, type SupersessionRow } from '../../store/findings/supersessions.js'
import type { ScopePlace } from '../../store/scopes/scopes.js'
import type { TenantTransaction } from '../../store/server/database.js'
import { idsAsked } from '../asked-ids.js'
import { toClaimRecord } from '../claims.js'
import type { PageRequest } from '../cursors.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { optionalInstant } from '../instants.js'
import { listInScope } from '../scope-list.js'
import type { Page, SupersessionRecord } from '../types.js'

export function listSupersessions(
  deps: ScopesDeps,
  input: ScopeName &
    PageRequest & { status?: SupersessionRow['status'] | 'all' | undefined; knownAt?: string | undefined; ids?: string | undefined },
): Promise<Page<SupersessionRecord>> {
  const { status = 'all' } = input
  const ids = idsAsked(input.ids)
  const knownAt = optionalInstant(input.knownAt, '/known_at')
  return listInScope(deps, input, {
    name: 'supersessions',
    filters: [status, ...(knownAt === null ? [] : [knownAt]), ...(ids === null ? [] : ['ids', ids.join()])],
    rows: (tx, scope, { after, limit }) =>
      listSupersessionRows(tx, scope, { status, knownAt, ids, after: (after?.[0] ?? -1) as number, limit }),
    place: row => [row.supersession_no],
    shape: ['number'],
    items: (rows, tx, scope) => toSupersessionRecords(tx, scope, rows, knownAt),
  })
}

/** The rows with their claims, in the same order. */
export async function toSupersessionRecords(
  tx: TenantTransaction,
  scope: ScopePlace & { scopeId: string },
  rows: readonly SupersessionRow[],
  knownAt: string | null = null,
): Promise<SupersessionRecord[]> {
  const claimNos = rows.flatMap(row => [row.claim_no, row.by_claim_no])
  const claims = await readClaimRows(tx, scope, claimNos, knownAt)
  return rows.map(row => {
    const [claim, by] = [claims.get(row.claim_no), claims.get(row.by_claim_no)]
    invariant(claim !== undefined && by !== undefined, 'a supersession has lost a claim')
    return {
      supersession_id: row.supersession_id,
      scope_id: scope.scopeId,
      status: row.status,
      kind: row.kind,
      claim: toClaimRecord(claim),
      superseded_by: toClaimRecord(by),
      reason: row.reason,
      evidence: row.evidence,
      found_by: row.found_by ?? 'rules',
      detected_at: row.detected_at,
      round: row.detected_round,
      contradiction_id: row.contradiction_id,
      ...(row.objection === null ? {} : { objection: row.objection }),
    }
  })
}
