/**
 * Contradictions as processing needs them: those of the slots and claims a round looks at, with the live claims on each side. Bounded per slot and per side, so that a much disputed slot costs no more.
 */

import type { FindingStanding } from '../../kernel/document-content.js'
import type { Severity } from '../../kernel/types.js'
import type { ExistingFinding } from '../../reading/types.js'
import { slotHash } from '../claims/slot-hash.js'
import { ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'

/** Of one slot and of one claim, the newest. */
const findingsPerKey = 64
const claimsPerSide = 64

export interface StoredFinding {
  contradictionNo: number
  finding: ExistingFinding
  standing: FindingStanding
}

interface FindingRow extends Omit<ExistingFinding, 'claimIdsA' | 'claimIdsB'> {
  contradictionNo: number
  severity: Severity
  a: string[]
  b: string[]
}

/** The live claims of one side, newest first. */
const sideSql = (side: 'a' | 'b') => `
  select array_agg(f.claim_id order by f.claim_no desc) as ids from (
    select c.claim_id, s.claim_no from (
      select contradiction_no, side, claim_no from contradiction_sides
      where ${ofPlace} and contradiction_no >= w.contradiction_no
        and contradiction_no <= w.contradiction_no and side >= '${side}' and side <= '${side}'
      order by contradiction_no desc, side desc, claim_no desc
    ) s cross join lateral (
      select claim_id, superseded_at from claims
      where ${ofPlace} and claim_no >= s.claim_no and claim_no <= s.claim_no
      order by claim_no limit 1
    ) c
    where c.superseded_at is null
    order by s.contradiction_no desc, s.side desc, s.claim_no desc limit ${claimsPerSide + 1}
  ) f`

/**
 * Contradictions of these slots, and those these live claims take part in; reported ones have no slot and no claims.
 * Every step is from a key to its rows, in the order of the index that holds them (see `indexOrder`). Left to itself the
 * server takes a scope for a single row and reads all contradictions and claims of it for each contradiction: in a scope
 * of 16 documents with 2,000 claims each that was 52 s instead of 0.1 s.
 */
export const findingsSql = `
  with wanted as (
    select f.contradiction_no from unnest($4::bigint[]) as k (slot_hash) cross join lateral (
      select contradiction_no from contradictions
      where ${ofPlace} and slot_hash >= k.slot_hash and slot_hash <= k.slot_hash
      order by slot_hash desc, contradiction_no desc limit ${findingsPerKey}
    ) f
    union
    select f.contradiction_no from unnest($5::bigint[]) as k (claim_no) cross join lateral (
      select contradiction_no from contradiction_sides
      where ${ofPlace} and claim_no >= k.claim_no and claim_no <= k.claim_no
      order by claim_no desc, contradiction_no desc limit ${findingsPerKey}
    ) f
  )
  select x.contradiction_no as "contradictionNo", x.contradiction_id as "contradictionId",
    case when x.closed_itself then 'closed' else x.status end as status, x.severity,
    x.slot_key as "slotKey", x.group_a as "groupA", x.group_b as "groupB", coalesce(a.ids, '{}') as a, coalesce(b.ids, '{}') as b
  from wanted w
  cross join lateral (
    select * from contradictions
    where ${ofPlace} and contradiction_no >= w.contradiction_no and contradiction_no <= w.contradiction_no
    order by contradiction_no limit 1
  ) x
  cross join lateral (${sideSql('a')}) a
  cross join lateral (${sideSql('b')}) b
  where x.slot_key is not null`

/** In a transaction with `indexOrder`. */
export async function readFindings(
  tx: Transaction,
  place: ScopePlace,
  touched: { slotKeys: ReadonlySet<string>; claimNos: readonly number[] },
): Promise<StoredFinding[]> {
  const hashes = [...new Set([...touched.slotKeys].map(slotHash))]
  const rows = await tx.rows<FindingRow>(findingsSql, [...placeOf(place), hashes, touched.claimNos])
  return rows.sort((one, other) => one.contradictionNo - other.contradictionNo).map(toFinding)
}

function toFinding({ contradictionNo, severity, a, b, ...found }: FindingRow): StoredFinding {
  const { contradictionId, status } = found
  const newest = (ids: string[]) => ids.slice(0, claimsPerSide)
  const standing = (ids: string[]) => ({ live: newest(ids), more: ids.length > claimsPerSide })
  return {
    contradictionNo,
    finding: { ...found, claimIdsA: newest(a), claimIdsB: newest(b) },
    standing: { contradictionId, status, severity, a: standing(a), b: standing(b) },
  }
}
