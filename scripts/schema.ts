/** `npm run schema`: migrates an empty database and lists what it holds then in `migrations/schema.txt`, for reading; it is not kept. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLogger } from '../src/platform/logger.js'
import { startEmbedded } from '../src/store/server/embedded.js'
import { connectAsOwner, migrate } from '../src/store/server/migrate.js'
import { listSchema } from './schema-listing.js'

const target = fileURLToPath(new URL('../migrations/schema.txt', import.meta.url))

writeFileSync(target, await listMigratedSchema())
console.log(relative(process.cwd(), target))

async function listMigratedSchema(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'concord-schema-'))
  const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 60_000 }
  const logger = createLogger({ level: 'error' })
  try {
    const server = await startEmbedded({ dataDir: join(folder, 'data'), logger, settings: { fsync: 'off' } })
    try {
      await migrate({ address: server.address, limits, logger })
      const owner = await connectAsOwner(server.address, limits)
      return await listSchema(owner).finally(() => owner.end())
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
