/** Webhooks through the whole service: what is delivered, how often, in which order, and what happens when it is not. */

import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { accept, answer, type Received, verify } from './receiver.js'
import { sequences, startWebhooks } from './started-webhooks.js'

const at = startWebhooks()
const { call, make, register, read, deliveries, inDatabase, hurry, settled, waits, allSeen } = at

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
    const [first] = await at.receiver.until(all => all.length === 1)
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
    expect(at.receiver.received).toHaveLength(1)
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
      at.tenant.tenant_id,
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
    const seen = await at.receiver.until(all => sequences(all, 'here').length === 2)
    expect(seen.map(one => [one.event.type, one.event.data.scope_id])).toEqual([
      ['scope.created', 'here'],
      ['document.registered', 'here'],
      ['document.registered', 'here'],
    ])
  })

  it('gets the events of each scope in their order, also when answers come late and out of order', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    const scopes = ['a', 'b', 'c', 'd', 'e']
    at.receiver.behave((one, response) => setTimeout(() => accept(one, response), (one.event.data.scope_id.charCodeAt(0) * 7) % 15))
    await Promise.all(scopes.map(scope => register(scope, 12)))
    const seen = await at.receiver.until(all => all.length >= 60)
    for (const scope of scopes) expect(sequences(seen, scope)).toEqual(Array.from({ length: 12 }, (_none, n) => n))
    await settled(webhook_id)
    expect(at.receiver.received).toHaveLength(60)
  })

  it('begins with what happens after it was made', async () => {
    await register('case', 3)
    await allSeen()
    const { webhook_id } = await make({ events: ['document.*'] })
    await settled(webhook_id)
    await register('case')
    expect(sequences(await at.receiver.until(all => all.length > 0), 'case')).toEqual([3])
  })
})

describe('events that retention removed before they were delivered', () => {
  it('are told as a gap, and what is left follows', async () => {
    const { webhook_id, secret } = await make({ events: ['document.registered'] })
    at.receiver.behave(answer(500))
    await register('case', 3)
    await expect.poll(() => read(webhook_id)).toMatchObject({ failed_attempts: 1 })
    await inDatabase(
      `delete from events e using scopes s where s.tenant_id = e.tenant_id and s.scope_no = e.scope_no and e.tenant_id = $1 and e.seq < 2`,
      [at.tenant.tenant_id],
    )
    await inDatabase(
      `update event_horizon set (xid, id) = (select xid, id - 1 from events where tenant_id = $1 and type = 'document.registered' limit 1)`,
      [at.tenant.tenant_id],
    )
    at.receiver.behave(accept)
    await hurry(webhook_id)
    const [gap, rest] = (await at.receiver.until(all => all.length === 3)).slice(1) as [Received, Received]
    verify(secret, gap)
    expect(gap.event).toMatchObject({ id: gap.id, type: 'stream.gap', data: { webhook_id, oldest: rest.event.time } })
    expect(rest.event).toMatchObject({ type: 'document.registered', sequence: '2' })
    await settled(webhook_id)
    await inDatabase("update event_horizon set xid = '0', id = 0")
  })

  it('are told once, and what a legal hold left between them is delivered, also when it fails at first', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    at.receiver.behave(answer(500))
    await register('held', 2)
    await register('case')
    await register('later')
    await waits(webhook_id)
    await inDatabase(
      `with gone as (delete from events e using scopes s where s.scope_no = e.scope_no and s.scope_id = 'case' and e.tenant_id = $1 returning e.xid, e.id)
       update event_horizon set (xid, id) = (select xid, id from gone)`,
      [at.tenant.tenant_id],
    )
    const before = (await at.receiver.until(() => true)).length
    const since = (all: readonly Received[]) => all.slice(before)
    const isGap = ({ event }: Received) => event.type === 'stream.gap'
    at.receiver.behave((one, response) => answer(isGap(one) ? 204 : 500)(one, response))
    await hurry(webhook_id)
    await at.receiver.until(all => since(all).some(one => sequences([one], 'held').includes(0)))
    await waits(webhook_id)
    const failed = (await at.receiver.until(() => true)).length
    at.receiver.behave(accept)
    await hurry(webhook_id)
    await settled(webhook_id)
    const all = await at.receiver.until(() => true)
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
    const [both] = (await at.receiver.until(all => all.length === 1)) as [Received]
    expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2)
    verify(secret, both)
    verify(rotated.secret, both)
    await inDatabase('update webhook_secrets set expires_at = now() where webhook_id = $1 and expires_at is not null', [webhook_id])
    await register('case')
    const [, one] = (await at.receiver.until(all => all.length === 2)) as [Received, Received]
    verify(rotated.secret, one)
    expect(() => verify(secret, one)).toThrow()
    for (const path of ['/api/webhooks', `/api/webhooks/${webhook_id}`]) expect((await call('GET', path)).text).not.toContain('whsec_')
    const last = (await call('POST', `/api/webhooks/${webhook_id}/secret`, { keep_hours: 0 })).body
    expect(last.previous_secret_until).toBeNull()
    const kept = await inDatabase('select count(*)::integer as n from webhook_secrets where webhook_id = $1', [webhook_id])
    expect(kept.rows).toEqual([{ n: 1 }])
    await expect(
      at.service.database.db.inTenant(at.tenant.tenant_id, tx => tx.query({ text: 'select secret from webhook_secrets' })),
    ).rejects.toMatchObject({ code: '42501' })
  })
})

describe('what is asked for', () => {
  it('a test is one message, also to a webhook that is switched off', async () => {
    const { webhook_id, secret } = await make({})
    await call('PATCH', `/api/webhooks/${webhook_id}`, { enabled: false })
    const asked = await call('POST', `/api/webhooks/${webhook_id}/test`)
    expect(asked).toMatchObject({ status: 202, body: { kind: 'test', status: 'pending', type: 'webhook.test', attempts: 0 } })
    const [test] = (await at.receiver.until(all => all.length === 1)) as [Received]
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
    await at.receiver.until(all => all.length === 2)
    await settled(webhook_id)
    // As an earlier version named it.
    await inDatabase("update webhook_deliveries set event_id = 'evt_before' where webhook_id = $1 and seq = 0", [webhook_id])
    const old = (await deliveries(webhook_id)).at(-1)
    const again = await call('POST', `/api/webhooks/${webhook_id}/deliveries/${old.delivery_id}/redelivery`)
    expect(again).toMatchObject({ status: 202, body: { kind: 'redelivery', event_id: 'evt_before' } })
    const seen = await at.receiver.until(all => all.length === 3)
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
    await make({ url: `${at.receiver.url}/paused`, events: ['document.registered'] })
    await at.service.admin('POST', '/admin/runtime/pause', {}, at.tenant.api_key)
    await register('case')
    const other = await at.service.createTenant()
    const otherCall = (path: string, body: object) =>
      at.service.call('POST', path, { headers: { 'x-tenant-api-key': other.api_key }, body })
    await otherCall('/api/webhooks', { url: `${at.receiver.url}/other`, events: ['document.registered'] })
    await otherCall('/api/documents', { scope_id: 'case', name: 'n', type: 'txt' })
    const seen = await at.receiver.until(all => all.length > 0)
    expect(seen.map(one => one.path)).toEqual(['/other'])
    await at.service.admin('POST', '/admin/runtime/resume', {}, at.tenant.api_key)
    await at.receiver.until(all => all.some(one => one.path === '/paused'))
  })
})
