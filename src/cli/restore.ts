/** `concord restore`: a backup into an empty data folder, started once and checked. */

import { resolve } from 'node:path'
import { exitCodes } from './command-error.js'
import { examples } from './help-text.js'
import { localShellOf, requireEmbedded } from './local-config.js'
import { type AddCommand, outputOf } from './shell.js'

export const addRestore: AddCommand = (program, context) => {
  program
    .command('restore <folder>')
    .description('put a backup into a data folder without a database, and check it')
    .addHelpText('after', examples('concord restore /backups/2026-01-31 --data-dir /var/lib/concord'))
    .action(async (folder: string, _options, command) => {
      const out = outputOf(command, context)
      const { config, logger } = localShellOf(command, context)
      requireEmbedded(config)
      const [{ restore }, { withExistingDatabase }, { verifyDatabase }] = await Promise.all([
        import('../store/restore.js'),
        import('../store/existing-storage.js'),
        import('../store/verify.js'),
      ])
      const manifest = await restore({ source: resolve(folder), dataDir: resolve(config.dataDir) })
      const verification = await withExistingDatabase({ config, logger }, db => verifyDatabase(db))
      const { scopes, documents, events, broken } = verification
      out.show({ data_dir: resolve(config.dataDir), as_of: manifest.finished_at, scopes, documents, events, broken }, () => {
        out.line(`Restored as of ${manifest.finished_at}: ${scopes} scopes, ${documents} document revisions, ${events} events.`)
        out.line(
          broken.length === 0 ? 'Every invariant holds.' : out.hint(`${broken.length} invariants are broken: run \`concord verify\`.`),
        )
      })
      if (broken.length > 0) context.exitCode = exitCodes.failed
    })
}
