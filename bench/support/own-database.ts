/** A database of a benchmark's own in a throw-away folder, opened as the service opens it and as its owner. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../src/platform/logger.js'
import { openDatabase } from '../../src/store/server/database.js'
import { startEmbedded } from '../../src/store/server/embedded.js'
import { connectAsOwner, migrate } from '../../src/store/server/migrate.js'

export async function openOwnDatabase({ enginePool, statementTimeoutMs }: { enginePool: number; statementTimeoutMs: number }) {
  const logger = createLogger({ level: 'error' })
  const limits = { connectTimeoutMs: 20_000, statementTimeoutMs }
  const folder = mkdtempSync(join(tmpdir(), 'concord-bench-'))
  mkdirSync(join(folder, 'data'), { mode: 0o711 })
  const server = await startEmbedded({ dataDir: join(folder, 'data'), logger })
  await migrate({ address: server.address, limits, logger })
  const db = await openDatabase({ address: server.address, limits, tenantPool: 2, enginePool, logger })
  const owner = await connectAsOwner(server.address, limits)
  const close = async () => {
    await owner.end()
    await db.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { db, owner, logger, address: server.address, limits, close }
}
