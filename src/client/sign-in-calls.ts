/** Signing in with the issuer of the service, and out again. In browsers the session is a cookie, elsewhere a token used like a tenant key. */

import { type Api, answered, type CallOptions, type Schema } from './api.js'

export function signInCalls(api: Api) {
  return {
    offer: (options: CallOptions = {}) => answered(api.GET('/api/sign-in', { ...options })),
    begin: (options: CallOptions = {}) => answered(api.POST('/api/sign-in', { ...options })),
    complete: (returned: Schema['CreateSessionRequest'], options: CallOptions = {}) =>
      answered(api.POST('/api/session', { body: returned, ...options })),
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
