/**
 * The client: every call of the API by name, typed from the OpenAPI document. Calls are repeated where that is safe,
 * lists are async iterators, event streams resume by themselves, refusals are thrown as ProblemError. Needs `fetch` and
 * nothing of Node.
 */

import { adminCalls } from './admin-calls.js'
import { type Api, type ApiOptions, answered, type CallOptions, createApi, type Schema } from './api.js'
import { internalsCalls } from './internals-calls.js'
import { tenantCalls } from './tenant-calls.js'

export type ClientOptions = ApiOptions

/** Named, so that its declaration refers to those of its parts in place of repeating them. */
export interface Client extends ReturnType<typeof tenantCalls> {
  admin: ReturnType<typeof adminCalls>
  internals: ReturnType<typeof internalsCalls>
  signIn: ReturnType<typeof signInCalls>
  /** Every route by its address, for what has no name here: answers `{ data, error, response }`. */
  api: Api
}

export function createClient(options: ClientOptions): Client {
  const api = createApi(options)
  return {
    ...tenantCalls(api),
    admin: adminCalls(api, options.tenantKey),
    internals: internalsCalls(api),
    signIn: signInCalls(api),
    api,
  }
}

/** Signing in with the issuer of the service, and out again. In browsers the session is a cookie, elsewhere a token used like a tenant key. */
function signInCalls(api: Api) {
  return {
    offer: (options: CallOptions = {}) => answered(api.GET('/api/sign-in', { ...options })),
    begin: (options: CallOptions = {}) => answered(api.POST('/api/sign-in', { ...options })),
    complete: (returned: Schema['CreateSessionRequest'], options: CallOptions = {}) =>
      answered(api.POST('/api/session', { body: returned, ...options })),
    /** Exchanges the tenant key of this client for a session of the browser. */
    withKey: (options: CallOptions = {}) => answered(api.POST('/api/session/key', { ...options })),
    beginDevice: (options: CallOptions = {}) => answered(api.POST('/api/sign-in/device', { ...options })),
    /** The session, or how long to wait at least before asking again. */
    completeDevice: async (
      asked: Schema['CreateDeviceSessionRequest'],
      options: CallOptions = {},
    ): Promise<Schema['CreatedDeviceSession'] | { waitSeconds: number }> => {
      const call = api.POST('/api/session/device', { body: asked, ...options })
      const answer = await answered(call)
      const { response } = await call
      return response.status === 202 ? { waitSeconds: Number(response.headers.get('retry-after') ?? 1) } : answer
    },
    out: (options: CallOptions = {}) => answered(api.DELETE('/api/session', { ...options })),
  }
}
