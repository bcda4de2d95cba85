import { spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../src/platform/logger.js'
import type { DatabaseAddress } from '../../src/store/server/connection.js'
import { openDatabase } from '../../src/store/server/database.js'
import { type EmbeddedServer, startEmbedded } from '../../src/store/server/embedded.js'
import { connectAsOwner, migrate } from '../../src/store/server/migrate.js'
import { type EmbeddedChild, startChild } from '../support/child.js'
import { copyFolder } from '../support/copy-folder.js'
import { testLimits } from '../support/limits.js'
import { withinMs } from '../support/time-bounds.js'

const logger = createLogger({ level: 'silent' })
const isRoot = process.getuid?.() === 0

describe('embedded server', () => {
  // Making a cluster takes longer than most of what is tested on one.
  const template = join(mkdtempSync(join(tmpdir(), 'concord-embedded-template-')), 'data')
  beforeAll(async () => (await startEmbedded({ dataDir: template, logger })).stop())
  afterAll(() => rmSync(dirname(template), { recursive: true, force: true }))

  let folder: string
  let dataDir: string
  let servers: EmbeddedServer[]
  let children: EmbeddedChild[]

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'concord-embedded-'))
    chmodSync(folder, 0o755)
    dataDir = join(folder, 'data')
    servers = []
    children = []
  })

  afterEach(async () => {
    for (const child of children) if (child.process.exitCode === null && child.process.signalCode === null) await child.end('SIGTERM')
    for (const server of servers) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const start = async (at = dataDir) => {
    copyTemplate(at)
    return startAsItIs(at)
  }

  const startAsItIs = async (at = dataDir) => {
    const server = await startEmbedded({ dataDir: at, logger })
    servers.push(server)
    return server
  }

  const copyTemplate = (at: string) => {
    if (!existsSync(at)) copyFolder(template, at)
  }

  const startOther = async () => {
    copyTemplate(dataDir)
    return startOtherAsItIs()
  }

  const startOtherAsItIs = async (at = dataDir, as?: { uid: number; gid: number }) => {
    const child = await startChild(at, as)
    children.push(child)
    return child
  }

  const asOwner = async <T>(address: DatabaseAddress, work: (owner: pg.Client) => Promise<T>): Promise<T> => {
    const owner = await connectAsOwner(address, testLimits)
    owner.on('error', () => undefined)
    return work(owner).finally(() => owner.end())
  }

  const write = (address: DatabaseAddress) =>
    asOwner(address, owner => owner.query("create table if not exists kept (note text); insert into kept values ('acknowledged')"))
  const readBack = (address: DatabaseAddress) => asOwner(address, async owner => (await owner.query('select note from kept')).rows)

  it('makes a cluster only its account can read, keeps durability on, and stops without a trace of running', async () => {
    const server = await startAsItIs()
    expect(server).toMatchObject({ created: true, attached: false })
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'run')).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600)
    const settings = await asOwner(server.address, async owner => {
      const { rows } = await owner.query(
        "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') order by 1",
      )
      return rows.map(row => row.setting)
    })
    expect(settings).toEqual(['on', 'on', 'on'])
    await server.stop()
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
    await expect(asOwner(server.address, owner => owner.query('select 1'))).rejects.toThrow('does not answer')
  })

  it('keeps what was written across a stop, and starts the second time within three seconds', async () => {
    const first = await start()
    await write(first.address)
    await first.stop()
    const begun = performance.now()
    const second = await start()
    expect(performance.now() - begun).toBeLessThan(withinMs(3000))
    expect(second.created).toBe(false)
    expect(await readBack(second.address)).toEqual([{ note: 'acknowledged' }])
  })

  it('asks for the password on its socket', async () => {
    const server = await start()
    await expect(asOwner({ ...server.address, password: 'guess' }, owner => owner.query('select 1'))).rejects.toThrow('does not let us in')
  })

  it('attaches to the server that a killed process left running', async () => {
    const child = await startOther()
    await write(child.report.address!)
    await child.end('SIGKILL')
    const server = await start()
    expect(server).toMatchObject({ attached: true, created: false })
    expect(server.pid()).toBe(child.report.up)
    expect(await readBack(server.address)).toEqual([{ note: 'acknowledged' }])
  })

  it('recovers when the process and the server were both killed', async () => {
    const child = await startOther()
    await write(child.report.address!)
    await child.end('SIGKILL')
    process.kill(child.report.up!, 'SIGKILL')
    const server = await start()
    expect(server.pid()).not.toBe(child.report.up)
    expect(await readBack(server.address)).toEqual([{ note: 'acknowledged' }])
  })

  it('refuses a data folder whose owner lives, says who it is, and leaves that server alone', async () => {
    const child = await startOther()
    await expect(start()).rejects.toThrow(`${dataDir} is in use by another Concord (process ${child.process.pid})`)
    await write(child.report.address!)
    expect(await readBack(child.report.address!)).toEqual([{ note: 'acknowledged' }])
  })

  it('lets one of two that start at once on a new folder have it', async () => {
    const children = await Promise.all([startOtherAsItIs(), startOtherAsItIs()])
    const reports = children.map(child => child.report)
    expect(reports.filter(report => report.up !== undefined)).toHaveLength(1)
    expect(reports.find(report => report.failed !== undefined)?.failed).toContain('in use by another Concord')
  })

  it('starts the server again when it is killed, at the same address', async () => {
    const server = await start()
    await write(server.address)
    const before = server.pid()
    process.kill(before, 'SIGKILL')
    await expect.poll(() => server.restarts()).toBe(1)
    expect(server.pid()).not.toBe(before)
    expect(await readBack(server.address)).toEqual([{ note: 'acknowledged' }])
  })

  it('goes on when one of the server processes is killed', async () => {
    const server = await start()
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
    const server = await start()
    const limits = { connectTimeoutMs: 5000, statementTimeoutMs: 1000 }
    await migrate({ address: server.address, limits: testLimits, logger, migrations: [] })
    const db = await openDatabase({ address: server.address, limits, tenantPool: 1, enginePool: 2, logger })
    const { rows } = await db.engineQuery<{ pid: number }>('backend', 'select pg_backend_pid() as pid')
    process.kill(rows[0]!.pid, 'SIGSTOP')
    try {
      await expect(db.engineQuery('backend', 'select pg_backend_pid() as pid')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
      expect((await db.engineQuery<{ pid: number }>('backend', 'select pg_backend_pid() as pid')).rows[0]?.pid).not.toBe(rows[0]!.pid)
    } finally {
      process.kill(rows[0]!.pid, 'SIGCONT')
      await db.close()
    }
  })

  it('is not kept from starting by a number in postmaster.pid that another program has now', async () => {
    const first = await start()
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
    const content = readFileSync(pidFile, 'utf8')
    await first.stop()
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' })
    try {
      writeFileSync(pidFile, content.replace(/^\d+/, String(stranger.pid)))
      if (isRoot) chownSync(pidFile, statSync(join(dataDir, 'postgres')).uid, statSync(join(dataDir, 'postgres')).gid)
      const second = await start()
      expect(second.attached).toBe(false)
    } finally {
      stranger.kill('SIGKILL')
    }
  })

  it('falls back to a password over 127.0.0.1 where the path is too long for a socket', async () => {
    const deep = join(folder, 'd'.repeat(100), 'data')
    const server = await start(deep)
    expect(server.address.host).toBe('127.0.0.1')
    await write(server.address)
    process.kill(server.pid(), 'SIGKILL')
    await expect.poll(() => server.restarts()).toBe(1)
    expect(await readBack(server.address)).toEqual([{ note: 'acknowledged' }])
    await expect(asOwner({ ...server.address, password: undefined }, owner => owner.query('select 1'))).rejects.toThrow()
  })

  it('refuses a cluster of another major version and says what to do', async () => {
    const server = await start()
    await server.stop()
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '16\n')
    await expect(start()).rejects.toThrow(/made by PostgreSQL 16.*brings PostgreSQL 17.*pg_upgrade/)
  })

  it('refuses a cluster whose password file is lost', async () => {
    const server = await start()
    await server.stop()
    rmSync(join(dataDir, 'postgres-password'))
    await expect(start()).rejects.toThrow('postgres-password is missing')
  })

  it('works below a folder that nobody else may enter', async () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const server = await startAsItIs(join(closed, 'data'))
    await write(server.address)
    expect(statSync(closed).mode & 0o777).toBe(0o700)
    await server.stop()
    const again = await startAsItIs(join(closed, 'data'))
    expect(await readBack(again.address)).toEqual([{ note: 'acknowledged' }])
  })

  it('runs for an ordinary user', async () => {
    const account = { uid: isRoot ? 65534 : process.getuid!(), gid: isRoot ? 65534 : process.getgid!() }
    const home = join(folder, 'home')
    mkdirSync(home)
    if (isRoot) chownSync(home, account.uid, account.gid)
    const child = await startOtherAsItIs(join(home, 'data'), isRoot ? account : undefined)
    expect(child.report).toMatchObject({ uid: account.uid, attached: false })
    expect(statSync(join(home, 'data', 'postgres')).uid).toBe(account.uid)
    await child.end('SIGTERM')
    expect(existsSync(join(home, 'data', 'postgres', 'postmaster.pid'))).toBe(false)
  })
})
