/** The public tier: a tenant's own documents and what was found in them. */

import type { publicOperations } from '../../contract/public-operations.js'
import { registerDocument } from '../../scopes/attach.js'
import { getCertificate, getJwks } from '../../scopes/certificate-view.js'
import { listClaims } from '../../scopes/claims.js'
import { listContradictions } from '../../scopes/contradictions.js'
import { listDecisions } from '../../scopes/decisions.js'
import { awaitDocument, getDocument, listDocuments } from '../../scopes/documents.js'
import { eraseDocument } from '../../scopes/erase.js'
import { decidePossibleConflict, objectToSupersession, reopenPossibleConflict, restoreSupersession } from '../../scopes/finding-act.js'
import { listScopes } from '../../scopes/lifecycle.js'
import { listPossibleConflicts } from '../../scopes/possible-conflicts.js'
import { reportContradiction } from '../../scopes/report.js'
import { resolveContradiction } from '../../scopes/resolution.js'
import { reviewDecision } from '../../scopes/review.js'
import { listSupersessions } from '../../scopes/supersessions.js'
import type { Caller } from '../auth.js'
import type { HandlersOf } from '../handler.js'
import { answerHealth } from '../health-answer.js'
import { idempotencyKeyOf, replayed } from '../idempotency.js'
import type { Services } from '../services.js'
import { streamScope } from '../stream-answer.js'
import { summaryAnswer } from '../summary-answer.js'
import { validationFailed } from '../validation.js'

export function publicHandlers(services: Services): HandlersOf<typeof publicOperations> {
  const { scopes } = services
  return {
    getHealth: async () => {
      const isReady = await services.isReady()
      return answerHealth({ status: isReady ? 'ok' : 'unavailable', version: services.version, time: services.clock.now().toISOString() })
    },
    ingestDocument: async call => {
      const { idempotency_key: inBody, type = 'txt', ...rest } = call.body
      const idempotencyKey = idempotencyKeyOf(call.headers, inBody) ?? null
      const accepted = await services.ingest.accept({ tenantId: call.tenantId, body: { ...rest, type }, idempotencyKey, trace: call.trace })
      return { body: accepted.response, headers: replayed(accepted.replayed) }
    },
    createDocument: async call => {
      const answer = await registerDocument(scopes, call.tenantId, call.body, idempotencyKeyOf(call.headers))
      return { body: answer.body, headers: replayed(answer.replayed) }
    },
    createContradiction: async call => {
      const answer = await reportContradiction(scopes, call.tenantId, call.body, idempotencyKeyOf(call.headers))
      return { body: answer.body, headers: replayed(answer.replayed) }
    },
    listOwnScopes: async call => ({ body: await listScopes(scopes, call.tenantId, call.query) }),
    getOwnSummary: call => summaryAnswer(services, call),
    ...documentHandlers(services),
    listDocuments: async call => ({ body: await listDocuments(scopes, { ...call.query, ...nameOf(call) }) }),
    listClaims: async call => {
      const { document_id: documentId, as_of: asOf, known_at: knownAt, ...query } = call.query
      return { body: await listClaims(scopes, { ...query, documentId, asOf, knownAt, ...nameOf(call) }) }
    },
    listContradictions: async call => ({ body: await listContradictions(scopes, { ...call.query, ...nameOf(call) }) }),
    resolveContradiction: async call => {
      const { contradictionId } = call.params
      return { body: await resolveContradiction(scopes, { tenantId: call.tenantId, contradictionId, ...call.body }) }
    },
    listPossibleConflicts: async call => ({ body: await listPossibleConflicts(scopes, { ...call.query, ...nameOf(call) }) }),
    promotePossibleConflict: async call => ({
      body: await decidePossibleConflict(scopes, { ...possibleOf(call), ...call.body, verdict: 'promote' }),
    }),
    dismissPossibleConflict: async call => ({
      body: await decidePossibleConflict(scopes, { ...possibleOf(call), ...call.body, verdict: 'dismiss' }),
    }),
    withdrawPromotion: async call => ({
      body: await reopenPossibleConflict(scopes, { ...possibleOf(call), ...call.query, decided: 'promoted' }),
    }),
    withdrawDismissal: async call => ({
      body: await reopenPossibleConflict(scopes, { ...possibleOf(call), ...call.query, decided: 'dismissed' }),
    }),
    listSupersessions: async call => ({ body: await listSupersessions(scopes, { ...call.query, ...nameOf(call) }) }),
    objectToSupersession: async call => ({ body: await objectToSupersession(scopes, { ...supersessionOf(call), ...call.body }) }),
    withdrawObjection: async call => ({ body: await restoreSupersession(scopes, { ...supersessionOf(call), ...call.query }) }),
    listDecisions: async call => ({ body: await listDecisions(scopes, { ...call.query, ...nameOf(call) }) }),
    reviewDecision: async call => {
      const { decisionId } = call.params
      return { body: await reviewDecision(scopes, { tenantId: call.tenantId, decisionId, ...call.body }) }
    },
    getCertificate: async call => ({ body: await getCertificate(scopes, nameOf(call)) }),
    streamOwnScope: call => streamScope(services, call),
    getJwks: async () => ({ body: await getJwks(services.db), headers: { 'cache-control': 'public, max-age=300' } }),
  }
}

function possibleOf(call: { tenantId: string; params: { possibleConflictId: string } }) {
  return { tenantId: call.tenantId, findingId: call.params.possibleConflictId }
}

function supersessionOf(call: { tenantId: string; params: { supersessionId: string } }) {
  return { tenantId: call.tenantId, findingId: call.params.supersessionId }
}

function documentHandlers({ scopes, waits, readers }: Services) {
  const read = async (call: DocumentCall & { caller: Caller; query: { wait?: number | undefined }; signal: AbortSignal }) => {
    const { wait = 0 } = call.query
    if (wait === 0) return { body: await getDocument(scopes, documentNamed(call)) }
    const leave = readers.enter(call.caller)
    try {
      return { body: await awaitDocument(scopes, waits, { ...documentNamed(call), wait, signal: call.signal }) }
    } finally {
      leave()
    }
  }
  const erase = async (call: DocumentCall) => ({ body: await eraseDocument(scopes, documentNamed(call)) })
  return { getDocument: read, getDocumentByQuery: read, eraseDocument: erase, eraseDocumentByQuery: erase }
}

interface DocumentCall {
  tenantId: string
  params: { documentId?: string }
  query: { scope_id: string; document_id?: string | undefined }
}

/** The id in the query counts; one in the path must be the same, or stand for it. */
function documentNamed({ tenantId, params, query }: DocumentCall) {
  const inPath = params.documentId ?? '-'
  const documentId = query.document_id ?? inPath
  if (inPath !== '-' && inPath !== documentId) {
    throw validationFailed([{ pointer: '/query/document_id', detail: 'differs from the document in the path' }])
  }
  return { tenantId, scopeId: query.scope_id, documentId }
}

function nameOf(call: { tenantId: string; params: { scopeId: string } }) {
  return { tenantId: call.tenantId, scopeId: call.params.scopeId }
}
