import { spawn } from 'node:child_process'
import { chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLogger } from '../../src/platform/logger.js'
import { openDatabase } from '../../src/store/server/database.js'
import { asOwner, readBack, useEmbeddedPlace, write } from './embedded-place.js'

const logger = createLogger({ level: 'silent' })
const isRoot = process.getuid?.() === 0

describe('embedded server that is killed or frozen', () => {
  const place = useEmbeddedPlace()

  it('attaches to the server that a killed process left running', async () => {
    const child = await place.startOther()
    await write(child.report.address!)
    await child.end('SIGKILL')
    const server = await place.start()
    expect(server).toMatchObject({ attached: true, created: false })
    expect(server.pid()).toBe(child.report.up)
    expect(await readBack(server.address)).toEqual([{ note: 'acknowledged' }])
  })

  it('recovers when the process and the server were both killed', async () => {
    const child = await place.startOther()
    await write(child.report.address!)
    await child.end('SIGKILL')
    process.kill(child.report.up!, 'SIGKILL')
    const server = await place.start()
    expect(server.pid()).not.toBe(child.report.up)
    expect(await readBack(server.address)).toEqual([{ note: 'acknowledged' }])
  })

  it('ends the server it was starting when the start is given up', async () => {
    const stop = new AbortController()
    const starting = place.start(place.dataDir, stop.signal)
    const pidFile = join(place.dataDir, 'postgres', 'postmaster.pid')
    // Looks at every turn of the loop, of which a connection takes several: it is found before anybody is connected.
    let pid = 0
    while (pid === 0) {
      await setImmediate()
      if (existsSync(pidFile)) pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    }
    stop.abort(new Error('stopping'))
    await expect(starting).rejects.toThrow('stopping')
    expect(existsSync(pidFile)).toBe(false)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('starts the server again when it is killed, at the same address', async () => {
    const server = await place.start()
    await write(server.address)
    const before = server.pid()
    process.kill(before, 'SIGKILL')
    await expect.poll(() => server.restarts()).toBe(1)
    expect(server.pid()).not.toBe(before)
    expect(await readBack(server.address)).toEqual([{ note: 'acknowledged' }])
  })

  it('goes on when one of the server processes is killed', async () => {
    const server = await place.start()
    await write(server.address)
    const killed = asOwner(server.address, async owner => {
      const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid')
      process.kill(rows[0]!.pid, 'SIGKILL')
      return owner.query('select pg_sleep(60)')
    })
    await expect(killed).rejects.toThrow()
    await expect.poll(() => server.restarts()).toBe(1)
    expect(await readBack(server.address)).toEqual([{ note: 'acknowledged' }])
  })

  it('does not keep anyone waiting for a server that is frozen', async () => {
    const server = await place.start()
    const limits = { connectTimeoutMs: 5000, statementTimeoutMs: 1000 }
    const db = await openDatabase({ address: server.address, limits, tenantPool: 1, enginePool: 2, logger })
    const { rows } = await db.engineQuery<{ pid: number }>('select pg_backend_pid() as pid')
    process.kill(rows[0]!.pid, 'SIGSTOP')
    try {
      await expect(db.engineQuery('select pg_backend_pid() as pid')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
      expect((await db.engineQuery<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid).not.toBe(rows[0]!.pid)
    } finally {
      process.kill(rows[0]!.pid, 'SIGCONT')
      await db.close()
    }
  })

  it('is not kept from starting by a number in postmaster.pid that another program has now', async () => {
    const first = await place.start()
    const pidFile = join(place.dataDir, 'postgres', 'postmaster.pid')
    const content = readFileSync(pidFile, 'utf8')
    await first.stop()
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' })
    try {
      writeFileSync(pidFile, content.replace(/^\d+/, String(stranger.pid)))
      if (isRoot) chownSync(pidFile, statSync(join(place.dataDir, 'postgres')).uid, statSync(join(place.dataDir, 'postgres')).gid)
      const second = await place.start()
      expect(second.attached).toBe(false)
    } finally {
      stranger.kill('SIGKILL')
    }
  })

  it('falls back to a password over 127.0.0.1 where the path is too long for a socket', async () => {
    const deep = join(place.folder, 'd'.repeat(100), 'data')
    const server = await place.start(deep)
    expect(server.address.host).toBe('127.0.0.1')
    await write(server.address)
    process.kill(server.pid(), 'SIGKILL')
    await expect.poll(() => server.restarts()).toBe(1)
    expect(await readBack(server.address)).toEqual([{ note: 'acknowledged' }])
    await expect(asOwner({ ...server.address, password: undefined }, owner => owner.query('select 1'))).rejects.toThrow()
  })
})
