import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminKey, prepareService, type ServiceProcess } from '../chaos/service-process.js'
import { copyDataDir } from '../support/data-dir.js'
import { patientFetch } from '../support/patient-fetch.js'

/** The figure of the promise is ten thousand; an everyday run takes a part of them. */
const whole = process.env['PROVE'] === '1'
const readers = whole ? 10_000 : 1500
const openAtOnce = 50
/** The first ones bring code and heap that all share. */
const sharers = 400
/** A connection takes some 12 KiB more in Node.js itself from 24 on. */
const most = Number(process.versions.node.split('.')[0]) < 24 ? { kibEach: 24, mibInAll: 300 } : { kibEach: 36, mibInAll: 420 }
/** The heap grows and shrinks in pieces of some MiB, whoever waits: among ten thousand that is lost, among fewer it is seen. */
const slackKib = whole ? 0 : 12 * 1024

const folder = mkdtempSync(join(tmpdir(), 'concord-idle-'))
let service: ServiceProcess
beforeAll(async () => {
  copyDataDir(join(folder, 'data'))
  service = await prepareService(join(folder, 'data'), {
    SSE_MAX_READERS: String(2 * readers),
    ROLE: 'api',
    NODE_OPTIONS: `--max-semi-space-size=1 --require ${fileURLToPath(new URL('../support/collect-when-asked.cjs', import.meta.url))}`,
  })
  await service.start()
}, 120_000)
afterAll(async () => {
  await service.stop()
  await service.killDatabase()
  rmSync(folder, { recursive: true, force: true })
}, 120_000)

async function post(path: string, headers: Record<string, string>, body: object): Promise<Record<string, string>> {
  const response = await patientFetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  expect(response.ok, path).toBe(true)
  return (await response.json()) as Record<string, string>
}

describe.runIf(process.platform === 'linux')('thousands of idle readers on one process', () => {
  it(`take less than ${most.kibEach} KiB each and ${most.mibInAll} MiB in all, and see the next event`, async () => {
    const tenant = await post('/admin/tenants', { authorization: `Bearer ${adminKey}` }, { name: 'idle' })
    const tenantId = tenant['tenant_id'] as string
    const ingest = () => post('/api/ingest', { 'x-tenant-id': tenantId }, { scope_id: 'case', name: 'A report', text: 'x' })
    await ingest()
    const sockets: Socket[] = []
    const openUpTo = async (count: number) => {
      while (sockets.length < count) {
        sockets.push(...(await Promise.all(Array.from({ length: openAtOnce }, () => openStream(tenant['api_key'] as string)))))
        collectGarbage()
      }
    }
    await openUpTo(sharers)
    const before = await settledKib()
    await openUpTo(sharers + readers)
    const after = await settledKib()
    const each = (after - before) / readers
    console.log(`PROVE streams idle_readers=${readers} each=${each.toFixed(1)}KiB process=${(after / 1024).toFixed(0)}MiB`)
    const seen = Promise.all(sockets.map(socket => waitFor(socket, 'event: document.queued')))
    await ingest()
    await seen
    for (const socket of sockets) socket.destroy()
    expect(after - before).toBeLessThan(most.kibEach * readers + slackKib)
    expect(after / 1024).toBeLessThan(most.mibInAll)
  }, 300_000)
})

/** Once it has stopped falling: what is not needed any more is collected, and given back in the next moments. */
async function settledKib(): Promise<number> {
  let least = residentKib()
  for (let quiet = 0; quiet < 4; quiet++) {
    collectGarbage()
    await setTimeout(400)
    const now = residentKib()
    if (now < least - 256) quiet = 0
    least = Math.min(least, now)
  }
  return least
}

const collectGarbage = () => process.kill(service.pid(), 'SIGUSR2')

function residentKib(): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid()}/status`, 'utf8'))?.[1])
}

/** Again where it is refused for the load: a machine that stands still for seconds makes the service shed some. */
async function openStream(key: string): Promise<Socket> {
  const { port } = new URL(service.url)
  for (;;) {
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`GET /api/scopes/case/events HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${key}\r\n\r\n`)
    if ((await waitFor(socket, ': open', 'OVERLOADED')) === ': open') return socket
    socket.destroy()
    await setTimeout(1000)
  }
}

/** Which of the texts came. */
function waitFor(socket: Socket, ...texts: string[]): Promise<string> {
  let got = ''
  return new Promise((resolve, reject) => {
    const look = (chunk: Buffer) => {
      got = (got + chunk.toString('latin1')).slice(-4000)
      const found = texts.find(text => got.includes(text))
      if (found === undefined) return
      socket.off('data', look)
      resolve(found)
    }
    socket.on('data', look)
    socket.once('close', () => reject(new Error(`the stream ended: ${got}`)))
  })
}
