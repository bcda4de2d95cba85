/** A backup taken while documents arrive restores to a database in which everything acknowledged before it is there. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { loadConfig } from '../../src/platform/config.js'
import { createLogger } from '../../src/platform/logger.js'
import { openStorage, type Storage } from '../../src/store/server/storage.js'
import { copyDataDir } from '../support/data-dir.js'
import { runConcord } from './run-concord.js'

const folder = mkdtempSync(join(tmpdir(), 'concord-backup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const logger = createLogger({ level: 'silent' })
function open(dataDir: string): Promise<Storage> {
  const loaded = loadConfig({ DATA_DIR: dataDir }, { readFile: () => undefined })
  if (!loaded.ok) throw new Error('the settings of the test are not allowed')
  return openStorage({
    config: loaded.config,
    logger,
    onLost: error => {
      throw error
    },
  })
}

it('restores what was committed before it ended, with every promise kept', { timeout: 120_000 }, async () => {
  const [dataDir, target, restored] = [join(folder, 'data'), join(folder, 'backup'), join(folder, 'restored')]
  copyDataDir(dataDir)
  writeFileSync(join(dataDir, 'keys.json'), '{}\n')
  const storage = await open(dataDir)
  const write = (number: number) =>
    storage.db.engineQuery('insert into tenants (tenant_id, name) values ($1, $2)', [`ten_${String(number).padStart(22, '0')}`, 'x'])
  for (let number = 0; number < 200; number++) await write(number)
  const env = { DATA_DIR: dataDir, HOME: folder }
  const backup = runConcord(env, 'backup', target, '--json')
  let written = 200
  let over = false
  const done = backup.finally(() => {
    over = true
  })
  while (!over) await write(written++)
  expect((await done).code).toBe(0)
  await storage.close()

  expect((await runConcord({ ...env, DATA_DIR: restored }, 'restore', target, '--json')).json).toMatchObject({ broken: [] })
  const again = await open(restored)
  const { rows } = await again.db.engineQuery<{ count: number }>("select count(*)::int as count from tenants where name = 'x'")
  await again.close()
  expect(rows[0]?.count).toBeGreaterThanOrEqual(200)
  expect(rows[0]?.count).toBeLessThanOrEqual(written)

  expect((await runConcord({ ...env, DATA_DIR: restored }, 'restore', target)).err).toContain('never replaces data')
  // A cluster that was moved away is of no use without its password, nor without its keys.
  renameSync(join(restored, 'postgres'), join(folder, 'moved'))
  for (const name of ['postgres-password', 'keys.json']) {
    const path = join(restored, name)
    const before = readFileSync(path, 'utf8')
    writeFileSync(path, 'of another\n')
    const refused = await runConcord({ ...env, DATA_DIR: restored }, 'restore', target)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`${path} is of another database. Move it to where`) })
    expect(readFileSync(path, 'utf8')).toBe('of another\n')
    expect(existsSync(join(restored, 'postgres'))).toBe(false)
    writeFileSync(path, before)
  }
  expect((await runConcord({ ...env, DATA_DIR: restored }, 'restore', target, '--json')).json).toMatchObject({
    data_dir: restored,
    broken: [],
  })
  appendFileSync(join(target, 'postgres', 'PG_VERSION'), 'x')
  expect((await runConcord({ ...env, DATA_DIR: join(folder, 'other') }, 'restore', target)).err).toContain('damaged: postgres/PG_VERSION')
})

it.skipIf(process.platform === 'win32')(
  'leaves no server behind that it started, when it is interrupted',
  { timeout: 60_000 },
  async () => {
    const [dataDir, target] = [join(folder, 'rests'), join(folder, 'interrupted')]
    copyDataDir(dataDir)
    // A copy that gets here waits for a writer, who never comes.
    execFileSync('mkfifo', [join(dataDir, 'postgres', 'waits')])
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
    const begun = { starting: () => existsSync(pidFile), copying: () => existsSync(join(target, 'postgres', 'PG_VERSION')) }
    for (const [name, isSo] of Object.entries(begun)) {
      const program = fileURLToPath(new URL('../../bin/concord.mjs', import.meta.url))
      const env = { PATH: process.env['PATH'], HOME: folder, DATA_DIR: dataDir }
      const child = spawn(process.execPath, [program, 'backup', target], { env, stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      child.stderr.on('data', chunk => (said += chunk))
      await expect.poll(isSo, { timeout: 20_000, interval: 5 }).toBe(true)
      child.kill('SIGINT')
      expect([name, ...(await once(child, 'close')), said]).toEqual([name, null, 'SIGINT', ''])
      expect(existsSync(pidFile)).toBe(false)
    }
  },
)
