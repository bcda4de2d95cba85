/** One service for all stories of a file, a tenant and a receiver for each of them, and what they do with a webhook. */

import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { startTestService, type TestService } from '../support/service.js'
import { type Received, type Receiver, startReceiver } from './receiver.js'

export function startWebhooks() {
  let service: TestService
  let tenant: { tenant_id: string; api_key: string }
  let receiver: Receiver

  beforeAll(async () => {
    service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_MS: '20000' })
  })
  afterAll(() => service.stop())
  beforeEach(async () => {
    tenant = await service.createTenant()
    receiver = await startReceiver()
  })
  afterEach(() => receiver.close())

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { headers: { 'x-tenant-api-key': tenant.api_key }, ...(body === undefined ? {} : { body }) })
  const make = async (wanted: Record<string, unknown>) => {
    const made = await call('POST', '/api/webhooks', { url: receiver.url, events: ['document.queued'], ...wanted })
    expect(made.status, made.text).toBe(201)
    return made.body as { webhook_id: string; secret: string }
  }
  /** Registers documents: each is one event of its scope and needs no worker. */
  const register = (scope: string, count = 1) =>
    Promise.all(
      Array.from({ length: count }, () => call('POST', '/api/documents', { scope_id: scope, name: 'n', type: 'txt', provenance: 'p' })),
    )
  const read = async (id: string) => (await call('GET', `/api/webhooks/${id}`)).body
  const deliveries = async (id: string) => (await call('GET', `/api/webhooks/${id}/deliveries?limit=200`)).body.items
  const inDatabase = (sql: string, values: unknown[] = []) => service.database.owner.query(sql, values)
  /** Ends the wait before the next turn, and that of messages which failed. */
  const hurry = async (id: string, attempts: number | null = null) => {
    await inDatabase(
      "update webhook_deliveries set attempted_at = attempted_at - interval '1 hour' where webhook_id = $1 and status = 'pending'",
      [id],
    )
    await inDatabase('update webhooks set due_at = now(), attempts = coalesce($2, attempts) where webhook_id = $1', [id, attempts])
  }
  const settled = (id: string) =>
    expect
      .poll(async () => (await inDatabase('select due_at, owner from webhooks where webhook_id = $1', [id])).rows[0], {
        interval: 20,
      })
      .toEqual({ due_at: null, owner: null })
  /** No turn is under way, nor due. */
  const waits = (id: string) =>
    expect
      .poll(async () => (await inDatabase('select owner, due_at > now() as later from webhooks where webhook_id = $1', [id])).rows[0], {
        interval: 20,
      })
      .toEqual({ owner: null, later: true })
  /** What else is under way on the server hides where the log ends, and a turn that does not see the last event has the next a minute later. */
  const allSeen = () =>
    expect
      .poll(async () => {
        const hidden = 'select count(*)::integer as n from events where xid >= pg_snapshot_xmin(pg_current_snapshot())'
        return (await inDatabase(hidden)).rows[0].n
      })
      .toBe(0)
  /** What happens meanwhile is found in one turn. */
  const together = async (happen: () => Promise<unknown>) => {
    await service.admin('POST', '/admin/runtime/pause', {}, tenant.api_key)
    await happen()
    await service.admin('POST', '/admin/runtime/resume', {}, tenant.api_key)
  }

  return {
    get service() {
      return service
    },
    get tenant() {
      return tenant
    },
    get receiver() {
      return receiver
    },
    call,
    make,
    register,
    read,
    deliveries,
    inDatabase,
    hurry,
    settled,
    waits,
    allSeen,
    together,
  }
}

export const sequences = (received: readonly Received[], scope: string) =>
  received.filter(one => one.event.source === `/scopes/${scope}` && one.event.sequence !== undefined).map(one => Number(one.event.sequence))
