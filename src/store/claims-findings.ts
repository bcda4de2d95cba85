/**
 * Contradictions as processing needs them: those of the slots and claims a round looks at, with the live claims on each
 * side, and the writing of new ones. Bounded per slot and per side, so that a much disputed slot costs no more.
 */

import type { ContradictionFound, ExistingFinding } from '../analysis/types.js'
import type { FindingStanding } from '../kernel/document-content.js'
import type { Severity } from '../kernel/types.js'
import type { Transaction } from './database.js'
import type { ScopePlace } from './rounds.js'
import { slotHash } from './slot-hash.js'

const findingsPerSlot = 64
const claimsPerSide = 64

export interface StoredFinding {
  contradictionNo: number
  finding: ExistingFinding
  standing: FindingStanding
}

interface FindingRow {
  contradiction_no: number
  contradiction_id: string
  status: 'open' | 'resolved' | 'dismissed'
  severity: Severity
  slot_key: string
  group_a: string
  group_b: string
  claims_a: string[] | null
  claims_b: string[] | null
}

const sideSql = (side: 'a' | 'b') => `
  select array_agg(f.claim_id order by f.claim_no desc) as ids from (
    select c.claim_id, c.claim_no from contradiction_sides s
    join claims c on c.tenant_id = s.tenant_id and c.scope_no = s.scope_no and c.generation = s.generation and c.claim_no = s.claim_no
    where s.tenant_id = x.tenant_id and s.scope_no = x.scope_no and s.generation = x.generation and s.contradiction_no = x.contradiction_no
      and s.side = '${side}' and c.superseded_at is null
    order by s.claim_no desc limit ${claimsPerSide + 1}
  ) f`

/** Contradictions of these slots, and those these live claims take part in; reported ones have no slot and no claims. */
export async function readFindings(
  tx: Transaction,
  place: ScopePlace,
  touched: { slotKeys: ReadonlySet<string>; claimNos: readonly number[] },
): Promise<StoredFinding[]> {
  const hashes = [...new Set([...touched.slotKeys].map(slotHash))]
  const { rows } = await tx.query<FindingRow>({
    name: 'claims-findings',
    text: `
      with wanted as (
        select f.contradiction_no from unnest($4::bigint[]) as k (slot_hash) cross join lateral (
          select contradiction_no from contradictions
          where tenant_id = $1 and scope_no = $2 and generation = $3 and slot_hash >= k.slot_hash and slot_hash <= k.slot_hash
          order by slot_hash desc, contradiction_no desc limit ${findingsPerSlot}
        ) f
        union
        select s.contradiction_no from contradiction_sides s
        where s.tenant_id = $1 and s.scope_no = $2 and s.generation = $3 and s.claim_no = any($5::bigint[])
      )
      select x.contradiction_no, x.contradiction_id, x.status, x.severity, x.slot_key, x.group_a, x.group_b, a.ids as claims_a, b.ids as claims_b
      from wanted w
      join contradictions x on x.tenant_id = $1 and x.scope_no = $2 and x.generation = $3 and x.contradiction_no = w.contradiction_no
      cross join lateral (${sideSql('a')}) a
      cross join lateral (${sideSql('b')}) b
      where x.slot_key is not null
      order by x.contradiction_no`,
    values: [place.tenantId, place.scopeNo, place.generation, hashes, touched.claimNos],
  })
  return rows.map(toFinding)
}

function toFinding(row: FindingRow): StoredFinding {
  const { contradiction_id: contradictionId, status, severity } = row
  const [a, b] = [row.claims_a ?? [], row.claims_b ?? []]
  const standing = (live: string[]) => ({ live: live.slice(0, claimsPerSide), more: live.length > claimsPerSide })
  return {
    contradictionNo: row.contradiction_no,
    finding: {
      contradictionId,
      slotKey: row.slot_key,
      status,
      groupA: row.group_a,
      groupB: row.group_b,
      claimIdsA: a.slice(0, claimsPerSide),
      claimIdsB: b.slice(0, claimsPerSide),
    },
    standing: { contradictionId, status, severity, a: standing(a), b: standing(b) },
  }
}

export interface FindingWrite {
  contradictionNo: number
  contradictionId: string
  found: ContradictionFound
  round: number
}

export interface SideWrite {
  contradictionNo: number
  side: 'a' | 'b'
  claimNo: number
  /** The claim shown as a or b; the others are supporters. */
  lead: boolean
}

export async function insertFindings(
  tx: Transaction,
  place: ScopePlace & { recordedAt: string },
  findings: readonly FindingWrite[],
  sides: readonly SideWrite[],
): Promise<void> {
  const sent: Promise<unknown>[] = []
  if (findings.length > 0) sent.push(insertContradictions(tx, place, findings))
  if (sides.length > 0) sent.push(insertSides(tx, place, sides))
  await Promise.all(sent)
}

async function insertContradictions(
  tx: Transaction,
  place: ScopePlace & { recordedAt: string },
  findings: readonly FindingWrite[],
): Promise<void> {
  await tx.query({
    name: 'claims-findings-insert',
    text: `
      insert into contradictions (tenant_id, scope_no, generation, contradiction_no, contradiction_id, status, kind, severity, slot_hash,
        slot_key, group_a, group_b, subject, attribute, reason, evidence, detected_at, detected_round)
      select $1, $2, $3, x.no, x.id, 'open', x.kind, x.severity, x.slot_hash, x.slot_key, x.group_a, x.group_b, x.subject, x.attribute,
        x.reason, x.evidence::json, $4, x.round
      from unnest($5::bigint[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::text[], $11::text[], $12::text[], $13::text[],
        $14::text[], $15::text[], $16::bigint[], $17::text[])
        as x (no, id, kind, severity, slot_hash, slot_key, group_a, group_b, subject, attribute, reason, round, evidence)`,
    values: [
      place.tenantId,
      place.scopeNo,
      place.generation,
      place.recordedAt,
      findings.map(each => each.contradictionNo),
      findings.map(each => each.contradictionId),
      findings.map(({ found }) => found.kind),
      findings.map(({ found }) => found.severity),
      findings.map(({ found }) => slotHash(found.slotKey)),
      findings.map(({ found }) => found.slotKey),
      findings.map(({ found }) => found.groupA),
      findings.map(({ found }) => found.groupB),
      findings.map(({ found }) => found.subject),
      findings.map(({ found }) => found.attribute),
      findings.map(({ found }) => found.reason),
      findings.map(each => each.round),
      findings.map(({ found }) => (found.evidence === undefined ? null : JSON.stringify(found.evidence))),
    ],
  })
}

async function insertSides(tx: Transaction, place: ScopePlace, sides: readonly SideWrite[]): Promise<void> {
  await tx.query({
    name: 'claims-sides-insert',
    text: `
      insert into contradiction_sides (tenant_id, scope_no, generation, contradiction_no, side, claim_no, lead)
      select $1, $2, $3, s.no, s.side, s.claim_no, s.lead
      from unnest($4::bigint[], $5::text[], $6::bigint[], $7::boolean[]) as s (no, side, claim_no, lead)
      on conflict do nothing`,
    values: [
      place.tenantId,
      place.scopeNo,
      place.generation,
      sides.map(each => each.contradictionNo),
      sides.map(each => each.side),
      sides.map(each => each.claimNo),
      sides.map(each => each.lead),
    ],
  })
}
