/** `concord audit`: who did what with which key, for people and as lines of JSON for an archive. */

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { Command } from './command.js'
import { mostItems } from './limit-option.js'
import { type AddCommand, type CommandContext, shellOf } from './shell.js'
import { printable } from './text-layout.js'

interface AuditFlags {
  tenant?: string
  action?: string
}

export const addAudit: AddCommand = (program, context) => {
  const audit = program
    .command('audit')
    .description('who did what with which key')
    .examples('concord audit --action resetScope', 'concord audit export -o audit.jsonl', 'concord audit checkpoint')
  addList(audit, context)
  addExportLines(audit, context)
  audit
    .command('checkpoint')
    .description('how far the log reaches, signed: kept elsewhere, it shows when its end was cut off')
    .action(async (_options, command) => {
      const { out, client } = shellOf(command, context)
      const checkpoint = await client('internals').internals.auditCheckpoint()
      out.show(checkpoint, () => out.lines([`${checkpoint.length} entries, head ${checkpoint.head}`, checkpoint.statement]))
    })
}

function filtered(command: Command): Command {
  return command.option('--tenant <id>', 'acts for this tenant alone').option('--action <operation>', 'this operation alone')
}

function queryOf({ tenant, action }: AuditFlags) {
  return { ...(tenant === undefined ? {} : { tenant_id: tenant }), ...(action === undefined ? {} : { action }) }
}

function addList(audit: Command, context: CommandContext): void {
  filtered(audit.command('list', { isDefault: true }).description('the newest entries'))
    .option('-n, --limit <n>', 'most to show', mostItems, 50)
    .action(async ({ limit, ...flags }: AuditFlags & { limit: number }, command) => {
      const { out, client } = shellOf(command, context)
      const items = await client('admin')
        .admin.audit({ ...queryOf(flags), limit: Math.min(limit, 200) })
        .toArray(limit)
      out.show(items, () =>
        out.table(items, [
          ['at', entry => entry.at],
          ['tier', entry => entry.tier],
          ['actor', entry => printable(entry.actor)],
          ['action', entry => entry.action],
          ['status', entry => String(entry.status ?? '')],
          ['tenant', entry => entry.tenant_id ?? ''],
          ['scope', entry => printable(entry.scope_id ?? '')],
        ]),
      )
    })
}

function addExportLines(audit: Command, context: CommandContext): void {
  filtered(audit.command('export').description('every entry as a line of JSON, the newest first, with its place in the chain of hashes'))
    .option('-o, --output <file>', 'where to; otherwise standard output')
    .action(async ({ output, ...flags }: AuditFlags & { output?: string }, command) => {
      const { out, client } = shellOf(command, context)
      const entries = client('admin').admin.audit({ ...queryOf(flags), limit: 200 })
      if (output === undefined) {
        for await (const entry of entries) out.line(JSON.stringify(entry))
        return
      }
      const file = createWriteStream(output, { mode: 0o600 })
      let count = 0
      for await (const entry of entries) {
        count++
        if (!file.write(`${JSON.stringify(entry)}\n`)) await once(file, 'drain')
      }
      file.end()
      await finished(file)
      out.show({ entries: count, output }, () => out.line(`${count} entries are in ${output}.`))
    })
}
