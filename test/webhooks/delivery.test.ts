/** Webhooks through the whole service: what is delivered, how often, in which order, and what happens when it is not. */

import { createHash, createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../support/service.js'
import { accept, answer, type Received, type Receiver, startReceiver, verify } from './receiver.js'

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
const sequences = (received: readonly Received[], scope: string) =>
  received.filter(one => one.event.source === `/scopes/${scope}` && one.event.sequence !== undefined).map(one => Number(one.event.sequence))

describe('a webhook', () => {
  it('is told of each event of its kinds, signed, under the id of the event', async () => {
    const { webhook_id, secret } = await make({ events: ['document.*'] })
    await register('case')
    await call('POST', '/api/contradictions', {
      scope_id: 'case',
      claim_a: 'a',
      claim_b: 'b',
      source_a: 's',
      source_b: 't',
      severity: 'low',
    })
    const [first] = await receiver.until(all => all.length === 1)
    verify(secret, first as Received)
    expect(first?.event).toMatchObject({
      specversion: '1.0',
      id: first?.id,
      source: '/scopes/case',
      type: 'document.registered',
      sequence: '0',
      data: { scope_id: 'case', name: 'n', status: 'registered' },
    })
    expect(first?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'concord-webhooks' })
    await settled(webhook_id)
    expect(receiver.received).toHaveLength(1)
    expect(await deliveries(webhook_id)).toMatchObject([
      {
        kind: 'event',
        event_id: first?.id,
        type: 'document.registered',
        scope_id: 'case',
        status: 'delivered',
        attempts: 1,
        response_status: 204,
      },
    ])
    expect(await read(webhook_id)).toMatchObject({ enabled: true, failing_since: null, failed_attempts: 0 })
    const { rows } = await inDatabase('select tenant_id, scope_no, seq, time from events where tenant_id = $1 and type = $2', [
      tenant.tenant_id,
      'document.registered',
    ])
    const parts = [rows[0].tenant_id, rows[0].scope_no, rows[0].seq, first?.event['time']]
    const [unkeyed, keyed] = [
      createHash('sha256'),
      createHmac('sha256', (await inDatabase('select id_key from event_horizon')).rows[0].id_key),
    ]
    // The number of a scope can be tried: without the key an id would tell how many there are.
    expect(first?.id).toBe(`evt_${keyed.update(parts.join('\n')).digest('hex').slice(0, 32)}`)
    expect(first?.id).not.toBe(`evt_${unkeyed.update(parts.join('\n')).digest('hex').slice(0, 32)}`)
  })

  it('hears of one scope alone when it is about one', async () => {
    await make({ events: ['*'], scope_id: 'here' })
    await register('there')
    await register('here')
    await register('there')
    await register('here')
    const seen = await receiver.until(all => sequences(all, 'here').length === 2)
    expect(seen.map(one => [one.event.type, one.event.data.scope_id])).toEqual([
      ['scope.created', 'here'],
      ['document.registered', 'here'],
      ['document.registered', 'here'],
    ])
  })

  it('gets the events of each scope in their order, also when answers come late and out of order', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    const scopes = ['a', 'b', 'c', 'd', 'e']
    receiver.behave((one, response) => setTimeout(() => accept(one, response), (one.event.data.scope_id.charCodeAt(0) * 7) % 15))
    await Promise.all(scopes.map(scope => register(scope, 12)))
    const seen = await receiver.until(all => all.length >= 60)
    for (const scope of scopes) expect(sequences(seen, scope)).toEqual(Array.from({ length: 12 }, (_none, n) => n))
    await settled(webhook_id)
    expect(receiver.received).toHaveLength(60)
  })

  it('begins with what happens after it was made', async () => {
    await register('case', 3)
    await allSeen()
    const { webhook_id } = await make({ events: ['document.*'] })
    await settled(webhook_id)
    await register('case')
    expect(sequences(await receiver.until(all => all.length > 0), 'case')).toEqual([3])
  })
})

describe('a receiver that fails', () => {
  it('is tried again later with the same id, and gets everything in order when it is back', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    receiver.behave(answer(500))
    await register('case', 3)
    const [first] = await receiver.until(all => all.length === 1)
    await expect
      .poll(() => read(webhook_id))
      .toMatchObject({ failed_attempts: 1, failing_since: expect.any(String), next_attempt_at: expect.any(String) })
    expect((await deliveries(webhook_id))[0]).toMatchObject({ status: 'pending', response_status: 500, reason: 'status', attempts: 1 })
    receiver.behave(accept)
    await hurry(webhook_id)
    const seen = await receiver.until(all => all.length === 4)
    expect(seen[1]?.id).toBe(first?.id)
    expect(sequences(seen, 'case')).toEqual([0, 0, 1, 2])
    await settled(webhook_id)
    expect(await read(webhook_id)).toMatchObject({ failed_attempts: 0, failing_since: null, next_attempt_at: null })
  })

  it('holds up neither the events of other scopes that arrive nor gets them twice', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    receiver.behave((one, response) => answer(one.event.data.scope_id === 'bad' ? 503 : 204)(one, response))
    await together(async () => {
      await register('bad')
      await register('good')
    })
    await receiver.until(all => sequences(all, 'good').length === 1 && sequences(all, 'bad').length === 1)
    await expect.poll(() => read(webhook_id)).toMatchObject({ failed_attempts: 1 })
    receiver.behave(accept)
    await hurry(webhook_id)
    await receiver.until(all => sequences(all, 'bad').length === 2)
    await settled(webhook_id)
    expect(sequences(receiver.received, 'good')).toEqual([0])
  })

  it('waits with what follows in its scope, and lets pages of other scopes go ahead, each once and in order', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    receiver.behave((one, response) => answer(one.event.data.scope_id === 'bad' ? 503 : 204)(one, response))
    const scopes = ['good-1', 'good-2', 'good-3']
    await together(async () => {
      await register('bad', 2)
      for (const scope of scopes) await register(scope, 30)
    })
    await receiver.until(all => scopes.every(scope => sequences(all, scope).length === 30))
    await expect.poll(() => read(webhook_id)).toMatchObject({ failing_since: expect.any(String) })
    expect([...new Set(sequences(receiver.received, 'bad'))]).toEqual([0])
    receiver.behave(accept)
    await hurry(webhook_id)
    await receiver.until(all => sequences(all, 'bad').includes(1))
    await settled(webhook_id)
    for (const scope of scopes) expect(sequences(receiver.received, scope)).toEqual(Array.from({ length: 30 }, (_, n) => n))
  })

  it('lets later pages of other scopes go ahead however slowly it fails', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    // Longer than a turn begins requests.
    receiver.behave((one, response) =>
      one.event.data.scope_id === 'bad' ? setTimeout(() => answer(503)(one, response), 1000) : accept(one, response),
    )
    await together(async () => {
      await register('bad')
      for (let n = 0; n < 3; n++) await register('good', 40)
    })
    await receiver.until(all => sequences(all, 'good').length === 120)
    expect(await read(webhook_id)).toMatchObject({ failing_since: expect.any(String) })
    expect(sequences(receiver.received, 'good')).toEqual(Array.from({ length: 120 }, (_, n) => n))
  })

  it('is looked at every minute while one scope alone fails, which keeps its own wait', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    receiver.behave((one, response) => answer(one.event.data.scope_id === 'bad' ? 503 : 204)(one, response))
    await register('bad')
    await expect.poll(() => read(webhook_id)).toMatchObject({ failing_since: expect.any(String) })
    // It has failed for long: the message itself waits for an hour.
    await hurry(webhook_id, 12)
    const state = async () =>
      (
        await inDatabase(
          `select attempts, due_at < now() + interval '61 seconds' as soon, due_at > now() as later, owner from webhooks where webhook_id = $1`,
          [webhook_id],
        )
      ).rows[0]
    const waiting = { attempts: 13, soon: true, later: true, owner: null }
    await expect.poll(state).toEqual(waiting)
    const tried = sequences(receiver.received, 'bad').length
    await register('good')
    await allSeen()
    await inDatabase('update webhooks set due_at = now() where webhook_id = $1', [webhook_id])
    await receiver.until(all => sequences(all, 'good').length === 1)
    await expect.poll(state).toEqual(waiting)
    expect(sequences(receiver.received, 'bad')).toHaveLength(tried)
  })

  it('lets other scopes go ahead however many events of other tenants lie between, each once', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    receiver.behave((one, response) => answer(one.event.data.scope_id === 'bad' ? 503 : 204)(one, response))
    await register('bad')
    await expect.poll(() => read(webhook_id)).toMatchObject({ failed_attempts: 1 })
    await inDatabase(
      `insert into events (tenant_id, scope_no, seq, type, data) select $1, 1, n, 'document.registered', '{}' from generate_series(1, 11000) n`,
      [`beside ${webhook_id}`],
    )
    await register('good')
    await allSeen()
    await hurry(webhook_id, 12)
    await receiver.until(all => sequences(all, 'good').length === 1)
    await expect.poll(() => read(webhook_id)).toMatchObject({ failed_attempts: 13 })
    await waits(webhook_id)
    await register('good')
    await allSeen()
    await inDatabase('update webhooks set due_at = now() where webhook_id = $1', [webhook_id])
    await receiver.until(all => sequences(all, 'good').length === 2)
    await waits(webhook_id)
    receiver.behave(accept)
    await hurry(webhook_id)
    await settled(webhook_id)
    expect(sequences(receiver.received, 'good')).toEqual([0, 1])
  })

  it('is tried again soon after another scope failed too, while the first keeps its wait', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    receiver.behave(answer(503))
    await register('bad')
    await expect.poll(() => read(webhook_id)).toMatchObject({ failed_attempts: 1 })
    await inDatabase("update webhooks set attempts = 12, due_at = now() + interval '1 hour' where webhook_id = $1", [webhook_id])
    await register('other')
    await allSeen()
    await inDatabase('update webhooks set due_at = now() where webhook_id = $1', [webhook_id])
    await receiver.until(all => sequences(all, 'other').length === 1)
    const wait = "select owner, due_at > now() as later, due_at < now() + interval '61 seconds' as soon from webhooks where webhook_id = $1"
    await expect
      .poll(async () => (await inDatabase(wait, [webhook_id])).rows[0], { interval: 20 })
      .toEqual({ owner: null, later: true, soon: true })
    expect(sequences(receiver.received, 'bad')).toEqual([0])
  })

  it('is tried again when a test is asked for', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    receiver.behave(answer(503))
    await register('case')
    await expect.poll(() => read(webhook_id)).toMatchObject({ failed_attempts: 1 })
    // Long enough ago for the first wait, not for the one after many attempts.
    await inDatabase("update webhook_deliveries set attempted_at = now() - interval '1 minute' where webhook_id = $1", [webhook_id])
    await inDatabase("update webhooks set attempts = 12, due_at = now() + interval '1 hour' where webhook_id = $1", [webhook_id])
    receiver.behave(accept)
    await call('POST', `/api/webhooks/${webhook_id}/test`)
    await settled(webhook_id)
    expect(sequences(receiver.received, 'case')).toEqual([0, 0])
  })

  it('does not follow redirects, and keeps nothing of what is answered', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    receiver.behave((_one, response) => response.writeHead(307, { location: '/elsewhere' }).end('the answer'))
    await register('case')
    await expect.poll(async () => (await deliveries(webhook_id))[0]).toMatchObject({ response_status: 307, reason: 'redirect' })
    expect(receiver.received.map(one => one.path)).toEqual(['/'])
    const { rows } = await inDatabase('select d::text as row from webhook_deliveries d where webhook_id = $1', [webhook_id])
    expect(JSON.stringify(rows)).not.toContain('the answer')
  })

  it('that never answers or is not there delays nobody else', async () => {
    const slow = await make({ url: `${receiver.url}/slow`, events: ['document.registered'] })
    const dead = await make({ url: 'http://127.0.0.1:1/', events: ['document.registered'] })
    await make({ url: `${receiver.url}/fine`, events: ['document.registered'] })
    receiver.behave((one, response) => (one.path === '/slow' ? undefined : accept(one, response)))
    await register('case')
    await receiver.until(all => all.some(one => one.path === '/fine'))
    await expect.poll(async () => (await deliveries(dead.webhook_id))[0]).toMatchObject({ response_status: null, reason: 'connection' })
    // The time of the one that never answers is not over.
    expect(await deliveries(slow.webhook_id)).toEqual([])
  })

  it('is given up after three days: disabled, with an event that says so, and goes on where it stopped', async () => {
    const { webhook_id } = await make({ url: `${receiver.url}/bad`, events: ['document.registered'] })
    await make({ url: `${receiver.url}/watch`, events: ['webhook.*'] })
    receiver.behave((one, response) => answer(one.path === '/bad' ? 500 : 204)(one, response))
    await register('case', 2)
    await expect.poll(() => read(webhook_id)).toMatchObject({ failed_attempts: 1 })
    await inDatabase("update webhooks set failing_since = now() - interval '71 hours', due_at = now() where webhook_id = $1", [webhook_id])
    await expect.poll(() => read(webhook_id)).toMatchObject({ failed_attempts: 2, enabled: true })
    await inDatabase("update webhooks set failing_since = now() - interval '73 hours', due_at = now() where webhook_id = $1", [webhook_id])
    const [told] = (await receiver.until(all => all.some(one => one.path === '/watch'))).filter(one => one.path === '/watch')
    expect(told?.event).toMatchObject({
      type: 'webhook.disabled',
      subject: webhook_id,
      data: { webhook_id, reason: 'failing', attempts: 3 },
    })
    expect(await read(webhook_id)).toMatchObject({ enabled: false, disabled_reason: 'failing', next_attempt_at: null })
    expect((await deliveries(webhook_id))[0]).toMatchObject({ status: 'failed', attempts: 3 })
    receiver.behave(accept)
    expect((await call('PATCH', `/api/webhooks/${webhook_id}`, { enabled: true })).body).toMatchObject({
      enabled: true,
      disabled_reason: null,
    })
    const again = await receiver.until(all => all.filter(one => one.path === '/bad').length === 5)
    expect(sequences(again, 'case')).toEqual([0, 0, 0, 0, 1])
  })

  it('is given up at once when it says that it is gone', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    receiver.behave(answer(410))
    await register('case')
    await expect.poll(() => read(webhook_id)).toMatchObject({ enabled: false, disabled_reason: 'gone' })
  })
})

describe('events that retention removed before they were delivered', () => {
  it('are told as a gap, and what is left follows', async () => {
    const { webhook_id, secret } = await make({ events: ['document.registered'] })
    receiver.behave(answer(500))
    await register('case', 3)
    await expect.poll(() => read(webhook_id)).toMatchObject({ failed_attempts: 1 })
    await inDatabase(
      `delete from events e using scopes s where s.tenant_id = e.tenant_id and s.scope_no = e.scope_no and e.tenant_id = $1 and e.seq < 2`,
      [tenant.tenant_id],
    )
    await inDatabase(
      `update event_horizon set (xid, id) = (select xid, id - 1 from events where tenant_id = $1 and type = 'document.registered' limit 1)`,
      [tenant.tenant_id],
    )
    receiver.behave(accept)
    await hurry(webhook_id)
    const [gap, rest] = (await receiver.until(all => all.length === 3)).slice(1) as [Received, Received]
    verify(secret, gap)
    expect(gap.event).toMatchObject({ id: gap.id, type: 'stream.gap', data: { webhook_id, oldest: rest.event.time } })
    expect(rest.event).toMatchObject({ type: 'document.registered', sequence: '2' })
    await settled(webhook_id)
    await inDatabase("update event_horizon set xid = '0', id = 0")
  })

  it('are told once, and what a legal hold left between them is delivered, also when it fails at first', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    receiver.behave(answer(500))
    await register('held', 2)
    await register('case')
    await register('later')
    await waits(webhook_id)
    await inDatabase(
      `with gone as (delete from events e using scopes s where s.scope_no = e.scope_no and s.scope_id = 'case' and e.tenant_id = $1 returning e.xid, e.id)
       update event_horizon set (xid, id) = (select xid, id from gone)`,
      [tenant.tenant_id],
    )
    const before = (await receiver.until(() => true)).length
    const since = (all: readonly Received[]) => all.slice(before)
    const isGap = ({ event }: Received) => event.type === 'stream.gap'
    receiver.behave((one, response) => answer(isGap(one) ? 204 : 500)(one, response))
    await hurry(webhook_id)
    await receiver.until(all => since(all).some(one => sequences([one], 'held').includes(0)))
    await waits(webhook_id)
    const failed = (await receiver.until(() => true)).length
    receiver.behave(accept)
    await hurry(webhook_id)
    await settled(webhook_id)
    const all = await receiver.until(() => true)
    expect(sequences(all.slice(failed), 'held')).toEqual([0, 1])
    expect(sequences(since(all), 'later')).toContain(0)
    expect(all.filter(isGap)).toHaveLength(1)
    await inDatabase("update event_horizon set xid = '0', id = 0")
  })
})

describe('secrets', () => {
  it('are two while one replaces the other, and shown once', async () => {
    const { webhook_id, secret } = await make({ events: ['document.registered'] })
    const rotated = (await call('POST', `/api/webhooks/${webhook_id}/secret`, { keep_hours: 1 })).body
    expect(rotated).toMatchObject({ webhook_id, previous_secret_until: expect.any(String) })
    await register('case')
    const [both] = (await receiver.until(all => all.length === 1)) as [Received]
    expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2)
    verify(secret, both)
    verify(rotated.secret, both)
    await inDatabase('update webhook_secrets set expires_at = now() where webhook_id = $1 and expires_at is not null', [webhook_id])
    await register('case')
    const [, one] = (await receiver.until(all => all.length === 2)) as [Received, Received]
    verify(rotated.secret, one)
    expect(() => verify(secret, one)).toThrow()
    for (const path of ['/api/webhooks', `/api/webhooks/${webhook_id}`]) expect((await call('GET', path)).text).not.toContain('whsec_')
    const last = (await call('POST', `/api/webhooks/${webhook_id}/secret`, { keep_hours: 0 })).body
    expect(last.previous_secret_until).toBeNull()
    const kept = await inDatabase('select count(*)::integer as n from webhook_secrets where webhook_id = $1', [webhook_id])
    expect(kept.rows).toEqual([{ n: 1 }])
    await expect(
      service.database.db.inTenant(tenant.tenant_id, tx => tx.query({ text: 'select secret from webhook_secrets' })),
    ).rejects.toMatchObject({ code: '42501' })
  })
})

describe('what is asked for', () => {
  it('a test is one message, also to a webhook that is switched off', async () => {
    const { webhook_id, secret } = await make({})
    await call('PATCH', `/api/webhooks/${webhook_id}`, { enabled: false })
    const asked = await call('POST', `/api/webhooks/${webhook_id}/test`)
    expect(asked).toMatchObject({ status: 202, body: { kind: 'test', status: 'pending', type: 'webhook.test', attempts: 0 } })
    const [test] = (await receiver.until(all => all.length === 1)) as [Received]
    verify(secret, test)
    expect(test.event).toMatchObject({ id: asked.body.event_id, type: 'webhook.test', data: { webhook_id } })
    await expect
      .poll(() => deliveries(webhook_id))
      .toMatchObject([{ delivery_id: asked.body.delivery_id, status: 'delivered', attempts: 1 }])
    await settled(webhook_id)
  })

  it('a redelivery sends the event again under its id', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    await register('case', 2)
    await receiver.until(all => all.length === 2)
    await settled(webhook_id)
    // As an earlier version named it.
    await inDatabase("update webhook_deliveries set event_id = 'evt_before' where webhook_id = $1 and seq = 0", [webhook_id])
    const old = (await deliveries(webhook_id)).at(-1)
    const again = await call('POST', `/api/webhooks/${webhook_id}/deliveries/${old.delivery_id}/redelivery`)
    expect(again).toMatchObject({ status: 202, body: { kind: 'redelivery', event_id: 'evt_before' } })
    const seen = await receiver.until(all => all.length === 3)
    expect(seen[2]).toMatchObject({ id: 'evt_before', event: { ...seen[0]?.event, id: 'evt_before' } })
    await settled(webhook_id)
    const test = (await call('POST', `/api/webhooks/${webhook_id}/test`)).body
    expect(await call('POST', `/api/webhooks/${webhook_id}/deliveries/${test.delivery_id}/redelivery`)).toMatchObject({ status: 409 })
    expect(await call('POST', `/api/webhooks/${webhook_id}/deliveries/dlv_x/redelivery`)).toMatchObject({
      status: 404,
      body: { code: 'DELIVERY_NOT_FOUND' },
    })
  })
})

describe('a tenant that is paused', () => {
  it('is sent nothing until it runs again', async () => {
    await make({ url: `${receiver.url}/paused`, events: ['document.registered'] })
    await service.admin('POST', '/admin/runtime/pause', {}, tenant.api_key)
    await register('case')
    const other = await service.createTenant()
    const otherCall = (path: string, body: object) => service.call('POST', path, { headers: { 'x-tenant-api-key': other.api_key }, body })
    await otherCall('/api/webhooks', { url: `${receiver.url}/other`, events: ['document.registered'] })
    await otherCall('/api/documents', { scope_id: 'case', name: 'n', type: 'txt' })
    const seen = await receiver.until(all => all.length > 0)
    expect(seen.map(one => one.path)).toEqual(['/other'])
    await service.admin('POST', '/admin/runtime/resume', {}, tenant.api_key)
    await receiver.until(all => all.some(one => one.path === '/paused'))
  })
})
