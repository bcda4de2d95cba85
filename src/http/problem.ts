/**
 * The one place where a failure becomes an answer: `AppError` by its code, anything Fastify refuses by itself by a
 * short table, and everything else as INTERNAL with nothing of its insides.
 */

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type ProblemCode, problems } from '../contract/problems.js'
import { AppError, isAppError } from '../platform/errors.js'

export function problemBody(error: AppError, requestId: string) {
  const { status, title } = problems[error.code]
  return {
    type: `/problems/${error.code}`,
    title,
    status,
    detail: error.detail ?? `${title}.`,
    code: error.code,
    request_id: requestId,
    errors: error.errors,
  }
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const body = problemBody(error, request.id)
  reply.code(body.status).type(wantsProblem(request.headers.accept) ? 'application/problem+json' : 'application/json; charset=utf-8')
  if (body.status === 401) reply.header('www-authenticate', challenge(error.code))
  if (body.status === 429 || (body.status === 503 && body.code !== 'TIER_DISABLED')) {
    reply.header('retry-after', String(Math.max(1, Math.ceil(error.retryAfterSeconds ?? 1))))
  }
  // The rest of an oversized body is still on its way: the connection cannot be used again.
  if (body.status === 413 || body.status === 408) reply.header('connection', 'close')
  return reply.send(body)
}

function wantsProblem(accept = ''): boolean {
  return accept.split(',').some(range => {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
    return type === 'application/problem+json' && !parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter))
  })
}

function challenge(code: ProblemCode): string {
  return code === 'AUTH_MISSING' || code === 'TENANT_UNKNOWN' ? 'Bearer realm="concord"' : 'Bearer realm="concord", error="invalid_token"'
}

const byFastifyCode: Record<string, ProblemCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'JSON_INVALID',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'VALIDATION_FAILED',
  FST_ERR_BAD_URL: 'ROUTE_NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'URI_TOO_LONG',
  ECONNRESET: 'REQUEST_TIMEOUT',
  ERR_STREAM_PREMATURE_CLOSE: 'REQUEST_TIMEOUT',
}

export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error
  const code = byFastifyCode[(error as FastifyError).code ?? '']
  return new AppError(code ?? 'INTERNAL', { cause: error })
}
