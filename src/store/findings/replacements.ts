/** Replacements that are proposed to a person, those of one document by another together. */

import { inPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { TenantTransaction } from '../server/database.js'
import { contradictionMade, type PossibleRow, possibleColumns } from './possible-conflicts.js'

export interface ReplacementGroup {
  document_id: string
  by_document_id: string
  count: number
}

const proposed = `
  from possible_conflicts p
  join claims a on ${inPlace('a')} and a.claim_no = p.claim_a
  join claims b on ${inPlace('b')} and b.claim_no = p.claim_b
  ${contradictionMade}
  where ${inPlace('p')} and p.status = 'open' and p.proposes = 'replacement'`

/** By the document that would be replaced, then by the other. */
export async function listReplacementGroups(
  tx: TenantTransaction,
  scope: ScopePlace,
  { after, limit }: { after: readonly [string, string] | null; limit: number },
): Promise<ReplacementGroup[]> {
  return tx.rows<ReplacementGroup>(
    `select a.document_id, b.document_id as by_document_id, count(*) as count ${proposed}
       and (a.document_id, b.document_id) > ($4, $5)
     group by 1, 2 order by 1, 2 limit $6`,
    [...placeOf(scope), after?.[0] ?? '', after?.[1] ?? '', limit],
  )
}

/** The best first. */
export async function listProposed(
  tx: TenantTransaction,
  scope: ScopePlace,
  { document_id, by_document_id }: Omit<ReplacementGroup, 'count'>,
  limit: number,
): Promise<PossibleRow[]> {
  return tx.rows<PossibleRow>(
    `select ${possibleColumns} ${proposed} and a.document_id = $4 and b.document_id = $5 order by p.score_micros desc, p.possible_no limit $6`,
    [...placeOf(scope), document_id, by_document_id, limit],
  )
}
