import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileForm } from '../support/multipart.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

async function tenantWith(limits: Record<string, unknown>) {
  const tenant = await service.createTenant()
  const set = await service.admin('PUT', `/admin/tenants/${tenant.tenant_id}/limits`, limits)
  expect(set.status, set.text).toBe(200)
  return tenant
}

type Tenant = Awaited<ReturnType<typeof tenantWith>>

const ingest = (tenant: Tenant, body: Record<string, unknown>) =>
  service.call('POST', '/api/ingest', {
    headers: { 'x-tenant-id': tenant.tenant_id },
    body: { scope_id: 'case', name: 'n', text: 'x', ...body },
  })
const report = (tenant: Tenant, headers: Record<string, string> = {}) =>
  service.call('POST', '/api/contradictions', {
    headers: { 'x-tenant-id': tenant.tenant_id, ...headers },
    body: { scope_id: 'case', claim_a: 'one', claim_b: 'two', source_a: 'survey', source_b: 'broker', severity: 'low' },
  })
const usage = async (tenant: Tenant) => (await service.admin('GET', `/admin/tenants/${tenant.tenant_id}/limits`)).body.usage

describe('limits of a tenant', () => {
  it('are unlimited at first, and usage is counted all the same', async () => {
    const tenant = await service.createTenant()
    await ingest(tenant, { text: 'äb' })
    await ingest(tenant, { scope_id: 'other', text: 'c' })
    const { body } = await service.admin('GET', `/admin/tenants/${tenant.tenant_id}/limits`)
    expect(body.limits, JSON.stringify(body)).toEqual({
      documents: null,
      bytes: null,
      scopes: null,
      requests_per_second: null,
      model_tokens_per_day: null,
      model: null,
      concurrent_scopes: 64,
      weight: 1,
    })
    expect(body.usage).toEqual({ documents: 2, bytes: 4, scopes: 2, derived_bytes: 0, model_tokens_today: 0 })
  })

  it('name the limit that is reached, on every way in', async () => {
    const tenant = await tenantWith({ documents: 2, bytes: 10, scopes: 1 })
    const refused = (answer: { status: number; body: { code: string; detail: string } }, limit: string) => {
      expect(answer.status).toBe(403)
      expect(answer.body.code).toBe('QUOTA_EXCEEDED')
      expect(answer.body.detail).toContain(limit)
    }
    expect((await ingest(tenant, { document_id: 'a', text: '12345' })).status).toBe(202)
    refused(await ingest(tenant, { scope_id: 'second' }), 'cases')
    refused(await service.admin('POST', '/admin/scopes', { scope_id: 'second' }, tenant.api_key), 'cases')
    refused(await ingest(tenant, { document_id: 'b', text: '123456' }), 'bytes')
    const attach = (body: object) => service.admin('POST', '/admin/scopes/case/documents', body, tenant.api_key)
    refused(await attach({ name: 'n', text: '123456' }), 'bytes')
    expect((await attach({ name: 'n', text: '12345' })).status).toBe(201)
    const register = await service.call('POST', '/api/documents', {
      headers: { 'x-tenant-id': tenant.tenant_id },
      body: { scope_id: 'case', name: 'n', type: 'pdf' },
    })
    refused(register, 'documents')
    refused(await report(tenant), 'bytes')
    expect(await usage(tenant)).toEqual({ documents: 2, bytes: 10, scopes: 1, derived_bytes: 0, model_tokens_today: 0 })
  })

  it('hold for reported contradictions, and a repeated report is answered as before', async () => {
    const tenant = await tenantWith({ bytes: 3000 })
    const answers = [await report(tenant, { 'idempotency-key': 'first' }), await report(tenant), await report(tenant)]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 403])
    expect(answers[2]?.body.code).toBe('QUOTA_EXCEEDED')
    expect(await report(tenant, { 'idempotency-key': 'first' })).toMatchObject({
      status: 201,
      body: { contradiction_id: answers[0]?.body.contradiction_id },
    })
    expect(await usage(tenant)).toMatchObject({ bytes: 2048, derived_bytes: 2048 })
  })

  it('count a revision as bytes but not as a document, and a reset gives all of it back', async () => {
    const tenant = await tenantWith({ documents: 1, bytes: 8 })
    expect((await ingest(tenant, { document_id: 'a', text: 'four' })).status).toBe(202)
    expect((await ingest(tenant, { document_id: 'a', text: 'more' })).status).toBe(202)
    expect((await ingest(tenant, { document_id: 'a', text: 'x' })).status).toBe(403)
    expect((await service.admin('POST', '/admin/scopes/case/reset', undefined, tenant.api_key)).status).toBe(200)
    expect(await usage(tenant)).toEqual({ documents: 0, bytes: 0, scopes: 1, derived_bytes: 0, model_tokens_today: 0 })
    expect((await ingest(tenant, { document_id: 'a', text: 'x' })).status).toBe(202)
  })

  it('count what is made of texts, about as much as it takes on disk, and give it back with a reset', async () => {
    const tenant = await tenantWith({ bytes: 60_000 })
    const kept = async () => {
      const { rows } = await service.database.db.engineQuery<{ bytes: number }>(
        `select sum(pg_table_size(c.oid) + pg_indexes_size(c.oid))::float8 as bytes from pg_class c
         where c.relname in ('claims', 'slot_crowds', 'claim_retirements', 'contradictions', 'contradiction_sides', 'unsure_pairs')`,
      )
      return rows[0]?.bytes ?? 0
    }
    const before = await kept()
    const text = Array.from({ length: 400 }, (_none, n) => `Item${n} cost was EUR ${n + 100}.`).join('\n')
    expect((await ingest(tenant, { document_id: 'a', text })).status).toBe(202)
    const headers = { 'x-tenant-api-key': tenant.api_key }
    const read = await service.call('GET', '/api/documents?scope_id=case&document_id=a&wait=30', { headers })
    expect(read.body).toMatchObject({ status: 'indexed', counts: { claims: 400 } })
    const { bytes, derived_bytes: derived } = await usage(tenant)
    expect([bytes, derived]).toEqual([text.length + derived, 400 * 512])
    const onDisk = (await kept()) - before
    expect(onDisk / derived, `${onDisk} on disk, ${derived} counted`).toBeGreaterThan(0.4)
    // Few rows on pages of their own, and the keys of findings, take up to three times what is counted.
    expect(onDisk / derived, `${onDisk} on disk, ${derived} counted`).toBeLessThan(4)
    expect(await ingest(tenant, { text: 'x' })).toMatchObject({ status: 403, body: { code: 'QUOTA_EXCEEDED' } })
    await service.admin('POST', '/admin/scopes/case/reset', undefined, tenant.api_key)
    expect(await usage(tenant)).toEqual({ documents: 0, bytes: 0, scopes: 1, derived_bytes: 0, model_tokens_today: 0 })
  })

  it('answer a repetition of an accepted request even when they are reached', async () => {
    const tenant = await tenantWith({ documents: 1 })
    const first = await ingest(tenant, { idempotency_key: 'k' })
    const again = await ingest(tenant, { idempotency_key: 'k' })
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  it('are lifted at once by setting them anew', async () => {
    const tenant = await tenantWith({ documents: 0 })
    expect((await ingest(tenant, {})).status).toBe(403)
    await service.admin('PUT', `/admin/tenants/${tenant.tenant_id}/limits`, {})
    expect((await ingest(tenant, {})).status).toBe(202)
  })

  it('are unknown for a tenant that does not exist', async () => {
    const answer = await service.admin('PUT', '/admin/tenants/ten_0000000000000000000000/limits', { documents: 1 })
    expect(answer).toMatchObject({ status: 404, body: { code: 'TENANT_NOT_FOUND' } })
  })
})

describe('a request that is refused', () => {
  const words = { claim_a: 'one', claim_b: 'two', source_a: 'survey', source_b: 'broker', severity: 'low' }
  type Fields = { scope_id: string; idempotency_key?: string }
  const ways: Record<string, (tenant: Tenant, fields: Fields) => Promise<{ status: number; body: { code: string } }>> = {
    'a text': ingest,
    'an entry of a batch': async (tenant, fields) => {
      const documents = [{ name: 'n', text: 'x', ...fields }]
      const { body } = await service.call('POST', '/api/ingest/batch', {
        headers: { 'x-tenant-id': tenant.tenant_id },
        body: { documents },
      })
      const [item] = body.items
      return { status: item.status ?? 202, body: item }
    },
    'a registered document': (tenant, fields) => post(tenant, '/api/documents', { name: 'n', type: 'pdf' }, fields),
    'a reported contradiction': (tenant, fields) => post(tenant, '/api/contradictions', words, fields),
    'a file': (tenant, fields) => {
      const { headers, raw } = fileForm({ ...fields }, { bytes: 'The depot has 12 pumps.', name: 'note.txt' })
      return service.call('POST', '/api/files', { headers: { ...headers, 'x-tenant-api-key': tenant.api_key }, raw })
    },
  }
  const post = (tenant: Tenant, path: string, body: object, { scope_id, idempotency_key: key }: Fields) => {
    const headers = { 'x-tenant-id': tenant.tenant_id, ...(key === undefined ? {} : { 'idempotency-key': key }) }
    return service.call('POST', path, { headers, body: { ...body, scope_id } })
  }
  const scopesOf = async (tenant: Tenant) => {
    const { body } = await service.call('GET', '/api/scopes', { headers: { 'x-tenant-api-key': tenant.api_key } })
    const { rows } = await service.database.db.engineQuery<{ scope_id: string }>(
      "select data ->> 'scope_id' as scope_id from events where tenant_id = $1 and type = 'scope.created' order by seq",
      [tenant.tenant_id],
    )
    const listed = body.items.map((item: { scope_id: string }) => item.scope_id)
    expect(rows.map(row => row.scope_id).sort()).toEqual(listed)
    return listed
  }

  it.each(Object.entries(ways))('makes no scope: %s', async (_what, hand) => {
    const tenant = await service.createTenant()
    expect((await ingest(tenant, { idempotency_key: 'used' })).status).toBe(202)
    const reused = await hand(tenant, { scope_id: 'fresh', idempotency_key: 'used' })
    expect(reused).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    expect(await scopesOf(tenant)).toEqual(['case'])

    await service.admin('PUT', `/admin/tenants/${tenant.tenant_id}/limits`, { documents: 1, bytes: 1 })
    expect(await hand(tenant, { scope_id: 'fresh' })).toMatchObject({ status: 403, body: { code: 'QUOTA_EXCEEDED' } })
    expect(await scopesOf(tenant)).toEqual(['case'])

    await service.admin('PUT', `/admin/tenants/${tenant.tenant_id}/limits`, {})
    expect([201, 202]).toContain((await hand(tenant, { scope_id: 'fresh', idempotency_key: 'new' })).status)
    expect([201, 202]).toContain((await hand(tenant, { scope_id: 'fresh', idempotency_key: 'new' })).status)
    expect(await scopesOf(tenant)).toEqual(['case', 'fresh'])
  })

  it('makes no scope for the entries of a batch that do not fit, and those for scopes that exist come first', async () => {
    const tenant = await tenantWith({ documents: 3 })
    expect((await ingest(tenant, {})).status).toBe(202)
    const documents = ['fresh', 'fresher', 'case'].map(scope_id => ({ scope_id, name: 'n', text: 'x' }))
    const { body } = await service.call('POST', '/api/ingest/batch', { headers: { 'x-tenant-id': tenant.tenant_id }, body: { documents } })
    expect(body.items.map((item: { code?: string }) => item.code)).toEqual([undefined, 'QUOTA_EXCEEDED', undefined])
    expect(await scopesOf(tenant)).toEqual(['case', 'fresh'])
  })
})

describe('requests a second', () => {
  it.each(['its id', 'its key'])(
    'are limited for a tenant that presents %s, with 429 and Retry-After, and for nobody else',
    async credential => {
      const tenant = await tenantWith({ requests_per_second: 5 })
      const headers: Record<string, string> = { 'x-tenant-id': tenant.tenant_id }
      if (credential === 'its key') headers['x-tenant-api-key'] = tenant.api_key
      const body = { scope_id: 'case', name: 'n', text: 'x' }
      // Twice what a second allows, all at once: whichever seconds they fall into, some are too many.
      const answers = await Promise.all(Array.from({ length: 30 }, () => service.call('POST', '/api/ingest', { headers, body })))
      const refused = answers.filter(answer => answer.status === 429)
      expect(refused.length).toBeGreaterThan(0)
      expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(refused[0]?.body.detail).toContain('requests_per_second')
      expect(answers.filter(answer => answer.status === 202).length).toBeGreaterThanOrEqual(5)
      const other = await service.createTenant()
      const others = await Promise.all(Array.from({ length: 30 }, () => ingest(other, {})))
      expect(others.every(answer => answer.status === 202)).toBe(true)
    },
  )

  it('count all keys of the tenant together', async () => {
    const tenant = await tenantWith({ requests_per_second: 5 })
    const second = await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`)
    const keys = [tenant.api_key, second.body.api_key as string]
    const started = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_none, n) => service.call('GET', '/api/scopes', { headers: { authorization: `Bearer ${keys[n % 2]}` } })),
    )
    // Five for each second that they fall into; two limits of five a second would let more through.
    const seconds = 1 + Math.ceil((performance.now() - started) / 1000)
    expect(answers.filter(answer => answer.status === 200).length).toBeLessThanOrEqual(5 * seconds)
  })
})
