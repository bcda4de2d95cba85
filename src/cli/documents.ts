/** `concord documents`: the documents of a scope and what became of them. */

import { Option } from 'commander'
import type { Schema } from '../client/index.js'
import { examples } from './help-text.js'
import { mostItems } from './limit-option.js'
import { type AddCommand, shellOf } from './shell.js'
import { printable, table } from './text-layout.js'

const statuses: Schema['DocumentStatus'][] = [
  'registered',
  'attached',
  'queued',
  'processing',
  'indexed',
  'held',
  'rejected',
  'quarantined',
]

export const addDocuments: AddCommand = (program, context) => {
  program
    .command('documents <scope>')
    .description('the documents of a scope and their states')
    .addOption(new Option('--status <status>', 'only these').choices(statuses))
    .option('-n, --limit <n>', 'most to show', mostItems, 200)
    .addHelpText('after', examples('concord documents case-1', 'concord documents case-1 --status held'))
    .action(async (scopeId: string, { status, limit }: { status?: Schema['DocumentStatus']; limit: number }, command) => {
      const { out, client } = shellOf(command, context)
      const items = await client('tenant-key')
        .documents(scopeId, { status, limit: Math.min(limit, 200) })
        .toArray(limit)
      out.show(items, () => {
        const columns = [
          { title: 'document', max: 40 },
          { title: 'revision', align: 'right' as const },
          { title: 'status' },
          { title: 'claims', align: 'right' as const },
          { title: 'tries', align: 'right' as const },
          { title: 'reason' },
        ]
        const rows = items.map(item => [
          printable(item.document_id),
          String(item.revision),
          item.status,
          String(item.counts.claims),
          String(item.attempts),
          printable(item.reason ?? ''),
        ])
        out.lines(table(columns, rows, out.colors.dim))
      })
    })
}
