/** `concord migrate`: brings the database to the schema of this version, without starting the service. */

import type { AddCommand } from './command.js'
import { localShellOf } from './local-config.js'

export const addMigrate: AddCommand = program => {
  program
    .command('migrate')
    .description('bring the database to the schema of this version; `serve` does it too')
    .examples('concord migrate', 'DATABASE_URL=postgres://concord@db/concord concord migrate')
    .runs(async shell => {
      const { out } = shell
      const { config, logger } = localShellOf(shell)
      const { openStorage } = await import('../store/server/storage.js')
      const lost = new AbortController()
      const storage = await openStorage({ config, logger, onLost: error => lost.abort(error) })
      await storage.close()
      out.show({ schema: storage.schemaVersion }, () => out.line(`The schema is at ${storage.schemaVersion}.`))
    })
}
