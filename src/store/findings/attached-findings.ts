/**
 * What hangs on the claims of a document that is read again: findings of every kind, with what people decided about them.
 */

import type { SpokenVerdict } from '../../kernel/standing.js'
import { stillSaidSql } from '../claims/claim-ends.js'
import { type ClaimRow, claimRowColumns, toClaim } from '../claims/claims.js'
import { inPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'

/** A claim of the reading that is replaced, whether it counts or not. */
export interface FormerClaim extends ClaimRow {
  /** As it is stored: the text may be gone. */
  quote: string | null
  ended: { by: string | null; reason: string; round: number } | null
}

export interface Member {
  claimNo: number
  claimId: string
  documentId: string
  /** Its document still says it. */
  said: boolean
}

export interface AttachedContradiction {
  no: number
  id: string
  /** Closed: by the system, because a side had no claim left. */
  status: 'open' | 'resolved' | 'dismissed' | 'closed'
  /** A promotion, an objection or a person who reported it made it. */
  personal: boolean
  foundBy: string | null
  /** What a person decided, as far as it is kept. */
  word: { verdict: SpokenVerdict; side: 'a' | 'b' | null } | null
  a: Member[]
  b: Member[]
}

export interface AttachedPossible {
  no: number
  id: string
  status: 'open' | 'promoted' | 'dismissed' | 'cleared' | 'closed'
  foundBy: string | null
  a: Member
  b: Member
}

export interface AttachedSupersession {
  no: number
  id: string
  status: 'standing' | 'objected'
  foundBy: string | null
  reason: string
  claim: Member
  by: Member
}

export interface AttachedFindings {
  former: FormerClaim[]
  contradictions: AttachedContradiction[]
  possible: AttachedPossible[]
  supersessions: AttachedSupersession[]
  /** What a model added to the reading that is replaced, and whether it had answered in full. */
  model: { foundBy: string; added: unknown[]; answered: boolean } | null
}

/** As many claims of a contradiction as are looked at. */
const mostMembers = 256

export async function readAttached(
  tx: Transaction,
  place: ScopePlace,
  document: { documentId: string; firstClaimNo: number; count: number; textHash: string },
): Promise<AttachedFindings> {
  const key = placeOf(place)
  const range = [...key, document.firstClaimNo, document.firstClaimNo + document.count]
  const [former, contradictions, possible, supersessions, model] = await Promise.all([
    tx.rows<FormerClaim>(
      `select ${claimRowColumns}, c.quote, case when c.superseded_at is not null then json_build_object('by', c.superseded_by,
          'reason', coalesce(c.superseded_reason, ''), 'round', coalesce(c.superseded_round, 0)) end as ended
        from claims c where ${inPlace('c')} and c.claim_no >= $4 and c.claim_no < $5 order by c.claim_no`,
      range,
    ),
    tx.rows<AttachedContradiction>(
      `select x.contradiction_no as no, x.contradiction_id as id, x.found_by as "foundBy",
          case when x.closed_itself then 'closed' else x.status end as status,
          case when not x.closed_itself then json_build_object('verdict', x.resolution->>'verdict', 'side', x.resolution->>'side') end as word,
          x.kind = 'reported' or exists (select from possible_conflicts p where ${inPlace('p')} and p.contradiction_no = x.contradiction_no)
            or exists (select from supersessions s where ${inPlace('s')} and s.contradiction_no = x.contradiction_no) as personal,
          ${membersOf('a')} as a, ${membersOf('b')} as b
        from contradictions x
        where ${inPlace('x')} and x.contradiction_no in (
          select m.contradiction_no from contradiction_sides m where ${inPlace('m')} and m.claim_no >= $4 and m.claim_no < $5)
        order by x.contradiction_no`,
      range,
    ),
    tx.rows<AttachedPossible>(
      `select p.possible_no as no, p.possible_conflict_id as id, p.found_by as "foundBy",
          case when p.closed_itself then 'closed' else p.status end as status, ${memberOf('a')} as a, ${memberOf('b')} as b
        from possible_conflicts p
        join claims a on ${inPlace('a')} and a.claim_no = p.claim_a
        join claims b on ${inPlace('b')} and b.claim_no = p.claim_b
        where ${inPlace('p')} and ((p.claim_a >= $4 and p.claim_a < $5) or (p.claim_b >= $4 and p.claim_b < $5))
        order by p.possible_no`,
      range,
    ),
    tx.rows<AttachedSupersession>(
      `select p.supersession_no as no, p.supersession_id as id, p.status, p.found_by as "foundBy", p.reason, ${memberOf('b')} as by,
          ${memberOf('a')} as claim
        from supersessions p
        join claims a on ${inPlace('a')} and a.claim_no = p.claim_no
        join claims b on ${inPlace('b')} and b.claim_no = p.by_claim_no
        where ${inPlace('p')} and p.kind <> 'revision' and p.status <> 'withdrawn'
          and ((p.claim_no >= $4 and p.claim_no < $5) or (p.by_claim_no >= $4 and p.by_claim_no < $5))
        order by p.supersession_no`,
      range,
    ),
    tx.row<NonNullable<AttachedFindings['model']>>(
      `select m.model as "foundBy", coalesce(m.reading->'added', '[]') as added, m.outcome = 'answered' as answered from model_readings m
        join documents d on ${inPlace('d')} and d.document_id = m.document_id and d.revision = m.revision and d.text_hash = decode($5, 'hex')
        where ${inPlace('m')} and m.document_id = $4 and m.reading is not null order by m.revision desc limit 1`,
      [...key, document.documentId, document.textHash],
    ),
  ])
  return { former, contradictions, possible, supersessions, model }
}

function memberOf(alias: string): string {
  return `json_build_object('claimNo', ${alias}.claim_no, 'claimId', ${alias}.claim_id, 'documentId', ${alias}.document_id,
    'said', ${stillSaidSql(alias)})`
}

function membersOf(side: 'a' | 'b'): string {
  return `(
    select coalesce(json_agg(${memberOf('c')}), '[]') from (
      select m.claim_no from contradiction_sides m
      where ${inPlace('m')} and m.contradiction_no = x.contradiction_no and m.side = '${side}'
      order by m.lead desc, m.claim_no desc limit ${mostMembers}
    ) m join claims c on ${inPlace('c')} and c.claim_no = m.claim_no)`
}

/** Slots of the reading that is replaced. */
export function slotsOf({ former }: AttachedFindings): string[] {
  return former.map(row => toClaim(row).slotKey)
}

/** Documents the attached findings are about. */
export function documentsOf({ contradictions, possible, supersessions }: AttachedFindings): string[] {
  const members = [
    ...contradictions.flatMap(({ a, b }) => [...a, ...b]),
    ...possible.flatMap(({ a, b }) => [a, b]),
    ...supersessions.flatMap(({ claim, by }) => [claim, by]),
  ]
  return [...new Set(members.map(member => member.documentId))]
}
