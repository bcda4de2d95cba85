import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createLogger } from '../../src/platform/logger.js'
import { findServer } from '../../src/store/server/existing-storage.js'
import { withinMs } from '../support/time-bounds.js'
import { asOwner, readBack, useEmbeddedPlace, write } from './embedded-place.js'

const isRoot = process.getuid?.() === 0

describe('embedded server', () => {
  const place = useEmbeddedPlace()

  it('makes a cluster only its account can read, keeps durability on, and stops without a trace of running', async () => {
    const server = await place.startAsItIs()
    expect(server).toMatchObject({ created: true, attached: false })
    expect(statSync(join(place.dataDir, 'postgres')).mode & 0o777).toBe(0o700)
    expect(statSync(join(place.dataDir, 'run')).mode & 0o777).toBe(0o700)
    expect(statSync(join(place.dataDir, 'postgres-password')).mode & 0o777).toBe(0o600)
    const settings = await asOwner(server.address, async owner => {
      const { rows } = await owner.query(
        "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') order by 1",
      )
      return rows.map(row => row.setting)
    })
    expect(settings).toEqual(['on', 'on', 'on'])
    await server.stop()
    expect(existsSync(join(place.dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
    await expect(asOwner(server.address, owner => owner.query('select 1'))).rejects.toThrow('does not answer')
  })

  it('keeps what was written across a stop, and starts the second time within three seconds', async () => {
    const first = await place.start()
    await write(first.address)
    await first.stop()
    const begun = performance.now()
    const second = await place.start()
    expect(performance.now() - begun).toBeLessThan(withinMs(3000))
    expect(second.created).toBe(false)
    expect(await readBack(second.address)).toEqual([{ note: 'acknowledged' }])
  })

  it('asks for the password on its socket', async () => {
    const server = await place.start()
    await expect(asOwner({ ...server.address, password: 'guess' }, owner => owner.query('select 1'))).rejects.toThrow('refuses the login')
  })

  it('refuses a data folder whose owner lives, says who it is, and leaves that server alone', async () => {
    const child = await place.startOther()
    await expect(place.start()).rejects.toThrow(`${place.dataDir} is in use by another Concord (process ${child.process.pid})`)
    await write(child.report.address!)
    expect(await readBack(child.report.address!)).toEqual([{ note: 'acknowledged' }])
  })

  it('lets one of two that start at once on a new folder have it', async () => {
    const children = await Promise.all([place.startOtherAsItIs(), place.startOtherAsItIs()])
    const reports = children.map(child => child.report)
    expect(reports.filter(report => report.up !== undefined)).toHaveLength(1)
    expect(reports.find(report => report.failed !== undefined)?.failed).toContain('in use by another Concord')
  })

  it('waits for a server that another one is starting until its file says where it listens', async () => {
    const child = await place.startOther()
    const pidFile = join(place.dataDir, 'postgres', 'postmaster.pid')
    const content = readFileSync(pidFile, 'utf8')
    // As it is written first: the folder of the socket and the rest come with the lines after.
    writeFileSync(pidFile, `${content.split('\n').slice(0, 4).join('\n')}\n\n`)
    setTimeout(() => writeFileSync(pidFile, content), 1000)
    await expect(place.start()).rejects.toThrow(`in use by another Concord (process ${child.process.pid})`)
  })

  it('lends a server that recovers to a command without taking it from its owner', async () => {
    const child = await place.startOther()
    const pidFile = join(place.dataDir, 'postgres', 'postmaster.pid')
    const content = readFileSync(pidFile, 'utf8')
    writeFileSync(pidFile, content.replace(/ready\s*$/, 'starting\n'))
    setTimeout(() => writeFileSync(pidFile, content), 500)
    const config = { dataDir: place.dataDir, databaseUrl: undefined }
    const server = await findServer({
      config: config as Parameters<typeof findServer>[0]['config'],
      logger: createLogger({ level: 'silent' }),
    })
    expect(server.running).toBe(true)
    await server.release()
    await write(child.report.address!)
    expect(await readBack(child.report.address!)).toEqual([{ note: 'acknowledged' }])
  })

  it('refuses a cluster of another major version and says what to do', async () => {
    const server = await place.start()
    await server.stop()
    writeFileSync(join(place.dataDir, 'postgres', 'PG_VERSION'), '16\n')
    await expect(place.start()).rejects.toThrow(/made by PostgreSQL 16.*brings PostgreSQL 17.*pg_upgrade/)
  })

  it('refuses a cluster whose password file is lost', async () => {
    const server = await place.start()
    await server.stop()
    rmSync(join(place.dataDir, 'postgres-password'))
    await expect(place.start()).rejects.toThrow('postgres-password is missing')
  })

  it('works below a folder that nobody else may enter', async () => {
    const closed = join(place.folder, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const server = await place.startAsItIs(join(closed, 'data'))
    await write(server.address)
    expect(statSync(closed).mode & 0o777).toBe(0o700)
    await server.stop()
    const again = await place.startAsItIs(join(closed, 'data'))
    expect(await readBack(again.address)).toEqual([{ note: 'acknowledged' }])
  })

  it('finds its server, and not that of another folder, where root may not look into processes of others', async context => {
    const without = spawnSync('setpriv', ['--bounding-set=-sys_ptrace', 'true'])
    context.skip(!isRoot || without.status !== 0, 'needs root and setpriv')
    const [server, other] = [await place.start(), await place.start(join(place.folder, 'other'))]
    const pidFile = join(place.dataDir, 'postgres', 'postmaster.pid')
    const found = () => foundWithoutPtrace(place.dataDir)
    expect(found()).toBe(server.pid())
    expect(existsSync(pidFile)).toBe(true)
    const content = readFileSync(pidFile, 'utf8')
    // What runs there is told by the folder it was started on, its children by their parent.
    const children = readFileSync(`/proc/${other.pid()}/task/${other.pid()}/children`, 'utf8').trim().split(' ')
    for (const pid of [other.pid(), Number(children[0])]) {
      writeFileSync(pidFile, content.replace(/^\d+/, String(pid)))
      expect(found()).toBe(null)
      // The server of this folder lives, so its file stays, whatever number stands in it.
      expect(existsSync(pidFile)).toBe(true)
    }
    writeFileSync(pidFile, content)
    await server.stop()
    writeFileSync(pidFile, content.replace(/^\d+/, String(other.pid())))
    expect(found()).toBe(null)
    expect(existsSync(pidFile)).toBe(false)
  })

  it('runs for an ordinary user', async () => {
    const account = { uid: isRoot ? 65534 : process.getuid!(), gid: isRoot ? 65534 : process.getgid!() }
    const home = join(place.folder, 'home')
    mkdirSync(home)
    if (isRoot) chownSync(home, account.uid, account.gid)
    const child = await place.startOtherAsItIs(join(home, 'data'), isRoot ? account : undefined)
    expect(child.report).toMatchObject({ uid: account.uid, attached: false })
    expect(statSync(join(home, 'data', 'postgres')).uid).toBe(account.uid)
    await child.end('SIGTERM')
    expect(existsSync(join(home, 'data', 'postgres', 'postmaster.pid'))).toBe(false)
  })
})

/** Which server of a folder a process of root finds that may not look into processes of other accounts. */
function foundWithoutPtrace(dataDir: string): number | null {
  const dist = fileURLToPath(new URL('../../dist/store/server/', import.meta.url))
  const script = `
    const { clusterFiles } = await import(${JSON.stringify(`${dist}embedded-cluster.js`)})
    const { findRunning } = await import(${JSON.stringify(`${dist}embedded-postmaster.js`)})
    console.log(JSON.stringify(findRunning(clusterFiles(${JSON.stringify(dataDir)}))?.pid ?? null))`
  const args = ['--bounding-set=-sys_ptrace', process.execPath, '--input-type=module', '-e', script]
  const { stdout, stderr } = spawnSync('setpriv', args, { encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}
