/** Where documents may disagree, but not surely enough to say so: for a person to look at, best first. */

import { sha256 } from '../../kernel/canonical.js'
import { invariant } from '../../platform/errors.js'
import { type ClaimViewRow, readClaimRows } from '../../store/findings/findings.js'
import { findPossible, listPossibleRows, type PossibleRow, type PossibleStatus, statusOf } from '../../store/findings/possible-conflicts.js'
import type { ScopePlace } from '../../store/scopes/scopes.js'
import type { TenantTransaction } from '../../store/server/database.js'
import { idsAsked } from '../asked-ids.js'
import { toClaimRecord } from '../claims.js'
import type { PageRequest, Place } from '../cursors.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { optionalInstant } from '../instants.js'
import { listInScope } from '../scope-list.js'
import type { Page, PossibleConflictRecord, SeenPossibleConflict } from '../types.js'
import { openFinding } from './finding-readers.js'

export function listPossibleConflicts(
  deps: ScopesDeps,
  input: ScopeName & PageRequest & { status?: PossibleStatus | 'all' | undefined; knownAt?: string | undefined; ids?: string | undefined },
): Promise<Page<PossibleConflictRecord>> {
  const { status = 'open' } = input
  const ids = idsAsked(input.ids)
  const knownAt = optionalInstant(input.knownAt, '/known_at')
  return listInScope(deps, input, {
    name: 'possible-conflicts',
    filters: [status, ...(knownAt === null ? [] : [knownAt]), ...(ids === null ? [] : ['ids', ids.join()])],
    rows(tx, scope, { after, limit }) {
      return listPossibleRows(tx, scope, { status, knownAt, ids, after: behind(after), limit })
    },
    place: row => [row.score_micros, row.possible_no],
    shape: ['int4', 'number'],
    items: (rows, tx, scope) => toPossibleRecords(tx, scope, rows, knownAt),
  })
}

export function behind(after: Place | null): { scoreMicros: number; possibleNo: number } | null {
  const [scoreMicros, possibleNo] = (after ?? []) as number[]
  return scoreMicros === undefined || possibleNo === undefined ? null : { scoreMicros, possibleNo }
}

export const possible = { name: 'possible conflict' as const, find: findPossible, records: toPossibleRecords }

/** One of them, with those who have opened it before. */
export function getPossibleConflict(
  deps: ScopesDeps,
  input: { tenantId: string; possibleConflictId: string },
): Promise<SeenPossibleConflict> {
  return openFinding(deps, { tenantId: input.tenantId, id: input.possibleConflictId }, possible)
}

/** The rows with their claims, in the same order. */
export async function toPossibleRecords(
  tx: TenantTransaction,
  scope: ScopePlace & { scopeId: string },
  rows: readonly PossibleRow[],
  knownAt: string | null = null,
): Promise<PossibleConflictRecord[]> {
  const claimNos = rows.flatMap(row => [row.claim_a, row.claim_b])
  const claims = await readClaimRows(tx, scope, claimNos, knownAt)
  return rows.map(row => toRecord(row, scope.scopeId, claims))
}

function toRecord(row: PossibleRow, scopeId: string, claims: ReadonlyMap<number, ClaimViewRow>): PossibleConflictRecord {
  const [a, b] = [claims.get(row.claim_a), claims.get(row.claim_b)]
  invariant(a !== undefined && b !== undefined, 'a possible conflict has lost a claim')
  return {
    possible_conflict_id: row.possible_conflict_id,
    scope_id: scopeId,
    status: statusOf(row),
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
    proposes: row.proposes,
    look: row.status === 'cleared' && isSampled(row.possible_conflict_id),
    contradiction_id: row.contradiction_id,
    ...(row.decision === null ? {} : { decision: row.decision }),
  }
}

/** One in twenty, by its id: nobody can tell beforehand, and asking again gives the same. */
function isSampled(possibleConflictId: string): boolean {
  return Number.parseInt(sha256(possibleConflictId).slice(0, 8), 16) % 20 === 0
}
