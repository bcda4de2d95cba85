/**
 * Requests of the process to itself, without a socket between. They pass everything a request from outside passes:
 * credential, limits, schema, rights.
 */

import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Call } from './handler.js'

export type OwnFetch = (input: string, init: RequestInit) => Promise<Response>

/** Each is counted, traced and logged as part of the request it is made for. */
export function createOwnFetch(app: FastifyInstance, { request, requestId, trace }: Call): OwnFetch {
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
