/** `concord backup`: a copy of the embedded database, taken while the service works or rests. */

import { resolve } from 'node:path'
import { examples } from './help-text.js'
import { localShellOf, requireEmbedded } from './local-config.js'
import { type AddCommand, outputOf } from './shell.js'

export const addBackup: AddCommand = (program, context) => {
  program
    .command('backup <folder>')
    .description('copy the embedded database and its keys into a new folder, while the service works')
    .addHelpText('after', examples('concord backup /backups/2026-01-31', 'concord backup /backups/tonight --data-dir /var/lib/concord'))
    .action(async (folder: string, _options, command) => {
      const out = outputOf(command, context)
      const { config, logger } = localShellOf(command, context)
      requireEmbedded(config)
      const [{ findServer }, { backUp }] = await Promise.all([import('../store/existing-storage.js'), import('../store/backup.js')])
      const server = await findServer({ config, logger })
      const manifest = await backUp({ server, dataDir: resolve(config.dataDir), target: resolve(folder) }).finally(() => server.release())
      const files = Object.values(manifest.files)
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
      out.show({ folder: resolve(folder), files: files.length, bytes, finished_at: manifest.finished_at, schema: manifest.schema }, () =>
        out.lines([
          `${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, consistent as of ${manifest.finished_at}.`,
          `It holds the keys of the service: keep ${resolve(folder)} as safe as the data folder.`,
        ]),
      )
    })
}
