/** `concord decisions` and `concord review`: what policy decided about a scope and why, and a person's answer to what it left. */

import type { Client } from '../client/client.js'
import { decisionWords, statusWords } from '../contract/field-words.js'
import type { AddCommand } from './command.js'
import { documentNames } from './document-names.js'
import { pendingDecisionId } from './meant-by.js'
import type { Output } from './output.js'
import { printable } from './text-layout.js'

export const addDecisions: AddCommand = program => {
  program
    .command('decisions <case>')
    .description('what policy decided about a case, and why')
    .option('--pending', 'only what waits for a person')
    .limited(200)
    .examples('concord decisions case-1', 'concord decisions case-1 --pending', 'concord review approve dec_…')
    .runs(({ out, client }, scopeId: string, { pending = false, limit }: { pending?: boolean; limit: number }) =>
      listDecisions(out, client('tenant-key'), scopeId, { pending, limit }),
    )
}

async function listDecisions(out: Output, service: Client, scopeId: string, { pending, limit }: { pending: boolean; limit: number }) {
  const query = { ...(pending ? { review: 'pending' as const } : {}), limit: Math.min(limit, 200) }
  const items = await service.decisions(scopeId, query).toArray(limit)
  const names = out.json || items.length === 0 ? undefined : await documentNames(service, scopeId)
  out.list(
    items,
    [
      ['decision', item => item.decision_id],
      ['step', item => item.round],
      ['about', item => decisionWords(item)],
      ['document', item => printable(names?.get(item.document_id ?? '') ?? item.document_id ?? '–'), { max: 40 }],
      ['outcome', item => item.outcome],
      ['review', item => item.review ?? ''],
      ['why', item => printable(item.erased_at === null ? item.reasons.join(' ') : 'erased'), { max: 80 }],
    ],
    pending ? 'Nothing waits for a person.' : 'Nothing has been decided yet.',
  )
}

export const addReview: AddCommand = program => {
  const review = program
    .command('review')
    .description('approve or reject what is held')
    .examples('concord review list case-1', 'concord review approve dec_… --reason "Checked against the register."')
  review
    .command('list <case>', { isDefault: true })
    .description('what waits for a person')
    .limited(200)
    .examples('concord review list case-1')
    .runs(({ out, client }, scopeId: string, { limit }: { limit: number }) =>
      listDecisions(out, client('tenant-key'), scopeId, { pending: true, limit }),
    )
  for (const [verdict, description] of [['approve', 'let it in'] as const, ['reject', 'keep it out'] as const])
    review
      .command(`${verdict} <decision>`)
      .description(description)
      .examples(`concord review ${verdict} dec_… --reason "Checked against the register."`)
      .decides(
        {},
        async (client, said, id: string) => client.review(await pendingDecisionId(client, id), { verdict, ...said }),
        ({ decision_id: id, review: outcome, document }) => {
          const then = document === null ? '' : `; ${printable(document.document_id)} is ${statusWords(document.status)}`
          return `${id}: ${outcome ?? verdict}${then}.`
        },
      )
}
