/** `concord possible`: where documents may disagree, and what a person says about it. Reversible, on record. */

import { Option } from 'commander'
import type { Client, Schema } from '../client/index.js'
import type { AddCommand } from './command.js'
import { aboutOf, sidesOf, verdictLines, whyLines } from './contradiction-lines.js'
import { possibleConflictId } from './named-finding.js'
import type { Output } from './output.js'
import { printable } from './text-layout.js'

interface Flags {
  status: 'open' | 'promoted' | 'dismissed' | 'all'
  limit: number
}

type Say = (client: Client, id: string, said: Schema['FindingRequest']) => Promise<Schema['PossibleConflictResult']>

const verdicts: [name: string, what: string, say: Say][] = [
  ['promote', 'promote it to an open contradiction', (client, id, said) => client.promote(id, said)],
  ['dismiss', 'dismiss it: not a conflict', (client, id, said) => client.dismiss(id, said)],
  ['undo-promotion', 'withdraw a promotion', (client, id, said) => client.withdrawPromotion(id, said)],
  ['undo-dismissal', 'withdraw a dismissal', (client, id, said) => client.withdrawDismissal(id, said)],
]

export const addPossible: AddCommand = program => {
  const possible = program.command('possible').description('possible conflicts: list, promote, dismiss, reopen')
  possible
    .command('list <scope>')
    .description('where the documents may disagree, likeliest first')
    .addOption(new Option('--status <status>', 'which of them').choices(['open', 'promoted', 'dismissed', 'all']).default('open'))
    .limited(50)
    .examples('concord possible list case-1', 'concord possible list case-1 --status all --json')
    .calls(
      'tenant-key',
      (client, scopeId: string, { status, limit }: Flags) =>
        client.possibleConflicts(scopeId, { status, limit: Math.min(limit, 200) }).toArray(limit),
      (items, out, _scopeId: string, { status }: Flags) => {
        if (items.length === 0) return status === 'open' ? 'No possible conflict is undecided.' : 'None.'
        const next = 'Decide one with: concord possible promote|dismiss <possible conflict> --reason "…"'
        return [...items.flatMap(item => [...possibleLines(item, out), '']), out.colors.dim(next)]
      },
    )
  for (const [name, what, say] of verdicts)
    possible
      .command(`${name} <possible-conflict>`)
      .description(what)
      .examples(`concord possible ${name} pcf_… --reason "Looked at both."`)
      .decides(
        {},
        async (client, said, id: string) => say(client, await possibleConflictId(client, id), said),
        (result, out) => verdictLines(result.possible_conflict_id, result, out),
      )
}

function possibleLines(item: Schema['PossibleConflict'], out: Output): string[] {
  const state = item.decision === undefined ? item.status : `${item.status} (${printable(item.decision.by)})`
  return [
    `${out.colors.bold(aboutOf(item))}  ${out.colors.dim(`${item.kind} · ${item.score.toFixed(2)} · ${state} · ${item.possible_conflict_id}`)}`,
    ...sidesOf(item, out),
    ...whyLines(item, out),
  ]
}
