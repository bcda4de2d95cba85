/** Making, changing and removing webhooks: who may, about what, how many, and what the command line shows of it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeDeletedTenants } from '../../src/store/scopes/reset-removal.js'
import { removeOldDeliveries } from '../../src/store/webhooks/webhook-deliveries.js'
import { createWebhooks } from '../../src/webhooks/endpoints.js'
import { runConcord } from '../cli/run-concord.js'
import { startTestService, type TestService } from '../support/service.js'
import { watchStatements } from '../support/watched-statements.js'
import { type Receiver, startReceiver, verify } from './receiver.js'

let service: TestService
let tenant: { tenant_id: string; api_key: string }
let receiver: Receiver

beforeAll(async () => {
  service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOKS_PER_TENANT: '4' })
  tenant = await service.createTenant()
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await service.stop()
})

const callAs = (key: string, method: string, path: string, body?: unknown) =>
  service.call(method, path, { headers: { 'x-tenant-api-key': key }, ...(body === undefined ? {} : { body }) })
const call = (method: string, path: string, body?: unknown) => callAs(tenant.api_key, method, path, body)
const wanted = (more: object = {}) => ({ url: receiver.url, events: ['document.registered'], ...more })
const keyWith = async (limits: object) =>
  (await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, limits)).body.api_key as string
const clear = async () => {
  for (const item of (await call('GET', '/api/webhooks')).body.items) await call('DELETE', `/api/webhooks/${item.webhook_id}`)
}

describe('webhooks of a tenant', () => {
  it('are made, listed page by page, changed and deleted', async () => {
    const made = [
      await call('POST', '/api/webhooks', wanted({ description: 'first' })),
      await call('POST', '/api/webhooks', wanted({ scope_id: 'case' })),
    ]
    expect(made.map(answer => answer.status)).toEqual([201, 201])
    expect(made[0]?.body).toMatchObject({
      description: 'first',
      scope_id: null,
      scopes: null,
      enabled: true,
      secret: expect.stringMatching(/^whsec_/),
    })
    expect(made[1]?.body).toMatchObject({ scope_id: 'case', scopes: ['case'] })
    const page = (await call('GET', '/api/webhooks?limit=1')).body
    const next = (await call('GET', `/api/webhooks?limit=1&cursor=${page.next}`)).body
    expect([...page.items, ...next.items].map(item => item.webhook_id).sort()).toEqual(made.map(answer => answer.body.webhook_id).sort())
    const path = `/api/webhooks/${made[0]?.body.webhook_id}`
    const changed = await call('PATCH', path, { events: ['finality.*'], scope_id: 'other', description: null, enabled: false })
    expect(changed.body).toMatchObject({
      events: ['finality.*'],
      scopes: ['other'],
      description: null,
      enabled: false,
      disabled_reason: 'asked',
    })
    expect((await call('PATCH', path, { scope_id: null, enabled: true })).body).toMatchObject({
      scopes: null,
      enabled: true,
      events: ['finality.*'],
    })
    expect((await call('DELETE', path)).status).toBe(200)
    for (const [method, gone] of [
      ['GET', path],
      ['DELETE', path],
      ['POST', `${path}/test`],
      ['GET', `${path}/deliveries`],
    ] as const) {
      expect(await call(method, gone)).toMatchObject({ status: 404, body: { code: 'WEBHOOK_NOT_FOUND' } })
    }
    await clear()
    const left = await service.database.owner.query('select (select count(*) from webhooks) + (select count(*) from webhook_secrets) as n')
    expect(left.rows).toEqual([{ n: 0 }])
  })

  it('are refused for kinds nobody has, kinds of the service, and addresses that are none', async () => {
    for (const events of [[], ['nothing.happened'], ['worker.spawned'], ['document'], ['document.*', 'document.*']]) {
      expect(await call('POST', '/api/webhooks', wanted({ events }))).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    }
    expect(await call('POST', '/api/webhooks', wanted({ url: 'ftp://example.com' }))).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/url' }] },
    })
  })

  it('are no more than so many', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => call('POST', '/api/webhooks', wanted())))
    expect(made.map(answer => answer.status).sort()).toEqual([201, 201, 201, 201, 403, 403])
    expect(made.find(answer => answer.status === 403)?.body).toMatchObject({ code: 'QUOTA_EXCEEDED' })
    await clear()
  })

  it('keep the newest deliveries, listed page by page', async () => {
    const made = await Promise.all(Array.from({ length: 3 }, () => call('POST', '/api/webhooks', wanted())))
    const ids = made.map(answer => answer.body.webhook_id as string).sort()
    await service.database.owner.query(
      `insert into webhook_deliveries (tenant_id, webhook_id, delivery_id, kind, event_id, type, status)
       select $1, w, 'dlv_' || n, 'event', 'evt_' || n, 'document.queued', 'delivered' from generate_series(1, 20) n, unnest($2::text[]) w`,
      [tenant.tenant_id, ids],
    )
    // One endpoint a run, at most ten rows: the second run of each finds fewer.
    const places: (string | undefined)[] = []
    let after: Awaited<ReturnType<typeof removeOldDeliveries>> = null
    do {
      after = await removeOldDeliveries(service.database.db, { keep: 5, limit: 10, endpoints: 1, after })
      places.push(after?.webhookId)
    } while (after !== null && places.length < 10)
    expect(places).toEqual(['', ids[0], ids[0], ids[1], ids[1], ids[2], undefined])
    const left = await service.database.owner.query(
      'select webhook_id, count(*)::integer as n from webhook_deliveries where webhook_id = any ($1) group by 1 order by 1',
      [ids],
    )
    expect(left.rows).toEqual(ids.map(webhook_id => ({ webhook_id, n: 5 })))
    const webhook_id = ids[2]
    const seen: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const { body } = await call('GET', `/api/webhooks/${webhook_id}/deliveries?limit=2${next === '' ? '' : `&cursor=${next}`}`)
      seen.push(...body.items.map((item: { event_id: string }) => item.event_id))
      next = body.next
    }
    expect(seen).toEqual(['evt_20', 'evt_19', 'evt_18', 'evt_17', 'evt_16'])
    await clear()
  })

  it('are locked before a message that was asked for is written', async () => {
    const { webhook_id } = (await call('POST', '/api/webhooks', wanted())).body
    const statements: string[] = []
    const recording = watchStatements(service.database.db, ({ text }) => statements.push(text.split(' ', 1)[0] as string))
    const webhooks = createWebhooks({
      db: recording,
      hints: { notify: () => undefined },
      config: { webhookAllowPrivate: true, webhooksPerTenant: 4 },
    })
    await webhooks.test({ tenantId: tenant.tenant_id, webhookId: webhook_id, within: null })
    expect(statements).toEqual(['select', 'update', 'insert'])
    await clear()
  })

  it('leave with their tenant', async () => {
    const leaving = await service.createTenant()
    await callAs(leaving.api_key, 'POST', '/api/webhooks', wanted())
    await service.admin('DELETE', `/admin/tenants/${leaving.tenant_id}`)
    const rows = async () =>
      (await service.database.owner.query('select count(*)::integer as n from webhooks where tenant_id = $1', [leaving.tenant_id])).rows[0]
        .n
    for (let tries = 0; tries < 10 && (await rows()) > 0; tries++)
      await removeDeletedTenants(service.database.db, { batchRows: 1000, batches: 20 })
    expect(await rows()).toBe(0)
  })
})

describe('keys', () => {
  it('need the right to manage, also to look', async () => {
    const { webhook_id } = (await call('POST', '/api/webhooks', wanted())).body
    const reader = await keyWith({ rights: ['read', 'ingest', 'decide', 'erase'] })
    const manager = await keyWith({ rights: ['manage'] })
    for (const [method, path, body] of [
      ['POST', '/api/webhooks', wanted()],
      ['GET', '/api/webhooks'],
      ['GET', `/api/webhooks/${webhook_id}/deliveries`],
      ['POST', `/api/webhooks/${webhook_id}/secret`, {}],
    ] as const) {
      expect(await callAs(reader, method, path, body)).toMatchObject({ status: 403, body: { code: 'RIGHTS_INSUFFICIENT' } })
      expect((await callAs(manager, method, path, body)).status).toBeLessThan(300)
    }
    await clear()
  })

  it('that reach some scopes make, see and are told of these alone', async () => {
    const everything = (await call('POST', '/api/webhooks', wanted())).body
    const here = await keyWith({ scopes: ['here', 'near'] })
    expect((await callAs(here, 'POST', '/api/webhooks', wanted({ scope_id: 'there' }))).status).toBe(403)
    const own = (await callAs(here, 'POST', '/api/webhooks', wanted({ url: `${receiver.url}/own`, events: ['*'] }))).body
    expect(own).toMatchObject({ scope_id: null, scopes: ['here', 'near'] })
    expect((await callAs(here, 'GET', '/api/webhooks')).body.items.map((item: { webhook_id: string }) => item.webhook_id)).toEqual([
      own.webhook_id,
    ])
    expect(await callAs(here, 'GET', `/api/webhooks/${everything.webhook_id}`)).toMatchObject({ status: 404 })
    expect(await callAs(here, 'DELETE', `/api/webhooks/${everything.webhook_id}`)).toMatchObject({ status: 404 })
    expect((await callAs(here, 'PATCH', `/api/webhooks/${own.webhook_id}`, { scope_id: 'there' })).status).toBe(403)
    for (const scope of ['there', 'near', 'there', 'here'])
      await call('POST', '/api/documents', { scope_id: scope, name: 'n', type: 'txt' })
    const told = await receiver.until(all => all.filter(one => one.path === '/own').length === 4)
    const scopes = told.filter(one => one.path === '/own').map(one => one.event.data.scope_id)
    expect(scopes.sort()).toEqual(['here', 'here', 'near', 'near'])
    await clear()
  })
})

describe('a webhook that is narrowed to fewer scopes', () => {
  it('shows and sends again no delivery of the others', async () => {
    const url = `${receiver.url}/narrowed`
    const { webhook_id } = (await call('POST', '/api/webhooks', wanted({ url }))).body
    for (const scope_id of ['kept', 'secret']) await call('POST', '/api/documents', { scope_id, name: 'n', type: 'txt' })
    const deliveries = async (key = tenant.api_key) => {
      const { body } = await callAs(key, 'GET', `/api/webhooks/${webhook_id}/deliveries`)
      return body.items as { delivery_id: string; scope_id: string | null; kind: string; status: string }[]
    }
    await expect.poll(async () => (await deliveries()).filter(({ status }) => status === 'delivered').length).toBe(2)
    const secret = (await deliveries()).find(({ scope_id }) => scope_id === 'secret')!
    await call('PATCH', `/api/webhooks/${webhook_id}`, { scope_id: 'kept', enabled: false })
    // Asked for before, and sent by no node since.
    await service.database.owner.query(
      `insert into webhook_deliveries (tenant_id, webhook_id, delivery_id, kind, event_id, type, scope_id, scope_no, seq, status)
       select tenant_id, webhook_id, 'dlv_asked', 'redelivery', event_id, type, scope_id, scope_no, seq, 'pending' from webhook_deliveries
       where webhook_id = $1 and delivery_id = $2`,
      [webhook_id, secret.delivery_id],
    )

    const key = await keyWith({ rights: ['manage'], scopes: ['kept'] })
    expect((await deliveries(key)).map(({ scope_id }) => scope_id)).toEqual(['kept'])
    const again = (deliveryId: string) => callAs(key, 'POST', `/api/webhooks/${webhook_id}/deliveries/${deliveryId}/redelivery`)
    for (const deliveryId of [secret.delivery_id, 'dlv_asked']) {
      expect(await again(deliveryId)).toMatchObject({ status: 404, body: { code: 'DELIVERY_NOT_FOUND' } })
    }
    const path = `/api/webhooks/${webhook_id}`
    expect((await callAs(key, 'PATCH', path, { url: `${url}/own`, enabled: true })).status).toBe(200)
    expect((await callAs(key, 'POST', `${path}/test`)).status).toBeLessThan(300)
    expect((await again((await deliveries(key)).at(-1)!.delivery_id)).status).toBeLessThan(300)
    const own = await receiver.until(all => all.filter(one => one.path === '/narrowed/own').length === 2)
    expect(own.filter(one => one.path === '/narrowed/own').map(one => one.event.data.scope_id)).toEqual([undefined, 'kept'])
    await expect
      .poll(async () => (await deliveries(key)).map(({ kind, status }) => `${kind} ${status}`))
      .toEqual(['redelivery delivered', 'test delivered', 'event delivered'])
    const { rows } = await service.database.owner.query("select status from webhook_deliveries where delivery_id = 'dlv_asked'")
    expect(rows).toEqual([{ status: 'failed' }])
    await clear()
  })
})

describe('concord webhooks', () => {
  it('makes, tests, lists, changes, rotates and deletes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'concord-webhooks-'))
    const { api_key: key } = await service.createTenant()
    const env = { XDG_CONFIG_HOME: folder, DATA_DIR: folder, CONCORD_URL: service.url, CONCORD_TENANT_KEY: key }
    const concord = (...args: string[]) => runConcord(env, 'webhooks', ...args)
    try {
      expect((await concord()).out).toContain('There are none')
      const made = (await concord('create', `${receiver.url}/cli`, '--events', 'document.*, finality.changed', '-s', 'case', '--json')).json
      expect(made).toMatchObject({ events: ['document.*', 'finality.changed'], scope_id: 'case' })
      const test = await concord('test', made.webhook_id)
      expect(test).toMatchObject({ code: 0, out: expect.stringMatching(/is delivered: 204 after \d+ ms/) })
      const received = receiver.received.findLast(one => one.path === '/cli')
      verify(made.secret, received as NonNullable<typeof received>)
      expect((await concord('deliveries', made.webhook_id)).out).toMatch(/webhook\.test .*delivered +1 +204/)
      expect((await concord('rotate', made.webhook_id, '--keep-hours', '2')).out).toMatch(/secret {2}whsec_[\s\S]*signs until/)
      expect((await concord('change', made.webhook_id, '--address', 'http://127.0.0.1:1/', '--scope', 'all', '--json')).json).toMatchObject(
        {
          scope_id: null,
        },
      )
      expect(await concord('test', made.webhook_id)).toMatchObject({
        code: 1,
        out: expect.stringContaining('is failed: no connection after'),
      })
      const failed = (await concord('deliveries', made.webhook_id, '--status', 'failed', '--json')).json
      expect(await concord('redeliver', made.webhook_id, failed[0].delivery_id)).toMatchObject({
        code: 1,
        err: expect.stringContaining('STATE_CONFLICT'),
      })
      // Where private addresses are not allowed, as they are here.
      await service.database.owner.query(`update webhook_deliveries set reason = 'address' where delivery_id = $1`, [failed[0].delivery_id])
      expect((await concord('deliveries', made.webhook_id)).out).toContain(
        'or to one that is not public; the operator allows those with WEBHOOK_ALLOW_PRIVATE=true',
      )
      expect((await concord('change', made.webhook_id, '--disable')).out).toContain('is disabled')
      expect((await concord('list')).out).toMatch(/disabled/)
      expect((await concord('change', made.webhook_id)).code).toBe(2)
      expect((await concord('delete', made.webhook_id, '--yes')).code).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
