/** Files: submitting them on two tiers, and reading originals back. */

import { Type } from '../platform/schema.js'
import { closed, idempotencyHeader, ScopeId } from './common.js'
import { FileIngestResponse, fileFields, idempotent, namedDocument, revision } from './documents.js'
import { kindsInWords } from './file-kinds.js'

const received = {
  status: 202,
  description: 'File received, and queued for asynchronous processing.',
  schema: FileIngestResponse,
  headers: idempotent,
} as const

export const rangeHeaders = Type.Object({
  range: Type.Optional(Type.String({ maxLength: 200, pattern: '^[ -~]*$', description: 'One range of bytes, such as `bytes=0-65535`.' })),
  'if-range': Type.Optional(
    Type.String({ maxLength: 200, pattern: '^[ -~]*$', description: 'The ETag of the file the range is meant of.' }),
  ),
})

export const publicFileOperations = {
  ingestFile: {
    route: 'POST /api/files',
    summary: 'Queue a file for processing',
    description: `${kindsInWords}, recognised by their content. Answers 202 when the original, the document, its event and its place in the queue are on disk. The text is extracted when the document is processed.`,
    headers: idempotencyHeader,
    upload: { fields: Type.Object({ scope_id: ScopeId, ...fileFields }, closed) },
    success: received,
    refusals: ['SCOPE_NOT_FOUND', 'QUOTA_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
  },
  getOriginal: {
    route: 'GET /api/documents/{documentId}/original',
    summary: 'Read the original of a document back',
    description:
      'The bytes as they came, for documents that came as files; a part of them with `Range`. However many parts a reader asks for within an hour, the audit log has one row.',
    query: Type.Object({ ...namedDocument, revision }),
    headers: rangeHeaders,
    partial: 'A part of the file.',
    success: {
      status: 200,
      description: 'The file, as an attachment, with the media type it was found to have.',
      schema: Type.String({ contentMediaType: 'application/octet-stream' }),
      mediaType: '*/*',
      headers: {
        'Content-Disposition': 'attachment, with the name of the document.',
        'Repr-Digest': 'SHA-256 of the file (RFC 9530).',
        'Accept-Ranges': '`bytes`',
        ETag: 'Made from the content of the file.',
      },
    },
    refusals: ['ORIGINAL_NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
  },
} as const

export const adminFileOperations = {
  ingestScopeFile: {
    route: 'POST /admin/scopes/{scopeId}/files',
    summary: 'Queue a file of a scope for processing',
    description: 'As POST /api/files, for the tenant of the key, into a scope that exists.',
    headers: idempotencyHeader,
    upload: { fields: Type.Object(fileFields, closed) },
    success: received,
    refusals: ['QUOTA_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
  },
} as const
