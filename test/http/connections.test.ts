import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { watchConnections } from '../../src/http/connections.js'
import { systemClock } from '../../src/platform/clock.js'
import { startTestService } from '../support/service.js'

describe('the connections of a server', () => {
  const sockets: Socket[] = []
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })
  const ageMs = { value: 0 }

  async function setUp() {
    const server = createServer((request, response) => (request.url === '/slow' ? undefined : response.end('ok')))
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + ageMs.value }
    const connections = watchConnections(server, { clock, limits: { most: 20, reserve: 5 }, requestId: () => 'req_test' })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const open = async (text = '') => {
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket)
      const answer = { text: '', closed: once(socket, 'close') }
      socket.on('data', chunk => {
        answer.text += chunk
      })
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      if (text !== '') socket.write(text)
      return answer
    }
    const close = () => {
      server.close()
      server.closeAllConnections()
    }
    return { connections, open, close }
  }

  it('are closed with 503 beyond the bound', async () => {
    const { connections, open, close } = await setUp()
    for (let n = 0; n < 20; n++) await open('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => connections.count()).toBe(20)
    const refused = await open()
    await refused.closed
    expect(refused.text).toMatch(/^HTTP\/1\.1 503 .*"code":"OVERLOADED"/s)
    expect(connections.count()).toBe(20)
    close()
  })

  it('give way while nothing is under way on them, and not otherwise', async () => {
    const { connections, open, close } = await setUp()
    const idle = await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => idle.text).toContain('ok')
    const silent = await Promise.all(Array.from({ length: 12 }, () => open()))
    const busy = await open('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => connections.count()).toBe(14)
    expect(connections.areScarce()).toBe(false)
    ageMs.value += 5000
    const late = [await open(), await open()]
    await Promise.all([idle.closed, ...silent.map(one => one.closed)])
    expect(connections.count()).toBe(1 + late.length)
    expect(busy.text).toBe('')
    close()
  })
})

describe('a service that stops', () => {
  /** Sends what it is given, notes what comes back, and does nothing else. */
  async function connectTo(url: string, sent = '') {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const state = { text: '', isClosed: false, closed: once(socket, 'close'), destroy: () => socket.destroy() }
    socket.on('error', () => undefined)
    socket.on('data', chunk => {
      state.text += chunk
    })
    socket.on('close', () => {
      state.isClosed = true
    })
    await once(socket, 'connect')
    if (sent !== '') socket.write(sent)
    return state
  }
  const unfinished = (tenantId: string) =>
    `POST /api/ingest HTTP/1.1\r\nhost: x\r\nx-tenant-id: ${tenantId}\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{`

  it('answers who waits, drains what works behind it, and ends connections on which nothing was ever sent, whatever else takes its time', async () => {
    const service = await startTestService({ ROLE: 'api', SHUTDOWN_GRACE_MS: '120000' })
    const { tenant_id: tenantId, api_key: key } = await service.createTenant()
    const headers = { 'x-tenant-api-key': key }
    await service.call('POST', '/api/ingest', { headers, body: { scope_id: 'case', document_id: 'd', name: 'd', text: 'x' } })
    const { owner } = service.database
    const nodes = async () => (await owner.query('select from nodes')).rowCount
    await expect.poll(nodes).toBe(1)
    const silent = await connectTo(service.url)
    const slow = await connectTo(service.url, unfinished(tenantId))
    const asked = performance.now()
    const waiting = service.call('GET', '/api/documents/d?scope_id=case&wait=30', { headers })
    const inProgress = async () => {
      const { text } = await service.call('GET', '/metrics', { headers: { authorization: `Bearer ${service.internalsKey}` } })
      return Number(/^concord_requests_in_progress (\d+)$/m.exec(text)?.[1])
    }
    // With the one that asks.
    await expect.poll(inProgress).toBe(3)
    const stopping = service.stop()
    expect((await waiting).body).toMatchObject({ status: 'queued' })
    expect(performance.now() - asked).toBeLessThan(30_000)
    await silent.closed
    await expect.poll(nodes).toBe(0)
    expect(slow.isClosed).toBe(false)
    slow.destroy()
    await stopping
  })

  it('cuts off who is not done after half of the grace', async () => {
    const service = await startTestService({ ROLE: 'api', SHUTDOWN_GRACE_MS: '1000', REQUEST_TIMEOUT_MS: '600000' })
    const { tenant_id: tenantId } = await service.createTenant()
    const slow = await connectTo(service.url, unfinished(tenantId))
    expect((await service.call('GET', '/api/health')).status).toBe(200)
    await service.stop()
    await slow.closed
    expect(slow.text).toBe('')
  })
})
