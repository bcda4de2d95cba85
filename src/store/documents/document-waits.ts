/** Which of the awaited documents are finished. Crosses tenants; answers with places in the list alone. */

import type { ScopePlace } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import { across, type Database } from '../server/database.js'

export interface WaitedDocument extends ScopePlace {
  documentId: string
}

/** Also those that are gone: by a reset, or with their tenant. */
export async function findOutcomes(db: Database, documents: readonly WaitedDocument[]): Promise<number[]> {
  return across(db).column<number>(
    `select (w.n - 1)::int as place
     from unnest($1::text[], $2::bigint[], $3::int[], $4::text[]) with ordinality as w (tenant_id, scope_no, generation, document_id, n)
     where not exists (
       select from scopes s join documents d on d.tenant_id = s.tenant_id and d.scope_no = s.scope_no and d.generation = s.generation
       where s.tenant_id = w.tenant_id and s.scope_no = w.scope_no and s.generation = w.generation and d.document_id = w.document_id
         and d.current and d.status in ('attached', 'queued', 'processing'))`,
    columnsOf(documents, 'tenantId', 'scopeNo', 'generation', 'documentId'),
  )
}
