/** `concord tenants`: list, create and delete tenants, their limits, and moving one to another installation. */

import type { Schema } from '../client/index.js'
import type { Command } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import { confirm } from './confirm.js'
import { type AddCommand, type CommandContext, shellOf } from './shell.js'
import { addTenantMoves } from './tenant-moves.js'
import { printable } from './text-layout.js'

export const addTenants: AddCommand = (program, context) => {
  const tenants = program
    .command('tenants')
    .description('tenants and their limits')
    .examples('concord tenants', 'concord tenants create "Northwind Insurance"', 'concord tenants limits ten_… documents=100000 weight=2')
  tenants
    .command('list', { isDefault: true })
    .description('list them')
    .action(async (_options, command) => {
      const { out, client } = shellOf(command, context)
      const items = await client('admin').admin.tenants({ limit: 200 }).toArray()
      out.show(items, () =>
        out.table(items, [
          ['tenant', item => item.tenant_id],
          ['name', item => printable(item.name)],
          ['keys', item => String(item.keys)],
          ['created', item => item.created_at],
        ]),
      )
    })
  tenants
    .command('create <name>')
    .description('create one with its first key')
    .action(async (name: string, _options, command) => {
      const { out, client } = shellOf(command, context)
      const tenant = await client('admin').admin.createTenant({ name })
      out.show(tenant, () =>
        out.lines([
          `Tenant ${tenant.tenant_id} created.`,
          `  key  ${tenant.api_key}`,
          out.hint('  Shown once; `concord init` would also keep it in a profile.'),
        ]),
      )
    })
  tenants
    .command('delete <tenant>')
    .description('delete one and everything it owns')
    .option('-y, --yes', 'do not ask')
    .action(async (tenantId: string, { yes }: { yes?: boolean }, command) => {
      const { out, client } = shellOf(command, context)
      const admin = client('admin').admin
      await confirm(`Delete ${tenantId} and everything it owns`, yes)
      const deleted = await admin.deleteTenant(tenantId)
      out.show(deleted, () => out.line(deleted.message))
    })
  addLimits(tenants, context)
  addTenantMoves(tenants, context)
}

function addLimits(tenants: Command, context: CommandContext): void {
  tenants
    .command('limits <tenant> [settings...]')
    .description('show limits and usage, or set limits as name=number (name=none is unlimited)')
    .action(async (tenantId: string, settings: string[], _options, command) => {
      const { out, client } = shellOf(command, context)
      const admin = client('admin').admin
      const current = await admin.limits(tenantId)
      const view = settings.length === 0 ? current : await admin.setLimits(tenantId, { ...current.limits, ...parseLimits(settings) })
      out.show(view, () => {
        const usage: Record<string, number> = { ...view.usage }
        out.table(Object.entries(view.limits), [
          ['limit', ([name]) => name],
          ['most', ([, limit]) => limit ?? 'unlimited'],
          ['used', ([name]) => usage[name] ?? ''],
        ])
      })
    })
}

const limitNames = ['documents', 'bytes', 'scopes', 'requests_per_second', 'concurrent_scopes', 'weight']

function parseLimits(settings: readonly string[]): Schema['TenantLimits'] {
  const pairs = settings.map(setting => {
    const [name = '', value = ''] = setting.split('=')
    const isNumber = /^\d+$/.test(value)
    if (!limitNames.includes(name) || !(isNumber || value === 'none')) {
      throw new CommandError(`${setting} is no limit`, {
        next: `write name=number; names are ${limitNames.join(', ')}`,
        exitCode: exitCodes.usage,
      })
    }
    return [name, isNumber ? Number(value) : null]
  })
  return Object.fromEntries(pairs) as Schema['TenantLimits']
}
