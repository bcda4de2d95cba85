/**
 * `concord backup`: a copy of the embedded database, or of the rows of one given by DATABASE_URL, while the service works or rests.
 * `concord restore`: such a copy into an empty data folder, or into the empty database of DATABASE_URL, checked.
 */

import { resolve } from 'node:path'
import type { AddCommand } from './command.js'
import { exitCodes } from './command-error.js'
import { localShellOf } from './local-config.js'

export const addBackup: AddCommand = program => {
  program
    .command('backup <folder>')
    .description(
      'copy the database into a new folder, while the service works: the embedded one with its keys, or the rows of DATABASE_URL',
    )
    .examples('concord backup /backups/2026-01-31', 'concord backup /backups/tonight --data-dir /var/lib/concord')
    .runs(async (shell, folder: string) => {
      const { out } = shell
      const { config, logger } = localShellOf(shell)
      const [{ findServer }, { backUp }, { backUpRows }] = await Promise.all([
        import('../store/server/existing-storage.js'),
        import('../store/maintenance/backup.js'),
        import('../store/maintenance/backup-rows.js'),
      ])
      const server = await findServer({ config, logger })
      const embedded = config.databaseUrl === undefined
      const target = resolve(folder)
      const making = embedded ? backUp({ server, dataDir: resolve(config.dataDir), target }) : backUpRows({ server, target })
      const manifest = await making.finally(() => server.release())
      const files = Object.values(manifest.files)
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
      out.show({ folder: resolve(folder), files: files.length, bytes, finished_at: manifest.finished_at, schema: manifest.schema }, () =>
        out.lines([
          `${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, consistent as of ${embedded ? manifest.finished_at : manifest.started_at}.`,
          embedded
            ? `It holds the keys of the service: keep ${target} as safe as the data folder.`
            : `It holds every text and the signing key: keep ${target} as safe as the database. DATABASE_ROLE_SECRET and tier keys are not in it.`,
        ]),
      )
    })
}

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
      const dataDir = config.databaseUrl === undefined ? resolve(config.dataDir) : null
      const external = async () => restoreRows({ source, logger, ...(await findServer({ config, logger })) })
      const manifest = dataDir === null ? await external() : await restore({ source, dataDir })
      // Rows are read as of one moment at the start; a cluster is made consistent as of its end.
      const asOf = dataDir === null ? manifest.started_at : manifest.finished_at
      const verification = await withExistingDatabase({ config, logger }, db => verifyDatabase(db))
      const { scopes, documents, events, broken } = verification
      out.show({ data_dir: dataDir, as_of: asOf, scopes, documents, events, broken }, () => {
        out.line(`Restored as of ${asOf}: ${scopes} cases, ${documents} document revisions, ${events} events.`)
        out.line(
          broken.length === 0 ? 'Every invariant holds.' : out.hint(`${broken.length} invariants are broken: run \`concord verify\`.`),
        )
      })
      return broken.length > 0 ? exitCodes.failed : exitCodes.done
    })
}
