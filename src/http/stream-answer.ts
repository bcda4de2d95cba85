/** Event streams as answers: they take the reply over and end with the credential they were opened with. */

import type { KernelFilter } from '../events/kernel-feeds.js'
import type { Caller } from './auth.js'
import type { Answer, Call } from './handler.js'
import { reachOf } from './permission.js'
import type { Services } from './services.js'
import type { Allowance } from './sse.js'

type ScopeStreamCall = Pick<Call, 'caller' | 'tenantId' | 'headers' | 'reply'> & {
  params: { scopeId: string }
  query: { after?: string | undefined }
}

export async function streamScope(services: Services, call: ScopeStreamCall): Promise<Answer> {
  const open = () =>
    services.events.subscribeScope({
      tenantId: call.tenantId,
      scopeId: call.params.scopeId,
      lastEventId: call.headers['last-event-id'],
      after: call.query.after,
    })
  await services.streams.serve(call.reply, open, { caller: call.caller, allowance: allowanceOf(services, call.caller) })
  return { taken: true }
}

export async function streamTenant(services: Services, call: Pick<Call, 'caller' | 'tenantId' | 'reply'>): Promise<Answer> {
  const open = () => services.events.subscribeTenant({ tenantId: call.tenantId, within: reachOf(call.caller) })
  await services.streams.serve(call.reply, open, { caller: call.caller, allowance: allowanceOf(services, call.caller) })
  return { taken: true }
}

type KernelStreamCall = Pick<Call, 'caller' | 'headers' | 'reply'> & {
  query: { after?: string | undefined; tenant_id?: string | undefined; scope_id?: string | undefined; type?: string | undefined }
}

export async function streamKernel(services: Services, call: KernelStreamCall): Promise<Answer> {
  const { after, tenant_id: tenantId, scope_id: scopeId, type } = call.query
  const filter: KernelFilter = { tenantId: tenantId ?? null, scopeId: scopeId ?? null, types: type === undefined ? null : [type] }
  const open = () => services.events.subscribeKernel({ lastEventId: call.headers['last-event-id'], after, filter })
  await services.streams.serve(call.reply, open, { caller: call.caller, allowance: allowanceOf(services, call.caller) })
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
