/** `concord review`: what policy left for a person, and the person's answer. */

import type { Command } from 'commander'
import type { Schema } from '../client/index.js'
import { actingPerson } from './acting-person.js'
import { examples } from './help-text.js'
import { pendingDecisionId } from './named-finding.js'
import { type AddCommand, type CommandContext, shellOf } from './shell.js'
import { printable, table } from './text-layout.js'

export const addReview: AddCommand = (program, context) => {
  const review = program
    .command('review')
    .description('approve or reject what is held')
    .addHelpText('after', examples('concord review list case-1', 'concord review approve dec_… --reason "Checked against the register."'))
  review
    .command('list <scope>', { isDefault: true })
    .description('what waits for a person')
    .action(async (scopeId: string, _options, command) => {
      const { out, client } = shellOf(command, context)
      const items = await client('tenant-key').decisions(scopeId, { review: 'pending' }).toArray()
      out.show(items, () => {
        if (items.length === 0) return out.line('Nothing waits for a person.')
        for (const line of table(
          ['decision', 'document', 'kind', 'why'].map(title => ({ title })),
          items.map(rowOf),
          out.colors.dim,
        ))
          out.line(line)
      })
    })
  addVerdict(review, context, 'approve', 'let it in')
  addVerdict(review, context, 'reject', 'keep it out')
}

function rowOf(decision: Schema['Decision']): string[] {
  return [decision.decision_id, printable(decision.document_id ?? '–'), decision.kind, printable(decision.reasons.join('; '))]
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
