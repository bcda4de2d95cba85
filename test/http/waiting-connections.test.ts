import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startTestService } from '../support/service.js'

it('stops at once although a client holds a connection on which it never sent anything', { timeout: 30_000 }, async () => {
  const service = await startTestService()
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  expect((await service.call('GET', '/api/health')).status).toBe(200)
  const ended = once(socket, 'close')
  await service.stop()
  await ended
})
