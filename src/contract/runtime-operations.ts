/** Start, pause, resume, stop and restart, which two tiers offer. */

import type { OperationDraft } from './operation.js'
import { RuntimeRequest, RuntimeResponse } from './runtime.js'

const summaries = {
  start: 'Start the runtime',
  pause: 'Pause the runtime: nothing new begins',
  resume: 'Resume a paused runtime',
  stop: 'Stop the runtime: documents in progress go back to the queue',
  restart: 'Restart the runtime under a new run number',
} as const

export type RuntimeOperation = keyof typeof summaries
type Verb = RuntimeOperation
type RuntimeRoute = OperationDraft & { verb: Verb }

/** `startAdminRuntime` … `restartInternalsRuntime`. */
export function runtimeOperations<T extends 'admin' | 'internals'>(tier: T, prefix: `/${string}`) {
  const verbs = Object.keys(summaries) as Verb[]
  return Object.fromEntries(
    verbs.map(verb => [`${verb}${tier === 'admin' ? 'Admin' : 'Internals'}Runtime`, runtimeOperation(tier, verb, prefix)]),
  ) as Record<`${Verb}${Capitalize<T>}Runtime`, RuntimeRoute>
}

function runtimeOperation(tier: 'admin' | 'internals', verb: Verb, prefix: `/${string}`): RuntimeRoute {
  return {
    verb,
    tier,
    tag: 'Runtime',
    route: `POST ${prefix}/${verb}`,
    summary: summaries[verb],
    description:
      tier === 'admin'
        ? 'With a scope and the tenant key: that scope. With the key alone: all scopes of the tenant. With neither: the whole service.'
        : 'With a scope: that scope of the tenant whose key is given. Without: all its scopes.',
    credential: tier === 'admin' ? 'tier+optional-tenant-key' : 'tier+tenant-key',
    body: { schema: RuntimeRequest, required: false },
    success: { status: 200, description: 'What was addressed, its previous and its new state.', schema: RuntimeResponse },
    refusals: ['TENANT_KEY_MISSING', 'SCOPE_NOT_FOUND', 'RUNTIME_CONFLICT'],
  }
}
