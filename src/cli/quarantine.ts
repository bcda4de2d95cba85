/** `concord quarantine`: documents that failed after all attempts, and another chance for them. */

import type { AddCommand } from './command.js'
import { documentIn } from './meant-by.js'
import { type Column, printable } from './text-layout.js'

export const addQuarantine: AddCommand = program => {
  const quarantine = program
    .command('quarantine')
    .description('documents that failed after all attempts')
    .examples(
      'concord quarantine',
      'concord quarantine retry --scope case-1',
      'concord quarantine retry report.txt --scope case-1',
      'concord quarantine discard scan.pdf --scope case-1 --reason "A better scan follows."',
    )
  quarantine
    .command('list', { isDefault: true })
    .description('list them')
    .examples('concord quarantine list --scope case-1')
    .callsTarget(
      ({ admin }, target) => admin.quarantine(target, { limit: 200 }).toArray(),
      (items, { rows }, { scope, tenant }: { scope?: string; tenant?: boolean }) => {
        if (items.length === 0) return 'There is nothing that could not be read.'
        // Names of cases are the tenant's own: over the whole service they say little without it.
        const isWhole = scope === undefined && !tenant
        return rows(items, [
          ...(isWhole ? ([['tenant', item => item.tenant_id]] satisfies Column<(typeof items)[number]>[]) : []),
          ['case', item => item.scope_id],
          ['document', item => printable(item.document_id), { max: 40 }],
          ['name', item => printable(item.name), { max: 40 }],
          ['tries', item => item.attempts],
          ['stage', item => item.stage ?? ''],
          ['fault', item => item.error_class ?? ''],
          ['reason', item => printable(item.reason ?? ''), { max: 80 }],
        ])
      },
    )
  quarantine
    .command('retry [documents...]')
    .description('queue them again: these of a case, or all of the case, tenant or service')
    .examples('concord quarantine retry --scope case-1', 'concord quarantine retry file-3f2a… --scope case-1')
    .callsTarget(
      async (client, target, given: string[]) => {
        if (given.length === 0 || target.level !== 'scope')
          return client.admin.retryQuarantine(target, given.length > 0 ? given : undefined)
        const documents = await Promise.all(given.map(each => documentIn(client, target.scopeId, each)))
        return client.admin.retryQuarantine(
          target,
          documents.map(each => each.document_id),
        )
      },
      result => `${result.requeued} documents are in the queue again.`,
    )
  quarantine
    .command('discard <documents...>')
    .description('take documents of a case out for good')
    .examples('concord quarantine discard file-3f2a… --scope case-1 --reason "A copy of another."')
    .requiredOption('--scope <case>', 'the case they are in')
    .decides(
      { keptWith: 'documents', who: 'who discards' },
      async (client, said, documents: string[], { scope }: { scope: string }) => {
        const records = []
        for (const given of documents) {
          const { document_id: documentId } = await documentIn(client, scope, given)
          records.push(await client.discardDocument(scope, documentId, said))
        }
        return records
      },
      ({ length }) => `${length === 1 ? '1 document is' : `${length} documents are`} taken out for good.`,
    )
}
