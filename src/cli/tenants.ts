/** `concord tenants`: list, create and delete tenants, their limits, and moving one to another installation. */

import type { Schema } from '../contract/types.js'
import type { AddCommand } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import { addTenantMoves } from './tenant-moves.js'
import { printable } from './text-layout.js'

export const addTenants: AddCommand = program => {
  const tenants = program
    .command('tenants')
    .description('tenants and their limits')
    .examples('concord tenants', 'concord tenants create "Northwind Insurance"', 'concord tenants limits ten_… documents=100000 weight=2')
  tenants
    .command('list', { isDefault: true })
    .description('list them')
    .examples('concord tenants list')
    .lists('admin', ({ admin }) => admin.tenants({ limit: 200 }), [
      ['tenant', item => item.tenant_id],
      ['name', item => printable(item.name)],
      ['keys', item => String(item.keys)],
      ['created', item => item.created_at],
    ])
  tenants
    .command('create <name>')
    .description('create one with its first key')
    .examples('concord tenants create "Northwind Insurance"')
    .calls(
      'admin',
      ({ admin }, name: string) => admin.createTenant({ name }),
      (tenant, out) => [
        `Tenant ${tenant.tenant_id} created.`,
        `  key  ${tenant.api_key}`,
        out.hint('  Shown once; `concord init` would also keep it in a profile.'),
      ],
    )
  tenants
    .command('delete <tenant>')
    .description('delete one and everything it owns')
    .examples('concord tenants delete ten_… --yes')
    .confirms(tenantId => `Delete ${tenantId} and everything it owns`)
    .calls(
      'admin',
      ({ admin }, tenantId: string) => admin.deleteTenant(tenantId),
      deleted => deleted.message,
    )
  tenants
    .command('limits <tenant> [settings...]')
    .description(
      'show limits and usage, or set limits as name=number (name=none is unlimited); model=off keeps its documents from models, model=on lifts that',
    )
    .examples(
      'concord tenants limits ten_…',
      'concord tenants limits ten_… documents=100000 weight=2',
      'concord tenants limits ten_… model=off',
    )
    .calls(
      'admin',
      async ({ admin }, tenantId: string, settings: string[]) => {
        const current = await admin.limits(tenantId)
        const { model: _, ...numbers } = current.limits
        return settings.length === 0
          ? current
          : admin.setLimits(tenantId, { ...current.limits, ...parseLimits(settings, Object.keys(numbers)) })
      },
      (view, { rows }) => {
        const usage: Record<string, number> = { ...view.usage, model_tokens_per_day: view.usage.model_tokens_today }
        return rows(Object.entries(view.limits), [
          ['limit', ([name]) => name],
          ['most', ([name, limit]) => limit ?? (name === 'model' ? 'on' : 'unlimited')],
          ['used', ([name]) => usage[name] ?? ''],
        ])
      },
    )
  addTenantMoves(tenants)
}

/** `names` are of those that are numbers. */
function parseLimits(settings: readonly string[], names: readonly string[]): Schema['TenantLimits'] {
  const pairs = settings.map(setting => {
    const [name = '', value = ''] = setting.split('=')
    if (name === 'model' && ['on', 'off', 'none'].includes(value)) return [name, value === 'off' ? 'off' : null]
    const isNumber = /^\d+$/.test(value)
    if (!names.includes(name) || !(isNumber || value === 'none')) {
      throw new CommandError(`${setting} is not a limit`, {
        next: `write name=number; names are ${names.join(', ')}; or model=off, model=on`,
        exitCode: exitCodes.usage,
      })
    }
    return [name, isNumber ? Number(value) : null]
  })
  return Object.fromEntries(pairs) as Schema['TenantLimits']
}
