/** What `concord status` says when something is wrong: each trouble is caused, and goes when its cause does. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTroubles, type TroubleList } from '../../src/hatchery/troubles.js'
import { systemClock } from '../../src/platform/clock.js'
import { AppError } from '../../src/platform/errors.js'
import type { Database } from '../../src/store/server/database.js'
import { runConcord } from '../cli/run-concord.js'
import { startConcord } from '../support/concord-process.js'
import { startTestService, type TestService } from '../support/service.js'

/** Nothing listens there. */
const nowhere = 'http://127.0.0.1:9'
const settings = { MODEL_URL: nowhere, MODEL_NAME: 'none', WEBHOOK_ALLOW_PRIVATE: 'true', PUBLIC_AUTH: 'id' }
type Kind = TroubleList['items'][number]['kind']
let service: TestService
let tenant: { tenant_id: string; api_key: string }

beforeAll(async () => {
  service = await startTestService(settings)
  tenant = await service.createTenant('First')
  await service.createTenant('Second')
})
afterAll(() => service.stop())

const internals = async (path: string) =>
  (await service.call('GET', path, { headers: { authorization: `Bearer ${service.internalsKey}` } })).body
const trouble = async (kind: Kind) =>
  ((await internals('/internals/kernel/troubles')) as TroubleList).items.find(item => item.kind === kind)
const ingest = (scope: string, text: string) =>
  service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body: { scope_id: scope, name: 'Note', text } })
const timed = { since: expect.stringMatching(/^20\d\d-/), tenants: 1 }

describe('troubles', () => {
  it('are told to an internals key alone', async () => {
    const asked = await service.call('GET', '/internals/kernel/troubles', { headers: { authorization: `Bearer ${service.adminKey}` } })
    expect(asked.status).toBe(403)
  })

  it('documents that fail', async () => {
    expect(await trouble('documents_fail')).toBeUndefined()
    const form = new FormData()
    form.append('scope_id', 'unread')
    form.append('file', new Blob(['%PDF-1.7\nnothing of a PDF follows']), 'broken.pdf')
    await fetch(`${service.url}/api/files`, { method: 'POST', headers: { 'x-tenant-api-key': tenant.api_key }, body: form })
    await expect
      .poll(() => trouble('documents_fail'))
      .toMatchObject({ ...timed, tenant_ids: [tenant.tenant_id], what: expect.stringContaining('1 could not be read') })
    expect((await trouble('documents_fail'))?.next).toContain('`concord quarantine list`')
    const env = { CONCORD_URL: service.url, CONCORD_ADMIN_KEY: service.adminKey, CONCORD_TENANT_KEY: tenant.api_key }
    const whole = await runConcord(env, 'quarantine', 'list')
    expect(whole.out).toMatch(new RegExp(`^tenant +case .*\\n${tenant.tenant_id} +unread `))
    expect((await runConcord(env, 'quarantine', 'list', '--scope', 'unread')).out).toMatch(/^case .*\nunread /)
  })

  it('a model that does not answer', async () => {
    for (let number = 0; number < 6; number++)
      await ingest(`asked-${number}`, `The rent of unit ${number} is EUR ${number + 4},000 a month.`)
    await expect
      .poll(() => trouble('model_down'))
      .toMatchObject({ ...timed, tenant_ids: [tenant.tenant_id], next: expect.stringContaining('`concord doctor`') })
  })

  it('a webhook that takes no messages, also once it was given up, until somebody enables or deletes it', async () => {
    const headers = { 'x-tenant-api-key': tenant.api_key }
    const made = await service.call('POST', '/api/webhooks', { headers, body: { url: `${nowhere}/hook`, events: ['document.indexed'] } })
    const webhook = `/api/webhooks/${made.body.webhook_id}`
    await ingest('told', 'The rent is EUR 4,000 a month.')
    const tried = { ...timed, tenant_ids: [tenant.tenant_id], what: 'A webhook does not take messages. One is tried again for three days.' }
    await expect.poll(() => trouble('webhooks_down')).toMatchObject(tried)
    expect((await trouble('webhooks_down'))?.next).toMatch(/`concord webhooks deliveries <webhook>`[^`]*$/)
    await service.database.owner.query(
      "update webhooks set failing_since = failing_since - interval '3 days', due_at = clock_timestamp() where failing_since is not null",
    )
    await expect
      .poll(() => trouble('webhooks_down'))
      .toMatchObject({
        ...timed,
        what: 'A webhook does not take messages. One was given up: nothing is sent until somebody enables it.',
        next: expect.stringContaining('`concord webhooks change <webhook> --enable`'),
      })
    // Its cause is still there.
    await service.call('PATCH', webhook, { headers, body: { enabled: true } })
    await expect.poll(() => trouble('webhooks_down')).toMatchObject(tried)
    await service.call('DELETE', webhook, { headers })
    expect(await trouble('webhooks_down')).toBeUndefined()
  })

  it('a node that is gone, with the tenants whose cases it held', async () => {
    const { owner, address } = service.database
    const node = async () => (await owner.query("select node_id, heartbeat_at, snapshot from nodes where role = 'worker'")).rows[0]
    const worker = await startConcord({ address, role: 'worker' })
    await expect.poll(async () => (await node())?.snapshot.workers?.length).toBeGreaterThan(0)
    // A machine that stood still for a while heard of nobody.
    await expect.poll(() => trouble('node_gone')).toBeUndefined()
    await worker.end('SIGKILL')
    // It had a case of the first tenant in hand, and was heard of half a minute ago.
    const { snapshot, node_id } = await node()
    const held = "update scope_leases set owner = $1, leased_until = clock_timestamp() + interval '1 hour' where tenant_id = $2"
    await owner.query(held, [snapshot.workers[0].worker_id, tenant.tenant_id])
    await owner.query("update nodes set heartbeat_at = heartbeat_at - interval '30 seconds' where node_id = $1", [node_id])
    expect(await trouble('node_gone')).toEqual({
      kind: 'node_gone',
      what: `Node ${node_id} (worker) is gone without having been stopped.`,
      since: (await node()).heartbeat_at,
      tenants: 1,
      tenant_ids: [tenant.tenant_id],
      next: expect.stringContaining('`concord serve --role worker`'),
    })
    await owner.query('delete from nodes where node_id = $1', [node_id])
    expect(await trouble('node_gone')).toBeUndefined()
  })

  it('a disk that fills, since when it was seen', async () => {
    const space = { bytes: 100 * 1024 ** 2, ratio: 0.001 }
    const look = createTroubles({ db: service.database.db, clock: systemClock, dataDir: '/', freeSpace: async () => space })
    const disk = async () => (await look()).items.find(({ kind }) => kind === 'disk_fills')
    const first = await disk()
    expect(first).toMatchObject({
      tenants: 2,
      tenant_ids: [],
      what: 'The database disk is nearly full. 100 MiB are free.',
      since: timed.since,
    })
    expect(first?.next).toContain('`concord doctor`')
    space.bytes = 10 * 1024 ** 2
    expect(await disk()).toMatchObject({ what: 'The database disk is full. 10 MiB are free.', since: first?.since })
    // A full disk can end the database: this is said without it, and nothing else is.
    const gone = { engine: () => Promise.reject(new AppError('STORAGE_UNAVAILABLE')) } as unknown as Database
    const without = createTroubles({ db: gone, clock: systemClock, dataDir: '/', freeSpace: async () => space })
    expect((await without()).items).toMatchObject([{ kind: 'disk_fills', what: 'The database disk is full. 10 MiB are free.' }])
    space.bytes = 1024 ** 4
    await expect(without()).rejects.toThrow('STORAGE_UNAVAILABLE')
    expect(await disk()).toBeUndefined()
  })

  it('are the first lines of concord status', async () => {
    const env = { CONCORD_URL: service.url, CONCORD_INTERNALS_KEY: service.internalsKey }
    const { code, out } = await runConcord(env, 'status', '--once')
    expect(code).toBe(0)
    expect(out).toMatch(
      /^\d things are wrong:\n.*what +since +tenants +next[\s\S]*Documents fail: 1 could not be read.* 1: ten_\w+ +See why with `concord quarantine list`/,
    )
    expect((await runConcord(env, 'status', '--json')).json.troubles.items.length).toBeGreaterThan(1)
  })
})

it('concord status says what is wrong when the database cannot say the rest', async () => {
  const full = { kind: 'disk_fills', what: 'The database disk is full.', since: null, tenants: 7, tenant_ids: [], next: 'Make room.' }
  const answering = createServer(({ url }, response) => {
    const [status, body] = url?.endsWith('/troubles')
      ? [200, { checked_at: new Date().toISOString(), items: [full] }]
      : [
          503,
          { code: 'STORAGE_UNAVAILABLE', status: 503, title: 'Storage is unavailable', detail: 'The database does not answer right now.' },
        ]
    response.writeHead(status as number, { 'content-type': 'application/json', 'retry-after': '0' }).end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => answering.listen(0, '127.0.0.1', resolve))
  try {
    const env = { CONCORD_URL: `http://127.0.0.1:${(answering.address() as AddressInfo).port}`, CONCORD_INTERNALS_KEY: 'a-key' }
    const { code, out } = await runConcord(env, 'status', '--once')
    expect(code).toBe(0)
    expect(out).toMatch(
      /^One thing is wrong:\n.*\n *The database disk is full\. +7 +Make room\.\n\nThe database does not answer, or takes nothing/,
    )
  } finally {
    answering.close()
  }
})

it('a queue that grows because nobody reads', async () => {
  const silent = await startTestService({ ROLE: 'api', PUBLIC_AUTH: 'id' })
  try {
    const { tenant_id } = await silent.createTenant('First')
    const asked = async () =>
      (
        (await silent.call('GET', '/internals/kernel/troubles', { headers: { authorization: `Bearer ${silent.internalsKey}` } }))
          .body as TroubleList
      ).items
    await silent.call('POST', '/api/ingest', {
      headers: { 'x-tenant-id': tenant_id },
      body: { scope_id: 'a', name: 'Note', text: 'The rent.' },
    })
    expect(await asked()).toEqual([])
    await silent.database.owner.query("update backlog set enqueued_at = enqueued_at - interval '5 minutes'")
    // The leader looks at the queue every second or two.
    await expect.poll(asked).toMatchObject([
      {
        kind: 'queue_grows',
        what: expect.stringMatching(/^The queue grows: 1 documents wait, the oldest for 3\d\d s\.$/),
        since: timed.since,
        tenants: 1,
        tenant_ids: [tenant_id],
        next: expect.stringContaining('`concord serve --role worker`'),
      },
    ])
    // A tenant whose work is paused waits for nobody.
    const paused = (await silent.createTenant('Paused')).tenant_id
    await silent.call('POST', '/api/ingest', {
      headers: { 'x-tenant-id': paused },
      body: { scope_id: 'b', name: 'Note', text: 'The rent.' },
    })
    await silent.database.owner.query("insert into runtime_states (tenant_id, scope_no, state) values ($1, 0, 'paused')", [paused])
    expect(await asked()).toMatchObject([{ tenants: 1, tenant_ids: [tenant_id] }])
  } finally {
    await silent.stop()
  }
})
