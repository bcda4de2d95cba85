/**
 * `concord contradictions`: where the documents of a scope disagree, both quotes side by side. `concord resolve`: decide one.
 * Reversible by deciding again; no claim is ever deleted.
 */

import { Argument, Option } from 'commander'
import type { AddCommand } from './command.js'
import { contradictionLines } from './contradiction-lines.js'
import { contradictionId } from './named-finding.js'

interface Flags {
  status: 'open' | 'resolved' | 'dismissed' | 'all'
  foundBy?: 'rules' | 'model' | 'person'
  limit: number
}

export const addContradictions: AddCommand = program => {
  program
    .command('contradictions <scope>')
    .description('where the documents disagree')
    .addOption(new Option('--status <status>', 'which of them').choices(['open', 'resolved', 'dismissed', 'all']).default('open'))
    .addOption(new Option('--found-by <whom>', 'who found them').choices(['rules', 'model', 'person']))
    .limited(100)
    .examples(
      'concord contradictions case-1',
      'concord contradictions case-1 --status all --json',
      'concord contradictions case-1 --found-by model',
    )
    .calls(
      'tenant-key',
      (client, scopeId: string, { status, foundBy, limit }: Flags) =>
        client.contradictions(scopeId, { status, found_by: foundBy, limit: Math.min(limit, 200) }).toArray(limit),
      (items, out, _scopeId: string, { status }: Flags) => {
        if (items.length === 0) return status === 'open' ? 'No open contradictions.' : 'None.'
        const next = out.hint('Decide one with `concord resolve <contradiction> a|b|both|neither|dismiss --reason "…"`')
        return [...items.flatMap(item => [...contradictionLines(item, out), '']), out.colors.dim(next)]
      },
    )
}

type Verdict = 'a' | 'b' | 'both' | 'neither' | 'dismiss'

export const addResolve: AddCommand = program => {
  program
    .command('resolve <contradiction>')
    .description('decide a contradiction')
    .addArgument(new Argument('<verdict>', 'a or b holds, or both, neither, or dismiss').choices(['a', 'b', 'both', 'neither', 'dismiss']))
    .examples(
      'concord resolve ctr_… b --reason "The audited figure holds."',
      'concord resolve ctr_… dismiss -r "Two different sites" --by j.doe',
    )
    .decides(
      {},
      async (client, said, id: string, verdict: Verdict) => client.resolve(await contradictionId(client, id), { verdict, ...said }),
      (result, { colors }) => [
        `${result.contradiction_id} is ${result.status}: ${result.resolution.verdict}.`,
        ...(result.claims_retired.length > 0 ? [`${result.claims_retired.length} claims are superseded by the winner.`] : []),
        ...(result.claims_revived.length > 0 ? [`${result.claims_revived.length} claims count again.`] : []),
        colors.dim(`recorded as ${result.decision_id}`),
      ],
    )
}
