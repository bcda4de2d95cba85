/** Removal of texts and originals past their time, a batch of one scope at a time, under that scope's lock because its bytes are counted. Ages are by the database's clock. */

import { lockScopes } from '../events/events.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import { documentOf, keepsDocumentSql } from '../scopes/standing-hold.js'
import type { Database } from '../server/database.js'

/**
 * What is still to be read keeps its text however old it is; an indexed document without its text can only be judged again from its
 * claims. A revision that was held, in quarantine or attached when a later one came is never read: reviews, tries and triggers take the
 * current one. As `documents_past` has it.
 */
const finished = (document: string) =>
  `(${document}.status in ('indexed', 'rejected') or (not ${document}.current and ${document}.status in ('held', 'quarantined', 'attached')))`
const removable = (document: string) =>
  `${finished(document)} and (${document}.text is not null or ${document}.file_id is not null) and not ${isHeld(document)} and not ${waits(document)}`
/** To be read again, for which it needs its text. */
const waits = (document: string) => `exists (select from backlog b
  where b.tenant_id = ${document}.tenant_id and b.scope_no = ${document}.scope_no and b.generation = ${document}.generation
    and b.document_id = ${document}.document_id and b.revision = ${document}.revision and b.reread is not null)`
/** A document on legal hold, by itself or with its case, mail or attachment, keeps its text whatever its age. */
const isHeld = (document: string) => `exists (select from legal_holds l
  where l.tenant_id = ${document}.tenant_id and l.scope_no = ${document}.scope_no and l.lifted_at is null
    and ${keepsDocumentSql('l', documentOf(document))})`

/**
 * Texts and originals older than `days` of documents that were indexed or rejected, and of revisions that a later one replaced before they
 * were read. Hashes, claims and quotes stay.
 * Answers how many texts were removed; none means that none is left.
 */
export async function removeOldTexts(db: Database, days: number, limit: number): Promise<number> {
  return db.engine(async tx => {
    const scope = await tx.row<ScopePlace>(
      `select d.tenant_id as "tenantId", d.scope_no as "scopeNo", d.generation from documents d
       join scopes s on s.tenant_id = d.tenant_id and s.scope_no = d.scope_no and s.generation = d.generation
       where d.received_at < now() - $1::integer * interval '1 day' and ${removable('d')}
       order by d.received_at limit 1`,
      [days],
    )
    if (scope === null) return 0
    await lockScopes(tx, [scope.scopeNo])
    return tx.value<number>(
      `with old as (
         select d.document_id, d.revision, d.file_id, coalesce(octet_length(d.text), 0) + case when d.file_id is null then 0 else d.file_bytes end as bytes
         from documents d
         where ${ofPlace} and received_at < now() - $4::integer * interval '1 day' and ${removable('d')}
         limit $5),
       readings as (
         delete from recognised_pages p using old
         where ${inPlace('p')} and p.document_id = old.document_id and p.revision = old.revision and p.reading is not null),
       originals as (delete from file_chunks c using old where c.tenant_id = $1 and c.file_id = old.file_id),
       cleared as (
         update documents d set text = null, file_id = null from old
         where ${inPlace('d')} and d.document_id = old.document_id and d.revision = old.revision),
       counted as (
         update scope_heads set bytes = bytes - (select coalesce(sum(bytes), 0) from old)
         where tenant_id = $1 and scope_no = $2 and exists (select from scopes s where ${inPlace('s')}))
       select count(*) as texts from old`,
      [...placeOf(scope), days, limit],
    )
  })
}
