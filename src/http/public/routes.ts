/** The public tier: a tenant's own documents and what was found in them. */

import { publicOperations } from '../../contract/public-operations.js'
import { AppError } from '../../platform/errors.js'
import { getAsOf } from '../../scopes/as-of.js'
import { getCertificate, getJwks, listCertificates } from '../../scopes/certificates/certificate-view.js'
import { listSignOffs, signOff, withdraw } from '../../scopes/certificates/sign-off.js'
import { listClaims } from '../../scopes/claims.js'
import type { PageRequest } from '../../scopes/cursors.js'
import { listDecisions } from '../../scopes/decisions.js'
import { registerDocument } from '../../scopes/documents/attach.js'
import { discardDocument } from '../../scopes/documents/discard.js'
import { getDocumentText, listRevisions } from '../../scopes/documents/document-text.js'
import { awaitDocument, getDocument, listDocuments } from '../../scopes/documents/documents.js'
import { eraseDocument } from '../../scopes/documents/erase.js'
import { getDocumentModel, getScopeModel } from '../../scopes/documents/model-use.js'
import { retryDocument } from '../../scopes/documents/quarantine.js'
import { rereadScope } from '../../scopes/documents/reread.js'
import { assign } from '../../scopes/findings/assignments.js'
import { addComment, listComments } from '../../scopes/findings/comments.js'
import { getContradiction, listContradictions } from '../../scopes/findings/contradictions.js'
import {
  decidePossibleConflict,
  objectToSupersession,
  reopenPossibleConflict,
  restoreSupersession,
} from '../../scopes/findings/finding-act.js'
import { getPossibleConflict, listPossibleConflicts } from '../../scopes/findings/possible-conflicts.js'
import { decidePossibleConflicts, listPossibleFacts } from '../../scopes/findings/possible-facts.js'
import { decideReplacements, listReplacements } from '../../scopes/findings/replacements.js'
import { reportContradiction } from '../../scopes/findings/report.js'
import { reopenContradiction, resolveContradiction } from '../../scopes/findings/resolution.js'
import { listSupersessions } from '../../scopes/findings/supersessions.js'
import { scopeConvergence } from '../../scopes/kernel-convergence.js'
import { liftStandingHold, listHolds, setHold } from '../../scopes/legal-holds.js'
import { createScope, listScopes } from '../../scopes/lifecycle.js'
import { getOverview } from '../../scopes/overview.js'
import { getPolicies } from '../../scopes/policies.js'
import { deleteScope } from '../../scopes/reset.js'
import { reviewDecision } from '../../scopes/review.js'
import { aboutOf } from '../about-header.js'
import { answerHealth, nameOf, summaryAnswer, taggedAnswer } from '../answers.js'
import { type Caller, invalidCode, type Permission } from '../auth.js'
import { createBatchAnswer } from '../batch-answer.js'
import { type DocumentCall, documentNamed } from '../document-call.js'
import type { Call, HandlersOf } from '../handler.js'
import { idempotencyKeyOf, replayed } from '../idempotency.js'
import { meAnswer } from '../me-answer.js'
import { isBound, reachOf } from '../permission.js'
import type { Services } from '../services.js'
import { streamScope, streamTenant } from '../stream-answer.js'
import { scanHandlers } from './scan-routes.js'
import { signInHandlers } from './sign-in-routes.js'
import { webhookHandlers } from './webhook-routes.js'

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
      const modelOff = call.headers['x-document-model'] === 'off'
      const { tenantId, trace } = call
      const accepted = await services.ingest.accept({
        tenantId,
        body: { ...rest, type },
        idempotencyKey,
        trace,
        modelOff,
        about: aboutOf(call.headers),
      })
      return { body: accepted.response, headers: replayed(accepted.replayed) }
    },
    ingestBatch: createBatchAnswer(services),
    ingestFile: call => services.files.receive(call, publicOperations.ingestFile.upload),
    getOriginal: call => services.files.original(call, { ...documentNamed(call), revision: call.query.revision }),
    createDocument: async call => {
      const answer = await registerDocument(scopes, call.tenantId, call.body, idempotencyKeyOf(call.headers))
      return { body: answer.body, headers: replayed(answer.replayed) }
    },
    createContradiction: async call => {
      const said = { ...call.body, bound: isBound(call.caller) }
      const answer = await reportContradiction(scopes, call.tenantId, said, idempotencyKeyOf(call.headers))
      return { body: answer.body, headers: replayed(answer.replayed) }
    },
    getMe: call => meAnswer(services, call.caller),
    listOwnScopes: async call => ({ body: await listScopes(scopes, call.tenantId, { ...call.query, within: reachOf(call.caller) }) }),
    createOwnScope: async call => ({ body: await createScope(scopes, call.tenantId, call.body) }),
    deleteOwnScope: async call => ({ body: await deleteScope(scopes, nameOf(call)) }),
    getOwnSummary: call => summaryAnswer(services, call),
    getOverview: async call => ({ body: await getOverview(scopes, { ...call.query, ...nameOf(call), visitor: visitorOf(call.caller) }) }),
    rereadScope: async call => ({ body: await rereadScope(scopes, nameOf(call), call.body ?? {}) }),
    getOwnConvergence: async call => ({ body: await scopeConvergence(scopes, { ...call.query, ...nameOf(call) }) }),
    getOwnPolicies: async call => ({ body: await getPolicies(scopes, nameOf(call)) }),
    answerAgent: call => services.agents(call),
    ...documentHandlers(services),
    ...scanHandlers(services),
    ...legalHoldHandlers(services),
    getDocumentModel: async call => ({ body: await getDocumentModel(scopes, documentNamed(call)) }),
    getScopeModel: async call => ({ body: await getScopeModel(scopes, nameOf(call)) }),
    getSchedule: call => {
      const { format = 'xlsx', q: words, ...query } = call.query
      return services.files.schedule(call, { ...contradictionsWanted(query), words, format, ...nameOf(call) })
    },
    getAsOf: async call => ({ body: await getAsOf(scopes, { ...call.query, ...nameOf(call) }) }),
    getSignedAsOf: async call => {
      const { payload, ...signed } = await services.statements.asOf({ ...call.query, ...nameOf(call) })
      return { body: { scope_id: payload.scope_id, at: payload.at, ...signed } }
    },
    getAsOfPage: call => services.files.asOfPage(call, { ...call.query, ...nameOf(call) }),
    getBundle: call => services.files.bundle(call, nameOf(call)),
    ...webhookHandlers(services),
    ...signInHandlers(services),
    listDocuments: async call => {
      const {
        received_from: receivedFrom,
        received_to: receivedTo,
        read_without_model: withoutModel,
        part_of: partOf,
        ...query
      } = call.query
      return { body: await listDocuments(scopes, { ...query, receivedFrom, receivedTo, withoutModel, partOf, ...nameOf(call) }) }
    },
    listClaims: async call => {
      const { document_id: documentId, as_of: asOf, known_at: knownAt, ...query } = call.query
      return { body: await listClaims(scopes, { ...query, documentId, asOf, knownAt, ...nameOf(call) }) }
    },
    listContradictions: async call => {
      return { body: await listContradictions(scopes, { ...contradictionsWanted(call.query), ...nameOf(call) }) }
    },
    getPossibleConflict: async call => ({ body: await getPossibleConflict(scopes, { tenantId: call.tenantId, ...call.params }) }),
    getContradiction: async call => ({ body: await getContradiction(scopes, { tenantId: call.tenantId, ...call.params }) }),
    resolveContradiction: async call => ({ body: await resolveContradiction(scopes, { ...call.body, ...call.params, ...decider(call) }) }),
    reopenContradiction: async call => ({ body: await reopenContradiction(scopes, { ...call.query, ...call.params, ...decider(call) }) }),
    assignContradiction: async call => ({ body: await assign(scopes, { ...call.body, ...call.params, ...named(call, call.body.by) }) }),
    unassignContradiction: async call => ({ body: await assign(scopes, { ...call.params, ...named(call, call.query.by), to: null }) }),
    listComments: async call => {
      const { known_at: knownAt, ...query } = call.query
      return { body: await listComments(scopes, { ...query, ...call.params, knownAt, tenantId: call.tenantId }) }
    },
    addComment: async call => {
      const answer = await addComment(scopes, { ...call.body, ...call.params, ...decider(call) }, idempotencyKeyOf(call.headers))
      return { body: answer.body, headers: replayed(answer.replayed) }
    },
    listPossibleConflicts: async call => {
      const { known_at: knownAt, ...query } = call.query
      return { body: await listPossibleConflicts(scopes, { ...query, knownAt, ...nameOf(call) }) }
    },
    promotePossibleConflict: async call => ({
      body: await decidePossibleConflict(scopes, { ...call.body, ...possibleOf(call), verdict: 'promote' }),
    }),
    dismissPossibleConflict: async call => ({
      body: await decidePossibleConflict(scopes, { ...call.body, ...possibleOf(call), verdict: 'dismiss' }),
    }),
    acceptReplacement: async call => ({
      body: await decidePossibleConflict(scopes, { ...call.body, ...possibleOf(call), verdict: 'accept' }),
    }),
    withdrawAcceptance: async call => ({
      body: await reopenPossibleConflict(scopes, { ...call.query, ...possibleOf(call), decided: 'accepted' }),
    }),
    listPossibleFacts: async call => ({ body: await listPossibleFacts(scopes, { ...call.query, ...nameOf(call) }) }),
    decidePossibleConflicts: async call => ({
      body: await decidePossibleConflicts(scopes, { ...call.body, ...nameOf(call), bound: isBound(call.caller) }),
    }),
    listReplacements: async call => ({ body: await listReplacements(scopes, { ...call.query, ...nameOf(call) }) }),
    decideReplacements: async call => ({
      body: await decideReplacements(scopes, { ...call.body, ...nameOf(call), bound: isBound(call.caller) }),
    }),
    withdrawPromotion: async call => ({
      body: await reopenPossibleConflict(scopes, { ...call.query, ...possibleOf(call), decided: 'promoted' }),
    }),
    withdrawDismissal: async call => ({
      body: await reopenPossibleConflict(scopes, { ...call.query, ...possibleOf(call), decided: 'dismissed' }),
    }),
    listSupersessions: async call => {
      const { known_at: knownAt, ...query } = call.query
      return { body: await listSupersessions(scopes, { ...query, knownAt, ...nameOf(call) }) }
    },
    objectToSupersession: async call => ({ body: await objectToSupersession(scopes, { ...call.body, ...supersessionOf(call) }) }),
    withdrawObjection: async call => ({ body: await restoreSupersession(scopes, { ...call.query, ...supersessionOf(call) }) }),
    listDecisions: async call => ({ body: await listDecisions(scopes, { ...call.query, ...nameOf(call) }) }),
    reviewDecision: async call => ({ body: await reviewDecision(scopes, { ...call.body, ...call.params, ...decider(call) }) }),
    signOffScope: async call => {
      const said = { ...call.body, bound: isBound(call.caller) }
      const answer = await signOff(scopes, nameOf(call), said, idempotencyKeyOf(call.headers))
      return { body: answer.body, headers: replayed(answer.replayed) }
    },
    listSignOffs: async call => ({ body: await listSignOffs(scopes, { ...call.query, ...nameOf(call) }) }),
    withdrawSignOff: async call => ({
      body: await withdraw(scopes, { ...call.query, ...nameOf(call), signOffId: call.params.signOffId, bound: isBound(call.caller) }),
    }),
    listCertificates: async call => ({ body: await listCertificates(scopes, { ...call.query, ...nameOf(call) }) }),
    getWithdrawnCertificates: async call => ({ body: await services.statements.withdrawn(nameOf(call)) }),
    getCertificate: async call => ({ body: await getCertificate(scopes, nameOf(call)) }),
    streamOwnScope: call => streamScope(services, call),
    streamOwnScopes: call => streamTenant(services, call),
    getJwks: async () => ({ body: await getJwks(services.db), headers: { 'cache-control': 'public, max-age=300' } }),
  }
}

interface OwnCall {
  tenantId: string
  caller: Caller
}

function decider({ tenantId, caller }: OwnCall) {
  return { tenantId, bound: isBound(caller) }
}

/** The person of a key that is theirs alone, else the key. */
function visitorOf(caller: Caller): string {
  const { person, key_id } = caller.permission as Permission
  return (isBound(caller) && person) || key_id
}

/** Who acts, where nobody needs to be named. */
function named(call: OwnCall, by: string | undefined) {
  return { ...decider(call), by: by ?? call.caller.permission?.person ?? null }
}

/** What lists of contradictions are narrowed by, in our own words. */
function contradictionsWanted<T extends { known_at?: string | undefined }>({
  document_id: documentId,
  found_by: foundBy,
  assigned_to: assignedTo,
  known_at: knownAt,
  ...query
}: T & {
  document_id?: string | undefined
  found_by?: 'rules' | 'model' | 'person' | undefined
  assigned_to?: string | undefined
}) {
  return { ...query, documentId, foundBy, assignedTo, knownAt }
}

function possibleOf(call: OwnCall & { params: { possibleConflictId: string } }) {
  return { findingId: call.params.possibleConflictId, ...decider(call) }
}

function supersessionOf(call: OwnCall & { params: { supersessionId: string } }) {
  return { findingId: call.params.supersessionId, ...decider(call) }
}

function documentHandlers({ scopes, waits, readers, directory }: Services) {
  const read = async (call: DocumentCall & { caller: Caller; query: { wait?: number | undefined }; signal: AbortSignal }) => {
    const { wait = 0 } = call.query
    if (wait === 0) return { body: await getDocument(scopes, documentNamed(call)) }
    const leave = readers.enter(call.caller)
    try {
      const body = await awaitDocument(scopes, waits, { ...documentNamed(call), wait, signal: call.signal })
      // It may have been taken away meanwhile.
      const key = call.caller.tenantKey ?? ''
      if ((await directory.owner(key)) === undefined) throw new AppError(invalidCode(key))
      return { body }
    } finally {
      leave()
    }
  }
  const erase = async (call: DocumentCall) => ({ body: await eraseDocument(scopes, documentNamed(call)) })
  return {
    getDocument: read,
    getDocumentByQuery: read,
    eraseDocument: erase,
    eraseDocumentByQuery: erase,
    getDocumentText: async (call: DocumentCall & { query: { revision?: number | undefined }; headers: Call['headers'] }) => {
      const { revision } = call.query
      const text = await getDocumentText(scopes, { ...documentNamed(call), revision, ifNoneMatch: call.headers['if-none-match'] })
      const { headers, ...answer } = taggedAnswer(text)
      return { ...answer, headers: { ...headers, ...textHeaders } }
    },
    listRevisions: async (call: DocumentCall & { query: PageRequest }) => ({
      body: await listRevisions(scopes, { ...call.query, ...documentNamed(call) }),
    }),
    cancelDocument: async (call: DiscardCall) => ({ body: await discardDocument(scopes, discarding(call, 'queued')) }),
    discardDocument: async (call: DiscardCall) => ({ body: await discardDocument(scopes, discarding(call, 'quarantined')) }),
    retryDocument: async (call: DocumentCall) => ({ body: await retryDocument(scopes, documentNamed(call)) }),
  }
}

function legalHoldHandlers({ scopes }: Services) {
  const ofDocument = (call: HoldCall, said: HoldSaid) => ({ ...said, ...documentNamed(call), bound: isBound(call.caller) })
  const ofScope = (call: OwnCall & { params: { scopeId: string } }, said: HoldSaid) => ({
    ...said,
    ...nameOf(call),
    ...decider(call),
    documentId: null,
  })
  return {
    holdScope: async (call: ScopeHoldCall & { body: HoldSaid }) => ({ body: await setHold(scopes, ofScope(call, call.body)) }),
    liftScopeHold: async (call: ScopeHoldCall & { query: HoldSaid }) => ({
      body: await liftStandingHold(scopes, ofScope(call, call.query)),
    }),
    listHolds: async (call: ScopeHoldCall & { query: PageRequest & { standing?: boolean | undefined } }) => ({
      body: await listHolds(scopes, { ...call.query, ...nameOf(call) }),
    }),
    holdDocument: async (call: HoldCall & { body: HoldSaid }) => ({ body: await setHold(scopes, ofDocument(call, call.body)) }),
    liftDocumentHold: async (call: HoldCall & { query: HoldSaid }) => ({
      body: await liftStandingHold(scopes, ofDocument(call, call.query)),
    }),
  }
}

interface HoldSaid {
  by: string
  reason: string
}

type HoldCall = DocumentCall & { caller: Caller }
type ScopeHoldCall = OwnCall & { params: { scopeId: string } }

/** Whatever the text says, a browser that opens it runs nothing. */
const textHeaders = { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox" }

interface DiscardCall extends DocumentCall {
  caller: Caller
  body: { by: string; reason: string }
}

function discarding(call: DiscardCall, from: 'queued' | 'quarantined') {
  return { ...call.body, ...documentNamed(call), from, bound: isBound(call.caller) }
}
