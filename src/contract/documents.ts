/** Documents: submitting, registering, attaching, reading and erasing. */

import { Type } from '../platform/schema.js'
import {
  Count,
  closed,
  DocumentId,
  DocumentStatus,
  fileHash,
  idempotencyHeader,
  Nullable,
  OpenObject,
  open,
  PageOf,
  RecordOf,
  ScopeId,
  Time,
  textHash,
  VisibleText,
} from './common.js'
import { Problem } from './problems.js'
import { StandingHold } from './standing-hold.js'

const fields = {
  name: Type.String({ minLength: 1, maxLength: 500 }),
  type: Type.Optional(
    Type.String({ maxLength: 50, default: 'txt', description: 'txt, md, html, csv, json or a MIME type; anything else is read as text.' }),
  ),
  text: Type.String({ minLength: 1, maxLength: 100000 }),
  document_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Omitted: one is made. Repeated: a new revision.' })),
  source: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Where it comes from; a hint for the issuer.' })),
  idempotency_key: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
}

const provenance = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'A stable reference: content hash, source URI or external id.',
})

/** Some legal ids (`.`, `..`, with slashes) do not survive in a path: clients and proxies rewrite it. */
export const documentId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The document, by an id that may not survive in a path.',
})
export const namedDocument = { scope_id: ScopeId, document_id: Type.Optional(documentId) }
export const idempotent = { 'Idempotent-Replayed': '`true` when the answer is that of an earlier request with the same key.' }
export const revision = Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The newest when it is not given.' }))

export const IngestDocumentRequest = Type.Object(
  { scope_id: ScopeId, ...fields },
  {
    $id: 'IngestDocumentRequest',
    ...closed,
    examples: [{ scope_id: 'case-1', name: 'Annual report', text: 'Revenue for FY2025 was EUR 41.2M.', document_id: 'annual-report' }],
  },
)

export const IngestDocumentResponse = Type.Object(
  {
    scope_id: ScopeId,
    name: Type.String({ minLength: 1, maxLength: 500 }),
    type: Type.String({ maxLength: 50 }),
    document_id: Nullable(Type.String()),
    idempotency_key: Nullable(Type.String()),
    queued: Type.Literal(true),
    seq: Nullable(Type.Integer({ minimum: 0 })),
    integration_version: Type.Literal('v1'),
    message: Type.String(),
  },
  {
    $id: 'IngestDocumentResponse',
    ...closed,
    examples: [
      {
        scope_id: 'case-1',
        name: 'Annual report',
        type: 'txt',
        document_id: 'annual-report',
        idempotency_key: null,
        queued: true,
        seq: 0,
        integration_version: 'v1',
        message: 'Document queued for processing.',
      },
    ],
  },
)

export const batchDocuments = 200

export const IngestBatchRequest = Type.Object(
  { documents: Type.Array(IngestDocumentRequest, { minItems: 1, maxItems: batchDocuments }) },
  {
    $id: 'IngestBatchRequest',
    ...closed,
    description: 'Documents of any scopes. Each is checked, counted and answered on its own.',
    examples: [{ documents: [{ scope_id: 'case-1', name: 'Audit memo', text: 'Revenue for FY2025 was EUR 33.9M.' }] }],
  },
)

/** What is checked of the whole: a fault of one document is its own. */
export const BatchShape = Type.Object({ documents: Type.Array(Type.Unknown(), { minItems: 1, maxItems: batchDocuments }) }, closed)

export const IngestBatchResponse = Type.Object(
  {
    accepted: Count,
    refused: Count,
    items: Type.Array(Type.Union([IngestDocumentResponse, Problem]), {
      description:
        'For each document, in their order, what it alone would have been answered with. Pointers in `errors` start at the document.',
    }),
    replayed: Type.Array(Count, {
      description: 'Places in `items`, from 0, whose document was submitted before under its key: these are the first answers.',
    }),
  },
  { $id: 'IngestBatchResponse', ...open },
)

const noModel = 'No model is asked about the document or shown it, nor its later revisions.'
export const modelOff = Type.Optional(Type.Enum(['off'], { description: noModel }))

export const aboutCharacters = 200

const about = Type.Optional(
  VisibleText(
    aboutCharacters,
    'What the document is about. Two that are about different things contradict nothing of each other. Omitted: as with the revision before.',
  ),
)

const ofTheKey = 'Where a key makes the request idempotent, it counts as part of the body: the same key with another is a 422.'
const modelHeader = Type.Optional(Type.Enum(['off'], { description: `${noModel} ${ofTheKey}` }))
const aboutHeader = Type.Optional(
  Type.String({
    minLength: 1,
    // Each character has up to four bytes, each written with three.
    maxLength: 12 * aboutCharacters,
    pattern: '^[ -~]*$',
    description: `What the document is about, as percent-encoded UTF-8; up to ${aboutCharacters} characters. Omitted: as with the revision before. ${ofTheKey}`,
  }),
)

/** Texts handed in are of a closed form: whether models may read them, and what they are about, is said beside. */
const besideTexts = { 'x-document-model': modelHeader, 'x-document-about': aboutHeader }
export const intakeHeaders = Type.Object({ ...idempotencyHeader.properties, ...besideTexts })
export const batchHeaders = Type.Object(besideTexts)

/** Fields of a file; they come before it. */
export const fileFields = {
  document_id: fields.document_id,
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Omitted: the name of the file.' })),
  source: fields.source,
  idempotency_key: fields.idempotency_key,
  model: modelOff,
  about,
}

export const FileIngestResponse = Type.Object(
  {
    ...IngestDocumentResponse.properties,
    file: Type.Object({ sha256: fileHash, media_type: Type.String(), bytes: Count }, closed),
  },
  {
    $id: 'FileIngestResponse',
    ...closed,
    description: 'As for ingest, with what was received. `type` is the kind the file was found to be.',
  },
)

export const CreateDocumentBody = Type.Object(
  {
    scope_id: ScopeId,
    name: Type.String({ minLength: 1, maxLength: 500 }),
    type: Type.String({ minLength: 1, maxLength: 50 }),
    status: Type.Optional(Type.Enum(['registered', 'indexed'], { default: 'registered' })),
    provenance: Type.Optional(provenance),
  },
  {
    $id: 'CreateDocumentBody',
    ...closed,
    description: 'Registers a document that is processed elsewhere.',
    examples: [{ scope_id: 'case-1', name: 'Land register extract', type: 'pdf', provenance: 'urn:register:4711' }],
  },
)

export const AttachDocumentRequest = Type.Object(
  { ...fields, provenance: Type.Optional(provenance), model: modelOff, about },
  { $id: 'AttachDocumentRequest', ...closed, examples: [{ name: 'Audit memo', text: 'Revenue for FY2025 was EUR 33.9M.' }] },
)

const failedAttempts = {
  ...Count,
  description: 'Attempts to process this revision that failed since it was queued; put back by a person, it begins at 0.',
}

export const DocumentRecord = RecordOf('Document', {
  document_id: DocumentId,
  scope_id: ScopeId,
  revision: Type.Integer({ minimum: 1 }),
  status: DocumentStatus,
  name: Nullable(Type.String({ description: 'Null once erased.' })),
  type: Type.String(),
  source: Nullable(Type.String()),
  provenance: Nullable(
    Type.String({ description: 'Null in answers of acts to keys without `read`: of a corrected scan it tells how a word was read.' }),
  ),
  about: Nullable(Type.String({ description: 'What it is about, as its submitter said with this revision or before; null once erased.' })),
  content_hash: Nullable(textHash),
  unchanged: Type.Boolean({
    description: 'The previous revision had the same text, name, type and source and was about the same, so nothing was extracted again.',
  }),
  seq: Nullable(Count),
  round: Nullable(Count),
  attempts: failedAttempts,
  reason: Nullable(Type.String({ description: 'Why it is held, rejected, quarantined or tried again.' })),
  failure: Nullable(Type.Object({ stage: Nullable(Type.String()), error_class: Nullable(Type.String()) }, open)),
  timings: OpenObject({
    received_at: Time,
    queued_at: Nullable(Time),
    started_at: Nullable(Time),
    finished_at: Nullable(Time),
    waiting_ms: Nullable(Type.Number()),
    processing_ms: Nullable(Type.Number()),
    stages: Type.Record(Type.String(), Type.Number()),
  }),
  counts: Type.Object(
    {
      claims: { ...Count, description: 'Statements found in this revision when it was read.' },
      contradictions: {
        ...Count,
        description:
          'Contradictions it opened when it was read. What became of them, and those that later documents opened with it, is in `GET /api/scopes/{scopeId}/contradictions?document_id=…`.',
      },
    },
    open,
  ),
  file: Nullable(
    Type.Object(
      {
        sha256: fileHash,
        media_type: Type.String(),
        bytes: Count,
        kept: Type.Boolean({ description: 'Whether the original can be read back.' }),
        extractor: Nullable(Type.String({ description: 'What made the text, with its version; null until it is made.' })),
        notes: Type.Array(Type.String(), { description: 'What to know about how the text was made.' }),
      },
      { ...open, description: 'For a document that came as a file.' },
    ),
  ),
  model: Nullable(
    Type.String({ description: 'What came of asking a model: `answered`, or why there is no whole answer; null where none was asked.' }),
  ),
  compared_by: Type.Object(
    {
      rules: Nullable(Type.Object({ reader: Type.String(), version: Type.String() }, open)),
      model: Nullable(
        Type.Object(
          {
            model: Type.String(),
            questions: Type.String({ description: 'The version of its questions.' }),
            complete: Type.Boolean({ description: 'It answered about all parts and confirmed what it found; `model` says why not.' }),
          },
          open,
        ),
      ),
      person: Nullable(
        Type.Object(
          {
            by: Type.String(),
            vouched: Type.Boolean(),
            signed_at: Time,
            sign_off_id: Type.String(),
            how: Nullable(Type.Enum(['read_by_eye', 'set_aside'], { description: 'Of a document without a reading.' })),
          },
          { ...open, description: 'Who signed it off last, as it is; null where nobody did.' },
        ),
      ),
      words: Type.String({ examples: ['compared by rules alone'] }),
    },
    {
      ...open,
      description:
        'Who compared it with the case; a model where it answered about all of it and confirmed what it found, a person who signed it off.',
    },
  ),
  part_of: Nullable(Type.String({ description: 'The document_id of the mail it was attached to, or of the archive it was in.' })),
  same_as: Type.Array(Type.String(), {
    description:
      'Other documents of the case that are the same file, byte by byte, or the same text, as they are now: the first 10 by their id. Each is read and compared for itself.',
  }),
  legal_hold: Nullable(StandingHold),
  erased_at: Nullable(Time),
})
export const DocumentPage = PageOf('DocumentPage', DocumentRecord)

export const ErasedDocument = Type.Object(
  {
    ...DocumentRecord.properties,
    claims_erased: Count,
    still_held_by: Type.Optional(
      Type.Array(DocumentId, {
        description:
          'Mails and archives that it came in: their originals hold it still, and so do bundles, until they are erased as well. Absent where there are none.',
      }),
    ),
  },
  { $id: 'ErasedDocument', ...open, description: 'The record after its text and quotes are gone; hash and audit remain.' },
)

export const TriggerIngestRequest = Type.Object(
  { document_ids: Type.Optional(Type.Array(DocumentId, { minItems: 1, maxItems: 1000, uniqueItems: true })) },
  { $id: 'TriggerIngestRequest', ...closed, examples: [{ document_ids: ['annual-report'] }] },
)

export const TriggerIngestResponse = RecordOf('TriggerIngestResponse', {
  scope_id: ScopeId,
  queued: Count,
  documents: Type.Array(Type.Object({ document_id: DocumentId, seq: Count }, open), { description: 'The first 1,000 of them.' }),
})

export const QuarantinedDocument = RecordOf('QuarantinedDocument', {
  tenant_id: Type.String(),
  scope_id: ScopeId,
  document_id: DocumentId,
  revision: Type.Integer(),
  name: Type.String(),
  stage: Nullable(Type.String()),
  error_class: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  attempts: failedAttempts,
  quarantined_at: Nullable(Time),
})
export const QuarantinePage = PageOf('QuarantinePage', QuarantinedDocument)

export const QuarantineRetryRequest = Type.Object(
  {
    scope_id: Type.Optional(ScopeId),
    document_ids: Type.Optional(Type.Array(DocumentId, { minItems: 1, maxItems: 1000, uniqueItems: true })),
  },
  {
    $id: 'QuarantineRetryRequest',
    ...closed,
    description: 'One or some documents of a scope, all of a scope, all of a tenant (with its key), or all.',
    examples: [{ scope_id: 'case-1', document_ids: ['annual-report'] }],
  },
)
export const QuarantineRetryResponse = RecordOf('QuarantineRetryResponse', {
  requeued: Count,
  documents: Type.Array(Type.Object({ scope_id: ScopeId, document_id: DocumentId }, open)),
})
