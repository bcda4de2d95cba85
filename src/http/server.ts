/**
 * The HTTP server: every operation of the contract becomes a route here. A request passes, in this order: load
 * shedding, the credential, the rate limit, the body, the schema, the audit log, the handler. Each refusal leaves
 * through the one error handler.
 */

import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import type { Operation } from '../contract/operation.js'
import { operations } from '../contract/operations.js'
import type { Config } from '../platform/config.js'
import { AppError } from '../platform/errors.js'
import type { Database } from '../store/server/database.js'
import type { Seen } from '../store/tenants/audit.js'
import { auditRefusal, checkedDraft, isRecorded, newIdsOf } from './auditing.js'
import type { Authenticator, Caller } from './auth.js'
import { acceptKnownBodies } from './body-parsers.js'
import { answerClientError } from './client-errors.js'
import { type ConnectionLimits, type Connections, watchConnections } from './connections.js'
import { createCors } from './cors.js'
import { createGate } from './gate.js'
import type { Answer, AnyHandler, Call } from './handler.js'
import { findUnstorable } from './json-body.js'
import { createOverloadGauge } from './overload.js'
import { pagePaths } from './page-paths.js'
import { createAnswerFilter, createPermissionCheck } from './permission.js'
import { sendProblem, toAppError } from './problem.js'
import type { ReadingLog } from './reading-log.js'
import { endRequest, loggedNames, type RequestEndDeps } from './request-end.js'
import { createRequestIds } from './request-ids.js'
import { decodable, openDoors, sentPath, shapeFault } from './request-shape.js'
import { beginRequestTrace, type RequestTrace } from './request-trace.js'
import { createRequestsInProgress, type RequestsInProgress } from './requests-in-progress.js'
import { createStorageRefusals } from './storage-refusals.js'
import { type Check, checkOf, textCheckOf, validationFailed } from './validation.js'
import { whenGone } from './when-gone.js'

export interface ServerDeps extends RequestEndDeps {
  config: Config
  authenticate: Authenticator
  servingNodes?: () => number
  readings: ReadingLog
  db: Database
  handlers: Record<string, AnyHandler>
  sockets: ConnectionLimits
  /** Whether the operation would be refused for lack of room: then it is, before its body is read. */
  isFull(operation: Operation): boolean
  /** Pages that are not operations: reference, problem types. */
  pages(app: FastifyInstance): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    operation: Operation | null
    auditId: number | null
    startedMs: number
    isOver: boolean
    trace: RequestTrace | null
  }
}

const shedLateMs = 1500
/** Who called is asked again where the rest of the request took longer: keys end within a second. */
const knownForMs = 500
/** The longest that is legal: a reason of 2,000 characters and a name of 200 in the query, each character encoded as twelve. */
const maxUrl = 28 * 1024
/** When the aliases became deprecated: the day of contract 0.1.0. */
const deprecatedSince = '@1767225600'

const securityHeaders: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
}

export interface HttpServer {
  app: FastifyInstance
  connections: Connections
  figures(): HttpFigures
}

/** What is held at this moment. */
export interface HttpFigures {
  connections: number
  requests: number
  bodyBytes: number
}

export async function createServer(deps: ServerDeps): Promise<HttpServer> {
  const { config } = deps
  const requestId = createRequestIds()
  const app = Fastify({
    logger: false,
    genReqId: raw => requestId(raw.headers['x-request-id']),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    requestTimeout: config.requestTimeoutMs,
    // By default Node looks for late requests every 30 s, and refuses one without a host with an empty answer.
    http: { connectionsCheckingInterval: 1000, requireHostHeader: false, maxHeaderSize: 32 * 1024 },
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    forceCloseConnections: false,
    return503OnClosing: false,
    // Longer than any address that gets here: what names nothing is 404, and what is too long 414, by our own hooks.
    routerOptions: { maxParamLength: 64 * 1024 },
    rewriteUrl: ({ url = '/' }) => decodable(url),
    clientErrorHandler: answerClientError(requestId),
    // Addresses the router cannot read come here before any hook.
    frameworkErrors: (error, request, reply) => {
      reply.headers(securityHeaders).header('x-request-id', request.id)
      return sendProblem(request, reply as FastifyReply, toAppError(error))
    },
  })
  app.server.headersTimeout = Math.min(config.requestTimeoutMs, 15_000)
  app.server.maxRequestsPerSocket = 0
  app.decorateRequest('caller', null)
  app.decorateRequest('operation', null)
  app.decorateRequest('auditId', null)
  app.decorateRequest('startedMs', 0)
  app.decorateRequest('isOver', false)
  app.decorateRequest('trace', null)
  const inProgress = createRequestsInProgress(deps)
  const sendContinue = openDoors(app.server, { route: (message, response) => app.routing(message, response), requestId })
  acceptKnownBodies(app, config, { inProgress, sendContinue })
  const connections = watchConnections(app.server, { clock: deps.clock, limits: deps.sockets, requestId })
  addGlobalHooks(app, deps, { inProgress, connections })
  addRoutes(app, deps, inProgress)
  await deps.pages(app)
  return { app, connections, figures: () => ({ connections: connections.count(), ...inProgress.figures() }) }
}

/** The address the server answers at, once it listens. */
export function addressOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Health, and what the page of the desk is made of, which is in memory: a person to whom it is refused has an empty page that nothing fills again. */
function isNeverShed({ method, url }: FastifyRequest): boolean {
  return method === 'GET' && /^\/(?:api\/health|(?:desk(?:\/(?:desk\.(?:js|css)|parts\/[^/?]*)?)?)?(?:\?.*)?)$/.test(url)
}

interface Held {
  inProgress: RequestsInProgress
  connections: Connections
}

function addGlobalHooks(app: FastifyInstance, deps: ServerDeps, { inProgress, connections }: Held): void {
  const gauge = createOverloadGauge(shedLateMs)
  const cors = createCors(deps.config.corsOrigins)
  const noteStorageRefusal = createStorageRefusals(deps)
  app.addHook('onRequest', (request, reply, done) => {
    request.startedMs = deps.clock.monotonicMs()
    request.trace = beginRequestTrace(deps.tracer, request.headers.traceparent)
    reply.headers(securityHeaders).header('x-request-id', request.id)
    if (connections.areScarce()) reply.header('connection', 'close')
    if (cors(request, reply)) return
    if (request.url.length > maxUrl) return done(new AppError('URI_TOO_LONG'))
    const fault = shapeFault(request.raw)
    if (fault !== undefined) {
      reply.header('connection', 'close')
      return done(fault)
    }
    // Written in another way, a prefix would pass filters in front of us.
    if (/^\/[^/]*%/.test(sentPath(request.url))) return done(new AppError('ROUTE_NOT_FOUND'))
    // Answered before the body is read: the caller is not authenticated.
    if (request.is404) return void answerNoRoute(request, reply)
    done(gauge.isOverloaded() && !isNeverShed(request) ? new AppError('OVERLOADED', { retryAfterSeconds: 2 }) : undefined)
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    inProgress.answered(request)
    endRequest(request, reply, deps)
    done()
  })
  app.addHook('onListen', async () => gauge.begin())
  app.addHook('onClose', async () => {
    gauge.close()
    inProgress.close()
  })
  app.setErrorHandler(async (error, request, reply) => {
    const failure = toAppError(error)
    if (failure.code === 'INTERNAL')
      deps.logger.error({ ...loggedNames(request), err: error, operation: request.operation?.id }, 'request failed')
    const ms = Math.round(deps.clock.monotonicMs() - request.startedMs)
    noteStorageRefusal(failure, { ...loggedNames(request), operation: request.operation?.id, ms })
    await auditRefusal(request, failure, deps)
    return sendProblem(request, reply, failure)
  })
  app.setNotFoundHandler(answerNoRoute)
}

function answerNoRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const allowed = methodsOf(request.url)
  if (allowed.length === 0) return sendProblem(request, reply, new AppError('ROUTE_NOT_FOUND'))
  reply.header('allow', allowed.join(', '))
  return sendProblem(request, reply, new AppError('METHOD_NOT_ALLOWED', { detail: `The route takes ${allowed.join(', ')}.` }))
}

const patterns = Object.values(operations).map(operation => ({ operation, pattern: patternOf(operation) }))

/** The paths of an operation as they are sent: what is not a parameter stands for itself. */
function patternOf(operation: Operation): RegExp {
  return new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function methodsOf(url: string): string[] {
  const path = sentPath(url)
  if (pagePaths.includes(path)) return ['GET', 'HEAD']
  const found = patterns.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation)
  const methods = found.flatMap(operation => (operation.method === 'GET' && !operation.stream ? ['GET', 'HEAD'] : [operation.method]))
  return [...new Set(methods)].sort()
}

function addRoutes(app: FastifyInstance, deps: ServerDeps, inProgress: RequestsInProgress): void {
  const gate = createGate(deps)
  for (const operation of Object.values(operations)) {
    const handler = deps.handlers[operation.id]
    if (handler === undefined) throw new Error(`operation ${operation.id} has no handler`)
    const pattern = patternOf(operation)
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      exposeHeadRoute: operation.method === 'GET' && !operation.stream,
      onRequest: (request, reply, done) => {
        request.operation = operation
        // The router decodes before it compares; a path that only then fits is not one of ours.
        if (request.url.includes('%') && !pattern.test(sentPath(request.url))) return done(new AppError('ROUTE_NOT_FOUND'))
        if (operation.replacement !== undefined) announceReplacement(reply, operation.replacement, deps.config.aliasSunset)
        // Refusing must cost less than serving, or three times the load would leave nothing for what is accepted.
        if (deps.isFull(operation)) done(new AppError('OVERLOADED', { detail: 'Too many documents are waiting.', retryAfterSeconds: 1 }))
        else gate.admit(operation, request, reply, refusal => done(refusal ?? beginRequest(operation, request, reply, inProgress)))
      },
      handler: answering(operation, handler, { ...deps, inProgress, countAgain: gate.countAgain }),
    })
  }
}

function beginRequest(operation: Operation, request: FastifyRequest, reply: FastifyReply, inProgress: RequestsInProgress) {
  // Health is answered to anybody, also when nothing else is.
  return operation.credential === 'none' && operation.method === 'GET'
    ? undefined
    : inProgress.begin(request, reply, operation.method !== 'GET' && operation.upload === undefined)
}

interface Answering extends ServerDeps {
  inProgress: RequestsInProgress
  countAgain(caller: Caller): AppError | undefined
}

function answering(operation: Operation, handler: AnyHandler, { inProgress, ...deps }: Answering) {
  const checkBody = operation.body && checkOf(operation.body.outer ?? operation.body.schema)
  const checkQuery = operation.query && textCheckOf(operation.query, 'query')
  const checkHeaders = operation.headers && textCheckOf(operation.headers, 'headers')
  const checkPermission = createPermissionCheck(operation, deps.db)
  const filter = createAnswerFilter(operation)
  const isAudited = isRecorded(operation)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const call = callOf(request, reply, {
      countAgain: deps.countAgain,
      confirmCaller: async () => void (await deps.authenticate(operation, request, 'all')),
    })
    if (deps.clock.monotonicMs() - request.startedMs > knownForMs) await call.confirmCaller()
    call.query = checkedQuery(request, operation, checkQuery)
    if (checkHeaders) checkHeaders({ ...request.headers })
    call.body = checkedBody(operation, request.body, checkBody)
    const permitted = checkPermission(call)
    if (permitted !== undefined) await permitted
    if (isAudited) {
      call.newIds = newIdsOf(operation)
      request.auditId = await deps.audit.begin(checkedDraft(operation, request, call.newIds))
    }
    const answer = filter(call.caller, await handler(call))
    if (operation.seen !== undefined) await Promise.all(seenIn(call, operation.seen, answer).map(seen => deps.readings.note(call, seen)))
    if (!answer.taken) return send(operation, reply, answer)
    inProgress.release(request)
    endRequest(request, reply, deps)
    return reply
  }
}

interface Named {
  scope_id?: string
  document_id?: string
  items?: readonly (Named & { said?: { finding_id: string | null } })[]
}

/** What the answer shows, by the names in the request; a finding's case is known from the answer alone, and where nobody wrote about it nothing is shown. */
function seenIn({ params, query, body: sent }: Call, kind: NonNullable<Operation['seen']>, { body }: Answer): Seen[] {
  const named = params as Partial<Record<'scopeId' | 'documentId' | 'contradictionId' | 'possibleConflictId' | 'supersessionId', string>>
  const [inQuery, inBody] = [query, body] as (Named | null | undefined)[]
  const { items = [] } = inBody ?? {}
  if (kind === 'decisions') {
    const scopeId = named.scopeId ?? ''
    const findings = new Set(items.flatMap(({ said }) => (/^(ctr|pcf)_/.test(said?.finding_id ?? '') ? [said?.finding_id as string] : [])))
    return [{ kind: 'findings', scopeId, id: null }, ...[...findings].map(id => ({ kind: 'finding', scopeId, id }))]
  }
  if (kind === 'passages') {
    const { scope_id: scopeId = '', a, b } = sent as Record<'a' | 'b', Named | undefined> & Named
    return [a, b].flatMap(passage => (passage === undefined ? [] : [{ kind: 'document', scopeId, id: passage.document_id ?? null }]))
  }
  const scopeId = named.scopeId ?? inQuery?.scope_id ?? inBody?.scope_id ?? items[0]?.scope_id
  const finding = named.contradictionId ?? named.possibleConflictId ?? named.supersessionId
  const id = finding ?? inQuery?.document_id ?? named.documentId ?? null
  return scopeId === undefined ? [] : [{ kind, scopeId, id }]
}

interface Asking extends Pick<Answering, 'countAgain'>, Pick<Call, 'confirmCaller'> {}

function callOf(request: FastifyRequest, reply: FastifyReply, { countAgain, confirmCaller }: Asking): Call {
  const { caller } = request
  let controller: AbortController | undefined
  return {
    caller: caller as Caller,
    tenantId: caller?.tenantId ?? '',
    params: storable(request.params as Record<string, string>),
    query: {},
    body: undefined,
    headers: request.headers as Record<string, string | undefined>,
    requestId: request.id,
    newIds: {},
    trace: request.trace?.traceparent ?? null,
    countAgain: () => countAgain(caller as Caller),
    confirmCaller,
    get signal() {
      if (controller === undefined) {
        const made = new AbortController()
        controller = made
        whenGone(reply.raw, () => made.abort())
      }
      return controller.signal
    },
    request,
    reply,
  }
}

/** Path parameters name things. What the database cannot hold names nothing, and is looked up as what it cannot be. */
function storable(params: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(params)) {
    if (findUnstorable(value).length > 0) params[name] = '\ufffd'
  }
  return params
}

/** Only what the contract declares: handlers lay the query beside who asks and what is asked about, which no query may name. */
function checkedQuery(request: FastifyRequest, { query, body }: Operation, check: Check | undefined): unknown {
  const given = request.query as Record<string, unknown>
  if (body !== undefined) refuseMisplaced(given, body.schema, query)
  if (query === undefined || check === undefined) return {}
  const declared = Object.entries(given).filter(([name]) => Object.hasOwn(query.properties, name))
  const repeated = declared.filter(([, value]) => typeof value !== 'string')
  if (repeated.length > 0) throw validationFailed(repeated.map(([name]) => ({ pointer: `/query/${name}`, detail: 'must be given once' })))
  const faults = findUnstorable(given, '/query')
  if (faults.length > 0) throw validationFailed(faults)
  return check(Object.fromEntries(declared))
}

/** What belongs into the body was meant to say something: a scope, for one, without which an act is one on everything. */
function refuseMisplaced(given: Record<string, unknown>, body: TSchema, query: TSchema | undefined): void {
  const knows = (schema: TSchema | undefined, name: string): boolean => Object.hasOwn((schema as Partial<TObject>)?.properties ?? {}, name)
  const misplaced = Object.keys(given).filter(name => knows(body, name) && !knows(query, name))
  if (misplaced.length > 0) throw validationFailed(misplaced.map(name => ({ pointer: `/query/${name}`, detail: 'belongs into the body' })))
}

function checkedBody(operation: Operation, body: unknown, check: Check | undefined): unknown {
  if (check === undefined) return undefined
  if (body === undefined || (body === null && !operation.body?.required)) {
    if (operation.body?.required) throw validationFailed([{ pointer: '', detail: 'a JSON body is required' }])
    return undefined
  }
  return check(body)
}

function send(operation: Operation, reply: FastifyReply, answer: Answer): FastifyReply {
  if (answer.headers) reply.headers(answer.headers)
  reply.code(answer.status ?? operation.success.status)
  if (answer.body === undefined || answer.body instanceof Readable) return reply.send(answer.body)
  if (typeof answer.body === 'string') return reply.type(operation.success.mediaType ?? 'text/plain').send(answer.body)
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer.body))
}

function announceReplacement(reply: FastifyReply, replacement: string, sunset: string | undefined): void {
  reply.header('deprecation', deprecatedSince).header('link', `<${replacement}>; rel="successor-version"`)
  if (sunset !== undefined) reply.header('sunset', new Date(sunset).toUTCString())
}
