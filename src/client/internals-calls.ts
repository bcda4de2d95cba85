/** What only an internals key may see: kernel, hatchery, and the events of all scopes. */

import { type Api, answered, answeredHealth, type CallOptions, type QueryOf, streamed, streaming } from './api.js'
import { type FollowOptions, followEvents } from './follow-events.js'

type KernelFilter = Omit<QueryOf<'streamKernel'>, 'after'>

export function internalsCalls(api: Api) {
  return {
    health: (options: CallOptions = {}) => answeredHealth(api.GET('/internals/health', { ...options })),
    kernelHealth: (options: CallOptions = {}) => answeredHealth(api.GET('/internals/kernel/health', { ...options })),
    controlPlaneHealth: (options: CallOptions = {}) => answeredHealth(api.GET('/internals/kernel/control-plane/health', { ...options })),
    snapshot: (options: CallOptions = {}) => answered(api.GET('/internals/kernel/hatchery/snapshot', { ...options })),
    /** What is wrong now, since when, for how many tenants, and what to do next. */
    troubles: (options: CallOptions = {}) => answered(api.GET('/internals/kernel/troubles', { ...options })),
    /** Tries the model that is set up on a case with known answers, and keeps its score for certificates. */
    tryModel: (options: CallOptions = {}) => answered(api.POST('/internals/model/trial', { ...options })),
    /** One page: all scopes, worst pressure first; with tenant and scope, that scope with its gates and history. */
    convergence: (query: QueryOf<'getConvergence'> & { cursor?: string } = {}) =>
      answered(api.GET('/internals/kernel/convergence', { params: { query } })),
    /** Signs certificates with a new key, on every node. */
    rotateSigningKey: (options: CallOptions = {}) => answered(api.POST('/internals/signing-keys/rotation', { ...options })),
    /** How far the audit log reaches, signed. */
    auditCheckpoint: (options: CallOptions = {}) => answered(api.GET('/internals/audit/checkpoint', { ...options })),
    metricsText: () => answered(api.GET('/metrics', { parseAs: 'text' })) as Promise<string>,
    /**
     * Events of all scopes and of the hatchery in commit order. The promise that none is lost begins with `after`, or
     * with the first event that arrives.
     */
    events: ({ filter = {}, ...options }: FollowOptions & { filter?: KernelFilter } = {}) => {
      const open = (cursor: string | undefined, signal: AbortSignal) =>
        streamed(
          api.GET('/internals/kernel/events', { params: { query: filter, header: { 'Last-Event-ID': cursor } }, ...streaming(signal) }),
        )
      return followEvents(open, options)
    },
  }
}
