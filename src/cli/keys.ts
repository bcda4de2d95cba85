/** `concord keys`: the keys of a tenant. A new key is shown once. */

import { confirm } from './confirm.js'
import { examples } from './help-text.js'
import { type AddCommand, shellOf } from './shell.js'
import { printable, table } from './text-layout.js'

export const addKeys: AddCommand = (program, context) => {
  const keys = program
    .command('keys')
    .description('keys of a tenant')
    .addHelpText(
      'after',
      examples('concord keys list ten_…', 'concord keys create ten_… --label ci', 'concord keys revoke ten_… key_… --yes'),
    )
  keys
    .command('list <tenant>')
    .description('list them, without the keys themselves')
    .action(async (tenantId: string, _options, command) => {
      const { out, client } = shellOf(command, context)
      const items = await client('admin').admin.keys(tenantId, { limit: 200 }).toArray()
      out.show(items, () => {
        const rows = items.map(key => [key.key_id, `${key.key_prefix}…`, printable(key.label ?? ''), key.created_at, key.revoked_at ?? ''])
        out.lines(
          table(
            ['key', 'begins with', 'label', 'created', 'revoked'].map(title => ({ title })),
            rows,
            out.colors.dim,
          ),
        )
      })
    })
  keys
    .command('create <tenant>')
    .description('make another key')
    .option('--label <label>', 'what it is for')
    .action(async (tenantId: string, { label }: { label?: string }, command) => {
      const { out, client } = shellOf(command, context)
      const key = await client('admin').admin.createKey(tenantId, label === undefined ? {} : { label })
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
