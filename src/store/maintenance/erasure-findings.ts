/** Steps of erasing a document that concern findings: contradictions, reports, possible conflicts, supersessions. */

import { slotHash } from '../claims/slot-hash.js'
import { inPlace, placeOf, type RecordedPlace } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import type { Transaction } from '../server/database.js'

/** The document to erase and everything found about it; input of every step. */
export interface Erasing {
  tx: Transaction
  scope: RecordedPlace
  documentId: string
  /** Numbers of all claims of all its revisions. */
  claimNos: readonly number[]
  claimIds: readonly string[]
  /** Contradictions one of its claims stands in, and those that were reported of it. */
  contradictionNos: readonly number[]
  /** Of contradictions, possible conflicts and supersessions: decisions are about them. */
  findingIds: readonly string[]
}

interface Lead {
  contradiction_no: number
  /** The claim of another document that takes the lead of each side; null where the erased document was alone. */
  a: number | null
  b: number | null
  subject: string | null
  attribute: string | null
  slot_key: string | null
}

/**
 * A finding says what its two leading claims say. Where the document led, the oldest claim of another document on that side
 * takes its place; where it stood alone, the finding keeps its sides and loses their words. What people wrote about it goes
 * in every case.
 */
export async function eraseFindings({ tx, scope, claimNos, contradictionNos }: Erasing): Promise<void> {
  if (contradictionNos.length === 0) return
  const leads = await tx.rows<Lead>(
    `with member as (
       select m.contradiction_no, m.side, m.lead, m.claim_no, m.claim_no = any ($5::bigint[]) as erased, c.subject, c.attribute,
         c.body->>'slotKey' as slot_key
       from contradiction_sides m
       join claims c on c.tenant_id = m.tenant_id and c.scope_no = m.scope_no and c.generation = m.generation and c.claim_no = m.claim_no
       where ${inPlace('m')} and m.contradiction_no = any ($4::bigint[])
     ), led as (
       select distinct contradiction_no from member where lead and erased
     ), next as (
       select distinct on (contradiction_no, side) * from member where not erased order by contradiction_no, side, lead desc, claim_no
     )
     select l.contradiction_no, a.claim_no as a, b.claim_no as b, coalesce(a.subject, b.subject) as subject,
       coalesce(a.attribute, b.attribute) as attribute, coalesce(a.slot_key, b.slot_key) as slot_key
     from led l left join next a on a.contradiction_no = l.contradiction_no and a.side = 'a'
     left join next b on b.contradiction_no = l.contradiction_no and b.side = 'b'`,
    [...placeOf(scope), contradictionNos, claimNos],
  )
  const shown = leads.map(lead => ({
    ...lead,
    standing: lead.a !== null && lead.b !== null && lead.slot_key !== null,
    slot_hash: lead.slot_key === null ? 0 : slotHash(lead.slot_key),
  }))
  await tx.run(
    `update contradictions x set subject = l.subject, attribute = l.attribute, reason = 'Other words of it were erased with a document.',
       slot_key = case when l.standing then l.slot_key end, slot_hash = case when l.standing then l.slot_hash end,
       group_a = case when l.standing then x.group_a end, group_b = case when l.standing then x.group_b end
     from unnest($4::bigint[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::boolean[])
       as l (contradiction_no, subject, attribute, slot_key, slot_hash, standing)
     where ${inPlace('x')} and x.contradiction_no = l.contradiction_no`,
    [...placeOf(scope), ...columnsOf(shown, 'contradiction_no', 'subject', 'attribute', 'slot_key', 'slot_hash', 'standing')],
  )
  await tx.run(
    `with next as (select * from unnest($4::bigint[], $5::bigint[]) as n (contradiction_no, claim_no) where claim_no is not null),
     led as (
       update contradiction_sides m set lead = true from next n
       where ${inPlace('m')} and m.contradiction_no = n.contradiction_no and m.claim_no = n.claim_no
       returning m.contradiction_no, m.side)
     delete from contradiction_sides m
     where ${inPlace('m')} and m.contradiction_no = any ($6::bigint[]) and m.claim_no = any ($7::bigint[])
       and (not m.lead or exists (select from led l where l.contradiction_no = m.contradiction_no and l.side = m.side))`,
    [
      ...placeOf(scope),
      shown.flatMap(lead => [lead.contradiction_no, lead.contradiction_no]),
      shown.flatMap(lead => [lead.a, lead.b]),
      contradictionNos,
      claimNos,
    ],
  )
  await tx.run(
    `update contradictions x set evidence = null, resolution = ${withoutReason('x.resolution', 'not x.closed_itself')}
     where ${inPlace('x')} and x.contradiction_no = any ($4::bigint[])`,
    [...placeOf(scope), contradictionNos],
  )
}

/**
 * Contradictions that somebody reported of the document, by its id or a name of it. They go on saying which documents they are about: what
 * people write about them later goes with any of these.
 */
export async function eraseReports({ tx, scope, documentId, contradictionNos }: Erasing): Promise<void> {
  const ofScope = inPlace('d')
  const kept = (source: string) => `case
    when ${source} = $5 or ${source} in (select d.name from documents d where ${ofScope} and d.document_id = $5) then $5
    when exists (select from documents d where ${ofScope} and d.document_id = ${source}) then ${source}
    when exists (select from documents d where ${ofScope} and d.name = ${source}) then ${source}
    else '' end`
  await tx.run(
    `update contradictions x set reason = 'Reported; its words were erased with a document.',
       reported = json_build_object('claim_a', '', 'claim_b', '', 'source_a', ${kept("x.reported->>'source_a'")}, 'source_b', ${kept("x.reported->>'source_b'")})
     where ${inPlace('x')} and x.reported is not null and x.contradiction_no = any ($4::bigint[])`,
    [...placeOf(scope), contradictionNos, documentId],
  )
}

/** What a person gave as the reason; the system's own reasons hold no words of a document. */
function withoutReason(column: string, isPersons: string): string {
  return `case when ${column} is not null and ${isPersons} then jsonb_set(${column}::jsonb, '{reason}', '"Erased with a document."')::json else ${column} end`
}

export async function erasePossible({ tx, scope, claimNos }: Erasing): Promise<void> {
  await tx.run(
    `update possible_conflicts p set evidence = null, reason = 'A document of it was erased.', slot_key = null, group_a = null, group_b = null,
       decision = ${withoutReason('p.decision', 'not p.closed_itself')}
     where ${inPlace('p')} and (p.claim_a = any ($4::bigint[]) or p.claim_b = any ($4::bigint[]))`,
    [...placeOf(scope), claimNos],
  )
}

export async function eraseSupersessions({ tx, scope, claimNos }: Erasing): Promise<void> {
  await tx.run(
    `update supersessions p set evidence = null, reason = 'A document of it was erased.', objection = ${withoutReason('p.objection', 'true')}
     where ${inPlace('p')} and (p.claim_no = any ($4::bigint[]) or p.by_claim_no = any ($4::bigint[]))`,
    [...placeOf(scope), claimNos],
  )
}
