/** `concord quarantine`: documents that failed after all attempts, and another chance for them. */

import { actingPerson } from './acting-person.js'
import type { Command } from './command.js'
import { documentIn } from './named-document.js'
import { type AddCommand, shellOf } from './shell.js'
import { addTargetOptions, needOf, type TargetFlags, targetOf } from './target-options.js'
import { printable } from './text-layout.js'

export const addQuarantine: AddCommand = (program, context) => {
  const quarantine = program
    .command('quarantine')
    .description('documents that failed after all attempts')
    .examples(
      'concord quarantine',
      'concord quarantine retry --scope case-1',
      'concord quarantine retry report.txt --scope case-1',
      'concord quarantine discard scan.pdf --scope case-1 --reason "A better scan follows."',
    )
  addTargetOptions(quarantine.command('list', { isDefault: true }).description('list them')).action(
    async (flags: TargetFlags, command: Command) => {
      const { out, client } = shellOf(command, context)
      const target = targetOf(flags)
      const items = await client(needOf(target)).admin.quarantine(target, { limit: 200 }).toArray()
      out.show(items, () => {
        if (items.length === 0) return out.line('Nothing is quarantined.')
        out.table(items, [
          ['scope', item => item.scope_id],
          ['document', item => printable(item.document_id), { max: 40 }],
          ['tries', item => item.attempts],
          ['stage', item => item.stage ?? ''],
          ['fault', item => item.error_class ?? ''],
          ['reason', item => printable(item.reason ?? ''), { max: 80 }],
        ])
      })
    },
  )
  addTargetOptions(
    quarantine.command('retry [documents...]').description('queue them again: these of a case, or all of the scope, tenant or service'),
  ).action(async (documents: string[], flags: TargetFlags, command: Command) => {
    const { out, client } = shellOf(command, context)
    const target = targetOf(flags)
    const result = await client(needOf(target)).admin.retryQuarantine(target, documents.length > 0 ? documents : undefined)
    out.show(result, () => out.line(`${result.requeued} documents are in the queue again.`))
  })
  quarantine
    .command('discard <documents...>')
    .description('take documents of a case out for good')
    .requiredOption('--scope <scope>', 'the scope they are in')
    .requiredOption('-r, --reason <reason>', 'why; kept with the documents')
    .option('--by <name>', 'who discards; otherwise your account')
    .action(async (documents: string[], { scope, reason, by }: { scope: string; reason: string; by?: string }, command: Command) => {
      const { out, client: connect, env } = shellOf(command, context)
      const client = connect('tenant-key')
      const said = { reason, by: await actingPerson(by, client, env) }
      const records = []
      for (const given of documents) {
        const { document_id: documentId } = await documentIn(client, scope, given)
        records.push(await client.discardDocument(scope, documentId, said))
      }
      out.show(records, () =>
        out.line(`${records.length === 1 ? '1 document is' : `${records.length} documents are`} out of quarantine for good.`),
      )
    })
}
