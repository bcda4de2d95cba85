/** Lets browsers of the origins named in CORS_ORIGINS in; off by default. */

import type { FastifyReply, FastifyRequest } from 'fastify'

const exposed =
  'X-Request-Id, Retry-After, Idempotent-Replayed, ETag, Deprecation, Link, RateLimit, RateLimit-Policy, Content-Range, Content-Disposition, Accept-Ranges, Repr-Digest'
const accepted =
  'Authorization, Content-Type, X-Tenant-ID, X-Tenant-API-Key, Idempotency-Key, X-Document-Model, X-Document-About, Last-Event-ID, If-None-Match, Mcp-Protocol-Version, X-Request-Id, traceparent'

/** True when the request was a preflight and is answered. */
export function createCors(origins: readonly string[]): (request: FastifyRequest, reply: FastifyReply) => boolean {
  if (origins.length === 0) return () => false
  const known = new Set(origins)
  return (request, reply) => {
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !known.has(origin)) return false
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposed,
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false
    reply.headers({
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': accepted,
      'access-control-max-age': '600',
    })
    reply.code(204).send()
    return true
  }
}
