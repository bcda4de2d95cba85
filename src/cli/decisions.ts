/** `concord decisions`: what policy decided about a scope and why, in the order of its chain. */

import { mostItems } from './limit-option.js'
import { type AddCommand, shellOf } from './shell.js'
import { printable } from './text-layout.js'

export const addDecisions: AddCommand = (program, context) => {
  program
    .command('decisions <scope>')
    .description('what policy decided about a case, and why')
    .option('--pending', 'only what waits for a person')
    .option('-n, --limit <n>', 'most to show', mostItems, 200)
    .examples('concord decisions case-1', 'concord decisions case-1 --pending', 'concord review approve dec_…')
    .action(async (scopeId: string, { pending, limit }: { pending?: boolean; limit: number }, command) => {
      const { out, client } = shellOf(command, context)
      const filter = pending ? { review: 'pending' as const } : {}
      const items = await client('tenant-key')
        .decisions(scopeId, { ...filter, limit: Math.min(limit, 200) })
        .toArray(limit)
      out.show(items, () => {
        if (items.length === 0) return out.line(pending ? 'Nothing waits for a person.' : 'Nothing has been decided yet.')
        out.table(items, [
          ['decision', item => item.decision_id],
          ['round', item => item.round],
          ['about', item => item.kind],
          ['document', item => printable(item.document_id ?? '–'), { max: 40 }],
          ['outcome', item => item.outcome],
          ['review', item => item.review ?? ''],
          ['why', item => printable(item.erased_at === null ? item.reasons.join(' ') : 'erased'), { max: 80 }],
        ])
      })
    })
}
