import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Client,
  type ClientOptions,
  ConnectionError,
  createClient,
  ProblemError,
  type Schema,
  type ServiceEvent,
} from '../../src/client/index.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
let tenant: Tenant
let client: Client

beforeAll(async () => {
  service = await startTestService()
  tenant = await service.createTenant('client')
  client = clientOf(tenant)
})
afterAll(() => service.stop())

type Tenant = Pick<Schema['CreateTenantResponse'], 'tenant_id' | 'api_key'>

function clientOf({ tenant_id, api_key }: Tenant, options: Partial<ClientOptions> = {}): Client {
  const { url, adminKey, internalsKey } = service
  return createClient({ url, adminKey, internalsKey, tenantId: tenant_id, tenantKey: api_key, ...options })
}

const text = (amount: string) => `- Revenue for FY2025: EUR ${amount} million\n`

describe('the client against the running service', () => {
  it('hands documents in and waits for them', async () => {
    const answer = await client.ingest({ scope_id: 'wait', name: 'a.md', type: 'md', text: text('41.2') })
    expect(answer).toMatchObject({ queued: true, seq: 0, replayed: false })
    const document = await client.document('wait', answer.document_id as string, { wait: 30 })
    expect(document).toMatchObject({ status: 'indexed', revision: 1 })
  })

  it.each(['.', '..', 'a/b', '-', 'text', '%2e'])('reads and erases a document called %s', async documentId => {
    const { admin } = client
    await admin.createScope({ scope_id: 'names' }).catch(() => undefined)
    const attached = await admin.attach('names', { document_id: documentId, name: 'a', text: 'x' })
    expect(attached).toMatchObject({ document_id: documentId })
    expect(await client.document('names', documentId)).toMatchObject({ document_id: documentId, status: 'attached' })
    expect(await client.eraseDocument('names', documentId)).toMatchObject({ document_id: documentId })
  })

  it('repeats nothing when the same key and body arrive again', async () => {
    const body = { scope_id: 'once', name: 'a', text: text('1.0'), idempotency_key: 'the-key' }
    const first = await client.ingest(body)
    expect(await client.ingest(body)).toEqual({ ...first, replayed: true })
    await expect(client.ingest({ ...body, text: 'other' })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', status: 422 })
  })

  it('hands files in, and reads their bytes back as they were', async () => {
    const bytes = Uint8Array.from({ length: 700 }, (_, index) => index % 256)
    const file = new Blob(['%PDF-1.7\n', bytes])
    const about = { scope_id: 'files', name: 'Bericht ä.pdf', document_id: 'a/b', idempotency_key: 'file-key' }
    const answer = await client.ingestFile(file, about)
    expect(answer).toMatchObject({
      document_id: 'a/b',
      name: 'Bericht ä.pdf',
      replayed: false,
      file: { media_type: 'application/pdf', bytes: 709 },
    })
    expect(await client.ingestFile(file, about)).toMatchObject({ seq: answer.seq, replayed: true })
    const original = await client.original('files', 'a/b')
    expect(Buffer.from(await original.arrayBuffer())).toEqual(Buffer.from(await file.arrayBuffer()))
    const part = { begin: 2, end: 300 }
    const some = await client.original('files', 'a/b', { part })
    expect(Buffer.from(await some.arrayBuffer())).toEqual(Buffer.from(await file.slice(2, 300).arrayBuffer()))
    const whole = async (input: string | URL | Request, init: RequestInit = {}) => {
      const headers = new Headers(init.headers)
      headers.delete('range')
      return fetch(input, { ...init, headers })
    }
    const behindProxy = clientOf(tenant, { fetch: whole as typeof fetch })
    expect((await behindProxy.original('files', 'a/b', { part })).size).toBe(298)
  })

  it('makes an idempotency key of its own, a new one for each call', async () => {
    const body = { scope_id: 'own-key', name: 'a', text: text('1.0') }
    const [first, second] = [await client.ingest(body), await client.ingest(body)]
    expect(first.idempotency_key).toMatch(/^[0-9a-f]{32}$/)
    expect(second.idempotency_key).not.toBe(first.idempotency_key)
  })

  it('repeats nothing of a batch either, also where a document carries an undefined key', async () => {
    const documents = ['1.0', '2.0'].map(amount => ({ scope_id: 'batch', name: 'a', text: text(amount), idempotency_key: undefined }))
    const first = await client.ingestBatch(documents, { idempotencyKey: 'the-batch' })
    const again = await client.ingestBatch(documents, { idempotencyKey: 'the-batch' })
    expect(first.items).toMatchObject([{ queued: true, replayed: false }, { replayed: false }])
    expect(again.items).toEqual(first.items.map(item => ({ ...item, replayed: true })))
    expect(await client.documents('batch').toArray()).toHaveLength(2)
  })

  it('throws problems with code, status, detail, faults and request id', async () => {
    const failure = await client.ingest({ scope_id: 'Not A Scope', name: '', text: 'x' }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ProblemError)
    const { code, status, errors, requestId } = failure as ProblemError
    expect({ code, status }).toEqual({ code: 'VALIDATION_FAILED', status: 400 })
    expect(errors.map(fault => fault.pointer).sort()).toEqual(['/name', '/scope_id'])
    expect(requestId).toMatch(/^req_/)
    await expect(client.summary('nowhere')).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
    await expect(createClient({ url: service.url }).admin.tenants().toArray()).rejects.toMatchObject({ code: 'AUTH_MISSING' })
  })

  it('says when nobody answers', async () => {
    const nobody = createClient({ url: 'http://127.0.0.1:1', retries: 1 })
    await expect(nobody.health()).rejects.toBeInstanceOf(ConnectionError)
  })

  it('reads lists page by page and item by item', async () => {
    const names = Array.from({ length: 7 }, (_, index) => `paged-${index}`)
    for (const scopeId of names) await client.admin.createScope({ scope_id: scopeId })
    const pages: number[] = []
    for await (const page of client.scopes({ limit: 3 }).pages()) pages.push(page.items.length)
    const total = pages.reduce((sum, count) => sum + count, 0)
    expect(pages.slice(0, -1).every(count => count === 3)).toBe(true)
    const seen: string[] = []
    for await (const scope of client.scopes({ limit: 2 })) seen.push(scope.scope_id)
    expect(seen).toHaveLength(total)
    expect(seen).toEqual(expect.arrayContaining(names))
    expect(await client.scopes({ limit: 2 }).toArray(3)).toHaveLength(3)
  })

  it('follows events from the beginning, in order, until the reader has enough', async () => {
    await client.ingest({ scope_id: 'followed', name: 'a.md', type: 'md', text: text('41.2') })
    const events: ServiceEvent[] = []
    for await (const event of client.events('followed', { after: -1 })) {
      events.push(event)
      if (event.type === 'document.indexed') break
    }
    expect(events.map(event => event.id)).toEqual(events.map((_, index) => String(index)))
    expect(events[0]).toMatchObject({ type: 'document.queued', source: '/scopes/followed' })
  })

  it('ends a stream without an error when it is told to', async () => {
    const controller = new AbortController()
    const reading = (async () => {
      for await (const _event of client.events('followed', { signal: controller.signal })) throw new Error('nothing should happen here')
    })()
    controller.abort()
    await reading
  })

  it('ends a stream that has been open for long, when nothing else holds on to its request', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const controller = new AbortController()
    const seen: string[] = []
    let opened: () => void = () => undefined
    const open = new Promise<void>(resolve => {
      opened = resolve
    })
    const reading = (async () => {
      for await (const event of client.events('followed', { after: -1, signal: controller.signal })) {
        seen.push(event.id)
        opened()
      }
    })()
    await open
    for (let round = 0; round < 5; round++) {
      await setImmediate()
      collect()
    }
    controller.abort()
    await reading
    expect(seen.length).toBeGreaterThan(0)
  })

  it('throws what a stream is refused for', async () => {
    const reading = async () => {
      for await (const _event of client.events('nowhere', { after: -1 })) throw new Error('no such scope')
    }
    await expect(reading()).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
  })

  it('acts on scope, tenant and service as it is told, and on nothing more', async () => {
    const { addressed } = await client.admin.runtime('pause', { level: 'scope', scopeId: 'followed' })
    expect(addressed).toMatchObject({ level: 'scope', scope_id: 'followed' })
    expect((await client.admin.runtime('start', { level: 'tenant' })).addressed.level).toBe('tenant')
    expect((await client.admin.runtime('start', { level: 'service' })).addressed.level).toBe('service')
    expect((await client.admin.runtime('start', { level: 'scope', scopeId: 'followed' })).effective).toBe('running')
  })

  it('answers health of every tier', async () => {
    expect(await client.health()).toMatchObject({ status: 'ok' })
    expect(await client.admin.health()).toMatchObject({ tier: 'admin', authTier: 'admin' })
    expect(await client.internals.health()).toMatchObject({ tier: 'internals', authTier: 'internals' })
    expect((await client.admin.controlPlaneHealth()).checks.length).toBeGreaterThan(3)
  })

  it('never shows one tenant what is another’s', async () => {
    const stranger = clientOf(await service.createTenant('stranger'))
    expect(await stranger.scopes().toArray()).toEqual([])
    await expect(stranger.summary('followed')).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
  })
})
