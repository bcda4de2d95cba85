/**
 * The trace of a request: continues the caller's or begins one, and exports it once the response is complete. The
 * context is what documents are stored with, so that the worker's part joins the same trace.
 */

import type { FastifyRequest } from 'fastify'
import { formatTraceparent, parseTraceparent, type TraceContext, type Tracer } from '../platform/tracing.js'

export interface RequestTrace {
  /** Of this request, or of the caller when nothing is recorded here; null when there is neither. */
  traceparent: string | null
  traceId: string | undefined
  context: TraceContext
  parent: TraceContext | null
}

/** Probes and scrapes come every few seconds and are not worth a span. */
const untraced = /Health|PrometheusMetrics/

export function beginRequestTrace(tracer: Tracer, header: unknown): RequestTrace {
  const parent = parseTraceparent(header)
  const context = tracer.begin(parent)
  const known = tracer.enabled || parent !== null
  return { parent, context, traceparent: known ? formatTraceparent(context) : null, traceId: known ? context.traceId : undefined }
}

export function endRequestTrace(
  tracer: Tracer,
  { operation, method, id, caller, trace }: FastifyRequest,
  { status, seconds, endMs, scopeId }: { status: number; seconds: number; endMs: number; scopeId: string | undefined },
): void {
  if (!trace?.context.sampled || (operation !== null && untraced.test(operation.id))) return
  tracer.record({
    name: operation === null ? method : `${method} ${operation.path}`,
    kind: 'server',
    context: trace.context,
    parentSpanId: trace.parent?.spanId ?? null,
    startMs: endMs - seconds * 1000,
    endMs,
    attributes: {
      'http.request.method': method,
      'http.route': operation?.path,
      'http.response.status_code': status,
      'concord.request_id': id,
      'concord.tenant_id': caller?.tenantId ?? null,
      'concord.scope_id': scopeId,
    },
    failed: status >= 500,
  })
}
