/** The operations of the public tier: what a tenant does with its own documents. */

import { Type } from '../platform/schema.js'
import { agentOperations } from './agent-operations.js'
import { asOfOperations } from './as-of.js'
import { assignmentOperations } from './assignment-operations.js'
import { caseOperations } from './case-operations.js'
import { certificateOperations } from './certificate-operations.js'
import { contradictionFilters, idempotencyHeader, idsQuery, knownAt, pageQuery } from './common.js'
import { documentOperations } from './document-operations.js'
import {
  BatchShape,
  batchHeaders,
  CreateDocumentBody,
  DocumentRecord,
  IngestBatchRequest,
  IngestBatchResponse,
  IngestDocumentRequest,
  IngestDocumentResponse,
  idempotent,
  intakeHeaders,
} from './documents.js'
import { CloudEvent } from './events.js'
import { publicFileOperations } from './file-operations.js'
import {
  ClaimPage,
  ContradictionPage,
  ContradictionRecord,
  CreateContradictionBody,
  DecisionPage,
  FindingRequest,
  judgement,
  PossibleConflictPage,
  PossibleConflictResult,
  ReopenedContradiction,
  ResolutionResult,
  ResolveContradictionRequest,
  ReviewDecisionRequest,
  ReviewResult,
  SeenContradiction,
  SeenPossibleConflict,
  SupersessionPage,
  SupersessionResult,
} from './findings.js'
import { HealthResponse } from './health.js'
import { legalHoldOperations } from './legal-hold-operations.js'
import { modelUseOperations } from './model-use.js'
import { defineOperations, forTenants } from './operation.js'
import { overviewOperations } from './overview.js'
import { paperOperations } from './paper-operations.js'
import { scanOperations } from './scan-operations.js'
import { signInOperations } from './sign-in-operations.js'
import { signOffOperations } from './sign-off-operations.js'
import { DecidedTogether, PossibleConflictsRequest, PossibleFactPage, ProposedReplacementPage, ReplacementsRequest } from './together.js'
import { webhookOperations } from './webhook-operations.js'

export const streamQuery = {
  after: Type.Optional(
    Type.String({ maxLength: 200, description: 'Begin after this event; -1 is the beginning. The header Last-Event-ID wins.' }),
  ),
}
export const streamHeaders = Type.Object({ 'last-event-id': Type.Optional(Type.String({ maxLength: 200 })) })
export const streamed = {
  status: 200,
  description: 'Server-sent events; `data` is an Event.',
  schema: CloudEvent,
  mediaType: 'text/event-stream',
} as const

const healthOperations = defineOperations(forTenants('Health'), {
  getHealth: {
    credential: 'none',
    route: 'GET /api/health',
    summary: 'Whether the service is ready',
    success: { status: 200, description: 'The service is ready.', schema: HealthResponse },
    unavailable: HealthResponse,
  },
})

const intakeOperations = defineOperations(forTenants('Documents'), {
  ingestDocument: {
    credential: 'tenant',
    route: 'POST /api/ingest',
    summary: 'Queue a document for processing',
    description:
      'Answers 202 when the document, its event and its place in the queue are on disk. `seq` is the position of its `document.queued` event in the scope’s event log. A scope that does not exist is created on first use.',
    headers: intakeHeaders,
    body: { schema: IngestDocumentRequest, required: true },
    success: {
      status: 202,
      description: 'Document queued for asynchronous processing.',
      schema: IngestDocumentResponse,
      headers: idempotent,
    },
    refusals: ['SCOPE_NOT_FOUND', 'QUOTA_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
  },
  ingestBatch: {
    credential: 'tenant',
    route: 'POST /api/ingest/batch',
    summary: 'Queue up to 200 documents',
    description:
      'As POST /api/ingest for each document, in one request of at most 8 MiB. Each is counted against rates and quotas and answered on its own, with the status it alone would have had; one that is refused harms no other. Within a scope, `seq` follows the order of the array. Each may carry an `idempotency_key`: with keys the whole request is safe to repeat.',
    headers: batchHeaders,
    body: { schema: IngestBatchRequest, required: true, outer: BatchShape, limitBytes: 8 * 1024 * 1024 },
    success: { status: 200, description: 'An answer for each document.', schema: IngestBatchResponse },
  },
  ...publicFileOperations,
  createDocument: {
    credential: 'tenant',
    route: 'POST /api/documents',
    summary: 'Register a document that is processed elsewhere',
    headers: idempotencyHeader,
    body: { schema: CreateDocumentBody, required: true },
    success: { status: 201, description: 'The record.', schema: DocumentRecord, headers: idempotent },
    refusals: ['SCOPE_NOT_FOUND', 'QUOTA_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
  },
})

const findingOperations = defineOperations(forTenants('Findings'), {
  createContradiction: {
    credential: 'tenant',
    route: 'POST /api/contradictions',
    summary: 'Report a contradiction that was found elsewhere, or that a person saw',
    description:
      'With passages (`a`, `b`) it asks for a tenant key, whatever `PUBLIC_AUTH` is, and for the rights `decide` and `read` instead of `ingest`, and the scope has to be there. The slices are checked against the stored text: 400 where there is no such slice, 409 where the revision is not the one that counts or its text is not kept.',
    headers: idempotencyHeader,
    body: { schema: CreateContradictionBody, required: true },
    success: { status: 201, description: 'The record, with status `open`.', schema: ContradictionRecord, headers: idempotent },
    refusals: ['SCOPE_NOT_FOUND', 'DOCUMENT_NOT_FOUND', 'STATE_CONFLICT', 'QUOTA_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
    seen: 'passages',
  },
  listClaims: {
    route: 'GET /api/scopes/{scopeId}/claims',
    summary: 'List or search what the documents claim',
    seen: 'statements',
    description:
      'In the order of arrival; with `q` the best answers first. A word is found in any of its forms, by itself or above the statement; of a word that very many claims have, the newest 200 are looked at, and no more than the best 100 claims are given. Where no claim has a word of it, the newest 2,000 claims are looked through for its parts as they are written. Claims of replaced revisions are listed and not searched.',
    query: Type.Object({
      q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Words to look for.' })),
      state: Type.Optional(Type.Enum(['live', 'superseded', 'all'], { default: 'live' })),
      document_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      subject: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
      attribute: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
      as_of: Type.Optional(
        Type.String({ anyOf: [{ format: 'date' }, { format: 'date-time' }], description: 'Valid time: what held on that day.' }),
      ),
      ...knownAt,
      ...pageQuery,
    }),
    success: { status: 200, description: 'A page of claims.', schema: ClaimPage },
  },
  listContradictions: {
    route: 'GET /api/scopes/{scopeId}/contradictions',
    summary: 'List where the documents disagree',
    seen: 'findings',
    query: Type.Object({
      status: Type.Optional(Type.Enum(['open', 'resolved', 'dismissed', 'all'], { default: 'open' })),
      ...contradictionFilters,
      ...idsQuery,
      ...pageQuery,
    }),
    success: { status: 200, description: 'A page of contradictions.', schema: ContradictionPage },
  },
  getContradiction: {
    route: 'GET /api/contradictions/{contradictionId}',
    summary: 'Read a contradiction, and who has looked at it',
    seen: 'finding',
    success: { status: 200, description: 'The contradiction.', schema: SeenContradiction },
  },
  resolveContradiction: {
    route: 'POST /api/contradictions/{contradictionId}/resolution',
    summary: 'Decide a contradiction',
    seen: 'finding',
    description:
      '`a` or `b` retires the losing claims; `both`, `neither` and `dismiss` leave both live and close the finding. Recorded, and reversible by deciding again; no claim is ever deleted.',
    body: { schema: ResolveContradictionRequest, required: true },
    success: { status: 200, description: 'The contradiction with its resolution.', schema: ResolutionResult },
    refusals: ['STATE_CONFLICT'],
  },
  reopenContradiction: {
    route: 'DELETE /api/contradictions/{contradictionId}/resolution',
    summary: 'Withdraw a decision on a contradiction',
    seen: 'finding',
    description:
      'The contradiction is open again and the claims the decision had retired count again, as far as their documents still make them. Recorded like every decision; refused when nobody has decided it.',
    query: Type.Object(judgement),
    success: { status: 200, description: 'The contradiction, open.', schema: ReopenedContradiction },
    refusals: ['STATE_CONFLICT'],
  },
  listPossibleConflicts: {
    route: 'GET /api/scopes/{scopeId}/possible-conflicts',
    summary: 'List where the documents may disagree, best first',
    seen: 'findings',
    query: Type.Object({
      status: Type.Optional(Type.Enum(['open', 'promoted', 'accepted', 'dismissed', 'cleared', 'all'], { default: 'open' })),
      ...knownAt,
      ...idsQuery,
      ...pageQuery,
    }),
    success: { status: 200, description: 'A page of possible conflicts.', schema: PossibleConflictPage },
  },
  listPossibleFacts: {
    route: 'GET /api/scopes/{scopeId}/possible-conflicts/by-fact',
    summary: 'List the undecided possible conflicts that are shown first, by fact',
    description:
      'The ten best of each document, whatever the order in which documents came; those that share a statement or ask the same question are one item. The others come up as these are decided. Without proposed replacements.',
    seen: 'findings',
    query: Type.Object(pageQuery),
    success: { status: 200, description: 'A page of facts, the likeliest first.', schema: PossibleFactPage },
  },
  decidePossibleConflicts: {
    route: 'POST /api/scopes/{scopeId}/possible-conflicts/decisions',
    summary: 'Promote or dismiss several possible conflicts, or all of a fact',
    description:
      'Each with a decision of its own. What has moved on meanwhile is left, with the reason; so are proposed replacements, which go by pairs of documents.',
    body: { schema: PossibleConflictsRequest, required: true },
    success: { status: 200, description: 'What was decided, and what was left.', schema: DecidedTogether },
  },
  getPossibleConflict: {
    route: 'GET /api/possible-conflicts/{possibleConflictId}',
    summary: 'Read a possible conflict, and who has looked at it',
    seen: 'finding',
    success: { status: 200, description: 'The possible conflict.', schema: SeenPossibleConflict },
  },
  promotePossibleConflict: {
    route: 'POST /api/possible-conflicts/{possibleConflictId}/promotion',
    summary: 'Promote a possible conflict to an open contradiction',
    seen: 'finding',
    body: { schema: FindingRequest, required: true },
    success: { status: 200, description: 'The possible conflict with its decision.', schema: PossibleConflictResult },
    refusals: ['STATE_CONFLICT'],
  },
  dismissPossibleConflict: {
    route: 'POST /api/possible-conflicts/{possibleConflictId}/dismissal',
    summary: 'Dismiss a possible conflict',
    seen: 'finding',
    body: { schema: FindingRequest, required: true },
    success: { status: 200, description: 'The possible conflict with its decision.', schema: PossibleConflictResult },
    refusals: ['STATE_CONFLICT'],
  },
  acceptReplacement: {
    route: 'POST /api/possible-conflicts/{possibleConflictId}/acceptance',
    summary: 'Accept a replacement that is proposed',
    seen: 'finding',
    description: 'What is older counts no longer, and the replacement stands as a supersession. Refused where `proposes` is null.',
    body: { schema: FindingRequest, required: true },
    success: { status: 200, description: 'The possible conflict with its decision.', schema: PossibleConflictResult },
    refusals: ['STATE_CONFLICT'],
  },
  withdrawAcceptance: {
    route: 'DELETE /api/possible-conflicts/{possibleConflictId}/acceptance',
    summary: 'Withdraw the acceptance of a replacement',
    seen: 'finding',
    description:
      'What was replaced counts again, and the replacement is proposed again while the newer statement counts. Refused once somebody objected to it.',
    query: Type.Object(judgement),
    success: { status: 200, description: 'The possible conflict, undecided.', schema: PossibleConflictResult },
    refusals: ['STATE_CONFLICT'],
  },
  listReplacements: {
    route: 'GET /api/scopes/{scopeId}/replacements',
    summary: 'List the replacements that are proposed, by pairs of documents',
    seen: 'findings',
    query: Type.Object(pageQuery),
    success: { status: 200, description: 'A page of pairs of documents, with what accepting would do.', schema: ProposedReplacementPage },
  },
  decideReplacements: {
    route: 'POST /api/scopes/{scopeId}/replacements',
    summary: 'Accept or dismiss the proposed replacements of one document by another',
    description: 'All of them or some, each with a decision of its own. What has moved on meanwhile is left, with the reason.',
    body: { schema: ReplacementsRequest, required: true },
    success: { status: 200, description: 'What was decided, and what was left.', schema: DecidedTogether },
  },
  withdrawPromotion: {
    route: 'DELETE /api/possible-conflicts/{possibleConflictId}/promotion',
    summary: 'Withdraw a promotion',
    seen: 'finding',
    description:
      'The contradiction it became is dismissed and the possible conflict is undecided again. Refused once the contradiction is decided.',
    query: Type.Object(judgement),
    success: { status: 200, description: 'The possible conflict, undecided.', schema: PossibleConflictResult },
    refusals: ['STATE_CONFLICT'],
  },
  withdrawDismissal: {
    route: 'DELETE /api/possible-conflicts/{possibleConflictId}/dismissal',
    summary: 'Withdraw a dismissal',
    seen: 'finding',
    description:
      'Undecided again, or closed where another possible conflict about the same two statements goes before it. Refused where nobody dismissed it: it closed by itself.',
    query: Type.Object(judgement),
    success: { status: 200, description: 'The possible conflict, undecided.', schema: PossibleConflictResult },
    refusals: ['STATE_CONFLICT'],
  },
  listSupersessions: {
    route: 'GET /api/scopes/{scopeId}/supersessions',
    summary: 'List what replaced what, and why',
    seen: 'findings',
    query: Type.Object({
      status: Type.Optional(Type.Enum(['standing', 'objected', 'withdrawn', 'all'], { default: 'all' })),
      ...knownAt,
      ...idsQuery,
      ...pageQuery,
    }),
    success: { status: 200, description: 'A page of supersessions.', schema: SupersessionPage },
  },
  objectToSupersession: {
    route: 'POST /api/supersessions/{supersessionId}/objection',
    summary: 'Object to a supersession',
    seen: 'finding',
    description: 'The replaced claim counts again, and stands in an open contradiction with every live claim that had replaced it.',
    body: { schema: FindingRequest, required: true },
    success: { status: 200, description: 'The supersession with the objection.', schema: SupersessionResult },
    refusals: ['STATE_CONFLICT'],
  },
  withdrawObjection: {
    route: 'DELETE /api/supersessions/{supersessionId}/objection',
    summary: 'Withdraw an objection',
    seen: 'finding',
    description: 'The claim is replaced again and the contradictions of the objection are dismissed. Refused once one of them is decided.',
    query: Type.Object(judgement),
    success: { status: 200, description: 'The supersession, standing again.', schema: SupersessionResult },
    refusals: ['STATE_CONFLICT'],
  },
})

const decisionOperations = defineOperations(forTenants('Decisions'), {
  listDecisions: {
    route: 'GET /api/scopes/{scopeId}/decisions',
    summary: 'List the decisions of a scope',
    seen: 'decisions',
    query: Type.Object({
      review: Type.Optional(Type.Enum(['pending'], { description: 'Only what waits for a person.' })),
      by: Type.Optional(Type.Enum(['person'], { description: 'Only what people said, each with `said`.' })),
      order: Type.Optional(Type.Enum(['newest'], { description: 'The newest first, against the order of the chain.' })),
      ...pageQuery,
    }),
    success: { status: 200, description: 'A page of decisions, in the order of the chain.', schema: DecisionPage },
  },
  reviewDecision: {
    route: 'POST /api/decisions/{decisionId}/review',
    summary: 'Approve or reject what is held',
    body: { schema: ReviewDecisionRequest, required: true },
    success: { status: 200, description: 'The decision with its review.', schema: ReviewResult },
    refusals: ['STATE_CONFLICT'],
  },
})

const eventOperations = defineOperations(forTenants('Events'), {
  streamOwnScope: {
    route: 'GET /api/scopes/{scopeId}/events',
    summary: 'Follow the events of a scope',
    query: Type.Object(streamQuery),
    headers: streamHeaders,
    success: streamed,
    stream: true,
  },
  streamOwnScopes: {
    route: 'GET /api/events',
    summary: 'Follow the events of all scopes that the key reaches',
    description:
      'For lists of scopes. Events are as webhooks have them: `source` names the scope, `sequence` is the place in its log. It begins with what is committed after the request and has no cursor: after a lost connection, read the lists again. Where no event may be missed, follow each scope, or have a webhook called.',
    success: streamed,
    stream: true,
  },
})

export const publicOperations = {
  ...healthOperations,
  ...intakeOperations,
  ...findingOperations,
  ...decisionOperations,
  ...eventOperations,
  ...certificateOperations,
  ...signOffOperations,
  ...caseOperations,
  ...documentOperations,
  ...scanOperations,
  ...legalHoldOperations,
  ...assignmentOperations,
  ...overviewOperations,
  ...modelUseOperations,
  ...paperOperations,
  ...asOfOperations,
  ...agentOperations,
  ...webhookOperations,
  ...signInOperations,
}
