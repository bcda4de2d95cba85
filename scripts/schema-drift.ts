/**
 * Migrates an empty database and compares its listing with the committed `migrations/schema.txt`; `--write` renews the
 * file. Ends with 1 when they differ.
 */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLogger } from '../src/platform/logger.js'
import { startEmbedded } from '../src/store/server/embedded.js'
import { connectAsOwner, migrate } from '../src/store/server/migrate.js'
import { listSchema } from './schema-listing.js'

const committedPath = fileURLToPath(new URL('../migrations/schema.txt', import.meta.url))

const listing = await listMigratedSchema()
if (process.argv.includes('--write')) {
  writeFileSync(committedPath, listing)
} else {
  const committed = existsSync(committedPath) ? readFileSync(committedPath, 'utf8') : ''
  if (committed !== listing) {
    process.stderr.write(
      `migrations/schema.txt is not the migrated schema; renew it with: npx tsx scripts/schema-drift.ts --write\n${firstDifference(committed, listing)}\n`,
    )
    process.exitCode = 1
  }
}

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

function firstDifference(committed: string, migrated: string): string {
  const [was, is] = [committed.split('\n'), migrated.split('\n')]
  const at = is.findIndex((line, index) => line !== was[index])
  return at < 0
    ? `committed has more lines, from: ${was[is.length]}`
    : `line ${at + 1}\n  committed: ${was[at] ?? '(nothing)'}\n  migrated:  ${is[at]}`
}
