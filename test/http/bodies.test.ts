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

async function figure(name: string): Promise<number> {
  const { text } = await service.admin('GET', '/metrics')
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1])
}

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
