/** `concord contradictions`: where the documents of a scope disagree, both quotes side by side. */

import { Option } from 'commander'
import { contradictionLines } from './contradiction-lines.js'
import { mostItems } from './limit-option.js'
import { type AddCommand, shellOf } from './shell.js'

interface Flags {
  status: 'open' | 'resolved' | 'dismissed' | 'all'
  foundBy?: 'rules' | 'model' | 'person'
  limit: number
}

export const addContradictions: AddCommand = (program, context) => {
  program
    .command('contradictions <scope>')
    .description('where the documents disagree')
    .addOption(new Option('--status <status>', 'which of them').choices(['open', 'resolved', 'dismissed', 'all']).default('open'))
    .addOption(new Option('--found-by <whom>', 'who found them').choices(['rules', 'model', 'person']))
    .option('-n, --limit <n>', 'most to show', mostItems, 100)
    .examples(
      'concord contradictions case-1',
      'concord contradictions case-1 --status all --json',
      'concord contradictions case-1 --found-by model',
    )
    .action(async (scopeId: string, { status, foundBy, limit }: Flags, command) => {
      const { out, client } = shellOf(command, context)
      const items = await client('tenant-key')
        .contradictions(scopeId, { status, found_by: foundBy, limit: Math.min(limit, 200) })
        .toArray(limit)
      out.show(items, () => {
        if (items.length === 0) return out.line(status === 'open' ? 'No open contradictions.' : 'None.')
        for (const item of items) {
          out.lines(contradictionLines(item, out))
          out.line()
        }
        out.line(out.colors.dim(out.hint('Decide one with `concord resolve <contradiction> a|b|both|neither|dismiss --reason "…"`')))
      })
    })
}
