/** Limits, modes and headers that protect the service, each with the setting that changes it. */

import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
afterEach(() => service.stop())

const ingestBody = { scope_id: 'a', name: 'n', text: 't' }

describe('PUBLIC_AUTH', () => {
  it('key asks for a tenant key on the public POST routes', async () => {
    service = await startTestService({ PUBLIC_AUTH: 'key' })
    const tenant = await service.createTenant()
    const id = { 'x-tenant-id': tenant.tenant_id }
    expect(await service.call('POST', '/api/ingest', { headers: id, body: ingestBody })).toMatchObject({
      status: 401,
      body: { code: 'AUTH_MISSING' },
    })
    expect(await service.call('POST', '/api/ingest', { body: ingestBody })).toMatchObject({ status: 401, body: { code: 'AUTH_MISSING' } })
    const keyed = { ...id, authorization: `Bearer ${tenant.api_key}` }
    expect((await service.call('POST', '/api/ingest', { headers: keyed, body: ingestBody })).status).toBe(202)
  })

  it.each([
    ['id', true],
    ['key', false],
  ])('%s is what the served document says an id alone opens', async (way, opens) => {
    service = await startTestService({ PUBLIC_AUTH: way })
    const { paths } = await (await fetch(`${service.url}/openapi.json`)).json()
    const ways: object[] = paths['/api/ingest'].post.security
    expect(ways.some(one => Object.keys(one).join() === 'TenantId')).toBe(opens)
    expect(ways).toContainEqual({ TenantId: [], TenantKey: [] })
    const { tenant_id } = await service.createTenant()
    const { status } = await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant_id }, body: ingestBody })
    expect(status).toBe(opens ? 202 : 401)
  })
})

describe('a tier without a key', () => {
  it('is disabled, and says so before anything else', async () => {
    service = await startTestService({ INTERNALS_API_KEY: '' })
    expect(await service.call('GET', '/internals/health')).toMatchObject({ status: 503, body: { code: 'TIER_DISABLED' } })
    const admin = { authorization: `Bearer ${service.adminKey}` }
    expect((await service.call('GET', '/admin/health', { headers: admin })).status).toBe(200)
  })
})

describe('rate limits', () => {
  it('count per credential and tell how long to wait', async () => {
    service = await startTestService({ RATE_LIMIT_PER_SECOND: '5' })
    const tenants = [await service.createTenant(), await service.createTenant()] as const
    const read = (key: string) => service.call('GET', '/api/scopes', { headers: { 'x-tenant-api-key': key } })
    // Windows are whole seconds, so on a slow machine two requests may fall into two of them: ask until one is refused.
    const refused = []
    for (let tries = 0; tries < 200 && refused.length === 0; tries++) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => read(tenants[0].api_key)))
      refused.push(...answers.filter(answer => answer.status === 429))
    }
    expect(refused[0]).toMatchObject({ body: { code: 'RATE_LIMITED' } })
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect(refused[0]?.headers.get('ratelimit-policy')).toBe('"requests";q=5;w=1')
    expect((await read(tenants[1].api_key)).status).toBe(200)
  })
})

describe('headers', () => {
  it('keep browsers out unless their origin is named', async () => {
    service = await startTestService({ CORS_ORIGINS: 'https://app.example' })
    const preflight = (origin: string) =>
      fetch(`${service.url}/api/ingest`, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } })
    const allowed = await preflight('https://app.example')
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(allowed.headers.get('access-control-expose-headers')).toContain('Content-Range, Content-Disposition')
    const refused = await preflight('https://evil.example')
    expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    expect((await fetch(`${service.url}/openapi.json`)).headers.get('vary')).toBe('Origin, accept-encoding')
  })

  it('announce the end of aliases when it is set', async () => {
    service = await startTestService({ ALIAS_SUNSET: '2027-06-30T00:00:00Z' })
    const answer = await service.admin('GET', '/internals/convergence')
    expect(answer.headers.get('sunset')).toBe('Wed, 30 Jun 2027 00:00:00 GMT')
  })

  it('forbid sniffing, framing and caching', async () => {
    service = await startTestService()
    const { headers } = await service.call('GET', '/api/health')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

describe('pages', () => {
  it('exist for the reference, the document and every problem code', async () => {
    service = await startTestService()
    const page = async (path: string) => {
      const response = await fetch(service.url + path)
      return { status: response.status, text: await response.text() }
    }
    for (const path of ['/docs', '/docs/']) expect((await page(path)).text).toContain('Concord API')
    expect((await page('/docs/nope')).status).toBe(404)
    const document = JSON.parse((await page('/openapi.json')).text)
    const { info } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
    expect(document.info).toEqual(info)
    const reference = (await page('/docs')).text
    for (const [path, methods] of Object.entries(document.paths as Record<string, object>)) {
      for (const method of Object.keys(methods)) expect(reference).toContain(`<code>${method.toUpperCase()} ${path}</code>`)
    }
    for (const name of Object.keys(document.components.schemas)) expect(reference).toContain(`id="schema-${name}"`)
    for (const code of document.components.schemas.Problem.properties.code.enum) expect((await page(`/problems/${code}`)).status).toBe(200)
    expect((await page('/problems/NOPE')).status).toBe(404)
    const index = (await page('/problems')).text
    for (const code of document.components.schemas.Problem.properties.code.enum) expect(index).toContain(`href="/problems/${code}"`)
  })
})
