/** `npm start` as a person runs it and as a supervisor ends it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copyDataDir } from '../support/data-dir.js'
import { freePort } from '../support/free-port.js'

const checkout = fileURLToPath(new URL('../..', import.meta.url))
let folder: string
let npm: ChildProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'concord-npm-'))
})
afterEach(async () => {
  // What the test could not end: all that npm started are of its group.
  if (npm?.pid !== undefined && npm.stderr?.closed === false) {
    const closed = once(npm.stderr, 'close')
    process.kill(-npm.pid, 'SIGTERM')
    await closed
  }
  rmSync(folder, { recursive: true, force: true })
})

describe('npm start', () => {
  it.runIf(process.platform !== 'win32')('goes on without a reader, and ends with its PostgreSQL when npm alone is killed', async () => {
    const port = await freePort()
    const dataDir = join(folder, 'data')
    copyDataDir(dataDir)
    npm = spawn('npm', ['start', '--silent'], {
      cwd: checkout,
      env: { PATH: process.env['PATH'], HOME: folder, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    // As `npm start | head` does, here before the first line.
    npm.stdout?.destroy()
    const url = `http://127.0.0.1:${port}`
    const status = () =>
      fetch(`${url}/openapi.json`).then(
        answer => answer.status,
        () => 0,
      )
    await expect.poll(status).toBe(200)
    // The service has the same standard error: it is closed when the last of them has ended.
    const output = npm.stderr as NodeJS.ReadableStream
    output.resume()
    const allEnded = once(output, 'close')
    npm.kill('SIGTERM')
    await allEnded
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
    expect(await status()).toBe(0)
  })

  // Only Linux tells who took an orphan over.
  it.runIf(process.platform === 'linux')('starts nothing when npm was killed before Node.js came to the first line', async () => {
    const dataDir = join(folder, 'data')
    // The shell that npm runs, killed as soon as it has started the service.
    npm = spawn('sh', ['-c', `'${process.execPath}' bin/concord.mjs serve & kill -9 $$`], {
      cwd: checkout,
      env: { PATH: process.env['PATH'], HOME: folder, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'inherit', 'pipe'],
      detached: true,
    })
    const output = npm.stderr as NodeJS.ReadableStream
    output.resume()
    await once(output, 'close')
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
  })
})
