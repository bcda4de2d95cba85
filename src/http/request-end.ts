/** The end of a request: what the audit log, the metrics, the trace and the log are told of it. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock.js'
import type { Logger } from '../platform/logger.js'
import type { Tracer } from '../platform/tracing.js'
import type { Audit } from '../tenancy/audit.js'
import { endRequestTrace } from './request-trace.js'
import { whenGone } from './when-gone.js'

export interface RequestEndDeps {
  clock: Clock
  logger: Logger
  audit: Audit
  tracer: Tracer
  /** Called with every answer, for metrics. */
  observe(answered: { operation: string; method: string; status: number; seconds: number }): void
}

/**
 * The answer is known: the audit log has it at once, metrics and the trace when it is out or its client has gone. Not left to
 * `onResponse`, which never comes for a client that went before its answer.
 */
export function endRequest(request: FastifyRequest, reply: FastifyReply, deps: RequestEndDeps): void {
  if (request.auditId !== null) deps.audit.finish(request.auditId, reply.statusCode)
  whenGone(reply.raw, () => {
    // Said by the response and by the socket, and an answer that could not be begun is followed by the problem in its place.
    if (request.isOver) return
    request.isOver = true
    observeRequest(request, reply.statusCode, deps)
  })
}

function observeRequest(request: FastifyRequest, status: number, deps: RequestEndDeps): void {
  const seconds = (deps.clock.monotonicMs() - request.startedMs) / 1000
  const operation = request.operation?.id ?? 'none'
  deps.observe({ operation, method: request.method, status, seconds })
  if (deps.tracer.enabled)
    endRequestTrace(deps.tracer, request, { status, seconds, endMs: deps.clock.now().getTime(), scopeId: scopeIdOf(request) })
  if (deps.logger.isLevelEnabled('debug')) {
    deps.logger.debug({ ...loggedNames(request), operation, status, ms: Math.round(seconds * 1000) }, 'request completed')
  }
}

/** What a line of the log names a request by. */
export function loggedNames(request: FastifyRequest): Record<string, string | undefined> {
  return {
    request_id: request.id,
    trace_id: request.trace?.traceId,
    tenant_id: request.caller?.tenantId ?? undefined,
    scope_id: scopeIdOf(request),
  }
}

/** As the request names it, when it has the shape of one. */
function scopeIdOf(request: FastifyRequest): string | undefined {
  const named = [request.params, request.query, request.body].map(part => {
    const names = part as { scopeId?: unknown; scope_id?: unknown } | null | undefined
    return names?.scopeId ?? names?.scope_id
  })
  return named.find((value): value is string => typeof value === 'string' && /^[a-z0-9][a-z0-9-]{0,119}$/.test(value))
}
