/** Control of the runtime, which two tiers offer: what the credential and the body address. */

import type { RuntimeOperation } from '../contract/runtime-operations.js'
import type { ControlTarget } from '../hatchery/control.js'
import { AppError } from '../platform/errors.js'
import type { Answer } from './handler.js'
import type { Services } from './services.js'

interface RuntimeCall {
  tenantId: string
  body: { scope_id?: string | undefined } | undefined
}

export function runtimeHandler(services: Services, operation: RuntimeOperation) {
  return async (call: RuntimeCall): Promise<Answer> => ({ body: await services.control(operation, targetOf(call)) })
}

function targetOf({ tenantId, body }: RuntimeCall): ControlTarget {
  const scopeId = body?.scope_id
  if (tenantId === '') {
    if (scopeId !== undefined) throw new AppError('TENANT_KEY_MISSING', { detail: 'A scope is addressed together with its tenant’s key.' })
    return { level: 'service' }
  }
  return scopeId === undefined ? { level: 'tenant', tenantId } : { level: 'scope', tenantId, scopeId }
}
