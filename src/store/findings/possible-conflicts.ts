/**
 * Possible conflicts: pairs of claims that may disagree, but not surely enough to say so. Listed best first, decided by people. One whose claim ends is dismissed by the system; it opens again when the
 * claim counts again.
 */

import type { PossibleStanding } from '../../kernel/document-content.js'
import type { Severity } from '../../kernel/types.js'
import type { ConflictKind } from '../../reading/types.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import { bindings } from '../server/columns.js'
import type { TenantTransaction, Transaction } from '../server/database.js'
import { findingsThen, numbersOf, storedAs } from './finding-history.js'
import { type FoundRow, presentScope } from './findings.js'

/** Those of these claims that nobody has decided. */
export async function readOpenPossible(tx: Transaction, place: ScopePlace, claimNos: readonly number[]): Promise<PossibleStanding[]> {
  if (claimNos.length === 0) return []
  return tx.rows<PossibleStanding>(openTouching(), [...placeOf(place), claimNos])
}

/** Every step is from a key to its rows, in the order of the index that holds them (see `indexOrder`). */
function openTouching(): string {
  const by = (column: string) => `
    select f.possible_no from unnest($4::bigint[]) as k (claim_no) cross join lateral (
      select possible_no from possible_conflicts
      where ${ofPlace} and ${column} >= k.claim_no and ${column} <= k.claim_no and status = 'open'
      order by ${column}
    ) f`
  const claim = (column: string) => `
    cross join lateral (
      select claim_id from claims where ${ofPlace} and claim_no >= p.${column} and claim_no <= p.${column} order by claim_no limit 1
    )`
  return `
    with touched as (${by('claim_a')} union ${by('claim_b')})
    select p.possible_conflict_id as "possibleConflictId", a.claim_id as a, b.claim_id as b
    from touched t
    cross join lateral (
      select possible_conflict_id, possible_no, claim_a, claim_b from possible_conflicts
      where ${ofPlace} and possible_no >= t.possible_no and possible_no <= t.possible_no
      order by possible_no limit 1
    ) p
    ${claim('claim_a')} a
    ${claim('claim_b')} b
    order by p.possible_no`
}

export interface PossibleRow extends FoundRow {
  possible_no: number
  possible_conflict_id: string
  status: 'open' | 'promoted' | 'dismissed' | 'cleared'
  kind: ConflictKind
  severity: Severity
  score_micros: number
  claim_a: number
  claim_b: number
  slot_key: string | null
  group_a: string | null
  group_b: string | null
  proposes: 'replacement' | null
  decision: PossibleDecision | null
  contradiction_id: string | null
}

/** As people see it. */
export type PossibleStatus = PossibleRow['status'] | 'accepted'

export function statusOf({ status, decision }: Pick<PossibleRow, 'status' | 'decision'>): PossibleStatus {
  return decision?.verdict === 'accept' ? 'accepted' : status
}

export interface PossibleDecision {
  /** `superseded` when a claim of it ended, `clear` when a model found the two compatible. */
  verdict: 'promote' | 'dismiss' | 'accept' | 'superseded' | 'clear'
  /** What was accepted. */
  supersession_id?: string
  reason: string
  by: string
  decided_at: string
  round: number
}

export const possibleColumns = `
  p.possible_no, p.possible_conflict_id, p.scope_no, p.generation, p.status, p.kind, p.severity, p.score_micros, p.claim_a, p.claim_b, p.slot_key,
  p.group_a, p.group_b, p.reason, p.evidence, p.found_by, p.proposes, p.detected_at, p.detected_round, p.decision, x.contradiction_id`

/** The contradiction that a person made of a row `p`. */
export const contradictionMade = `
  left join contradictions x on x.tenant_id = p.tenant_id and x.scope_no = p.scope_no and x.generation = p.generation
    and x.contradiction_no = p.contradiction_no`

/** Best first. */
export async function listPossibleRows(
  tx: TenantTransaction,
  scope: ScopePlace,
  filter: {
    status: PossibleStatus | 'all'
    after: { scoreMicros: number; possibleNo: number } | null
    limit: number
    /** As it was known at this instant; null for now. */
    knownAt?: string | null
    /** Of either claim. */
    subject?: string | null
    ids?: readonly string[] | null
  },
): Promise<PossibleRow[]> {
  // Literals, because the planner matches the partial index of open ones by its constant only.
  const status = {
    open: "and p.status = 'open'",
    promoted: "and p.status = 'promoted'",
    dismissed: "and p.status = 'dismissed' and p.decision ->> 'verdict' <> 'accept'",
    // Nobody is asked about it any more: the replacement is a supersession.
    accepted: "and p.status = 'dismissed' and p.decision ->> 'verdict' = 'accept'",
    cleared: "and p.status = 'cleared'",
    all: '',
  }
  const { knownAt = null, subject = null } = filter
  const { values, bind } = bindings(...placeOf(scope), filter.after?.scoreMicros ?? 1_000_000, filter.after?.possibleNo ?? -1, filter.limit)
  const known = knownAt === null ? null : `${bind(knownAt)}::timestamptz`
  const from = storedAs('p', known)
  const about =
    subject === null
      ? ''
      : `and exists (select from claims c where ${inPlace('c')} and c.claim_no in (p.claim_a, p.claim_b) and lower(c.subject) = lower(${bind(subject)}))`
  const named = filter.ids == null ? '' : `and ${from}.possible_no = any (${numbersOf('possible_conflicts', bind(filter.ids))})`
  return tx.rows<PossibleRow>(
    `select ${possibleColumns} from ${findingsThen('possible_conflicts', 'p', known)} ${contradictionMade}
     where ${inPlace(from)} and ${from}.score_micros <= $4
       and (${from}.score_micros < $4 or ${from}.possible_no > $5) ${status[filter.status]} ${about} ${named}
     order by ${from}.score_micros desc, ${from}.possible_no limit $6`,
    values,
  )
}

export async function findPossible(tx: TenantTransaction, possibleConflictId: string): Promise<PossibleRow | null> {
  return tx.row<PossibleRow>(
    `select ${possibleColumns} from possible_conflicts p ${presentScope('p')} ${contradictionMade}
     where p.tenant_id = $1 and p.possible_conflict_id = $2`,
    [tx.tenantId, possibleConflictId],
  )
}
