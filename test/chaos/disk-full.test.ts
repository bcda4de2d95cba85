import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHints } from '../../src/events/hints.js'
import { createTroubles } from '../../src/hatchery/troubles.js'
import { createIngest } from '../../src/ingest/ingest.js'
import { systemClock } from '../../src/platform/clock.js'
import { pause } from '../../src/platform/deadline.js'
import { isAppError } from '../../src/platform/errors.js'
import { createLogger } from '../../src/platform/logger.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { type Database, openDatabase } from '../../src/store/server/database.js'
import { type EmbeddedServer, startEmbedded } from '../../src/store/server/embedded.js'
import { migrate } from '../../src/store/server/migrate.js'
import { createWriteHealth } from '../../src/store/server/write-health.js'
import { documentFor, ingestConfig, makeTenant, range } from '../ingest/support.js'

const logger = createLogger({ level: 'silent' })
const limits = { connectTimeoutMs: 5000, statementTimeoutMs: 10_000 }
const mib = 2 ** 20

/** A file system of its own is made by mounting, which only root may do. */
describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('a disk that is full', () => {
  const folder = mkdtempSync(join(tmpdir(), 'concord-full-'))
  const ballast = join(folder, 'ballast')
  let server: EmbeddedServer
  let db: Database
  beforeAll(async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=320m,mode=711', 'tmpfs', folder])
    server = await startEmbedded({ dataDir: join(folder, 'data'), logger, settings: { min_wal_size: '32MB', max_wal_size: '64MB' } })
    await migrate({ address: server.address, limits, logger })
    db = await openDatabase({ address: server.address, limits, tenantPool: 1, enginePool: 4, logger })
  }, 120_000)
  afterAll(async () => {
    await db.close(0)
    await server.stop()
    execFileSync('umount', [folder])
    rmSync(folder, { recursive: true, force: true })
  }, 120_000)

  it('means 503 for what does not fit, and nothing is broken when space returns', async () => {
    const tenantId = await makeTenant(db)
    const hints = createHints({ logger })
    const writes = createWriteHealth({ db, clock: systemClock })
    const ingest = createIngest({ db, config: { ...ingestConfig, ingestDeadlineMs: 5000 }, hints, clock: systemClock, logger })
    const accepted = new Set<number>()
    const text = 'x'.repeat(90_000)
    /** Eight at once; the codes of those refused. */
    const attempt = async () => {
      const results = await Promise.allSettled(
        range(8).map(n => writes.watch(() => ingest.accept(documentFor(tenantId, 'case', { text: `${n}${text}` })))),
      )
      return results.flatMap(result => {
        if (result.status === 'fulfilled') accepted.add(result.value.response.seq)
        return result.status === 'rejected' ? [isAppError(result.reason) ? result.reason.code : String(result.reason)] : []
      })
    }
    expect(await attempt()).toEqual([])
    writeFileSync(ballast, Buffer.alloc(Math.max(0, freeBytes(folder) - 12 * mib)))
    const refused: string[] = []
    for (let n = 0; n < 60 && refused.length < 24; n++) refused.push(...(await attempt()))
    expect(new Set(refused)).toEqual(new Set(['STORAGE_UNAVAILABLE']))
    expect(await writes.isWritable()).toBe(false)
    // Whether the database still reads or is gone altogether.
    const { items } = await createTroubles({ db, clock: systemClock, dataDir: join(folder, 'data') })()
    expect(items.find(({ kind }) => kind === 'disk_fills')?.what).toMatch(/^The database disk is (?:nearly )?full\./)

    rmSync(ballast)
    await expect.poll(() => writes.isWritable()).toBe(true)
    const back = performance.now()
    while ((await attempt()).length > 0 && performance.now() - back < 60_000) await pause(200)
    expect(await attempt()).toEqual([])
    const { broken } = await verifyDatabase(db)
    expect(broken).toEqual([])
    const { rows } = await db.engineQuery<{ seq: number }>('select seq from documents where tenant_id = $1', [tenantId])
    const kept = new Set(rows.map(row => row.seq))
    expect([...accepted].filter(seq => !kept.has(seq))).toEqual([])
  }, 180_000)
})

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
