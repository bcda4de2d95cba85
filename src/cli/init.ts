/** `concord init`: the first tenant and its key, kept in a profile, so that the next commands need no settings. */

import { resolve } from 'node:path'
import type { Schema } from '../client/index.js'
import { CommandError } from './command-error.js'
import { readProfiles, writeProfiles } from './profiles.js'
import { type AddCommand, dataDirOf, type Shell, shellOf } from './shell.js'

export const addInit: AddCommand = (program, context) => {
  program
    .command('init')
    .description('create a tenant with the first keys of the service and remember it in a profile')
    .option('--name <name>', 'name of the tenant', 'first')
    .option('--as <profile>', 'name of the profile to write', 'default')
    .option('--force', 'replace a profile of that name')
    .examples('concord init', 'concord init --name "Northwind Insurance" --as northwind --url https://concord.example')
    .action(async (options: { name: string; as: string; force?: boolean }, command) => {
      const shell = shellOf(command, context)
      const { profiles } = readProfiles(shell.env)
      if (profiles[options.as] !== undefined && !options.force) {
        throw new CommandError(`the profile ${options.as} exists already`, { next: 'choose another with --as, or replace it with --force' })
      }
      const tenant = await shell.client('admin').admin.createTenant({ name: options.name })
      const path = remember(shell, options.as, tenant)
      const shown = { tenant_id: tenant.tenant_id, api_key: tenant.api_key, profile: options.as, profiles: path, url: shell.settings.url }
      shell.out.show(shown, () => {
        shell.out.line(`Tenant ${shell.out.colors.bold(options.name)} created at ${shell.settings.url}.`)
        shell.out.line(`  tenant id   ${tenant.tenant_id}`)
        shell.out.line(`  tenant key  ${tenant.api_key}`)
        shell.out.line(`  Kept as profile ${options.as} in ${path}, readable by you alone.`)
        shell.out.line('Try next:')
        shell.out.line(`  ${context.command} ingest <files or folders> --scope case-1 --wait`)
        shell.out.line(`  ${context.command} summary case-1`)
      })
    })
}

function remember(shell: Shell, name: string, tenant: Schema['CreateTenantResponse']): string {
  const { url, adminKey, internalsKey } = shell.settings
  const known = readProfiles(shell.env)
  const folder = dataDirOf(shell.flags, shell.env)
  const dataDir = folder === undefined ? undefined : resolve(folder)
  const profile = { url, dataDir, adminKey, internalsKey, tenantId: tenant.tenant_id, tenantKey: tenant.api_key }
  return writeProfiles(shell.env, { default: known.default ?? name, profiles: { ...known.profiles, [name]: profile } })
}
