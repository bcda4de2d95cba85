/** What `concord serve` says when it cannot start: one line, at once, before a database is made. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createLogger } from '../../src/platform/logger.js'
import { startEmbedded } from '../../src/store/server/embedded.js'
import { copyDataDir } from '../support/data-dir.js'

const program = fileURLToPath(new URL('../../bin/concord.mjs', import.meta.url))
let folder: string
let dataDir: string
let taken: Server
let port: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'concord-refusals-'))
  dataDir = join(folder, 'data')
  taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  port = String((taken.address() as AddressInfo).port)
})
afterAll(() => {
  taken.close()
  rmSync(folder, { recursive: true, force: true })
})

async function serve(env: Record<string, string>, ...flags: string[]): Promise<{ code: number; lines: string[] }> {
  const child = spawn(process.execPath, [program, 'serve', ...flags], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (said += chunk))
  const [code] = await once(child, 'close')
  return { code, lines: said.split('\n').filter(line => line !== '' && !line.startsWith('building ')) }
}

// Side by side: a start that finds its folder in use waits some seconds for it.
describe.concurrent('concord serve refuses in one line and without a database', () => {
  const inUse = () => `concord: Port ${port} of 127.0.0.1 is in use. Stop the program that has it, or set PORT to another one.`

  it('a port in use, from the environment or a flag', async ({ expect }) => {
    expect(await serve({ DATA_DIR: dataDir, PORT: port })).toEqual({ code: 1, lines: [inUse()] })
    expect(await serve({ PORT: '0' }, '--port', port, '--data-dir', dataDir)).toEqual({ code: 1, lines: [inUse()] })
    expect(existsSync(dataDir)).toBe(false)
  })

  it('a metrics port in use, and a host of another machine', async ({ expect }) => {
    const metrics = await serve({ DATA_DIR: dataDir, PORT: '0', METRICS_PORT: port })
    expect(metrics.lines).toEqual([`${inUse().replace('set PORT', 'set METRICS_PORT')}`])
    const host = await serve({ DATA_DIR: dataDir, PORT: '0' }, '--host', '192.0.2.1')
    expect(host.lines).toEqual([expect.stringContaining('HOST 192.0.2.1 is not an address of this machine.')])
    expect(existsSync(dataDir)).toBe(false)
  })

  it('a folder that cannot be made, and points out a misspelt setting', async ({ expect }) => {
    const place = process.platform === 'linux' ? '/proc/x' : join(program, 'x')
    const { code, lines } = await serve({ PORT: '0', WORKERZ: '2' }, '--data-dir', place)
    expect({ code, lines }).toEqual({
      code: 1,
      lines: [
        'concord: WORKERZ is not a setting and is ignored; did you mean WORKERS?',
        expect.stringContaining(`concord: The folder ${place} cannot be made (`),
      ],
    })
  })

  it('a folder in use', async ({ expect }) => {
    const inUse = join(mkdtempSync(join(folder, 'in-use-')), 'data')
    copyDataDir(inUse)
    const owner = await startEmbedded({ dataDir: inUse, logger: createLogger({ level: 'silent' }) })
    try {
      const { code, lines } = await serve({ DATA_DIR: inUse, PORT: '0' })
      expect({ code, lines }).toEqual({
        code: 1,
        lines: [
          `concord: ${inUse} is in use by another Concord (process ${process.pid}). Stop that one, or set DATA_DIR to another folder.`,
        ],
      })
    } finally {
      await owner.stop()
    }
  })
})
