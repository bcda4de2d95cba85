/** Contradictions that somebody reported: which documents those in words are about, and which are between two passages. */

import { stillSaidSql } from '../claims/claim-ends.js'
import { claimRangesSql } from '../documents/documents.js'
import { inPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'

/** Named as a source by its id or by a name that one of its revisions has; the place is $1 to $3. */
export const isReportedOf = (alias: string, documentId: string) => {
  const names = (source: string) => `${alias}.reported->>'${source}' = ${documentId} or ${alias}.reported->>'${source}' in (
    select d.name from documents d where ${inPlace('d')} and d.document_id = ${documentId} and d.name <> '')`
  return `(${alias}.kind = 'reported' and (${names('source_a')} or ${names('source_b')}))`
}

/** Those that are said: their words were not erased with a document yet. */
export async function listReportsOf(tx: Transaction, place: ScopePlace, documentId: string): Promise<number[]> {
  return tx.column<number>(
    `select x.contradiction_no from contradictions x where ${inPlace('x')} and x.reported->>'claim_a' <> '' and ${isReportedOf('x', '$4')}`,
    [...placeOf(place), documentId],
  )
}

export interface ReportedPassage {
  documentId: string
  start: number
  end: number
}

/**
 * The contradiction that somebody reported between these two passages, whichever was called a, while both are said; of revisions that repeat
 * the text as well. None that closed by itself: what makes it so stands in its way still.
 */
export async function findReportBetween(
  tx: Transaction,
  place: ScopePlace,
  [one, other]: readonly [ReportedPassage, ReportedPassage],
): Promise<{ id: string; status: string } | null> {
  return tx.row<{ id: string; status: string }>(
    `select x.contradiction_id as id, x.status from documents d
     cross join ${claimRangesSql} as of_reading (numbers)
     join claims c on ${inPlace('c')} and c.claim_no >= lower(of_reading.numbers) and c.claim_no < upper(of_reading.numbers)
       and c.document_id = d.document_id and c.start_at = $5 and c.end_at = $6 and ${stillSaidSql('c')}
     join contradiction_sides s on ${inPlace('s')} and s.claim_no = c.claim_no and s.lead and s.in_force
     join contradictions x on ${inPlace('x')} and x.contradiction_no = s.contradiction_no and x.kind = 'reported' and x.in_force
       and not x.closed_itself
     join contradiction_sides t on ${inPlace('t')} and t.contradiction_no = x.contradiction_no and t.side <> s.side and t.lead and t.in_force
     join claims o on ${inPlace('o')} and o.claim_no = t.claim_no and o.document_id = $7 and o.start_at = $8 and o.end_at = $9
       and ${stillSaidSql('o')}
     where ${inPlace('d')} and d.document_id = $4 and d.status = 'indexed' and d.erased_at is null
     order by x.contradiction_no limit 1`,
    [...placeOf(place), one.documentId, one.start, one.end, other.documentId, other.start, other.end],
  )
}
