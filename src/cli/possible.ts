/** `concord possible`: where documents may disagree, and what a person says about it. Reversible, on record. */

import { Option } from 'commander'
import type { Client } from '../client/client.js'
import type { Schema } from '../client/index.js'
import { actingPerson } from './acting-person.js'
import type { Command } from './command.js'
import { sidesOf, whyLines } from './contradiction-lines.js'
import { mostItems } from './limit-option.js'
import { possibleConflictId } from './named-finding.js'
import type { Output } from './output.js'
import { type AddCommand, type CommandContext, shellOf } from './shell.js'
import { printable } from './text-layout.js'

interface Flags {
  status: 'open' | 'promoted' | 'dismissed' | 'all'
  limit: number
}

export const addPossible: AddCommand = (program, context) => {
  const possible = program.command('possible').description('possible conflicts: list, promote, dismiss, reopen')
  possible
    .command('list <scope>')
    .description('where the documents may disagree, likeliest first')
    .addOption(new Option('--status <status>', 'which of them').choices(['open', 'promoted', 'dismissed', 'all']).default('open'))
    .option('-n, --limit <n>', 'most to show', mostItems, 50)
    .examples('concord possible list case-1', 'concord possible list case-1 --status all --json')
    .action(async (scopeId: string, { status, limit }: Flags, command) => {
      const { out, client } = shellOf(command, context)
      const items = await client('tenant-key')
        .possibleConflicts(scopeId, { status, limit: Math.min(limit, 200) })
        .toArray(limit)
      out.show(items, () => {
        if (items.length === 0) return out.line(status === 'open' ? 'No possible conflict is undecided.' : 'None.')
        for (const item of items) out.lines([...possibleLines(item, out), ''])
        out.line(out.colors.dim('Decide one with: concord possible promote|dismiss <possible conflict> --reason "…"'))
      })
    })
  addVerdict(possible, context, 'promote', 'make an open contradiction of it', (client, id, said) => client.promote(id, said))
  addVerdict(possible, context, 'dismiss', 'say that it is none', (client, id, said) => client.dismiss(id, said))
  addVerdict(possible, context, 'undo-promotion', 'take a promotion back', (client, id, said) => client.withdrawPromotion(id, said))
  addVerdict(possible, context, 'undo-dismissal', 'take a dismissal back', (client, id, said) => client.withdrawDismissal(id, said))
}

type Say = (client: Client, id: string, said: Schema['FindingRequest']) => Promise<Schema['PossibleConflictResult']>

function addVerdict(possible: Command, context: CommandContext, name: string, what: string, say: Say): void {
  possible
    .command(`${name} <possible-conflict>`)
    .description(what)
    .requiredOption('-r, --reason <reason>', 'why; kept with the decision')
    .option('--by <name>', 'who decides; otherwise your account')
    .examples(`concord possible ${name} pcf_… --reason "Looked at both."`)
    .action(async (id: string, { reason, by }: { reason: string; by?: string }, command) => {
      const { out, client: connect, env } = shellOf(command, context)
      const client = connect('tenant-key')
      const result = await say(client, await possibleConflictId(client, id), { reason, by: await actingPerson(by, client, env) })
      out.show(result, () => {
        out.line(`${result.possible_conflict_id} is ${result.status}.`)
        if (result.contradiction_id !== null) out.line(`It became ${result.contradiction_id}.`)
        out.line(out.colors.dim(`recorded as ${result.decision_id}`))
      })
    })
}

function possibleLines(item: Schema['PossibleConflict'], out: Output): string[] {
  const about = [item.subject, item.attribute]
    .filter(Boolean)
    .map(part => printable(part as string))
    .join(' · ')
  const state = item.decision === undefined ? item.status : `${item.status} (${printable(item.decision.by)})`
  return [
    `${out.colors.bold(about)}  ${out.colors.dim(`${item.kind} · ${item.score.toFixed(2)} · ${state} · ${item.possible_conflict_id}`)}`,
    ...sidesOf(item, out),
    ...whyLines(item, out),
  ]
}
