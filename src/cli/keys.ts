/** `concord keys`: the keys of a tenant. A new key is shown once. */

import type { Schema } from '../client/index.js'
import { type Right, rights } from '../contract/rights.js'
import { CommandError, exitCodes } from './command-error.js'
import { confirm } from './confirm.js'
import { type AddCommand, shellOf } from './shell.js'
import { printable } from './text-layout.js'

export const addKeys: AddCommand = (program, context) => {
  const keys = program
    .command('keys')
    .description('keys of a tenant')
    .examples(
      'concord keys list ten_…',
      'concord keys create ten_… --label ci --rights read,ingest',
      'concord keys create ten_… --person ada --rights read,decide --scopes case-1 --days 90',
      'concord keys revoke ten_… key_… --yes',
    )
  keys
    .command('list <tenant>')
    .description('list them, without the keys themselves')
    .action(async (tenantId: string, _options, command) => {
      const { out, client } = shellOf(command, context)
      const items = await client('admin').admin.keys(tenantId, { limit: 200 }).toArray()
      out.show(items, () =>
        out.table(items, [
          ['key', key => key.key_id],
          ['begins with', key => `${key.key_prefix}…`],
          ['label', key => printable(key.label ?? '')],
          ['person', key => printable(key.person ?? '')],
          ['rights', key => key.rights.join(',')],
          ['scopes', key => printable(key.scopes?.join(',') ?? 'all')],
          ['created', key => key.created_at],
          ['expires', key => key.expires_at ?? ''],
          ['revoked', key => key.revoked_at ?? ''],
        ]),
      )
    })
  keys
    .command('create <tenant>')
    .description('make another key')
    .option('--label <label>', 'what it is for')
    .option('--rights <list>', `some of ${rights.join(',')}; unset: all`)
    .option('--scopes <list>', 'the scopes it reaches, with commas between; unset: all')
    .option('--days <number>', 'how long it is valid; unset: until it is revoked')
    .option('--person <name>', 'whose it is: it then acts for this person alone')
    .option('--speak-for', 'it acts for anybody although it is a person’s')
    .action(async (tenantId: string, options: NewKeyOptions, command) => {
      const { out, client } = shellOf(command, context)
      const key = await client('admin').admin.createKey(tenantId, keyOf(options))
      out.show(key, () => out.lines([`Key ${key.key_id} created.`, `  key  ${key.api_key}`, '  Shown once.']))
    })
  keys
    .command('revoke <tenant> <key>')
    .description('end a key, within a second on every node')
    .option('-y, --yes', 'do not ask')
    .action(async (tenantId: string, keyId: string, { yes }: { yes?: boolean }, command) => {
      const { out, client } = shellOf(command, context)
      const admin = client('admin').admin
      await confirm(`Revoke ${keyId}`, yes)
      const key = await admin.revokeKey(tenantId, keyId)
      out.show(key, () => out.line(`Key ${key.key_id} (${key.key_prefix}…) is revoked.`))
    })
}

interface NewKeyOptions {
  label?: string
  rights?: string
  scopes?: string
  days?: string
  person?: string
  speakFor?: boolean
}

function keyOf({ label, rights: wanted, scopes, days, person, speakFor }: NewKeyOptions): Schema['CreateKeyRequest'] {
  const last = days === undefined ? undefined : Number(days)
  if (last !== undefined && !(last > 0 && last < 36_500))
    throw new CommandError('--days is a number of days above 0', { exitCode: exitCodes.usage })
  const unknown = listOf(wanted).filter(right => !(rights as readonly string[]).includes(right))
  if (unknown.length > 0)
    throw new CommandError(`--rights takes ${rights.join(', ')}, not ${unknown.join(', ')}`, { exitCode: exitCodes.usage })
  return {
    ...(label === undefined ? {} : { label }),
    ...(wanted === undefined ? {} : { rights: listOf(wanted) as Right[] }),
    ...(scopes === undefined ? {} : { scopes: listOf(scopes) }),
    ...(last === undefined ? {} : { expires_at: new Date(Date.now() + last * 86_400_000).toISOString() }),
    ...(person === undefined ? {} : { person }),
    ...(speakFor === true ? { speak_for: true } : {}),
  }
}

function listOf(value: string | undefined): string[] {
  return value?.split(',').map(each => each.trim()) ?? []
}
