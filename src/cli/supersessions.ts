/** `concord supersessions`: what replaced what and why, and objecting to it. Reversible, on record. */

import { Option } from 'commander'
import type { Client, Schema } from '../client/index.js'
import type { AddCommand } from './command.js'
import { aboutOf, sidesOf, verdictLines, whyLines } from './contradiction-lines.js'
import { supersessionId } from './named-finding.js'
import type { Output } from './output.js'
import { printable } from './text-layout.js'

interface Flags {
  status: 'standing' | 'objected' | 'withdrawn' | 'all'
  limit: number
}

type Say = (client: Client, id: string, said: Schema['FindingRequest']) => Promise<Schema['SupersessionResult']>

const verdicts: [name: string, what: string, say: Say][] = [
  ['object', 'dispute it in an open contradiction', (client, id, said) => client.object(id, said)],
  ['undo-objection', 'withdraw an objection', (client, id, said) => client.withdrawObjection(id, said)],
]

export const addSupersessions: AddCommand = program => {
  const supersessions = program.command('supersessions').description('what replaced what: list, object, undo-objection')
  supersessions
    .command('list <scope>')
    .description('what replaced what, and why')
    .addOption(new Option('--status <status>', 'which of them').choices(['standing', 'objected', 'withdrawn', 'all']).default('all'))
    .limited(100)
    .examples('concord supersessions list case-1', 'concord supersessions list case-1 --json')
    .calls(
      'tenant-key',
      (client, scopeId: string, { status, limit }: Flags) =>
        client.supersessions(scopeId, { status, limit: Math.min(limit, 200) }).toArray(limit),
      (items, out) => {
        if (items.length === 0) return 'Nothing was replaced.'
        const next = 'Object to one with: concord supersessions object <supersession> --reason "…"'
        return [...items.flatMap(item => [...supersessionLines(item, out), '']), out.colors.dim(next)]
      },
    )
  for (const [name, what, say] of verdicts)
    supersessions
      .command(`${name} <supersession>`)
      .description(what)
      .examples(`concord supersessions ${name} sup_… --reason "The draft was right."`)
      .decides(
        {},
        async (client, said, id: string) => say(client, await supersessionId(client, id), said),
        (result, out) => verdictLines(result.supersession_id, result, out),
      )
}

function supersessionLines(item: Schema['Supersession'], out: Output): string[] {
  const state = item.objection === undefined ? item.status : `${item.status} (${printable(item.objection.by)})`
  return [
    `${out.colors.bold(aboutOf(item.claim))}  ${out.colors.dim(`${item.kind} · ${state} · ${item.supersession_id}`)}`,
    ...sidesOf({ a: item.claim, b: item.superseded_by, supporters: { a: 0, b: 0 } }, out),
    ...whyLines(item, out),
  ]
}
