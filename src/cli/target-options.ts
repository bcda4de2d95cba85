/** Whom a command acts on: one scope, all of a tenant, or the whole service. */

import type { Target } from '../client/index.js'
import type { Command } from './command.js'

export interface TargetFlags {
  scope?: string
  tenant?: boolean
}

export function addTargetOptions(command: Command): Command {
  return command
    .option('-s, --scope <scope>', 'one scope of the tenant')
    .option('--tenant', 'all scopes of the tenant; without both, the whole service')
}

export function targetOf({ scope, tenant }: TargetFlags): Target {
  if (scope !== undefined) return { level: 'scope', scopeId: scope }
  return { level: tenant ? 'tenant' : 'service' }
}

export function needOf(target: Target): 'admin' | 'admin+tenant-key' {
  return target.level === 'service' ? 'admin' : 'admin+tenant-key'
}
