/** `concord reread`: has the documents of a scope read again, by the reader in use and by a model where that is asked for. */

import type { AddCommand } from './command.js'

export const addReread: AddCommand = program => {
  program
    .command('reread <case>')
    .description('read the documents of a case again; what people decided stays with its statements')
    .option('--model', 'only documents that no model has answered about, and ask it')
    .examples('concord reread case-1', 'concord reread case-1 --model --reason "The model is back."')
    .decides(
      { keptWith: 'rounds', who: 'who wants it', isReasonNeeded: false },
      (client, said, scopeId: string, { model = false }: { model?: boolean }) => client.reread(scopeId, { model, ...said }),
      ({ queued, scope_id: scopeId, waiting }, { colors, hint }) => [
        `${queued} documents of ${scopeId} are queued to be read again; ${waiting} wait.`,
        ...(waiting > 0 ? [colors.dim(hint(`Follow it with \`concord watch ${scopeId}\`.`))] : []),
      ],
    )
}
