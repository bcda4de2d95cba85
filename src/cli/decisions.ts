/** `concord decisions`: what policy decided about a scope and why, in the order of its chain. */

import type { Schema } from '../client/index.js'
import { examples } from './help-text.js'
import { mostItems } from './limit-option.js'
import { type AddCommand, shellOf } from './shell.js'
import { printable, table } from './text-layout.js'

export const addDecisions: AddCommand = (program, context) => {
  program
    .command('decisions <scope>')
    .description('what policy decided about a case, and why')
    .option('--pending', 'only what waits for a person')
    .option('-n, --limit <n>', 'most to show', mostItems, 200)
    .addHelpText('after', examples('concord decisions case-1', 'concord decisions case-1 --pending', 'concord review approve dec_…'))
    .action(async (scopeId: string, { pending, limit }: { pending?: boolean; limit: number }, command) => {
      const { out, client } = shellOf(command, context)
      const filter = pending ? { review: 'pending' as const } : {}
      const items = await client('tenant-key')
        .decisions(scopeId, { ...filter, limit: Math.min(limit, 200) })
        .toArray(limit)
      out.show(items, () => {
        if (items.length === 0) return out.line(pending ? 'Nothing waits for a person.' : 'Nothing has been decided yet.')
        const columns = [
          { title: 'decision' },
          { title: 'round', align: 'right' as const },
          { title: 'about' },
          { title: 'document', max: 40 },
          { title: 'outcome' },
          { title: 'review' },
          { title: 'why', max: 80 },
        ]
        out.lines(table(columns, items.map(rowOf), out.colors.dim))
      })
    })
}

function rowOf({ decision_id, round, kind, document_id, outcome, review, reasons, erased_at }: Schema['Decision']): string[] {
  const why = erased_at === null ? reasons.join(' ') : 'erased'
  return [decision_id, String(round), kind, printable(document_id ?? '–'), outcome, review ?? '', printable(why)]
}
