/**
 * Findings as they were: triggers keep what an act is about to change (migrations, finding_history and side_history), and here
 * it is read in place of what is kept now. Instants are compared as they are shown, in whole milliseconds.
 */

import { inPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'

const numbers = { contradictions: 'contradiction_no', possible_conflicts: 'possible_no', supersessions: 'supersession_no' }

export const shownInstant = (column: string) => `date_trunc('milliseconds', ${column})`

/** What stands in the from clause for findings of a scope, whose place is $1 to $3, as they were at the instant `known`. */
export function findingsThen(table: keyof typeof numbers, alias: string, known: string | null): string {
  if (known === null) return `${table} ${alias}`
  return `(select * from ${table} k where ${inPlace('k')} and ${shownInstant('k.detected_at')} <= ${known}) kept
    left join lateral (
      select h.state from finding_history h
      where ${inPlace('h')} and h.finding = '${table}' and h.finding_no = kept.${numbers[table]} and ${shownInstant('h.until')} > ${known}
      order by h.until limit 1) before on true
    cross join lateral jsonb_populate_record(null::${table}, to_jsonb(kept) || coalesce(before.state, '{}')) ${alias}`
}

/**
 * The row as it is kept, for what no act changes: its number and its score. By these a page is found in the order of an index; by those
 * of the row as it was, all findings of the scope are read and sorted for each page.
 */
export function storedAs(alias: string, known: string | null): string {
  return known === null ? alias : 'kept'
}

/** The numbers of findings that are named by their ids, which no act changes. */
export function numbersOf(table: 'contradictions' | 'possible_conflicts' | 'supersessions', ids: string): string {
  const [no, id] = {
    contradictions: ['contradiction_no', 'contradiction_id'],
    possible_conflicts: ['possible_no', 'possible_conflict_id'],
    supersessions: ['supersession_no', 'supersession_id'],
  }[table] as [string, string]
  return `array(select i.${no} from ${table} i where ${inPlace('i')} and i.${id} = any (${ids}::text[]))`
}

/** The same for the claims on the sides of contradictions: of those numbered in $4, or of the one that `of` names. */
export function sidesThen(known: string | null, of = 'any ($4::bigint[])'): string {
  if (known === null) return 'contradiction_sides'
  const columns = 'tenant_id, scope_no, generation, contradiction_no, side, claim_no, lead'
  return `(
    select ${columns} from contradiction_sides m where ${inPlace('m')} and m.contradiction_no = ${of} and ${shownInstant('m.since')} <= ${known}
    union all
    select ${columns} from side_history m where ${inPlace('m')} and m.contradiction_no = ${of}
      and ${shownInstant('m.since')} <= ${known} and ${shownInstant('m.until')} > ${known}) sides`
}

/** Blanks what people wrote about findings, in what they were before as well. */
export async function eraseFindingHistory(
  tx: Transaction,
  scope: ScopePlace,
  { claimNos, contradictionNos }: { claimNos: readonly number[]; contradictionNos: readonly number[] },
): Promise<void> {
  const said = (member: string) => `jsonb_set(h.state, '{${member},reason}', '"Erased with a document."', false)`
  await tx.run(
    `update finding_history h set state = case
       when (h.state->>'closed_itself')::boolean then h.state
       when h.state->'resolution'->>'by' is not null then ${said('resolution')}
       when h.state->'decision'->>'by' is not null then ${said('decision')}
       when h.state->'objection'->>'by' is not null then ${said('objection')} else h.state end
     where ${inPlace('h')} and case h.finding
       when 'contradictions' then h.finding_no = any ($5::bigint[])
       when 'possible_conflicts' then h.finding_no in (
         select p.possible_no from possible_conflicts p where ${inPlace('p')} and (p.claim_a = any ($4::bigint[]) or p.claim_b = any ($4::bigint[])))
       else h.finding_no in (
         select p.supersession_no from supersessions p where ${inPlace('p')} and (p.claim_no = any ($4::bigint[]) or p.by_claim_no = any ($4::bigint[]))) end`,
    [...placeOf(scope), claimNos, contradictionNos],
  )
}
