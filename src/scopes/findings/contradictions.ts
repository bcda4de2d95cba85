/** Where the documents of a scope disagree, with the claims of both sides and those that say the same. */

import { invariant } from '../../platform/errors.js'
import { type ContradictionRow, findContradiction, listContradictionRows } from '../../store/findings/findings.js'
import { readSides, type SideRow } from '../../store/findings/sides.js'
import type { ScopePlace } from '../../store/scopes/scopes.js'
import type { TenantTransaction } from '../../store/server/database.js'
import { idsAsked } from '../asked-ids.js'
import { toClaimRecord } from '../claims.js'
import type { PageRequest } from '../cursors.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { optionalInstant } from '../instants.js'
import { listInScope } from '../scope-list.js'
import { isStorable } from '../storable.js'
import type { ClaimRecord, ContradictionRecord, Page, Resolution, SeenContradiction, Severity } from '../types.js'
import { openFinding } from './finding-readers.js'

export interface ListContradictionsInput extends ScopeName, PageRequest {
  status?: 'open' | 'resolved' | 'dismissed' | 'all' | undefined
  severity?: Severity | undefined
  /** Only those in which this document stands on a side. */
  documentId?: string | undefined
  foundBy?: 'rules' | 'model' | 'person' | undefined
  assignedTo?: string | undefined
  /** ISO instant: as they were known then. */
  knownAt?: string | undefined
  /** Only these, as a query names them. */
  ids?: string | undefined
}

/** Claims shown beside the one that leads a side. */
const shownSupporters = 50

export function listContradictions(deps: ScopesDeps, input: ListContradictionsInput): Promise<Page<ContradictionRecord>> {
  const { status = 'open', severity = null, documentId = null, foundBy = null, assignedTo = null } = input
  const knownAt = optionalInstant(input.knownAt, '/known_at')
  const ids = idsAsked(input.ids)
  return listInScope(deps, input, {
    name: 'contradictions',
    filters: [
      status,
      severity,
      documentId,
      foundBy,
      ...(knownAt === null ? [] : [knownAt]),
      ...(assignedTo === null ? [] : ['for', assignedTo]),
      ...(ids === null ? [] : ['ids', ids.join()]),
    ],
    async rows(tx, scope, { after, limit }) {
      if (documentId !== null && !isStorable(documentId)) return []
      const filter = { status, severity, documentId, foundBy, assignedTo, knownAt, ids }
      return listContradictionRows(tx, scope, { ...filter, after: (after?.[0] ?? -1) as number, limit })
    },
    place: row => [row.contradiction_no],
    shape: ['number'],
    items: (rows, tx, scope) => toContradictionRecords(tx, scope, rows, { knownAt }),
  })
}

export const contradiction = { name: 'contradiction' as const, find: findContradiction, records: toContradictionRecords }

/** One of them, with those who have opened it before. */
export function getContradiction(deps: ScopesDeps, input: { tenantId: string; contradictionId: string }): Promise<SeenContradiction> {
  return openFinding(deps, { tenantId: input.tenantId, id: input.contradictionId }, contradiction)
}

/** The rows with their sides, in the same order. */
export async function toContradictionRecords(
  tx: TenantTransaction,
  scope: ScopePlace & { scopeId: string },
  rows: readonly ContradictionRow[],
  { supporters = shownSupporters, knownAt = null }: { supporters?: number; knownAt?: string | null } = {},
): Promise<ContradictionRecord[]> {
  const contradictionNos = rows.filter(row => row.reported === null).map(row => row.contradiction_no)
  const sides = contradictionNos.length === 0 ? [] : await readSides(tx, scope, { contradictionNos, supporters, knownAt })
  const byNo = new Map<number, SideRow[]>()
  for (const side of sides) byNo.set(side.contradiction_no, [...(byNo.get(side.contradiction_no) ?? []), side])
  return rows.map(row => toContradictionRecord(row, scope.scopeId, byNo.get(row.contradiction_no) ?? []))
}

function toContradictionRecord(row: ContradictionRow, scopeId: string, sides: readonly SideRow[]): ContradictionRecord {
  const a = sideOf(row, sides, 'a')
  const b = sideOf(row, sides, 'b')
  return {
    contradiction_id: row.contradiction_id,
    scope_id: scopeId,
    status: row.status,
    kind: row.kind,
    severity: row.severity,
    subject: row.subject,
    attribute: row.attribute,
    a: a.shown,
    b: b.shown,
    supporters_a: a.supporters,
    supporters_b: b.supporters,
    supporters: { a: a.others, b: b.others },
    reason: row.reason,
    evidence: withStanding(withStanding(row.evidence, 'a', a), 'b', b),
    found_by: row.found_by ?? (row.kind === 'reported' ? 'person' : 'rules'),
    confidence: row.confidence,
    detected_at: row.detected_at,
    round: row.detected_round,
    ...(row.assignment === null ? {} : { assignment: row.assignment }),
    ...(row.comments === 0 ? {} : { comments: row.comments }),
    ...(row.resolution === null ? {} : { resolution: toResolution(row) }),
  }
}

interface Side {
  shown: ContradictionRecord['a']
  supporters: ClaimRecord[]
  /** All of them, shown or not. */
  others: number
  /** Who says what is shown, and of when, where that is not the claim the contradiction was found with. */
  instead: { issuer: string | null; time: string | null } | null
}

function sideOf(row: ContradictionRow, sides: readonly SideRow[], side: 'a' | 'b'): Side {
  if (row.reported !== null) {
    return {
      shown: { quote: row.reported[`claim_${side}`], source: row.reported[`source_${side}`] },
      supporters: [],
      others: 0,
      instead: null,
    }
  }
  const [standing, ...others] = sides.filter(each => each.side === side)
  invariant(standing !== undefined, 'a contradiction has a side without claims')
  const shown = toClaimRecord(standing)
  const instead = standing.instead === null ? null : { ...standing.instead, time: shown.period }
  return { shown, supporters: others.map(toClaimRecord), others: standing.members - 1, instead }
}

/** The evidence names issuer and day of the claims the contradiction was found with: where another is shown, its own stand there. */
function withStanding(evidence: ContradictionRow['evidence'], side: 'a' | 'b', { instead }: Side): ContradictionRow['evidence'] {
  if (evidence === null || instead === null) return evidence
  const { times, issuers } = evidence
  return { ...evidence, times: { ...times, [side]: instead.time }, issuers: { ...issuers, [side]: instead.issuer } }
}

/** As recorded; the time is the row's own. */
export function toResolution(row: Pick<ContradictionRow, 'resolution' | 'resolved_at' | 'detected_at'>): Resolution {
  const { verdict, side, reason, by, round, effect } = (row.resolution ?? {}) as Partial<Resolution>
  return {
    verdict: verdict ?? 'superseded',
    ...(side === undefined ? {} : { side }),
    reason: reason ?? '',
    by: by ?? 'system',
    resolved_at: row.resolved_at ?? row.detected_at,
    round: round ?? 0,
    ...(effect === undefined ? {} : { effect }),
  }
}
