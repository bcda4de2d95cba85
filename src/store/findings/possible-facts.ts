/** Undecided possible conflicts as far as it takes to tell which are shown and which are about one fact. */

import type { OpenPair } from '../../kernel/possible-facts.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { TenantTransaction } from '../server/database.js'
import { contradictionMade, type PossibleRow, possibleColumns } from './possible-conflicts.js'

/** The likeliest, where there are more: those between two documents are few, so that only cases of thousands of alike papers get there. */
const mostLookedAt = 20_000

/** Plain columns: made into JSON by the server and read again here, the pairs of a large case took three times as long. */
const sideOf = (row: string) => `
  ${row}.document_id as ${row}_document, ${row}.start_at as ${row}_start, ${row}.end_at as ${row}_end,
  coalesce(${row}.statement_no, ${row}.claim_no) as ${row}_statement,
  case when ${row}.subject <> '' and ${row}.attribute <> '' then ${row}.slot_hash end as ${row}_question`

type SideColumns<Row extends string> = Record<`${Row}_document`, string> &
  Record<`${Row}_start` | `${Row}_end` | `${Row}_statement`, number> &
  Record<`${Row}_question`, number | null>

/** Without the replacements that are proposed: those go by pairs of documents. */
export async function readOpenPairs(tx: TenantTransaction, scope: ScopePlace): Promise<OpenPair[]> {
  const rows = await tx.rows<{ no: number; score: number } & SideColumns<'a'> & SideColumns<'b'>>(
    `select p.possible_no as no, p.score_micros as score, ${sideOf('a')}, ${sideOf('b')}
     from possible_conflicts p
     join claims a on ${inPlace('a')} and a.claim_no = p.claim_a
     join claims b on ${inPlace('b')} and b.claim_no = p.claim_b
     where ${inPlace('p')} and p.status = 'open' and p.proposes is null
     order by p.score_micros desc, p.possible_no limit $4`,
    [...placeOf(scope), mostLookedAt],
  )
  return rows.map(row => ({
    no: row.no,
    score: row.score,
    a: { documentId: row.a_document, start: row.a_start, end: row.a_end, statement: row.a_statement, question: row.a_question },
    b: { documentId: row.b_document, start: row.b_start, end: row.b_end, statement: row.b_statement, question: row.b_question },
  }))
}

export async function readPossibleNumbers(tx: TenantTransaction, scope: ScopePlace, ids: readonly string[]): Promise<number[]> {
  const statement = `select possible_no from possible_conflicts where ${ofPlace} and possible_conflict_id = any ($4::text[])`
  return tx.column<number>(statement, [...placeOf(scope), ids])
}

/** By their numbers, the likeliest first. */
export async function readPossibleRows(
  tx: TenantTransaction,
  scope: ScopePlace,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, PossibleRow>> {
  const rows = await tx.rows<PossibleRow>(
    `select ${possibleColumns} from possible_conflicts p ${contradictionMade} where ${inPlace('p')} and p.possible_no = any ($4::bigint[])
     order by p.score_micros desc, p.possible_no`,
    [...placeOf(scope), numbers],
  )
  return new Map(rows.map(row => [row.possible_no, row]))
}
