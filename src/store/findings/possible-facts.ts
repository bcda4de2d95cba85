/** Undecided possible conflicts as far as it takes to tell which are shown and which are about one fact. */

import type { OpenPair, PairSide } from '../../kernel/possible-facts.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { TenantTransaction } from '../server/database.js'
import { contradictionMade, type PossibleRow, possibleColumns } from './possible-conflicts.js'

/** The likeliest, where there are more: those between two documents are few, so that only cases of thousands of alike papers get there. */
const mostLookedAt = 20_000

const sideOf = (row: string) => `
  json_build_object('documentId', ${row}.document_id, 'start', ${row}.start_at, 'end', ${row}.end_at,
    'statement', coalesce(${row}.statement_no, ${row}.claim_no),
    'question', case when ${row}.subject <> '' and ${row}.attribute <> '' then ${row}.slot_hash::text end)`

/** Without the replacements that are proposed: those go by pairs of documents. */
export async function readOpenPairs(tx: TenantTransaction, scope: ScopePlace): Promise<OpenPair[]> {
  return tx.rows<{ no: number; score: number; a: PairSide; b: PairSide }>(
    `select p.possible_no as no, p.score_micros as score, ${sideOf('a')} as a, ${sideOf('b')} as b
     from possible_conflicts p
     join claims a on ${inPlace('a')} and a.claim_no = p.claim_a
     join claims b on ${inPlace('b')} and b.claim_no = p.claim_b
     where ${inPlace('p')} and p.status = 'open' and p.proposes is null
     order by p.score_micros desc, p.possible_no limit $4`,
    [...placeOf(scope), mostLookedAt],
  )
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
