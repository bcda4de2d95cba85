/** `concord audit`: who did what with which key, for people and as lines of JSON for an archive. */

import type { AddCommand, Command } from './command.js'
import { writeLines } from './json-lines.js'
import { printable } from './text-layout.js'

interface AuditFlags {
  tenant?: string
  action?: string
  scope?: string
  document?: string
  person?: string
}

export const addAudit: AddCommand = program => {
  const audit = program
    .command('audit')
    .description('who did what with which key')
    .examples(
      'concord audit --action resetScope',
      'concord audit --scope case-1 --person "Ada Roe"',
      'concord audit export -o audit.jsonl',
      'concord audit checkpoint >> kept-elsewhere.jsonl',
    )
  filtered(audit.command('list', { isDefault: true }).description('the newest entries'))
    .limited(50)
    .examples('concord audit list --scope case-1')
    .lists(
      'admin',
      ({ admin }, { limit, ...flags }: AuditFlags & { limit: number }) => admin.audit({ ...filterOf(flags), limit: Math.min(limit, 200) }),
      [
        ['at', entry => entry.at],
        ['tier', entry => entry.tier],
        ['actor', entry => printable(entry.actor)],
        ['action', entry => entry.action],
        ['status', entry => String(entry.status ?? '')],
        ['tenant', entry => entry.tenant_id ?? ''],
        ['case', entry => printable(entry.scope_id ?? '')],
        ['person', entry => printable(entry.reader ?? nameIn(entry.detail))],
        ['read', entry => printable(entry.object ?? '')],
      ],
    )
  filtered(audit.command('export').description('every entry as a line of JSON, the newest first, with its place in the chain of hashes'))
    .option('-o, --output <file>', 'where to; otherwise standard output')
    .examples('concord audit export -o audit.jsonl')
    .runs(async ({ out, client }, { output, ...flags }: AuditFlags & { output?: string }) => {
      const entries = client('admin').admin.audit({ ...filterOf(flags), limit: 200 })
      const count = await writeLines(entries, output)
      if (output !== undefined) out.show({ entries: count, output }, () => out.line(`${count} entries are in ${output}.`))
    })
  audit
    .command('checkpoint')
    .description('how far the log reaches, signed, as a line of JSON: kept elsewhere, it shows when its end was cut off')
    .examples('concord audit checkpoint >> kept-elsewhere.jsonl', 'concord verify --checkpoint kept-elsewhere.jsonl')
    .calls(
      'internals',
      client => client.internals.auditCheckpoint(),
      // On one line, so that a file to which they are appended has one a line.
      checkpoint => JSON.stringify(checkpoint),
    )
}

function filtered(command: Command): Command {
  return command
    .option('--tenant <id>', 'acts for this tenant alone')
    .option('--action <operation>', 'this operation alone')
    .option('--scope <case>', 'acts on this case and reads of what is in it')
    .option('--document <id>', 'acts on this document and reads of it')
    .option('--person <name>', 'what this person read or did, and what was done in this name')
}

function filterOf({ tenant, action, scope, document, person }: AuditFlags) {
  return { tenant_id: tenant, action, scope_id: scope, document_id: document, person }
}

function nameIn(detail: { person?: unknown; by?: unknown }): string {
  return String(detail.person ?? detail.by ?? '')
}
