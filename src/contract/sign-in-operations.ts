/** The operations of signing in with an issuer, and of the sessions that come of it. */

import { Type } from '../platform/schema.js'
import { pageQuery } from './common.js'
import { defineOperations, forOperators, forTenants } from './operation.js'
import {
  BegunSignIn,
  CreateDeviceSessionRequest,
  CreatedDeviceSession,
  CreatedSession,
  CreateSessionRequest,
  DeviceSignIn,
  Session,
  SessionPage,
  SignInOffer,
} from './sign-in.js'

const refusals = ['SIGN_IN_DISABLED', 'ISSUER_UNAVAILABLE'] as const
const cookie = { 'Set-Cookie': 'HttpOnly, SameSite=Strict, and Secure over https.' }

const common = { ...forTenants('Sessions'), credential: 'none' } as const

export const signInOperations = defineOperations(common, {
  getSignIn: {
    route: 'GET /api/sign-in',
    summary: 'Whether people can sign in with an issuer',
    success: { status: 200, description: 'What is offered.', schema: SignInOffer },
  },
  beginSignIn: {
    route: 'POST /api/sign-in',
    summary: 'Begin to sign in with a browser',
    description: 'OpenID Connect, authorization code with PKCE. The cookie ties the answer of the issuer to this browser for ten minutes.',
    success: { status: 200, description: 'Where the browser goes.', schema: BegunSignIn, headers: cookie },
    refusals,
  },
  createSession: {
    route: 'POST /api/session',
    summary: 'Exchange what the issuer gave the browser for a session',
    description:
      'The service exchanges the code itself. The session is the cookie and no token is in the answer; it ends when it is not used for SESSION_IDLE_MINUTES, or after SESSION_LONGEST_MINUTES, and acts for its person alone.',
    body: { schema: CreateSessionRequest, required: true },
    success: { status: 201, description: 'The session.', schema: CreatedSession, headers: cookie },
    refusals: [...refusals, 'SIGN_IN_FAILED', 'SIGN_IN_REFUSED'],
  },
  createKeySession: {
    credential: 'any-key',
    route: 'POST /api/session/key',
    summary: 'Exchange a tenant key for a session of the browser',
    description:
      'So that no page has to keep the key. The session is the cookie and no token is in the answer. Rights, scopes, person and end are those of the key at every moment; revoking the key ends it within one second. It ends when it is not used for SESSION_IDLE_MINUTES, or after SESSION_LONGEST_MINUTES. A session the browser had before ends.',
    success: { status: 201, description: 'The session.', schema: CreatedSession, headers: cookie },
    refusals: ['KEY_NEEDED'],
  },
  beginDeviceSignIn: {
    route: 'POST /api/sign-in/device',
    summary: 'Begin to sign in with another device',
    description: 'The device flow (RFC 8628), for the command line: the person opens an address anywhere and types in a code.',
    success: { status: 200, description: 'What to tell the person.', schema: DeviceSignIn },
    refusals,
  },
  createDeviceSession: {
    route: 'POST /api/session/device',
    summary: 'Ask for the session of a sign-in with another device',
    body: { schema: CreateDeviceSessionRequest, required: true },
    success: { status: 201, description: 'The session, with its token shown once.', schema: CreatedDeviceSession },
    accepted: 'The person has not signed in yet; ask again after the interval, and not before Retry-After.',
    refusals: [...refusals, 'SIGN_IN_FAILED', 'SIGN_IN_REFUSED'],
  },
  endSession: {
    audited: true,
    credential: 'any-key',
    route: 'DELETE /api/session',
    summary: 'Sign out',
    description: 'Ends the session the request came with, within one second on every node; streams opened with it end.',
    success: { status: 200, description: 'The session, revoked.', schema: Session, headers: cookie },
    refusals: ['SESSION_NOT_FOUND', 'CSRF_INVALID'],
  },
})

export const sessionOperations = defineOperations(forOperators('Sessions'), {
  listTenantSessions: {
    route: 'GET /admin/tenants/{tenantId}/sessions',
    summary: 'List the sessions of a tenant’s people',
    query: Type.Object(pageQuery),
    success: { status: 200, description: 'A page of sessions that have not expired.', schema: SessionPage },
    refusals: ['TENANT_NOT_FOUND'],
  },
  revokeTenantSession: {
    route: 'DELETE /admin/tenants/{tenantId}/sessions/{sessionId}',
    summary: 'End a person’s session',
    description: 'Effective within one second on every node; streams opened with it end. Who is mapped can sign in again.',
    success: { status: 200, description: 'The session, revoked.', schema: Session },
  },
})
