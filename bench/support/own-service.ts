/** A whole service in this process, on an embedded database of its own that is gone afterwards, for benches that also look into its rows. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { assemble } from '../../src/assemble.js'
import { systemClock } from '../../src/platform/clock.js'
import { loadConfig } from '../../src/platform/config.js'
import { createLogger } from '../../src/platform/logger.js'
import { openDatabase } from '../../src/store/server/database.js'
import { startEmbedded } from '../../src/store/server/embedded.js'
import { connectAsOwner, migrate } from '../../src/store/server/migrate.js'

export type App = Awaited<ReturnType<typeof assemble>>['app']

interface OwnService {
  app: App
  owner: pg.Client
  /** Of PostgreSQL. */
  pid: number
}

export const adminKey = 'benchmark-key-0123456789abcdef'
const limits = { connectTimeoutMs: 20_000, statementTimeoutMs: 120_000 }

/** `settings` are those of PostgreSQL. */
export async function onOwnService<T>(work: (service: OwnService) => Promise<T>, settings: Record<string, string> = {}): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'concord-bench-'))
  const logger = createLogger({ level: 'error' })
  const database = await startEmbedded({ dataDir: join(folder, 'data'), logger, settings })
  const loaded = loadConfig({ PORT: '0', ADMIN_API_KEY: adminKey, INTERNALS_API_KEY: `${adminKey}-i` }, { readFile: () => undefined })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults))
  const { version } = await migrate({ address: database.address, limits, logger })
  const db = await openDatabase({ address: database.address, limits, tenantPool: 4, enginePool: 8, logger })
  const storage = { db, address: database.address, limits, schemaVersion: version, embedded: null, close: () => db.close() }
  const assembly = await assemble({ config: loaded.config, clock: systemClock, logger, storage })
  const owner = await connectAsOwner(database.address, limits)
  try {
    await assembly.start()
    return await work({ app: assembly.app, owner, pid: database.pid() })
  } finally {
    await owner.end()
    await assembly.stop()
    await db.close()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
