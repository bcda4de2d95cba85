/** A receiver of webhooks that fails, through the whole service: when it is tried again, who goes ahead meanwhile, and when it is given up. */

import { describe, expect, it } from 'vitest'
import { accept, answer } from './receiver.js'
import { sequences, startWebhooks } from './started-webhooks.js'

const at = startWebhooks()
const { call, make, register, read, deliveries, inDatabase, hurry, settled, waits, allSeen, together } = at

describe('a receiver that fails', () => {
  it('is tried again later with the same id, and gets everything in order when it is back', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    at.receiver.behave(answer(500))
    await register('case', 3)
    const [first] = await at.receiver.until(all => all.length === 1)
    await expect
      .poll(() => read(webhook_id))
      .toMatchObject({ failed_attempts: 1, failing_since: expect.any(String), next_attempt_at: expect.any(String) })
    expect((await deliveries(webhook_id))[0]).toMatchObject({ status: 'pending', response_status: 500, reason: 'status', attempts: 1 })
    at.receiver.behave(accept)
    await hurry(webhook_id)
    const seen = await at.receiver.until(all => all.length === 4)
    expect(seen[1]?.id).toBe(first?.id)
    expect(sequences(seen, 'case')).toEqual([0, 0, 1, 2])
    await settled(webhook_id)
    expect(await read(webhook_id)).toMatchObject({ failed_attempts: 0, failing_since: null, next_attempt_at: null })
  })

  it('holds up neither the events of other scopes that arrive nor gets them twice', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    at.receiver.behave((one, response) => answer(one.event.data.scope_id === 'bad' ? 503 : 204)(one, response))
    await together(async () => {
      await register('bad')
      await register('good')
    })
    await at.receiver.until(all => sequences(all, 'good').length === 1 && sequences(all, 'bad').length === 1)
    await expect.poll(() => read(webhook_id)).toMatchObject({ failed_attempts: 1 })
    at.receiver.behave(accept)
    await hurry(webhook_id)
    await at.receiver.until(all => sequences(all, 'bad').length === 2)
    await settled(webhook_id)
    expect(sequences(at.receiver.received, 'good')).toEqual([0])
  })

  it('waits with what follows in its scope, and lets pages of other scopes go ahead, each once and in order', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    at.receiver.behave((one, response) => answer(one.event.data.scope_id === 'bad' ? 503 : 204)(one, response))
    const scopes = ['good-1', 'good-2', 'good-3']
    await together(async () => {
      await register('bad', 2)
      for (const scope of scopes) await register(scope, 30)
    })
    await at.receiver.until(all => scopes.every(scope => sequences(all, scope).length === 30))
    await expect.poll(() => read(webhook_id)).toMatchObject({ failing_since: expect.any(String) })
    expect([...new Set(sequences(at.receiver.received, 'bad'))]).toEqual([0])
    at.receiver.behave(accept)
    await hurry(webhook_id)
    await at.receiver.until(all => sequences(all, 'bad').includes(1))
    await settled(webhook_id)
    for (const scope of scopes) expect(sequences(at.receiver.received, scope)).toEqual(Array.from({ length: 30 }, (_, n) => n))
  })

  it('lets later pages of other scopes go ahead however slowly it fails', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    // Longer than a turn begins requests.
    at.receiver.behave((one, response) =>
      one.event.data.scope_id === 'bad' ? setTimeout(() => answer(503)(one, response), 1000) : accept(one, response),
    )
    await together(async () => {
      await register('bad')
      for (let n = 0; n < 3; n++) await register('good', 40)
    })
    await at.receiver.until(all => sequences(all, 'good').length === 120)
    expect(await read(webhook_id)).toMatchObject({ failing_since: expect.any(String) })
    expect(sequences(at.receiver.received, 'good')).toEqual(Array.from({ length: 120 }, (_, n) => n))
  })

  it('is looked at every minute while one scope alone fails, which keeps its own wait', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    at.receiver.behave((one, response) => answer(one.event.data.scope_id === 'bad' ? 503 : 204)(one, response))
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
    const tried = sequences(at.receiver.received, 'bad').length
    await register('good')
    await allSeen()
    await inDatabase('update webhooks set due_at = now() where webhook_id = $1', [webhook_id])
    await at.receiver.until(all => sequences(all, 'good').length === 1)
    await expect.poll(state).toEqual(waiting)
    expect(sequences(at.receiver.received, 'bad')).toHaveLength(tried)
  })

  it('lets other scopes go ahead however many events of other tenants lie between, each once', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    at.receiver.behave((one, response) => answer(one.event.data.scope_id === 'bad' ? 503 : 204)(one, response))
    await register('bad')
    await expect.poll(() => read(webhook_id)).toMatchObject({ failed_attempts: 1 })
    await inDatabase(
      `insert into events (tenant_id, scope_no, seq, type, data) select $1, 1, n, 'document.registered', '{}' from generate_series(1, 11000) n`,
      [`beside ${webhook_id}`],
    )
    await register('good')
    await allSeen()
    await hurry(webhook_id, 12)
    await at.receiver.until(all => sequences(all, 'good').length === 1)
    await expect.poll(() => read(webhook_id)).toMatchObject({ failed_attempts: 13 })
    await waits(webhook_id)
    await register('good')
    await allSeen()
    await inDatabase('update webhooks set due_at = now() where webhook_id = $1', [webhook_id])
    await at.receiver.until(all => sequences(all, 'good').length === 2)
    await waits(webhook_id)
    at.receiver.behave(accept)
    await hurry(webhook_id)
    await settled(webhook_id)
    expect(sequences(at.receiver.received, 'good')).toEqual([0, 1])
  })

  it('is tried again soon after another scope failed too, while the first keeps its wait', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    at.receiver.behave(answer(503))
    await register('bad')
    await expect.poll(() => read(webhook_id)).toMatchObject({ failed_attempts: 1 })
    await inDatabase("update webhooks set attempts = 12, due_at = now() + interval '1 hour' where webhook_id = $1", [webhook_id])
    await register('other')
    await allSeen()
    await inDatabase('update webhooks set due_at = now() where webhook_id = $1', [webhook_id])
    await at.receiver.until(all => sequences(all, 'other').length === 1)
    const wait = "select owner, due_at > now() as later, due_at < now() + interval '61 seconds' as soon from webhooks where webhook_id = $1"
    await expect
      .poll(async () => (await inDatabase(wait, [webhook_id])).rows[0], { interval: 20 })
      .toEqual({ owner: null, later: true, soon: true })
    expect(sequences(at.receiver.received, 'bad')).toEqual([0])
  })

  it('is tried again when a test is asked for', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    at.receiver.behave(answer(503))
    await register('case')
    await expect.poll(() => read(webhook_id)).toMatchObject({ failed_attempts: 1 })
    // Long enough ago for the first wait, not for the one after many attempts.
    await inDatabase("update webhook_deliveries set attempted_at = now() - interval '1 minute' where webhook_id = $1", [webhook_id])
    await inDatabase("update webhooks set attempts = 12, due_at = now() + interval '1 hour' where webhook_id = $1", [webhook_id])
    at.receiver.behave(accept)
    await call('POST', `/api/webhooks/${webhook_id}/test`)
    await settled(webhook_id)
    expect(sequences(at.receiver.received, 'case')).toEqual([0, 0])
  })

  it('does not follow redirects, and keeps nothing of what is answered', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    at.receiver.behave((_one, response) => response.writeHead(307, { location: '/elsewhere' }).end('the answer'))
    await register('case')
    await expect.poll(async () => (await deliveries(webhook_id))[0]).toMatchObject({ response_status: 307, reason: 'redirect' })
    expect(at.receiver.received.map(one => one.path)).toEqual(['/'])
    const { rows } = await inDatabase('select d::text as row from webhook_deliveries d where webhook_id = $1', [webhook_id])
    expect(JSON.stringify(rows)).not.toContain('the answer')
  })

  it('that never answers or is not there delays nobody else', async () => {
    const slow = await make({ url: `${at.receiver.url}/slow`, events: ['document.registered'] })
    const dead = await make({ url: 'http://127.0.0.1:1/', events: ['document.registered'] })
    await make({ url: `${at.receiver.url}/fine`, events: ['document.registered'] })
    at.receiver.behave((one, response) => (one.path === '/slow' ? undefined : accept(one, response)))
    await register('case')
    await at.receiver.until(all => all.some(one => one.path === '/fine'))
    await expect.poll(async () => (await deliveries(dead.webhook_id))[0]).toMatchObject({ response_status: null, reason: 'connection' })
    // The time of the one that never answers is not over.
    expect(await deliveries(slow.webhook_id)).toEqual([])
  })

  it('is given up after three days: disabled, with an event that says so, and goes on where it stopped', async () => {
    const { webhook_id } = await make({ url: `${at.receiver.url}/bad`, events: ['document.registered'] })
    await make({ url: `${at.receiver.url}/watch`, events: ['webhook.*'] })
    at.receiver.behave((one, response) => answer(one.path === '/bad' ? 500 : 204)(one, response))
    await register('case', 2)
    await expect.poll(() => read(webhook_id)).toMatchObject({ failed_attempts: 1 })
    await inDatabase("update webhooks set failing_since = now() - interval '71 hours', due_at = now() where webhook_id = $1", [webhook_id])
    await expect.poll(() => read(webhook_id)).toMatchObject({ failed_attempts: 2, enabled: true })
    await inDatabase("update webhooks set failing_since = now() - interval '73 hours', due_at = now() where webhook_id = $1", [webhook_id])
    const [told] = (await at.receiver.until(all => all.some(one => one.path === '/watch'))).filter(one => one.path === '/watch')
    expect(told?.event).toMatchObject({
      type: 'webhook.disabled',
      subject: webhook_id,
      data: { webhook_id, reason: 'failing', attempts: 3 },
    })
    expect(await read(webhook_id)).toMatchObject({ enabled: false, disabled_reason: 'failing', next_attempt_at: null })
    expect((await deliveries(webhook_id))[0]).toMatchObject({ status: 'failed', attempts: 3 })
    at.receiver.behave(accept)
    expect((await call('PATCH', `/api/webhooks/${webhook_id}`, { enabled: true })).body).toMatchObject({
      enabled: true,
      disabled_reason: null,
    })
    const again = await at.receiver.until(all => all.filter(one => one.path === '/bad').length === 5)
    expect(sequences(again, 'case')).toEqual([0, 0, 0, 0, 1])
  })

  it('is not said to be tried again with what its webhook asks for no longer', async () => {
    const { webhook_id } = await make({ events: ['document.*'] })
    at.receiver.behave(answer(503))
    await register('case')
    await expect.poll(async () => (await deliveries(webhook_id))[0]).toMatchObject({ status: 'pending', scope_id: 'case' })
    const change = (wanted: object) => call('PATCH', `/api/webhooks/${webhook_id}`, wanted)
    await change({ events: ['document.registered', 'finality.*'] })
    expect((await deliveries(webhook_id))[0]).toMatchObject({ status: 'pending' })
    await change({ events: ['finality.*'] })
    expect((await deliveries(webhook_id))[0]).toMatchObject({ status: 'failed', response_status: 503 })
  })

  it('is given up at once when it says that it is gone', async () => {
    const { webhook_id } = await make({ events: ['document.registered'] })
    at.receiver.behave(answer(410))
    await register('case')
    await expect.poll(() => read(webhook_id)).toMatchObject({ enabled: false, disabled_reason: 'gone' })
  })
})
