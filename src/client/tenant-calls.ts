/** What a tenant does with its own documents and findings, with its id and key. */

import {
  type Api,
  answered,
  answeredHealth,
  type CallOptions,
  type IntakeOptions,
  type KeyedOptions,
  keyed,
  marksOf,
  newIdempotencyKey,
  type QueryOf,
  type Schema,
  streamed,
  streaming,
} from './api.js'
import type { operations } from './api-types.js'
import { type FollowOptions, followEvents } from './follow-events.js'
import { listOf } from './pages.js'
import { archiveType } from './retrying-fetch.js'

/** `replayed`: the document had been submitted before under the same key, and this is the first answer. */
export type IngestAnswer = Schema['IngestDocumentResponse'] & { replayed: boolean }

export type FileAnswer = Schema['FileIngestResponse'] & { replayed: boolean }

export interface FileFields {
  scope_id: string
  document_id?: string | undefined
  /** Without it: the name of the file. */
  name?: string | undefined
  source?: string | undefined
  model?: 'off' | undefined
  about?: string | undefined
  idempotency_key?: string | undefined
}

interface WantedOriginal {
  revision?: number | undefined
  part?: { begin: number; end: number } | undefined
}

export function tenantCalls(api: Api) {
  return {
    health: (options: CallOptions = {}) => answeredHealth(api.GET('/api/health', { ...options })),
    /** Whose key it is, what it may do and within which limits. */
    me: (options: CallOptions = {}) => answered(api.GET('/api/me', { ...options })),
    /** Queues a document. Safe to repeat: an idempotency key is made when none is given. */
    ingest: async (document: Schema['IngestDocumentRequest'], options: IntakeOptions = {}): Promise<IngestAnswer> => {
      const call = api.POST('/api/ingest', { body: document, ...keyed(options, document.idempotency_key) })
      const answer = await answered(call)
      return { ...answer, replayed: (await call).response.headers.get('idempotent-replayed') === 'true' }
    },
    /**
     * Queues up to 200 documents and gives an answer for each, in their order: one that is refused is an answer too. Safe
     * to repeat: those without an idempotency key get one.
     */
    ingestBatch: async (
      documents: readonly Schema['IngestDocumentRequest'][],
      { idempotencyKey, model, about, ...options }: IntakeOptions = {},
    ) => {
      // The header is for the fetch beneath: it says that repeating the request does nothing twice.
      const key = idempotencyKey ?? newIdempotencyKey()
      const body = {
        documents: documents.map((document, index) => ({ ...document, idempotency_key: document.idempotency_key ?? `${key}-${index}` })),
      }
      const headers = { 'idempotency-key': key, ...marksOf({ model, about }) }
      const answer = await answered(api.POST('/api/ingest/batch', { body, headers, ...options }))
      const replayed = new Set(answer.replayed)
      const items = answer.items.map((item, index): IngestAnswer | Schema['Problem'] =>
        'queued' in item ? { ...item, replayed: replayed.has(index) } : item,
      )
      return { ...answer, items }
    },
    /** Queues a file of any kind the service reads, recognised by its content. As safe to repeat as `ingest`. */
    ingestFile: async (file: Blob, about: FileFields, options: KeyedOptions = {}): Promise<FileAnswer> => {
      const form = new FormData()
      for (const [name, value] of Object.entries(about)) if (value !== undefined) form.append(name, value)
      form.append('file', file, about.name ?? 'file')
      const call = api.POST('/api/files', {
        body: { ...about, file: '' },
        bodySerializer: () => form,
        ...keyed(options, about.idempotency_key),
      })
      const answer = await answered(call)
      return { ...answer, replayed: (await call).response.headers.get('idempotent-replayed') === 'true' }
    },
    registerDocument: (document: Schema['CreateDocumentBody'], options: KeyedOptions = {}) =>
      answered(api.POST('/api/documents', { body: document, ...keyed(options) })),
    reportContradiction: (contradiction: Schema['CreateContradictionBody'], options: KeyedOptions = {}) =>
      answered(api.POST('/api/contradictions', { body: contradiction, ...keyed(options) })),
    ...documentCalls(api),
    ...scopeCalls(api),
    ...webhookCalls(api),
  }
}

/** By an id that may not survive in a path. */
function document<More>(scope_id: string, document_id: string, more?: More) {
  return { path: { documentId: '-' }, query: { ...(more as More), scope_id, document_id } }
}

type WordsQuery = Omit<QueryOf<'listWords'>, 'scope_id' | 'document_id'>

function documentCalls(api: Api) {
  return {
    /** `wait` (seconds, up to 30) answers as soon as processing has ended. */
    document: (scopeId: string, documentId: string, { wait, ...options }: CallOptions & { wait?: number } = {}) =>
      answered(api.GET('/api/documents', { params: { query: { scope_id: scopeId, document_id: documentId, wait } }, ...options })),
    /** Whether models may read it, what they were shown of it, and what that cost. */
    documentModel: (scopeId: string, documentId: string, options: CallOptions = {}) =>
      answered(api.GET('/api/documents/{documentId}/model', { params: document(scopeId, documentId), ...options })),
    /** Whether a model reads the case, and what that has cost. */
    scopeModel: (scopeId: string, options: CallOptions = {}) =>
      answered(api.GET('/api/scopes/{scopeId}/model', { params: { path: { scopeId } }, ...options })),
    eraseDocument: (scopeId: string, documentId: string, options: CallOptions = {}) =>
      answered(api.DELETE('/api/documents', { params: { query: { scope_id: scopeId, document_id: documentId } }, ...options })),
    /** The text as it was submitted: `start` and `end` of claims count its code points. */
    documentText: (scopeId: string, documentId: string, { revision, ...options }: CallOptions & { revision?: number | undefined } = {}) =>
      answered(
        api.GET('/api/documents/{documentId}/text', {
          params: document(scopeId, documentId, { revision }),
          parseAs: 'text',
          ...options,
        }),
      ) as Promise<string>,
    /** The file as it came, for documents that came as files; with `part` these of its bytes, `end` being behind the last. */
    original: async (
      scopeId: string,
      documentId: string,
      { revision, part, ...options }: CallOptions & WantedOriginal = {},
    ): Promise<Blob> => {
      const header = part === undefined ? {} : { Range: `bytes=${part.begin}-${part.end - 1}` }
      const params = { ...document(scopeId, documentId, { revision }), header }
      const call = api.GET('/api/documents/{documentId}/original', { params, parseAs: 'blob', ...options })
      const given = (await answered(call)) as Blob
      // Some proxies give all of it.
      return part === undefined || (await call).response.status === 206 ? given : given.slice(part.begin, part.end)
    },
    /** The schedule of contradictions as Word or Excel. */
    schedule: (scopeId: string, query: NonNullable<operations['getSchedule']['parameters']['query']> = {}, options: CallOptions = {}) =>
      answered(
        api.GET('/api/scopes/{scopeId}/schedule', { params: { path: { scopeId }, query }, parseAs: 'blob', ...options }),
      ) as Promise<Blob>,
    /** A case as it was at a moment: a page of each list, or of `list` alone. */
    asOf: (scopeId: string, query: operations['getAsOf']['parameters']['query'], options: CallOptions = {}) =>
      answered(api.GET('/api/scopes/{scopeId}/as-of', { params: { path: { scopeId }, query }, ...options })),
    /** The same as a signed document. */
    signedAsOf: (scopeId: string, query: operations['getSignedAsOf']['parameters']['query'], options: CallOptions = {}) =>
      answered(api.GET('/api/scopes/{scopeId}/as-of/signed', { params: { path: { scopeId }, query }, ...options })),
    /** The same as a page of HTML to print. */
    asOfPage: (scopeId: string, query: operations['getAsOfPage']['parameters']['query'], options: CallOptions = {}) =>
      answered(
        api.GET('/api/scopes/{scopeId}/as-of/page', { params: { path: { scopeId }, query }, parseAs: 'text', ...options }),
      ) as Promise<string>,
    /** What is handed on of a case. With `from` and the `etag` of a transfer that broke off it goes on there; `isRest` says whether it does. */
    bundle: async (scopeId: string, { from = 0, etag, ...options }: CallOptions & { from?: number; etag?: string | null } = {}) => {
      const header = from > 0 && etag != null ? { Range: `bytes=${from}-`, 'If-Range': etag } : {}
      const asked = { params: { path: { scopeId }, header }, headers: { accept: archiveType } }
      const call = api.GET('/api/scopes/{scopeId}/bundle', { ...asked, parseAs: 'stream', ...options })
      const stream = await streamed(call)
      const { response } = await call
      return { stream, etag: response.headers.get('etag'), isRest: response.status === 206 }
    },
    revisions: (scopeId: string, documentId: string, query: { limit?: number } = {}) =>
      listOf(cursor =>
        answered(api.GET('/api/documents/{documentId}/revisions', { params: document(scopeId, documentId, { ...query, cursor }) })),
      ),
    /** Words that were recognised in a scan or picture, with their places on the page. */
    words: (scopeId: string, documentId: string, query: WordsQuery = {}) =>
      listOf(cursor =>
        answered(api.GET('/api/documents/{documentId}/words', { params: document(scopeId, documentId, { ...query, cursor }) })),
      ),
    /** A word of a scan as a person reads it on the page: a new revision. */
    correctWord: (scopeId: string, documentId: string, correction: Schema['WordCorrection'], options: CallOptions = {}) =>
      answered(
        api.POST('/api/documents/{documentId}/corrections', { params: document(scopeId, documentId), body: correction, ...options }),
      ),
    /** Languages that scans can be read in, and how others are installed. */
    scanLanguages: (options: CallOptions = {}) => answered(api.GET('/api/scan-languages', { ...options })),
    /** Reads a scan again, in other languages: a new revision. */
    recogniseAgain: (scopeId: string, documentId: string, request: Schema['RecogniseRequest'], options: CallOptions = {}) =>
      answered(api.POST('/api/documents/{documentId}/recognition', { params: document(scopeId, documentId), body: request, ...options })),
    /** Takes a document out of the queue: it will not be read. */
    cancelDocument: (scopeId: string, documentId: string, said: Schema['FindingRequest'], options: CallOptions = {}) =>
      answered(api.POST('/api/documents/{documentId}/cancellation', { params: document(scopeId, documentId), body: said, ...options })),
    /** Takes a document out of quarantine for good. */
    discardDocument: (scopeId: string, documentId: string, said: Schema['FindingRequest'], options: CallOptions = {}) =>
      answered(api.POST('/api/documents/{documentId}/discard', { params: document(scopeId, documentId), body: said, ...options })),
    /** Sends a quarantined document back into the queue. */
    retryDocument: (scopeId: string, documentId: string, options: CallOptions = {}) =>
      answered(api.POST('/api/documents/{documentId}/retry', { params: document(scopeId, documentId), ...options })),
    resolve: (contradictionId: string, resolution: Schema['ResolveContradictionRequest'], options: CallOptions = {}) =>
      answered(api.POST(resolutionOf, { params: { path: { contradictionId } }, body: resolution, ...options })),
    /** Takes a decision back: the contradiction is open again. */
    reopen: (contradictionId: string, said: Schema['FindingRequest'], options: CallOptions = {}) =>
      answered(api.DELETE(resolutionOf, { params: { path: { contradictionId }, query: said }, ...options })),
    ...findingCalls(api),
    ...assignmentCalls(api),
    review: (decisionId: string, review: Schema['ReviewDecisionRequest'], options: CallOptions = {}) =>
      answered(api.POST('/api/decisions/{decisionId}/review', { params: { path: { decisionId } }, body: review, ...options })),
    jwks: (options: CallOptions = {}) => answered(api.GET('/.well-known/jwks.json', { ...options })),
  }
}

const resolutionOf = '/api/contradictions/{contradictionId}/resolution'
const promotionOf = '/api/possible-conflicts/{possibleConflictId}/promotion'
const acceptanceOf = '/api/possible-conflicts/{possibleConflictId}/acceptance'
const dismissalOf = '/api/possible-conflicts/{possibleConflictId}/dismissal'
const objectionOf = '/api/supersessions/{supersessionId}/objection'

/** What a person says about possible conflicts and supersessions, and how it is taken back. */
function findingCalls(api: Api) {
  type Said = Schema['FindingRequest']
  return {
    promote: (possibleConflictId: string, said: Said, options: CallOptions = {}) =>
      answered(api.POST(promotionOf, { params: { path: { possibleConflictId } }, body: said, ...options })),
    /** Accepts a replacement that is proposed. */
    accept: (possibleConflictId: string, said: Said, options: CallOptions = {}) =>
      answered(api.POST(acceptanceOf, { params: { path: { possibleConflictId } }, body: said, ...options })),
    withdrawAcceptance: (possibleConflictId: string, said: Said, options: CallOptions = {}) =>
      answered(api.DELETE(acceptanceOf, { params: { path: { possibleConflictId }, query: said }, ...options })),
    dismiss: (possibleConflictId: string, said: Said, options: CallOptions = {}) =>
      answered(api.POST(dismissalOf, { params: { path: { possibleConflictId } }, body: said, ...options })),
    withdrawPromotion: (possibleConflictId: string, said: Said, options: CallOptions = {}) =>
      answered(api.DELETE(promotionOf, { params: { path: { possibleConflictId }, query: said }, ...options })),
    withdrawDismissal: (possibleConflictId: string, said: Said, options: CallOptions = {}) =>
      answered(api.DELETE(dismissalOf, { params: { path: { possibleConflictId }, query: said }, ...options })),
    object: (supersessionId: string, said: Said, options: CallOptions = {}) =>
      answered(api.POST(objectionOf, { params: { path: { supersessionId } }, body: said, ...options })),
    withdrawObjection: (supersessionId: string, said: Said, options: CallOptions = {}) =>
      answered(api.DELETE(objectionOf, { params: { path: { supersessionId }, query: said }, ...options })),
  }
}

const assignmentOf = '/api/contradictions/{contradictionId}/assignment'
const commentsOf = '/api/contradictions/{contradictionId}/comments'

/** Who is to look at a contradiction, and what people write about it. */
function assignmentCalls(api: Api) {
  return {
    assign: (contradictionId: string, assignment: Schema['AssignmentRequest'], options: CallOptions = {}) =>
      answered(api.PUT(assignmentOf, { params: { path: { contradictionId } }, body: assignment, ...options })),
    unassign: (contradictionId: string, said: { by?: string } = {}, options: CallOptions = {}) =>
      answered(api.DELETE(assignmentOf, { params: { path: { contradictionId }, query: said }, ...options })),
    comments: (contradictionId: string, query: QueryOf<'listComments'> = {}) =>
      listOf(cursor => answered(api.GET(commentsOf, { params: { path: { contradictionId }, query: { ...query, cursor } } }))),
    /** Safe to repeat: an idempotency key is made when none is given. */
    comment: (contradictionId: string, comment: Schema['CommentRequest'], options: KeyedOptions = {}) => {
      const { params, ...rest } = keyed(options)
      return answered(api.POST(commentsOf, { params: { ...params, path: { contradictionId } }, body: comment, ...rest }))
    },
  }
}

type HoldOptions = CallOptions & { documentId?: string }

const documentHold = '/api/documents/{documentId}/hold'

function pageIn<Query>(scopeId: string, query: Query, cursor: string | undefined) {
  return { params: { path: { scopeId }, query: { ...query, cursor } } }
}

function scopeCalls(api: Api) {
  const summary = (scopeId: string, options: CallOptions = {}) =>
    answered(api.GET('/api/scopes/{scopeId}/summary', { params: { path: { scopeId } }, ...options }))
  return {
    scopes: (query: QueryOf<'listOwnScopes'> = {}) =>
      listOf(cursor => answered(api.GET('/api/scopes', { params: { query: { ...query, cursor } } }))),
    createScope: (scope: Schema['CreateScopeRequest'], options: CallOptions = {}) =>
      answered(api.POST('/api/scopes', { body: scope, ...options })),
    /** With everything in it. Using the name again goes on counting where it ended. */
    deleteScope: (scopeId: string, options: CallOptions = {}) =>
      answered(api.DELETE('/api/scopes/{scopeId}', { params: { path: { scopeId } }, ...options })),
    summary,
    /** The first page of a case. Without `since` it tells what changed since the last visit, and is one. */
    overview: (scopeId: string, query: QueryOf<'getOverview'> = {}, options: CallOptions = {}) =>
      answered(api.GET('/api/scopes/{scopeId}/overview', { params: { path: { scopeId }, query }, ...options })),
    /** Until it is lifted nothing removes the case, or with `documentId` that document. */
    hold: (scopeId: string, said: Schema['LegalHoldRequest'], { documentId, ...options }: HoldOptions = {}) =>
      documentId === undefined
        ? answered(api.POST('/api/scopes/{scopeId}/hold', { params: { path: { scopeId } }, body: said, ...options }))
        : answered(api.POST(documentHold, { params: document(scopeId, documentId), body: said, ...options })),
    liftHold: (scopeId: string, said: Schema['LegalHoldRequest'], { documentId, ...options }: HoldOptions = {}) =>
      documentId === undefined
        ? answered(api.DELETE('/api/scopes/{scopeId}/hold', { params: { path: { scopeId }, query: said }, ...options }))
        : answered(api.DELETE(documentHold, { params: document(scopeId, documentId, said), ...options })),
    holds: (scopeId: string, query: QueryOf<'listHolds'> = {}) =>
      listOf(cursor => answered(api.GET('/api/scopes/{scopeId}/holds', pageIn(scopeId, query, cursor)))),
    /** Has its documents read again; with `model` those that no model has answered about. */
    reread: (scopeId: string, request: Schema['RereadRequest'] = {}, options: CallOptions = {}) =>
      answered(api.POST('/api/scopes/{scopeId}/reread', { params: { path: { scopeId } }, body: request, ...options })),
    /** One page: the figures and gates of the scope, and its rounds, newest first. */
    convergence: (scopeId: string, query: { limit?: number; cursor?: string } = {}, options: CallOptions = {}) =>
      answered(api.GET('/api/scopes/{scopeId}/convergence', { params: { path: { scopeId }, query }, ...options })),
    policies: (scopeId: string, options: CallOptions = {}) =>
      answered(api.GET('/api/scopes/{scopeId}/policies', { params: { path: { scopeId } }, ...options })),
    documents: (scopeId: string, query: QueryOf<'listDocuments'> = {}) =>
      listOf(cursor => answered(api.GET('/api/scopes/{scopeId}/documents', pageIn(scopeId, query, cursor)))),
    claims: (scopeId: string, query: QueryOf<'listClaims'> = {}) =>
      listOf(cursor => answered(api.GET('/api/scopes/{scopeId}/claims', pageIn(scopeId, query, cursor)))),
    contradictions: (scopeId: string, query: QueryOf<'listContradictions'> = {}) =>
      listOf(cursor => answered(api.GET('/api/scopes/{scopeId}/contradictions', pageIn(scopeId, query, cursor)))),
    /** One of them, with who has looked at it. */
    contradiction: (contradictionId: string, options: CallOptions = {}) =>
      answered(api.GET('/api/contradictions/{contradictionId}', { params: { path: { contradictionId } }, ...options })),
    possibleConflicts: (scopeId: string, query: QueryOf<'listPossibleConflicts'> = {}) =>
      listOf(cursor => answered(api.GET('/api/scopes/{scopeId}/possible-conflicts', pageIn(scopeId, query, cursor)))),
    possibleConflict: (possibleConflictId: string, options: CallOptions = {}) =>
      answered(api.GET('/api/possible-conflicts/{possibleConflictId}', { params: { path: { possibleConflictId } }, ...options })),
    /** Those that a person is shown first, by fact. */
    possibleFacts: (scopeId: string, query: QueryOf<'listPossibleFacts'> = {}) =>
      listOf(cursor => answered(api.GET('/api/scopes/{scopeId}/possible-conflicts/by-fact', pageIn(scopeId, query, cursor)))),
    decidePossible: (scopeId: string, decided: Schema['PossibleConflictsRequest'], options: CallOptions = {}) =>
      answered(
        api.POST('/api/scopes/{scopeId}/possible-conflicts/decisions', { params: { path: { scopeId } }, body: decided, ...options }),
      ),
    /** Replacements that are proposed, those of one document by another together. */
    replacements: (scopeId: string, query: QueryOf<'listReplacements'> = {}) =>
      listOf(cursor => answered(api.GET('/api/scopes/{scopeId}/replacements', pageIn(scopeId, query, cursor)))),
    decideReplacements: (scopeId: string, decided: Schema['ReplacementsRequest'], options: CallOptions = {}) =>
      answered(api.POST('/api/scopes/{scopeId}/replacements', { params: { path: { scopeId } }, body: decided, ...options })),
    supersessions: (scopeId: string, query: QueryOf<'listSupersessions'> = {}) =>
      listOf(cursor => answered(api.GET('/api/scopes/{scopeId}/supersessions', pageIn(scopeId, query, cursor)))),
    decisions: (scopeId: string, query: QueryOf<'listDecisions'> = {}) =>
      listOf(cursor => answered(api.GET('/api/scopes/{scopeId}/decisions', pageIn(scopeId, query, cursor)))),
    /** Signs the scope off as it stands. Safe to repeat: an idempotency key is made when none is given. */
    signOff: (scopeId: string, said: Schema['SignOffRequest'], options: KeyedOptions = {}) => {
      const { params, ...rest } = keyed(options)
      return answered(api.POST('/api/scopes/{scopeId}/sign-off', { params: { ...params, path: { scopeId } }, body: said, ...rest }))
    },
    signOffs: (scopeId: string, query: QueryOf<'listSignOffs'> = {}) =>
      listOf(cursor => answered(api.GET('/api/scopes/{scopeId}/sign-offs', pageIn(scopeId, query, cursor)))),
    withdrawSignOff: (scopeId: string, signOffId: string, said: { by: string; reason: string }, options: CallOptions = {}) =>
      answered(
        api.DELETE('/api/scopes/{scopeId}/sign-offs/{signOffId}', { params: { path: { scopeId, signOffId }, query: said }, ...options }),
      ),
    certificate: (scopeId: string, options: CallOptions = {}) =>
      answered(api.GET('/api/scopes/{scopeId}/certificate', { params: { path: { scopeId } }, ...options })),
    /** All of them, oldest first, also those of before a reset. */
    certificates: (scopeId: string, query: QueryOf<'listCertificates'> = {}) =>
      listOf(cursor => answered(api.GET('/api/scopes/{scopeId}/certificates', pageIn(scopeId, query, cursor)))),
    /** Which certificates are withdrawn, signed. */
    withdrawnCertificates: (scopeId: string, options: CallOptions = {}) =>
      answered(api.GET('/api/scopes/{scopeId}/certificates/withdrawn', { params: { path: { scopeId } }, ...options })),
    /** The scope's events, each once and in order, through lost connections and restarts of the service. */
    events: (scopeId: string, options: FollowOptions = {}) => scopeEvents(api, scopeId, options, () => summary(scopeId)),
    /** Events of all scopes from now on. What happens while a connection is lost is missed: read again in `onOpen`. */
    allEvents: (options: Omit<FollowOptions, 'after'> = {}) =>
      followEvents((_cursor, signal) => streamed(api.GET('/api/events', { ...streaming(signal) })), options),
  }
}

/** "From now on" is pinned to a seq first: a connection lost before its first event would otherwise lose what came between. */
async function* scopeEvents(api: Api, scopeId: string, options: FollowOptions, readSummary: () => Promise<{ last_seq: number | null }>) {
  const after = options.after ?? (await readSummary()).last_seq ?? -1
  const open = (cursor: string | undefined, signal: AbortSignal) =>
    streamed(
      api.GET('/api/scopes/{scopeId}/events', {
        params: { path: { scopeId }, header: { 'Last-Event-ID': cursor } },
        ...streaming(signal),
      }),
    )
  yield* followEvents(open, { ...options, after })
}

/** Webhooks of a tenant. A secret is in the answer that makes it and nowhere else. */
function webhookCalls(api: Api) {
  const named = (webhookId: string) => ({ params: { path: { webhookId } } })
  return {
    webhooks: (query: { limit?: number } = {}) =>
      listOf(cursor => answered(api.GET('/api/webhooks', { params: { query: { ...query, cursor } } }))),
    createWebhook: (webhook: Schema['CreateWebhookRequest'], options: CallOptions = {}) =>
      answered(api.POST('/api/webhooks', { body: webhook, ...options })),
    webhook: (webhookId: string, options: CallOptions = {}) =>
      answered(api.GET('/api/webhooks/{webhookId}', { ...named(webhookId), ...options })),
    changeWebhook: (webhookId: string, change: Schema['ChangeWebhookRequest'], options: CallOptions = {}) =>
      answered(api.PATCH('/api/webhooks/{webhookId}', { ...named(webhookId), body: change, ...options })),
    deleteWebhook: (webhookId: string, options: CallOptions = {}) =>
      answered(api.DELETE('/api/webhooks/{webhookId}', { ...named(webhookId), ...options })),
    /** For `keep_hours` (24) the secret before signs beside the new one. */
    rotateWebhookSecret: (webhookId: string, wanted: Schema['RotateSecretRequest'] = {}, options: CallOptions = {}) =>
      answered(api.POST('/api/webhooks/{webhookId}/secret', { ...named(webhookId), body: wanted, ...options })),
    testWebhook: (webhookId: string, options: CallOptions = {}) =>
      answered(api.POST('/api/webhooks/{webhookId}/test', { ...named(webhookId), ...options })),
    /** What became of messages, newest first. */
    webhookDeliveries: (webhookId: string, query: QueryOf<'listWebhookDeliveries'> = {}) =>
      listOf(cursor =>
        answered(api.GET('/api/webhooks/{webhookId}/deliveries', { params: { path: { webhookId }, query: { ...query, cursor } } })),
      ),
    redeliverWebhook: (webhookId: string, deliveryId: string, options: CallOptions = {}) =>
      answered(
        api.POST('/api/webhooks/{webhookId}/deliveries/{deliveryId}/redelivery', {
          params: { path: { webhookId, deliveryId } },
          ...options,
        }),
      ),
  }
}
