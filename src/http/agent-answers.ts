/**
 * Answers agents at /mcp. What they ask for becomes requests of the process to itself with the key of the agent, so
 * that rights, scopes and limits hold as anywhere else. The protocol's code is loaded with the first message: most
 * processes never get one, and it takes 25 MiB.
 */

import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Config } from '../platform/config.js'
import { AppError } from '../platform/errors.js'
import type { Answer, Call } from './handler.js'

export type AgentAnswers = (call: Call) => Promise<Answer>

interface AgentAnswersOptions {
  config: Pick<Config, 'corsOrigins' | 'mcpAllowWrites'>
  version: string
  /** Undefined until the server is made, which is before it is asked anything. */
  app(): FastifyInstance | undefined
}

export function createAgentAnswers({ config, version, app }: AgentAnswersOptions): AgentAnswers {
  return async call => {
    checkOrigin(call.headers['origin'], config.corsOrigins)
    const { answerMessage } = await import('../mcp/http.js')
    const answer = await answerMessage({
      message: call.body,
      protocolVersion: call.headers['mcp-protocol-version'],
      tenantKey: call.caller.tenantKey as string,
      fetch: createOwnFetch(app() as FastifyInstance, call),
      allowWrites: config.mcpAllowWrites,
      version,
    })
    if (answer.refusal !== undefined) throw new AppError('VALIDATION_FAILED', { detail: answer.refusal })
    return answer
  }
}

/** Browsers say where a page comes from; other clients say nothing. */
function checkOrigin(origin: string | undefined, allowed: readonly string[]): void {
  if (origin !== undefined && !allowed.includes(origin)) throw new AppError('ORIGIN_NOT_ALLOWED')
}

/**
 * Requests of the process to itself, without a socket between. They pass everything a request from outside passes:
 * credential, limits, schema, rights. Each is counted, traced and logged as part of the request it is made for.
 */
function createOwnFetch(
  app: FastifyInstance,
  { request, requestId, trace }: Call,
): (input: string, init: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const { pathname, search } = new URL(input)
    const answer = await app.inject({
      method: (init.method ?? 'GET') as NonNullable<InjectOptions['method']>,
      url: pathname + search,
      headers: {
        ...Object.fromEntries(new Headers(init.headers)),
        'x-request-id': requestId,
        ...(trace === null ? {} : { traceparent: trace }),
      },
      remoteAddress: request.ip,
      ...(typeof init.body === 'string' ? { payload: init.body } : {}),
      ...(init.signal ? { signal: init.signal } : {}),
    })
    const { statusCode: status, rawPayload } = answer
    const body = status === 204 || status === 304 ? null : new Uint8Array(rawPayload)
    return new Response(body, { status, headers: answer.headers as Record<string, string> })
  }
}
