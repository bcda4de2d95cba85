/** Several nodes deliver for one service: each webhook is one node's at a time, and a node that stops leaves nothing behind. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHints } from '../../src/events/hints.js'
import { systemClock } from '../../src/platform/clock.js'
import { createLogger } from '../../src/platform/logger.js'
import { startDeliverer, type WebhookDeliverer } from '../../src/webhooks/deliverer.js'
import { startTestService, type TestService } from '../support/service.js'
import { accept, type Receiver, startReceiver } from './receiver.js'

const logger = createLogger({ level: 'silent' })
/** Leases that do not run out because the machine stands still for a second. */
const config = { webhookAllowPrivate: true, webhookTimeoutMs: 20_000, leaseMs: 5000 }
let service: TestService
let receiver: Receiver
let key: string
const nodes: WebhookDeliverer[] = []

beforeAll(async () => {
  service = await startTestService({ ROLE: 'api', WEBHOOK_ALLOW_PRIVATE: 'true' })
})
afterAll(() => service.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  key = (await service.createTenant()).api_key
})
afterEach(async () => {
  await Promise.all(nodes.splice(0).map(node => node.stop(0)))
  await receiver.close()
})

const startNode = (nodeId: string) => {
  const node = startDeliverer({
    db: service.database.db,
    idKey: 'key',
    config,
    hints: createHints({ logger }),
    clock: systemClock,
    logger,
    nodeId,
  })
  nodes.push(node)
  return node
}
const post = (path: string, body: object) => service.call('POST', path, { headers: { 'x-tenant-api-key': key }, body })
const make = async (path = '/') =>
  (await post('/api/webhooks', { url: receiver.url + path, events: ['document.registered'] })).body.webhook_id as string
const register = () => post('/api/documents', { scope_id: 'case', name: 'n', type: 'txt' })
const rowOf = async (id: string) =>
  (await service.database.owner.query('select owner, attempts, due_at is null as rests from webhooks where webhook_id = $1', [id])).rows[0]

describe('nodes that deliver', () => {
  it('share webhooks without sending anything twice or out of order', async () => {
    const paths = ['/a', '/b', '/c']
    const ids = await Promise.all(paths.map(make))
    startNode('one')
    startNode('two')
    for (let n = 0; n < 20; n++) await register()
    await receiver.until(all => all.length >= 60)
    for (const id of ids) await expect.poll(() => rowOf(id)).toEqual({ owner: null, attempts: 0, rests: true })
    for (const path of paths) {
      const sequences = receiver.received.filter(one => one.path === path).map(one => Number(one.event.sequence))
      expect(sequences).toEqual(Array.from({ length: 20 }, (_none, n) => n))
    }
  })

  it('cut off what is under way when they stop, which is no failure of the receiver', async () => {
    const id = await make()
    receiver.behave(() => undefined)
    const node = startNode('stopping')
    await register()
    await receiver.until(all => all.length === 1)
    await node.stop(20)
    expect(await rowOf(id)).toEqual({ owner: null, attempts: 0, rests: false })
    receiver.behave(accept)
    startNode('next')
    const seen = await receiver.until(all => all.length === 2)
    expect(seen[1]?.id).toBe(seen[0]?.id)
  })

  it('leave a message that has failed as it was where its next attempt is cut off, whatever else arrives', async () => {
    const id = await make()
    receiver.behave((_received, response) => response.writeHead(500).end())
    const first = startNode('first')
    await register()
    await receiver.until(all => all.length === 1)
    await expect.poll(() => rowOf(id)).toMatchObject({ owner: null, attempts: 1 })
    await first.stop(0)
    const { owner } = service.database
    await owner.query("update webhook_deliveries set attempted_at = attempted_at - interval '1 hour' where webhook_id = $1", [id])
    await owner.query('update webhooks set due_at = clock_timestamp() where webhook_id = $1', [id])
    receiver.behave((received, response) => (received.event.data.scope_id === 'case' ? undefined : accept(received, response)))
    await post('/api/documents', { scope_id: 'other', name: 'n', type: 'txt' })
    const node = startNode('stopping')
    await receiver.until(all => all.length === 3)
    await node.stop(20)
    const failing = 'select failing_since is not null as fails, attempts from webhooks where webhook_id = $1'
    expect((await owner.query(failing, [id])).rows).toEqual([{ fails: true, attempts: 1 }])
  })

  it('keep a webhook while a receiver takes its time, and lose it with the lease', async () => {
    const id = await make()
    let finish = () => undefined as unknown
    receiver.behave((one, response) => {
      finish = () => accept(one, response)
    })
    startNode('slow')
    await register()
    await receiver.until(all => all.length === 1)
    const other = startNode('other')
    await expect.poll(async () => (await rowOf(id)).owner).toBe('slow')
    // The lease is extended, else the other node would take it when it has run out.
    const until = () => service.database.owner.query('select leased_until as at from webhooks where webhook_id = $1', [id])
    const first = (await until()).rows[0].at
    await expect.poll(async () => (await until()).rows[0].at > first).toBe(true)
    expect([other.stats().busy, receiver.received.length]).toEqual([0, 1])
    await service.database.owner.query(
      "update webhooks set fence = fence + 1, leased_until = now() - interval '1 second' where webhook_id = $1",
      [id],
    )
    await receiver.until(all => all.length === 2)
    finish()
    await expect.poll(() => rowOf(id)).toEqual({ owner: null, attempts: 0, rests: true })
  })
})
