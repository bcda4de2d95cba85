/** Walks the specification: each operation answers as written, each bound holds from both sides. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/contract/operations.js'
import { startTestService, type TestService } from '../support/service.js'
import { type SpecifiedOperation, specified } from './conformance-table.js'

let service: TestService
let tenant: { tenant_id: string; api_key: string }

beforeAll(async () => {
  service = await startTestService()
  tenant = await service.createTenant()
  await service.admin('POST', '/admin/scopes', { scope_id: 'existing' }, tenant.api_key)
})
afterAll(() => service.stop())

function headersFor(auth: SpecifiedOperation['auth']): Record<string, string> {
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
  const key = { 'x-tenant-api-key': tenant.api_key }
  switch (auth) {
    case 'none':
      return {}
    case 'id':
      return { 'x-tenant-id': tenant.tenant_id }
    case 'admin':
      return bearer(service.adminKey)
    case 'admin+key':
      return { ...bearer(service.adminKey), ...key }
    case 'internals':
      return bearer(service.internalsKey)
    case 'internals+key':
      return { ...bearer(service.internalsKey), ...key }
  }
}

let scopes = 0
const newScope = () => `fresh-${scopes++}`

const bodies: Record<string, unknown> = {
  '/api/ingest': { scope_id: 'existing', name: 'Report', text: 'Revenue was EUR 5M.' },
  '/api/documents': { scope_id: 'existing', name: 'Register', type: 'pdf', provenance: 'urn:x' },
  '/api/contradictions': { scope_id: 'existing', claim_a: 'a', claim_b: 'b', source_a: 's', source_b: 't', severity: 'low' },
  '/admin/tenants': { name: 'n' },
  '/admin/scopes': {
    get scope_id() {
      return newScope()
    },
  },
  '/admin/scopes/{scopeId}/documents': { name: 'Memo', text: 'Revenue was EUR 6M.' },
}

describe('the operations of the specification', () => {
  it('are 35, four of them aliases', () => {
    expect(specified).toHaveLength(35)
    expect(specified.filter(operation => operation.replaces)).toHaveLength(4)
  })

  it.each(specified.map(operation => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s is in the contract',
    (_name, wanted) => {
      const found = Object.values(operations).find(operation => operation.method === wanted.method && operation.path === wanted.path)
      expect(found?.success.status).toBe(wanted.status)
      expect(found?.replacement).toBe(wanted.replaces)
    },
  )

  it.each(specified.filter(o => !o.stream).map(operation => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s answers with its success status',
    async (_name, wanted) => {
      const path = wanted.path.replace('{scopeId}', 'existing')
      const body = wanted.method === 'GET' ? undefined : bodies[wanted.path]
      const answer = await service.call(wanted.method, path, { headers: headersFor(wanted.auth), body })
      expect(answer.status, answer.text).toBe(wanted.status)
      if (wanted.replaces) {
        expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/)
        expect(answer.headers.get('link')).toBe(`<${wanted.replaces}>; rel="successor-version"`)
        expect(answer.headers.get('sunset')).toBeNull()
      }
    },
  )

  it.each(specified.filter(o => o.stream).map(operation => [operation.path, operation] as const))(
    '%s opens a stream',
    async (_path, wanted) => {
      const stop = new AbortController()
      const response = await fetch(service.url + wanted.path.replace('{scopeId}', 'existing'), {
        headers: headersFor(wanted.auth),
        signal: stop.signal,
      })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
      stop.abort()
    },
  )
})

describe('the answer to ingest', () => {
  it('has exactly the members of the specification', async () => {
    const answer = await ingest({ scope_id: newScope(), name: 'Report', text: 'x' })
    expect(answer.status).toBe(202)
    expect(Object.keys(answer.body).sort()).toEqual(
      ['document_id', 'idempotency_key', 'integration_version', 'message', 'name', 'queued', 'scope_id', 'seq', 'type'].sort(),
    )
    expect(answer.body).toMatchObject({ queued: true, integration_version: 'v1', type: 'txt', seq: 0, idempotency_key: null })
  })
})

function ingest(body: Record<string, unknown>) {
  return service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
}

describe('the bounds of section 8', () => {
  const fine = { scope_id: 'bounds', name: 'n', text: 't' }
  const cases: [field: string, min: number, max: number, unit: string][] = [
    ['scope_id', 1, 120, 'a'],
    ['name', 1, 500, '😀'],
    ['type', 0, 50, '😀'],
    ['text', 1, 100_000, '😀'],
    ['document_id', 1, 200, '😀'],
    ['source', 1, 500, '😀'],
    ['idempotency_key', 1, 200, 'é'],
  ]

  it.each(cases)('%s takes %i to %i characters', async (field, min, max, unit) => {
    const within = async (length: number) => (await ingest({ ...fine, [field]: unit.repeat(length) })).status
    expect(await within(min)).toBe(202)
    expect(await within(max)).toBe(202)
    const over = await ingest({ ...fine, [field]: unit.repeat(max + 1) })
    expect(over).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ pointer: `/${field}` }] } })
    if (min > 0) expect(await within(min - 1)).toBe(400)
  })

  it.each(['-a', 'A', 'a_b', 'ä', 'a b', ''])('scope_id refuses %j', async scope_id => {
    expect((await ingest({ ...fine, scope_id })).body.errors[0].pointer).toBe('/scope_id')
  })

  it('takes the longest legal document written in escapes', async () => {
    const raw = `{"scope_id":"bounds","name":"n","text":"${'\\ud83d\\ude00'.repeat(100_000)}"}`
    const answer = await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, raw })
    expect(answer.status).toBe(202)
  })
})

describe('a tenant', () => {
  it('is created with a key that is shown once, in the formats written down', async () => {
    const made = (await service.admin('POST', '/admin/tenants', { name: 'Ü' })).body
    expect(made.tenant_id).toMatch(/^ten_[0-9A-Za-z]{22}$/)
    expect(made.api_key).toMatch(/^cnk_[0-9A-Za-z]{38}$/)
    expect(made.key_prefix).toBe(made.api_key.slice(0, 12))
    const listed = await service.admin('GET', `/admin/tenants/${made.tenant_id}/keys`)
    expect(listed.text).not.toContain(made.api_key)
  })

  it('needs a name and nothing else', async () => {
    expect((await service.admin('POST', '/admin/tenants', { name: '' })).status).toBe(400)
    expect((await service.admin('POST', '/admin/tenants', {})).status).toBe(400)
    expect((await service.admin('POST', '/admin/tenants', { name: 'n', more: 1 })).body.errors[0].pointer).toBe('/more')
  })
})
