/** What a tenant does with one document: read its state, its text and its revisions, try it again, take it out, erase it. */

import { Type } from '../platform/schema.js'
import { DocumentId, DocumentStatus, etagHeader, idsQuery, pageQuery, ScopeId, Time } from './common.js'
import { DocumentPage, DocumentRecord, documentId, ErasedDocument, namedDocument, revision } from './documents.js'
import { FindingRequest } from './findings.js'
import { defineOperations, forTenants } from './operation.js'

const waiting = {
  wait: Type.Optional(Type.Number({ minimum: 0, maximum: 30, description: 'Seconds to wait for processing to end, instead of polling.' })),
}

export const documentOperations = defineOperations(forTenants('Documents'), {
  getDocument: {
    route: 'GET /api/documents/{documentId}',
    summary: 'Read a document’s state',
    seen: 'document',
    query: Type.Object({ ...namedDocument, ...waiting }),
    success: { status: 200, description: 'The record.', schema: DocumentRecord },
  },
  getDocumentByQuery: {
    route: 'GET /api/documents',
    summary: 'Read a document’s state, whatever its id',
    seen: 'document',
    query: Type.Object({ scope_id: ScopeId, document_id: documentId, ...waiting }),
    success: { status: 200, description: 'The record.', schema: DocumentRecord },
    refusals: ['SCOPE_NOT_FOUND', 'DOCUMENT_NOT_FOUND'],
  },
  eraseDocument: {
    audited: true,
    route: 'DELETE /api/documents/{documentId}',
    summary: 'Erase a document’s text and quotes',
    description:
      'Text and quotes are gone, its claims no longer count; hash, decisions and audit remain. Claims of other documents that nothing else replaced count again; those documents are queued to be reread, so that they are compared with what came meanwhile. A mail or an archive is erased with all that came in it. What is attached to one and erased alone is still in the original of that one: `still_held_by` names those that have to be erased as well.',
    query: Type.Object(namedDocument),
    success: { status: 200, description: 'The record afterwards.', schema: ErasedDocument },
    refusals: ['STATE_CONFLICT', 'LEGAL_HOLD'],
  },
  eraseDocumentByQuery: {
    audited: true,
    route: 'DELETE /api/documents',
    summary: 'Erase a document’s text and quotes, whatever its id',
    description: 'As the route with the id in its path.',
    query: Type.Object({ scope_id: ScopeId, document_id: documentId }),
    success: { status: 200, description: 'The record afterwards.', schema: ErasedDocument },
    refusals: ['SCOPE_NOT_FOUND', 'DOCUMENT_NOT_FOUND', 'STATE_CONFLICT', 'LEGAL_HOLD'],
  },
  listDocuments: {
    route: 'GET /api/scopes/{scopeId}/documents',
    summary: 'List the documents of a scope',
    query: Type.Object({
      status: Type.Optional(DocumentStatus),
      received_from: Type.Optional({ ...Time, description: 'Submitted at this instant or later.' }),
      received_to: Type.Optional({ ...Time, description: 'Submitted before this instant.' }),
      read_without_model: Type.Optional(
        Type.Boolean({ description: 'With `true` those that a model was to be asked about and gave no whole answer.' }),
      ),
      part_of: Type.Optional({ ...DocumentId, description: 'Only those that came with this mail or archive.' }),
      ...idsQuery,
      ...pageQuery,
    }),
    success: { status: 200, description: 'A page of documents.', schema: DocumentPage },
  },
  getDocumentText: {
    route: 'GET /api/documents/{documentId}/text',
    summary: 'Read a document’s text as it was submitted',
    seen: 'document',
    description:
      '`start` and `end` of claims count its code points. A document without a text here (registered, erased, past its time) is answered like a missing one.',
    query: Type.Object({ ...namedDocument, revision }),
    headers: etagHeader,
    success: {
      status: 200,
      description: 'The text.',
      schema: Type.String(),
      mediaType: 'text/plain; charset=utf-8',
      headers: { ETag: 'Changes when the text does.' },
    },
  },
  listRevisions: {
    route: 'GET /api/documents/{documentId}/revisions',
    summary: 'List the revisions of a document, newest first',
    query: Type.Object({ ...namedDocument, ...pageQuery }),
    success: { status: 200, description: 'A page of revisions.', schema: DocumentPage },
  },
  cancelDocument: {
    route: 'POST /api/documents/{documentId}/cancellation',
    summary: 'Take a document out of the queue',
    description:
      'It will not be read and is `rejected`, with who cancelled it and why; its text stays until it is erased. Refused once a worker has it. Submitting it again is a new revision.',
    query: Type.Object(namedDocument),
    body: { schema: FindingRequest, required: true },
    success: { status: 200, description: 'The record, rejected.', schema: DocumentRecord },
    refusals: ['STATE_CONFLICT'],
  },
  discardDocument: {
    route: 'POST /api/documents/{documentId}/discard',
    summary: 'Take a document out of quarantine for good',
    description: 'It is `rejected`, with who discarded it and why, and no longer tried; its text stays until it is erased.',
    query: Type.Object(namedDocument),
    body: { schema: FindingRequest, required: true },
    success: { status: 200, description: 'The record, rejected.', schema: DocumentRecord },
    refusals: ['STATE_CONFLICT'],
  },
  retryDocument: {
    route: 'POST /api/documents/{documentId}/retry',
    summary: 'Send a quarantined document back into the queue',
    query: Type.Object(namedDocument),
    success: { status: 200, description: 'The record, queued with fresh attempts.', schema: DocumentRecord },
    refusals: ['STATE_CONFLICT'],
  },
})
