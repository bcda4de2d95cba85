/** Event streams as answers: they take the reply over and end with the credential they were opened with. */

import type { Feed } from '../events/feed.js'
import type { KernelFilter } from '../events/kernel-feeds.js'
import type { Caller } from './auth.js'
import type { Answer, Call } from './handler.js'
import { reachOf } from './permission.js'
import type { Services } from './services.js'
import type { Allowance } from './sse.js'

type StreamCall = Pick<Call, 'caller' | 'reply'>

type ScopeStreamCall = StreamCall &
  Pick<Call, 'tenantId' | 'headers'> & { params: { scopeId: string }; query: { after?: string | undefined } }

export function streamScope(services: Services, call: ScopeStreamCall): Promise<Answer> {
  const { tenantId, params, headers, query } = call
  const from = { lastEventId: headers['last-event-id'], after: query.after }
  return stream(services, call, () => services.events.subscribeScope({ tenantId, scopeId: params.scopeId, ...from }))
}

export function streamTenant(services: Services, call: StreamCall & Pick<Call, 'tenantId'>): Promise<Answer> {
  return stream(services, call, () => services.events.subscribeTenant({ tenantId: call.tenantId, within: reachOf(call.caller) }))
}

type KernelStreamCall = StreamCall &
  Pick<Call, 'headers'> & {
    query: { after?: string | undefined; tenant_id?: string | undefined; scope_id?: string | undefined; type?: string | undefined }
  }

export function streamKernel(services: Services, call: KernelStreamCall): Promise<Answer> {
  const { after, tenant_id: tenantId, scope_id: scopeId, type } = call.query
  const filter: KernelFilter = { tenantId: tenantId ?? null, scopeId: scopeId ?? null, types: type === undefined ? null : [type] }
  return stream(services, call, () => services.events.subscribeKernel({ lastEventId: call.headers['last-event-id'], after, filter }))
}

async function stream(services: Services, { reply, caller }: StreamCall, open: () => Promise<Feed>): Promise<Answer> {
  await services.streams.serve(reply, open, { caller, allowance: allowanceOf(services, caller) })
  return { taken: true }
}

function allowanceOf(services: Services, caller: Caller): Allowance | undefined {
  const { tenantKey } = caller
  // Tier keys live as long as the process.
  if (tenantKey === null) return undefined
  return {
    credential: tenantKey,
    isStillAllowed: async () => (await services.directory.owner(tenantKey)) !== undefined,
  }
}
