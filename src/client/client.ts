/**
 * The client: every call of the API by name, typed from the OpenAPI document. Calls are repeated where that is safe,
 * lists are async iterators, event streams resume by themselves, refusals are thrown as ProblemError. Needs `fetch` and
 * nothing of Node.
 */

import { adminCalls } from './admin-calls.js'
import { type ApiOptions, createApi } from './api.js'
import { internalsCalls } from './internals-calls.js'
import { signInCalls } from './sign-in-calls.js'
import { tenantCalls } from './tenant-calls.js'

export type ClientOptions = ApiOptions
export type Client = ReturnType<typeof createClient>

export function createClient(options: ClientOptions) {
  const api = createApi(options)
  return {
    ...tenantCalls(api),
    admin: adminCalls(api, options.tenantKey),
    internals: internalsCalls(api),
    signIn: signInCalls(api),
    /** Every route by its address, for what has no name here: answers `{ data, error, response }`. */
    api,
  }
}
