/** `concord restore`: a backup into an empty data folder, or into the empty database of DATABASE_URL, checked. */

import { resolve } from 'node:path'
import type { AddCommand } from './command.js'
import { exitCodes } from './command-error.js'
import { localShellOf } from './local-config.js'

export const addRestore: AddCommand = program => {
  program
    .command('restore <folder>')
    .description('put a backup into a data folder without a database, or into the empty database of DATABASE_URL, and check it')
    .examples('concord restore /backups/2026-01-31 --data-dir /var/lib/concord')
    .runs(async (shell, folder: string) => {
      const { out } = shell
      const { config, logger } = localShellOf(shell)
      const [{ restore }, { restoreRows }, { findServer, withExistingDatabase }, { verifyDatabase }] = await Promise.all([
        import('../store/maintenance/restore.js'),
        import('../store/maintenance/restore-rows.js'),
        import('../store/server/existing-storage.js'),
        import('../store/maintenance/verify.js'),
      ])
      const source = resolve(folder)
      const external = async () => restoreRows({ source, logger, ...(await findServer({ config, logger })) })
      const embedded = () => restore({ source, dataDir: resolve(config.dataDir) })
      const manifest = config.databaseUrl === undefined ? await embedded() : await external()
      const verification = await withExistingDatabase({ config, logger }, db => verifyDatabase(db))
      const { scopes, documents, events, broken } = verification
      out.show({ data_dir: resolve(config.dataDir), as_of: manifest.finished_at, scopes, documents, events, broken }, () => {
        out.line(`Restored as of ${manifest.finished_at}: ${scopes} scopes, ${documents} document revisions, ${events} events.`)
        out.line(
          broken.length === 0 ? 'Every invariant holds.' : out.hint(`${broken.length} invariants are broken: run \`concord verify\`.`),
        )
      })
      return broken.length > 0 ? exitCodes.failed : exitCodes.done
    })
}
