/** `concord init`: the first tenant and its key, kept in a profile, so that the next commands need no settings. */

import { resolve } from 'node:path'
import type { Schema } from '../contract/types.js'
import type { AddCommand } from './command.js'
import { CommandError } from './command-error.js'
import { readProfiles, tryProfiles, writeProfiles } from './profiles.js'
import { dataDirOf, type Shell } from './shell.js'

export const addInit: AddCommand = program => {
  program
    .command('init')
    .description('create a tenant with the first keys of the service and remember it in a profile')
    .option('--name <name>', 'name of the tenant', 'first')
    .option('--as <profile>', 'name of the profile to write', 'default')
    .option('--force', 'replace a profile of that name')
    .examples('concord init', 'concord init --name "Northwind Insurance" --as northwind --url https://concord.example')
    .runs(async (shell, options: { name: string; as: string; force?: boolean }) => {
      const { out, settings, command } = shell
      const { profiles } = readProfiles(shell.env)
      if (profiles[options.as] !== undefined && !options.force) {
        throw new CommandError(`the profile ${options.as} exists already`, { next: 'choose another with --as, or replace it with --force' })
      }
      const client = shell.client('admin')
      tryProfiles(shell.env)
      const tenant = await client.admin.createTenant({ name: options.name })
      const kept = remember(shell, options.as, tenant)
      const isKept = typeof kept === 'string'
      const where = isKept ? { profile: options.as, profiles: kept } : { profile: null, profiles: null }
      out.show({ tenant_id: tenant.tenant_id, api_key: tenant.api_key, ...where, url: settings.url }, () => {
        out.lines([
          `Tenant ${out.colors.bold(options.name)} created at ${settings.url}.`,
          `  tenant id   ${tenant.tenant_id}`,
          `  tenant key  ${tenant.api_key}`,
        ])
        if (!isKept) return out.line('  Shown once: keep the key.')
        out.lines([
          `  Kept as profile ${options.as} in ${kept}, readable by you alone.`,
          'Try next:',
          `  ${command} ingest <files or folders> --scope case-1 --wait`,
          `  ${command} summary case-1`,
        ])
      })
      if (!isKept) throw kept
    })
}

/** The profiles it is kept in; or why not, for the only key of the tenant is to be told all the same. */
function remember(shell: Shell, name: string, tenant: Schema['CreateTenantResponse']): string | CommandError {
  try {
    const { url, adminKey, internalsKey } = shell.settings
    const known = readProfiles(shell.env)
    const folder = dataDirOf(shell.flags, shell.env)
    const dataDir = folder === undefined ? undefined : resolve(folder)
    const profile = { url, dataDir, adminKey, internalsKey, tenantId: tenant.tenant_id, tenantKey: tenant.api_key }
    return writeProfiles(shell.env, { default: known.default ?? name, profiles: { ...known.profiles, [name]: profile } })
  } catch (error) {
    if (error instanceof CommandError) return error
    throw error
  }
}
