/** A document's text as it was submitted, and its revisions. */

import { AppError } from '../../platform/errors.js'
import { type DocumentRow, findDocument, listRevisionRows, readText } from '../../store/documents/documents.js'
import type { ScopeRef } from '../../store/scopes/scopes.js'
import { readTenant, type TenantTransaction } from '../../store/server/database.js'
import type { PageRequest } from '../cursors.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { resolveScope } from '../lifecycle.js'
import { listInScope } from '../scope-list.js'
import { isStorable } from '../storable.js'
import type { DocumentRecord, Page, Tagged } from '../types.js'
import { documentNotFound, type GetDocumentInput, toDocumentRecord } from './documents.js'

/** A document whose text is not kept (registered, erased, past its time) is not found. */
export async function getDocumentText(
  deps: Pick<ScopesDeps, 'db'>,
  input: GetDocumentInput & { ifNoneMatch?: string | undefined },
): Promise<Tagged<string>> {
  const { documentId, revision = null, ifNoneMatch } = input
  return readTenant(deps.db, input.tenantId, async tx => {
    const scope = await resolveScope(tx, input.scopeId)
    const wanted = { documentId, revision, knownHash: hashIn(ifNoneMatch) }
    const found = isStorable(documentId) ? await readText(tx, scope, wanted) : null
    if (found === null) throw await missingText(tx, scope, { documentId, revision })
    return { etag: `"${found.hash.toString('hex')}"`, body: found.text }
  })
}

async function missingText(
  tx: TenantTransaction,
  scope: ScopeRef,
  { documentId, revision }: { documentId: string; revision: number | null },
): Promise<AppError> {
  if (!isStorable(documentId) || (await findDocument(tx, scope, documentId)) === null) return documentNotFound()
  const isKnown = revision === null || (await findDocument(tx, scope, documentId, revision)) !== null
  const detail = isKnown
    ? 'No text of the document is kept: it came without one, is not extracted yet, or was removed.'
    : `The document has no revision ${revision}.`
  return new AppError('DOCUMENT_NOT_FOUND', { detail })
}

/** The hash of the text a reader has already: the first tag of ours among those it names. */
function hashIn(ifNoneMatch: string | undefined): Buffer | null {
  const hex = /"([0-9a-f]{64})"/.exec(ifNoneMatch ?? '')?.[1]
  return hex === undefined ? null : Buffer.from(hex, 'hex')
}

export function listRevisions(deps: ScopesDeps, input: ScopeName & PageRequest & { documentId: string }): Promise<Page<DocumentRecord>> {
  const { scopeId, documentId } = input
  return listInScope(deps, input, {
    name: 'revisions',
    filters: [documentId],
    async rows(tx, scope, { after, limit }) {
      const before = (after?.[0] ?? null) as number | null
      const rows = isStorable(documentId) ? await listRevisionRows(tx, scope, { documentId, before, limit }) : []
      if (rows.length === 0 && before === null) throw documentNotFound()
      return rows
    },
    place: row => [row.revision],
    shape: ['int4'],
    items: rows => rows.map((row: DocumentRow) => toDocumentRecord(row, scopeId)),
  })
}
