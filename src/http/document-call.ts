/** A call about one document, which may be named in the path or, where its id does not survive there, in the query. */

import { validationFailed } from './validation.js'

export interface DocumentCall {
  tenantId: string
  params: { documentId?: string }
  query: { scope_id: string; document_id?: string | undefined }
}

/** The id in the query counts; one in the path must be the same, or stand for it. */
export function documentNamed({ tenantId, params, query }: DocumentCall) {
  const inPath = params.documentId ?? '-'
  const documentId = query.document_id ?? inPath
  if (inPath !== '-' && inPath !== documentId) {
    throw validationFailed([{ pointer: '/query/document_id', detail: 'must match the document in the path' }])
  }
  return { tenantId, scopeId: query.scope_id, documentId }
}
