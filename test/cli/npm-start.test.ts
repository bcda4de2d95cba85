/** `npm start` as a person runs it and as a supervisor ends it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copyDataDir } from '../support/data-dir.js'

const checkout = fileURLToPath(new URL('../..', import.meta.url))
let folder: string
let npm: ChildProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'concord-npm-'))
})
afterEach(async () => {
  // What the test could not end: all that npm started are of its group.
  if (npm?.pid !== undefined && npm.stdout?.closed === false) {
    const closed = once(npm.stdout, 'close')
    process.kill(-npm.pid, 'SIGTERM')
    await closed
  }
  rmSync(folder, { recursive: true, force: true })
})

describe('npm start', () => {
  it.runIf(process.platform !== 'win32')('ends the service and its PostgreSQL when npm alone is killed', async () => {
    const dataDir = join(folder, 'data')
    copyDataDir(dataDir)
    npm = spawn('npm', ['start', '--silent'], {
      cwd: checkout,
      env: { PATH: process.env['PATH'], HOME: folder, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    })
    const output = npm.stdout as NodeJS.ReadableStream
    const url = await new Promise<string>(resolve => {
      createInterface({ input: output }).on('line', line => {
        const address = /^Concord answers at (\S+)/.exec(line)?.[1]
        if (address !== undefined) resolve(address)
      })
    })
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
    // The service has the same standard output: it is closed when the last of them has ended.
    const allEnded = once(output, 'close')
    npm.kill('SIGTERM')
    await allEnded
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
    await expect(fetch(`${url}/openapi.json`)).rejects.toThrow()
  })

  // Only Linux tells who took an orphan over.
  it.runIf(process.platform === 'linux')('starts nothing when npm was killed before Node.js came to the first line', async () => {
    const dataDir = join(folder, 'data')
    // The shell that npm runs, killed as soon as it has started the service.
    npm = spawn('sh', ['-c', `'${process.execPath}' bin/concord.mjs serve & kill -9 $$`], {
      cwd: checkout,
      env: { PATH: process.env['PATH'], HOME: folder, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    })
    const output = npm.stdout as NodeJS.ReadableStream
    output.resume()
    await once(output, 'close')
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
  })
})
