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

it('stops at once although a client holds a connection on which it never sent anything', async () => {
  const service = await startTestService()
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  expect((await service.call('GET', '/api/health')).status).toBe(200)
  const ended = once(socket, 'close')
  await service.stop()
  await ended
})
