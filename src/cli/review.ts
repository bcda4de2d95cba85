/** `concord review`: what policy left for a person, and the person's answer. */

import { actingPerson } from './acting-person.js'
import type { Command } from './command.js'
import { pendingDecisionId } from './named-finding.js'
import { type AddCommand, type CommandContext, shellOf } from './shell.js'
import { printable } from './text-layout.js'

export const addReview: AddCommand = (program, context) => {
  const review = program
    .command('review')
    .description('approve or reject what is held')
    .examples('concord review list case-1', 'concord review approve dec_… --reason "Checked against the register."')
  review
    .command('list <scope>', { isDefault: true })
    .description('what waits for a person')
    .action(async (scopeId: string, _options, command) => {
      const { out, client } = shellOf(command, context)
      const items = await client('tenant-key').decisions(scopeId, { review: 'pending' }).toArray()
      out.show(items, () => {
        if (items.length === 0) return out.line('Nothing waits for a person.')
        out.table(items, [
          ['decision', item => item.decision_id],
          ['document', item => printable(item.document_id ?? '–')],
          ['kind', item => item.kind],
          ['why', item => printable(item.reasons.join('; '))],
        ])
      })
    })
  addVerdict(review, context, 'approve', 'let it in')
  addVerdict(review, context, 'reject', 'keep it out')
}

function addVerdict(review: Command, context: CommandContext, verdict: 'approve' | 'reject', description: string): void {
  review
    .command(`${verdict} <decision>`)
    .description(description)
    .requiredOption('-r, --reason <reason>', 'why; kept with the decision')
    .option('--by <name>', 'who decides; otherwise your account')
    .action(async (id: string, { reason, by }: { reason: string; by?: string }, command) => {
      const { out, client: connect, env } = shellOf(command, context)
      const client = connect('tenant-key')
      const said = { verdict, reason, by: await actingPerson(by, client, env) }
      const result = await client.review(await pendingDecisionId(client, id), said)
      out.show(result, () => {
        const document = result.document === null ? '' : `; ${printable(result.document.document_id)} is ${result.document.status}`
        out.line(`${result.decision_id}: ${result.review ?? verdict}${document}.`)
      })
    })
}
