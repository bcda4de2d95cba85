/** What a tenant does with one document: read its state, its text and its revisions, try it again, erase it. */

import { Type } from '../platform/schema.js'
import { DocumentStatus, etagHeader, pageQuery, ScopeId, scopeParams, Time } from './common.js'
import { documentId, documentParams, namedDocument, revision } from './document-params.js'
import { DocumentPage, DocumentRecord, ErasedDocument } from './documents.js'
import { defineOperations } from './operation.js'

const waiting = {
  wait: Type.Optional(Type.Number({ minimum: 0, maximum: 30, description: 'Seconds to wait for processing to end, instead of polling.' })),
}

export const documentOperations = defineOperations({
  getDocument: {
    method: 'GET',
    path: '/api/documents/{documentId}',
    tier: 'public',
    tag: 'Documents',
    summary: 'Read a document’s state',
    credential: 'tenant-key',
    params: documentParams,
    query: Type.Object({ ...namedDocument, ...waiting }),
    success: { status: 200, description: 'The record.', schema: DocumentRecord },
    refusals: ['SCOPE_NOT_FOUND', 'DOCUMENT_NOT_FOUND'],
  },
  getDocumentByQuery: {
    method: 'GET',
    path: '/api/documents',
    tier: 'public',
    tag: 'Documents',
    summary: 'Read a document’s state, whatever its id',
    credential: 'tenant-key',
    query: Type.Object({ scope_id: ScopeId, document_id: documentId, ...waiting }),
    success: { status: 200, description: 'The record.', schema: DocumentRecord },
    refusals: ['SCOPE_NOT_FOUND', 'DOCUMENT_NOT_FOUND'],
  },
  eraseDocument: {
    method: 'DELETE',
    path: '/api/documents/{documentId}',
    tier: 'public',
    tag: 'Documents',
    summary: 'Erase a document’s text and quotes',
    description: 'Text and quotes are gone, its claims no longer count; hash, decisions and audit remain.',
    credential: 'tenant-key',
    params: documentParams,
    query: Type.Object(namedDocument),
    success: { status: 200, description: 'The record afterwards.', schema: ErasedDocument },
    refusals: ['SCOPE_NOT_FOUND', 'DOCUMENT_NOT_FOUND', 'STATE_CONFLICT'],
  },
  eraseDocumentByQuery: {
    method: 'DELETE',
    path: '/api/documents',
    tier: 'public',
    tag: 'Documents',
    summary: 'Erase a document’s text and quotes, whatever its id',
    description: 'As the route with the id in its path.',
    credential: 'tenant-key',
    query: Type.Object({ scope_id: ScopeId, document_id: documentId }),
    success: { status: 200, description: 'The record afterwards.', schema: ErasedDocument },
    refusals: ['SCOPE_NOT_FOUND', 'DOCUMENT_NOT_FOUND', 'STATE_CONFLICT'],
  },
  listDocuments: {
    method: 'GET',
    path: '/api/scopes/{scopeId}/documents',
    tier: 'public',
    tag: 'Documents',
    summary: 'List the documents of a scope',
    credential: 'tenant-key',
    params: scopeParams,
    query: Type.Object({
      status: Type.Optional(DocumentStatus),
      received_from: Type.Optional({ ...Time, description: 'Handed in at this instant or later.' }),
      received_to: Type.Optional({ ...Time, description: 'Handed in before this instant.' }),
      ...pageQuery,
    }),
    success: { status: 200, description: 'A page of documents.', schema: DocumentPage },
    refusals: ['SCOPE_NOT_FOUND', 'CURSOR_INVALID'],
  },
  getDocumentText: {
    method: 'GET',
    path: '/api/documents/{documentId}/text',
    tier: 'public',
    tag: 'Documents',
    summary: 'Read a document’s text as it was submitted',
    description:
      '`start` and `end` of claims count its code points. A document without a text here (registered, erased, past its time) is answered like a missing one.',
    credential: 'tenant-key',
    params: documentParams,
    query: Type.Object({ ...namedDocument, revision }),
    headers: etagHeader,
    success: {
      status: 200,
      description: 'The text.',
      schema: Type.String(),
      mediaType: 'text/plain; charset=utf-8',
      headers: { ETag: 'Changes when the text does.' },
    },
    refusals: ['SCOPE_NOT_FOUND', 'DOCUMENT_NOT_FOUND'],
  },
  listRevisions: {
    method: 'GET',
    path: '/api/documents/{documentId}/revisions',
    tier: 'public',
    tag: 'Documents',
    summary: 'List the revisions of a document, newest first',
    credential: 'tenant-key',
    params: documentParams,
    query: Type.Object({ ...namedDocument, ...pageQuery }),
    success: { status: 200, description: 'A page of revisions.', schema: DocumentPage },
    refusals: ['SCOPE_NOT_FOUND', 'DOCUMENT_NOT_FOUND', 'CURSOR_INVALID'],
  },
  retryDocument: {
    method: 'POST',
    path: '/api/documents/{documentId}/retry',
    tier: 'public',
    tag: 'Documents',
    summary: 'Send a quarantined document back into the queue',
    credential: 'tenant-key',
    params: documentParams,
    query: Type.Object(namedDocument),
    success: { status: 200, description: 'The record, queued with fresh attempts.', schema: DocumentRecord },
    refusals: ['SCOPE_NOT_FOUND', 'DOCUMENT_NOT_FOUND', 'STATE_CONFLICT'],
  },
})
