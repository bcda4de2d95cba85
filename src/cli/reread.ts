/** `concord reread`: has the documents of a scope read again, by the reader in use and by a model where that is asked for. */

import { actingPerson } from './acting-person.js'
import { type AddCommand, shellOf } from './shell.js'

export const addReread: AddCommand = (program, context) => {
  program
    .command('reread <scope>')
    .description('read the documents of a case again; what people decided stays with its statements')
    .option('--model', 'only documents that no model has answered about, and ask it')
    .option('-r, --reason <reason>', 'why; kept with the rounds')
    .option('--by <name>', 'who wants it; otherwise your account')
    .examples('concord reread case-1', 'concord reread case-1 --model --reason "The model is back."')
    .action(async (scopeId: string, { model = false, reason, by }: { model?: boolean; reason?: string; by?: string }, command) => {
      const { out, client: connect, env } = shellOf(command, context)
      const client = connect('tenant-key')
      const result = await client.reread(scopeId, {
        model,
        by: await actingPerson(by, client, env),
        ...(reason === undefined ? {} : { reason }),
      })
      out.show(result, () => {
        out.line(`${result.queued} documents of ${result.scope_id} are queued to be read again; ${result.waiting} wait.`)
        if (result.waiting > 0) out.line(out.colors.dim(`Follow it with: concord watch ${result.scope_id}`))
      })
    })
}
