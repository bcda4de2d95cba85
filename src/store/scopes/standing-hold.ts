/** Legal holds as statements ask for them: which stand in the way of removing a document, and the one to show beside a row. */

import { isoSql } from '../server/columns.js'

/** Numbers of the cases in which anything is on hold: what is kept of a case as a whole is kept for the sake of one document of it. */
export const heldScopesSql = 'select scope_no from legal_holds where lifted_at is null'

/** A document as a statement names it: when a row of `documents` with some alias is of the same case, and its id. */
interface NamedDocument {
  sharesPlace(alias: string): string
  documentId: string
}

/** Of a row with tenant_id, scope_no, generation and document_id. */
export function documentOf(table: string): NamedDocument {
  return {
    sharesPlace: alias =>
      `${alias}.tenant_id = ${table}.tenant_id and ${alias}.scope_no = ${table}.scope_no and ${alias}.generation = ${table}.generation`,
    documentId: `${table}.document_id`,
  }
}

/**
 * Whether hold `l` of the same case stands in the way of removing the document: set on the case, on it, on a mail it came with, or
 * on something attached to it, which would go with it. The mails and attachments are read only where another document is on hold.
 */
export function keepsDocumentSql(l: string, document: NamedDocument): string {
  return `(${l}.document_id is null or ${l}.document_id = ${document.documentId}
    or ${l}.document_id = any (${mailsAbove(document)}) or ${l}.document_id = any (${partsBelow(document)}))`
}

/** Of any revision, as erasing removes them all. */
function mailsAbove({ sharesPlace, documentId }: NamedDocument): string {
  return `array(with recursive above as (
      select m.part_of as id from documents m where ${sharesPlace('m')} and m.document_id = ${documentId} and m.part_of is not null
      union
      select m.part_of from documents m join above a on m.document_id = a.id where ${sharesPlace('m')} and m.part_of is not null)
    select id from above)`
}

function partsBelow({ sharesPlace, documentId }: NamedDocument): string {
  return `array(with recursive below as (
      select p.document_id as id from documents p where ${sharesPlace('p')} and p.part_of = ${documentId}
      union
      select p.document_id from documents p join below b on p.part_of = b.id where ${sharesPlace('p')})
    select id from below)`
}

/** The hold on a case, as readers see it beside its row in `table`. */
export function caseHoldSql(table: string): string {
  return holdBeside(table, { of: "'case'", keeps: 'l.document_id is null', nearest: 'l.hold_no' })
}

/** The hold that keeps a document from being removed: the case's own first, then its own. */
export function documentHoldSql(table: string): string {
  const document = documentOf(table)
  return holdBeside(table, {
    of: `case when l.document_id is null then 'case' when l.document_id = ${document.documentId} then 'document'
      when l.document_id = any (${mailsAbove(document)}) then 'mail' else 'attachment' end`,
    keeps: keepsDocumentSql('l', document),
    nearest: `l.document_id is not null, l.document_id <> ${document.documentId}, l.hold_no`,
  })
}

function holdBeside(table: string, { of, keeps, nearest }: { of: string; keeps: string; nearest: string }): string {
  return `(select json_build_object('of', ${of}, 'hold_id', l.hold_id, 'by', l.set_by,
      'reason', l.reason, 'set_at', ${isoSql('l.set_at')})
    from legal_holds l where l.tenant_id = ${table}.tenant_id and l.scope_no = ${table}.scope_no and l.lifted_at is null and ${keeps}
    order by ${nearest} limit 1) as legal_hold`
}

export interface StandingHold {
  of: 'case' | 'document' | 'mail' | 'attachment'
  hold_id: string
  by: string
  reason: string | null
  set_at: string
}
