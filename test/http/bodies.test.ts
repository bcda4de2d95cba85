/** Bodies that arrive and never end: bounded in memory, refused early, and nobody else's trouble. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../support/service.js'

const mib = 1024 * 1024
let service: TestService
const sockets: Socket[] = []
beforeAll(async () => {
  service = await startTestService({ BODY_TOTAL_BYTES: String(16 * mib) })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await service.stop()
})

async function post(path: string, headers: Record<string, string>, sent: string): Promise<{ text: string; socket: Socket }> {
  const { port } = new URL(service.url)
  const socket = connect(Number(port), '127.0.0.1')
  sockets.push(socket)
  const seen = { text: '', socket }
  socket.on('data', chunk => {
    seen.text += chunk
  })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const lines = Object.entries({ host: 'x', 'content-type': 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${sent}`)
  return seen
}

async function send(sent: string): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(sent)
  return socket
}

async function figure(name: string): Promise<number> {
  const { text } = await service.admin('GET', '/metrics')
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1])
}

describe('clients that leave while their credential is looked up', () => {
  it('hold nothing afterwards', async () => {
    const requests = [
      'GET /api/scopes HTTP/1.1\r\n',
      'GET /api/events HTTP/1.1\r\n',
      'POST /api/ingest HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 100\r\n',
      'POST /api/files HTTP/1.1\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 100\r\n',
    ]
    const tenants = await Promise.all(requests.map(() => service.createTenant()))
    const { owner } = service.database
    await owner.query('begin; lock table tenants')
    const begun = await Promise.all(requests.map((head, n) => send(`${head}host: x\r\nx-tenant-id: ${tenants[n]?.tenant_id}\r\n\r\n`)))
    const waiting = "select from pg_locks where relation = 'tenants'::regclass and not granted"
    await expect.poll(async () => (await owner.query(waiting)).rowCount).toBeGreaterThanOrEqual(requests.length)
    for (const socket of begun) socket.destroy()
    // The server hears of it before the answers of the database: both are events of its loop, and those still wait for the lock.
    await send('GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n').then(health => once(health, 'data'))
    await owner.query('rollback')
    for (const { tenant_id } of tenants) await service.call('GET', '/api/scopes', { headers: { 'x-tenant-id': tenant_id } })
    await expect.poll(() => figure('concord_requests_in_progress')).toBe(1)
    await expect.poll(() => figure('concord_stream_readers')).toBe(0)
  })
})

describe('clients that send requests without waiting for answers, and leave', () => {
  it('hold nothing afterwards', async () => {
    const { api_key } = await service.createTenant()
    const headers = { 'x-tenant-api-key': api_key }
    expect((await service.admin('POST', '/admin/runtime/pause', {}, api_key)).status).toBe(200)
    const body = { scope_id: 'case', name: 'n', text: 'x' }
    const { document_id } = (await service.call('POST', '/api/ingest', { headers, body })).body as { document_id: string }
    const follow = 'GET /api/events HTTP/1.1\r\n'
    const requests = [
      `GET /api/documents/${document_id}?scope_id=case&wait=30 HTTP/1.1\r\n`,
      'GET /api/scopes HTTP/1.1\r\n',
      follow,
      follow,
    ]
    const socket = await send(requests.map(head => `${head}host: x\r\nx-tenant-api-key: ${api_key}\r\n\r\n`).join(''))
    await expect.poll(() => figure('concord_requests_in_progress')).toBe(3)
    await expect.poll(() => figure('concord_stream_readers')).toBe(2)
    socket.destroy()
    await expect.poll(() => figure('concord_requests_in_progress')).toBe(1)
    await expect.poll(() => figure('concord_stream_readers')).toBe(0)
  })
})

describe('unfinished bodies', () => {
  it('of one tenant fill its share and are refused early; others go on; all is given back', async () => {
    const [greedy, other] = [await service.createTenant(), await service.createTenant()]
    const headers = { 'x-tenant-id': greedy.tenant_id, 'content-length': String(2 * mib) }
    const begun = await Promise.all(Array.from({ length: 40 }, () => post('/api/ingest', headers, 'a'.repeat(mib))))
    const refused = () => begun.filter(({ text }) => / 429 .*RATE_LIMITED/s.test(text)).length
    await expect.poll(refused).toBeGreaterThan(20)
    expect(await figure('concord_request_body_bytes')).toBeLessThanOrEqual(16 * mib)
    expect(begun.filter(({ text }) => text !== '')).toHaveLength(refused())
    const body = { scope_id: 'case', name: 'n', text: 'x'.repeat(90_000) }
    expect(await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': other.tenant_id }, body })).toMatchObject({ status: 202 })
    for (const { socket } of begun) socket.destroy()
    await expect.poll(() => figure('concord_request_body_bytes')).toBe(0)
    await expect.poll(() => figure('concord_requests_in_progress')).toBe(1)
  })

  it.each([
    ['an unknown route', '/nowhere', '404'],
    ['a wrong method', '/api/me', '405'],
  ])('for %s are answered without being read', async (_what, path, status) => {
    const seen = await post(path, { 'content-length': '1000000' }, '{"a":')
    await expect.poll(() => seen.text).toContain(`HTTP/1.1 ${status}`)
  })
})
