/** `concord supersessions`: what replaced what and why, and objecting to it. Reversible, on record. */

import { Option } from 'commander'
import type { Client } from '../client/client.js'
import type { Schema } from '../client/index.js'
import { actingPerson } from './acting-person.js'
import type { Command } from './command.js'
import { sidesOf, whyLines } from './contradiction-lines.js'
import { mostItems } from './limit-option.js'
import { supersessionId } from './named-finding.js'
import type { Output } from './output.js'
import { type AddCommand, type CommandContext, shellOf } from './shell.js'
import { printable } from './text-layout.js'

interface Flags {
  status: 'standing' | 'objected' | 'withdrawn' | 'all'
  limit: number
}

export const addSupersessions: AddCommand = (program, context) => {
  const supersessions = program.command('supersessions').description('what replaced what: list, object, undo-objection')
  supersessions
    .command('list <scope>')
    .description('what replaced what, and why')
    .addOption(new Option('--status <status>', 'which of them').choices(['standing', 'objected', 'withdrawn', 'all']).default('all'))
    .option('-n, --limit <n>', 'most to show', mostItems, 100)
    .examples('concord supersessions list case-1', 'concord supersessions list case-1 --json')
    .action(async (scopeId: string, { status, limit }: Flags, command) => {
      const { out, client } = shellOf(command, context)
      const items = await client('tenant-key')
        .supersessions(scopeId, { status, limit: Math.min(limit, 200) })
        .toArray(limit)
      out.show(items, () => {
        if (items.length === 0) return out.line('Nothing was replaced.')
        for (const item of items) out.lines([...supersessionLines(item, out), ''])
        out.line(out.colors.dim('Object to one with: concord supersessions object <supersession> --reason "…"'))
      })
    })
  addVerdict(supersessions, context, 'object', 'make an open contradiction of it', (client, id, said) => client.object(id, said))
  addVerdict(supersessions, context, 'undo-objection', 'take an objection back', (client, id, said) => client.withdrawObjection(id, said))
}

type Say = (client: Client, id: string, said: Schema['FindingRequest']) => Promise<Schema['SupersessionResult']>

function addVerdict(supersessions: Command, context: CommandContext, name: string, what: string, say: Say): void {
  supersessions
    .command(`${name} <supersession>`)
    .description(what)
    .requiredOption('-r, --reason <reason>', 'why; kept with the decision')
    .option('--by <name>', 'who decides; otherwise your account')
    .examples(`concord supersessions ${name} sup_… --reason "The draft was right."`)
    .action(async (id: string, { reason, by }: { reason: string; by?: string }, command) => {
      const { out, client: connect, env } = shellOf(command, context)
      const client = connect('tenant-key')
      const result = await say(client, await supersessionId(client, id), { reason, by: await actingPerson(by, client, env) })
      out.show(result, () => {
        out.line(`${result.supersession_id} is ${result.status}.`)
        if (result.contradiction_id !== null) out.line(`It became ${result.contradiction_id}.`)
        out.line(out.colors.dim(`recorded as ${result.decision_id}`))
      })
    })
}

function supersessionLines(item: Schema['Supersession'], out: Output): string[] {
  const about = [item.claim.subject, item.claim.attribute].map(printable).join(' · ')
  const state = item.objection === undefined ? item.status : `${item.status} (${printable(item.objection.by)})`
  return [
    `${out.colors.bold(about)}  ${out.colors.dim(`${item.kind} · ${state} · ${item.supersession_id}`)}`,
    ...sidesOf({ a: item.claim, b: item.superseded_by, supporters: { a: 0, b: 0 } }, out),
    ...whyLines(item, out),
  ]
}
