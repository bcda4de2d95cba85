/** The legal hold beside a row of a case or a document. */

/**
 * The hold that keeps a case, or a document of it, from being removed, as readers see it beside the row: the case's own first.
 * `table` has tenant_id, scope_no and, with `document`, document_id.
 */
export function standingHoldSql(table: string, document: boolean): string {
  return `(select json_build_object('of', case when l.document_id is null then 'case' else 'document' end, 'hold_id', l.hold_id, 'by', l.set_by,
      'reason', l.reason, 'set_at', to_char(l.set_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from legal_holds l where l.tenant_id = ${table}.tenant_id and l.scope_no = ${table}.scope_no and l.lifted_at is null
      and ${document ? `(l.document_id is null or l.document_id = ${table}.document_id)` : 'l.document_id is null'}
    order by l.document_id nulls first limit 1) as legal_hold`
}

export interface StandingHold {
  of: 'case' | 'document'
  hold_id: string
  by: string
  reason: string | null
  set_at: string
}
