/** `concord reread`: has the documents of a scope read again, by the reader in use and by a model where that is asked for. */

import { actingPerson } from './acting-person.js'
import type { AddCommand } from './command.js'

export const addReread: AddCommand = program => {
  program
    .command('reread <scope>')
    .description('read the documents of a case again; what people decided stays with its statements')
    .option('--model', 'only documents that no model has answered about, and ask it')
    .option('-r, --reason <reason>', 'why; kept with the rounds')
    .option('--by <name>', 'who wants it; otherwise your account')
    .examples('concord reread case-1', 'concord reread case-1 --model --reason "The model is back."')
    .calls(
      'tenant-key',
      async (client, scopeId: string, { model = false, reason, by }: { model?: boolean; reason?: string; by?: string }) =>
        client.reread(scopeId, { model, by: await actingPerson(by, client, program.context.env), reason }),
      ({ queued, scope_id: scopeId, waiting }, { colors }) => [
        `${queued} documents of ${scopeId} are queued to be read again; ${waiting} wait.`,
        ...(waiting > 0 ? [colors.dim(`Follow it with: concord watch ${scopeId}`)] : []),
      ],
    )
}
