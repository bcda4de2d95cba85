import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminKey, prepareService, type ServiceProcess } from '../chaos/service-process.js'
import { copyDataDir } from '../support/data-dir.js'

/** The figure of the promise is ten thousand; an everyday run takes a part of them. */
const readers = process.env['PROVE'] === '1' ? 10_000 : 1500
const openAtOnce = 200

const folder = mkdtempSync(join(tmpdir(), 'concord-idle-'))
let service: ServiceProcess
beforeAll(async () => {
  copyDataDir(join(folder, 'data'))
  service = await prepareService(join(folder, 'data'), {
    SSE_MAX_READERS: String(2 * readers),
    ROLE: 'api',
    // What requests leave behind is collected at once: else some tens of MiB of it would count as the readers'.
    NODE_OPTIONS: '--max-semi-space-size=1',
  })
  await service.start()
}, 120_000)
afterAll(async () => {
  await service.stop()
  await service.killDatabase()
  rmSync(folder, { recursive: true, force: true })
}, 120_000)

async function post(path: string, headers: Record<string, string>, body: object): Promise<Record<string, string>> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Record<string, string>
}

describe.runIf(process.platform === 'linux')('thousands of idle readers on one process', () => {
  it('take less than 24 KiB each and 300 MiB in all, and see the next event', async () => {
    const tenant = await post('/admin/tenants', { authorization: `Bearer ${adminKey}` }, { name: 'idle' })
    const tenantId = tenant['tenant_id'] as string
    const ingest = () => post('/api/ingest', { 'x-tenant-id': tenantId }, { scope_id: 'case', name: 'A report', text: 'x' })
    await ingest()
    const before = residentKib()
    const sockets: Socket[] = []
    while (sockets.length < readers) {
      sockets.push(...(await Promise.all(Array.from({ length: openAtOnce }, () => openStream(tenant['api_key'] as string)))))
    }
    const after = residentKib()
    const each = (after - before) / readers
    console.log(`PROVE streams idle_readers=${readers} each=${each.toFixed(1)}KiB process=${(after / 1024).toFixed(0)}MiB`)
    const seen = Promise.all(sockets.map(socket => waitFor(socket, 'event: document.queued')))
    await ingest()
    await seen
    for (const socket of sockets) socket.destroy()
    expect(each).toBeLessThan(24)
    expect(after / 1024).toBeLessThan(300)
  }, 300_000)
})

function residentKib(): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid()}/status`, 'utf8'))?.[1])
}

async function openStream(key: string): Promise<Socket> {
  const { port } = new URL(service.url)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET /api/scopes/case/events HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${key}\r\n\r\n`)
  await waitFor(socket, ': open')
  return socket
}

function waitFor(socket: Socket, text: string): Promise<void> {
  let got = ''
  return new Promise((resolve, reject) => {
    const look = (chunk: Buffer) => {
      got = (got + chunk.toString('latin1')).slice(-4000)
      if (!got.includes(text)) return
      socket.off('data', look)
      resolve()
    }
    socket.on('data', look)
    socket.once('close', () => reject(new Error(`the stream ended: ${got}`)))
  })
}
