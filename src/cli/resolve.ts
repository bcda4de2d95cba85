/** `concord resolve`: decide a contradiction. Reversible by deciding again; no claim is ever deleted. */

import { Argument } from 'commander'
import { actingPerson } from './acting-person.js'
import { contradictionId } from './named-finding.js'
import { type AddCommand, shellOf } from './shell.js'

type Verdict = 'a' | 'b' | 'both' | 'neither' | 'dismiss'

export const addResolve: AddCommand = (program, context) => {
  program
    .command('resolve <contradiction>')
    .description('decide a contradiction')
    .addArgument(new Argument('<verdict>', 'a or b holds, or both, neither, or dismiss').choices(['a', 'b', 'both', 'neither', 'dismiss']))
    .requiredOption('-r, --reason <reason>', 'why; kept with the decision')
    .option('--by <name>', 'who decides; otherwise your account')
    .examples(
      'concord resolve ctr_… b --reason "The audited figure holds."',
      'concord resolve ctr_… dismiss -r "Two different sites" --by j.doe',
    )
    .action(async (id: string, verdict: Verdict, { reason, by }: { reason: string; by?: string }, command) => {
      const { out, client: connect, env } = shellOf(command, context)
      const client = connect('tenant-key')
      const said = { verdict, reason, by: await actingPerson(by, client, env) }
      const result = await client.resolve(await contradictionId(client, id), said)
      out.show(result, () => {
        out.line(`${result.contradiction_id} is ${result.status}: ${result.resolution.verdict}.`)
        if (result.claims_retired.length > 0) out.line(`${result.claims_retired.length} claims are superseded by the winner.`)
        if (result.claims_revived.length > 0) out.line(`${result.claims_revived.length} claims count again.`)
        out.line(out.colors.dim(`recorded as ${result.decision_id}`))
      })
    })
}
