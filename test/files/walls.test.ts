import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { childFile, createWalls, type Wall } from '../../src/files/walls.js'
import { createLogger } from '../../src/platform/logger.js'

let wall: Wall
beforeAll(async () => {
  wall = await createWalls(createLogger({ level: 'fatal' }))()
})

/** What the code, run behind the walls, prints as JSON. */
async function behind(code: string): Promise<unknown> {
  const [command, ...args] = wall.program(['--input-type=commonjs', '--eval', code])
  const child = spawn(command, args, { ...wall.options, stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(await text(child.stdout))
}

const tried = (act: string) => `(() => { try { ${act}; return 'done' } catch (error) { return error.code ?? error.message } })()`

describe('a process that reads files', () => {
  it('reads the program and no other file, writes none, starts nothing and has no environment', async () => {
    const own = fileURLToPath(import.meta.url)
    const outside = [own, '/etc/hostname', `/proc/${process.pid}/environ`, '/proc/self/environ', process.cwd()]
    const acts = [childFile(), ...outside].map(path => tried(`require('node:fs').readFileSync(${JSON.stringify(path)})`))
    const others = [
      tried(`require('node:fs').writeFileSync('/tmp/concord-walls', 'x')`),
      tried(`require('node:child_process').execFileSync('/bin/true')`),
      tried(`new (require('node:worker_threads').Worker)('1', { eval: true })`),
    ]
    expect(await behind(`console.log(JSON.stringify([${[...acts, ...others].join(',')}]))`)).toEqual([
      'done',
      ...[...outside, ...others].map(() => 'ERR_ACCESS_DENIED'),
    ])
    expect(await behind('console.log(JSON.stringify(Object.keys(process.env)))')).toEqual([])
  })

  it('has an account of its own and no network where the system permits it', async () => {
    const server = createServer(socket => socket.end()).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise(resolve => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const said = (await behind(`
      const told = connected => console.log(JSON.stringify({ uid: process.getuid?.() ?? null, connected }))
      require('node:net').connect(${port}, '127.0.0.1').on('connect', () => { told(true); process.exit() }).on('error', () => told(false))
    `)) as { uid: number | null; connected: boolean }
    expect(said.connected).toBe(!wall.has.includes('network'))
    if (wall.has.includes('account')) expect(said.uid).not.toBe(process.getuid?.())
    const nobody = ['--net', '--setgid=65534', '--setuid=65534', '--', 'cat', childFile()]
    if (spawnSync('unshare', nobody).status === 0) expect(wall.has).toEqual(expect.arrayContaining(['account', 'network']))
  })

  it('ends with the service where the system permits it, also while it is busy', async () => {
    const known = spawnSync('setpriv', ['--pdeathsig', 'KILL', '--', process.execPath, '--version']).status === 0
    expect(wall.has.includes('parent')).toBe(known)
    if (!known) return
    const [command, ...args] = wall.program(['--input-type=commonjs', '--eval', 'console.log(process.pid); for (;;);'])
    const start = `require('node:child_process').spawn(...${JSON.stringify([command, args, { ...wall.options, stdio: ['pipe', 'inherit', 'inherit'] }])}); setInterval(() => {}, 1000)`
    const service = spawn(process.execPath, ['--input-type=commonjs', '--eval', start], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void service.kill('SIGKILL'))
    const [said] = (await once(service.stdout, 'data')) as [Buffer]
    const pid = Number(said.toString())
    const busy = `/proc/${pid}`
    onTestFinished(() => {
      if (existsSync(busy)) process.kill(pid, 'SIGKILL')
    })
    expect(existsSync(busy)).toBe(true)
    service.kill('SIGKILL')
    await expect.poll(() => existsSync(busy), { timeout: 20_000 }).toBe(false)
  })
})
