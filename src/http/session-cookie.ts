/**
 * The cookies of a browser that signs in: one for the minutes at the issuer, one for the session. Neither is readable by
 * scripts or sent from other sites; over https they are bound to this very host (`__Host-`). Since browsers send
 * cookies by themselves, whatever changes something also carries a token that follows from the session's and that only
 * pages of this service can have read.
 */

import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { isSameSecret } from '../platform/digest.js'
import { AppError } from '../platform/errors.js'
import { isSessionToken } from '../platform/ids.js'

const signInSeconds = 600

export type SessionCookies = ReturnType<typeof createSessionCookies>

/** `isSecure`: whether browsers come over https; unset: each request is asked. */
export function createSessionCookies({ isSecure }: { isSecure?: boolean | undefined }) {
  const isSafeWay = (request: Pick<FastifyRequest, 'protocol'>) => isSecure ?? request.protocol === 'https'
  const nameOf = (cookie: Cookie, request: FastifyRequest) => (isSafeWay(request) ? `__Host-${cookie}` : cookie)
  /** The value of Set-Cookie. */
  const set = (cookie: Cookie, request: FastifyRequest, value: string, seconds: number) =>
    `${nameOf(cookie, request)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSafeWay(request) ? '; Secure' : ''}`
  return {
    /** The token of the session, when the request brought the cookie and may act with it. */
    sessionOf(request: FastifyRequest): string | undefined {
      const token = cookieOf(request, nameOf('concord_session', request))
      // A key in a cookie would be sent by browsers from everywhere, and end with no session.
      if (token !== undefined && !isSessionToken(token)) throw new AppError('SESSION_INVALID')
      if (token !== undefined && !isSafe(request)) checkCsrf(token, request.headers['x-csrf-token'])
      return token
    },
    /** The same without regard to whether it may act: for signing in, which ends it. */
    heldBy: (request: FastifyRequest) => cookieOf(request, nameOf('concord_session', request)),
    signInOf: (request: FastifyRequest) => cookieOf(request, nameOf('concord_sign_in', request)),
    keepSession: (request: FastifyRequest, token: string, seconds: number) => set('concord_session', request, token, seconds),
    keepSignIn: (request: FastifyRequest, secret: string) => set('concord_sign_in', request, secret, signInSeconds),
    dropSession: (request: FastifyRequest) => set('concord_session', request, '', 0),
    dropSignIn: (request: FastifyRequest) => set('concord_sign_in', request, '', 0),
  }
}

type Cookie = 'concord_session' | 'concord_sign_in'

export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url')
}

function isSafe({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

function checkCsrf(sessionToken: string, given: string | string[] | undefined): void {
  if (!isSameSecret(String(given ?? ''), csrfTokenOf(sessionToken))) throw new AppError('CSRF_INVALID')
}

function cookieOf({ headers }: FastifyRequest, name: string): string | undefined {
  if (headers.cookie === undefined) return undefined
  for (const pair of headers.cookie.split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || undefined
  }
  return undefined
}
