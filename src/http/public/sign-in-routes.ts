/** Signing in with an issuer, and out again. An address may try as often a second as it may fail to authenticate. */

import type { signInOperations } from '../../contract/sign-in-operations.js'
import { AppError } from '../../platform/errors.js'
import { isSessionToken } from '../../platform/ids.js'
import { networkOf } from '../../platform/network.js'
import { tooManyFailures } from '../../tenancy/directory.js'
import { toSession } from '../../tenancy/sessions.js'
import type { Asked, SignIn } from '../../tenancy/sign-in.js'
import type { Call, HandlersOf } from '../handler.js'
import { createRateLimit } from '../rate-limit.js'
import type { Services } from '../services.js'
import { csrfTokenOf } from '../session-cookie.js'

export function signInHandlers({
  signIn,
  cookies,
  sessions,
  keySessions,
  attemptsPerSecond,
  clock,
}: Services): HandlersOf<typeof signInOperations> {
  const attempts = createRateLimit(clock)
  const attempt = (request: Call['request']) => {
    if (attempts.take(networkOf(request.ip), attemptsPerSecond) < 0) throw tooManyFailures()
  }
  const offered = ({ request }: Pick<Call, 'request'>): SignIn => {
    if (signIn === null) throw new AppError('SIGN_IN_DISABLED')
    attempt(request)
    return signIn
  }
  return {
    getSignIn: call => ({
      body: {
        oidc: signIn === null ? null : { name: signIn.name },
        has_session: cookies.heldBy(call.request) !== undefined,
      },
    }),
    beginSignIn: async call => {
      const { secret, url, expiresAt } = await offered(call).begin(call.request.ip)
      return {
        body: { authorization_url: url, expires_at: expiresAt },
        headers: { 'set-cookie': cookies.keepSignIn(call.request, secret) },
      }
    },
    createSession: async call => {
      const { code, state, iss } = call.body
      const secret = cookies.signInOf(call.request)
      const returned = { secret, code, state, iss, session: cookies.heldBy(call.request) }
      const { session, token } = await offered(call).complete(returned, askedBy(call))
      call.reply.header('set-cookie', [cookies.keepSession(call.request, token, secondsOf(session)), cookies.dropSignIn(call.request)])
      return { body: { ...toSession(session), csrf_token: csrfTokenOf(token) } }
    },
    createKeySession: async call => {
      attempt(call.request)
      const { permission, tenantKey } = call.caller
      if (permission === null || isSessionToken(tenantKey ?? '')) throw new AppError('KEY_NEEDED')
      const asked = { tenantId: undefined, requestId: call.requestId, address: call.request.ip, replaces: cookies.heldBy(call.request) }
      const { session, token } = await keySessions.open({ ...permission, tenantId: call.tenantId }, asked)
      const body = { ...toSession(session), csrf_token: csrfTokenOf(token) }
      return { body, headers: { 'set-cookie': cookies.keepSession(call.request, token, secondsOf(session)) } }
    },
    beginDeviceSignIn: async call => ({ body: await offered(call).beginDevice(call.request.ip) }),
    createDeviceSession: async call => {
      const answer = await offered(call).completeDevice(call.body.device_code, askedBy(call))
      if ('waitSeconds' in answer) return { status: 202, headers: { 'retry-after': String(answer.waitSeconds) } }
      return { body: { ...toSession(answer.session), token: answer.token } }
    },
    endSession: async ({ caller, tenantId, request }) => {
      if (caller.permission === null || !isSessionToken(caller.tenantKey ?? '')) {
        throw new AppError('SESSION_NOT_FOUND', { detail: 'The request came with a key, not with a session.' })
      }
      return { body: await sessions.revoke(tenantId, caller.permission.key_id), headers: { 'set-cookie': cookies.dropSession(request) } }
    },
  }
}

function secondsOf({ created_at: from, expires_at: to }: { created_at: string; expires_at: string }): number {
  return Math.floor((Date.parse(to) - Date.parse(from)) / 1000)
}

function askedBy({ body, requestId, request }: Pick<Call, 'requestId' | 'request'> & { body: { tenant_id?: string | undefined } }): Asked {
  return { tenantId: body.tenant_id, requestId, address: request.ip }
}
