/** `concord migrate`: brings the database to the schema of this version, without starting the service. */

import { createLogger, type Logger } from '../platform/logger.js'
import type { AddCommand } from './command.js'
import { localShellOf } from './local-config.js'

export const addMigrate: AddCommand = program => {
  program
    .command('migrate')
    .description('bring the database to the schema of this version; `serve` does it too')
    .examples('concord migrate', 'DATABASE_URL=postgres://concord@db/concord concord migrate')
    .runs(async shell => {
      const { out } = shell
      const { config } = localShellOf(shell)
      const { openStorage } = await import('../store/server/storage.js')
      const lost = new AbortController()
      const storage = await openStorage({ config, logger: notingLogger(out.note), onLost: error => lost.abort(error) })
      await storage.close()
      out.show({ schema: storage.schemaVersion }, () => out.line(`The schema is at ${storage.schemaVersion}.`))
    })
}

/** Says what it does and waits for as it happens: a migration may take minutes, and wait for a table for longer. */
function notingLogger(note: (text: string) => void): Logger {
  const write = (line: string) => {
    const { level, msg, migration } = JSON.parse(line) as { level: string; msg: string; migration?: string }
    if (level !== 'info' || /migrat/.test(msg)) note(migration === undefined ? msg : `${migration}: ${msg}`)
  }
  return createLogger({ level: 'info', destination: { write } })
}
