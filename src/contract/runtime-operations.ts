/** Start, pause, resume, stop and restart, which two tiers offer. */

import { type Defined, defineOperations, type OperationDraft } from './operation.js'
import { RuntimeRequest, RuntimeResponse } from './runtime.js'

const summaries = {
  start: 'Start the runtime',
  pause: 'Pause the runtime: nothing new begins',
  resume: 'Resume a paused runtime',
  stop: 'Stop the runtime: documents in progress go back to the queue',
  restart: 'Restart the runtime under a new run number',
} as const

export type RuntimeOperation = keyof typeof summaries
type RuntimeRoutes<T extends 'admin' | 'internals'> = Record<`${RuntimeOperation}${Capitalize<T>}Runtime`, OperationDraft>

/** `startAdminRuntime` … `restartInternalsRuntime`. */
export function runtimeOperations<T extends 'admin' | 'internals'>(tier: T, prefix: `/${string}`): Defined<RuntimeRoutes<T>> {
  const drafts = (Object.keys(summaries) as RuntimeOperation[]).map(verb => [
    `${verb}${tier === 'admin' ? 'Admin' : 'Internals'}Runtime`,
    { ...common, route: `POST ${prefix}/${verb}`, summary: summaries[verb], description: descriptions[tier] },
  ])
  return defineOperations(
    { tier, credential: tier === 'admin' ? 'tier+optional-tenant-key' : 'tier+tenant-key', tag: 'Runtime' },
    Object.fromEntries(drafts) as RuntimeRoutes<T>,
  )
}

const descriptions = {
  admin: 'With a scope and the tenant key: that scope. With the key alone: all scopes of the tenant. With neither: the whole service.',
  internals: 'With a scope: that scope of the tenant whose key is given. Without: all its scopes.',
}

const common = {
  body: { schema: RuntimeRequest, required: false },
  success: { status: 200, description: 'What was addressed, its previous and its new state.', schema: RuntimeResponse },
  refusals: ['TENANT_KEY_MISSING', 'SCOPE_NOT_FOUND', 'RUNTIME_CONFLICT'],
} as const
