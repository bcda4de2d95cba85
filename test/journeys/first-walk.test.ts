/** The README's walkthrough, with the bodies it shows: two documents, one contradiction, one decision, a certificate. */

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyCertificate } from '../../src/scopes/certificates.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ PUBLIC_AUTH: 'id' })
})
afterAll(() => service.stop())

/** What the walk sends, in its order. */
function shownBodies(): Record<string, string>[] {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const walk = readme.slice(readme.indexOf('## Walkthrough'), readme.indexOf('## Guarantees'))
  return [...walk.matchAll(/-d '(\{[\s\S]*?\})'/g)].map(([, body]) => JSON.parse((body ?? '').replaceAll('\n', ' ')))
}

it('ends in a certificate that says what it rests on', { timeout: 60_000 }, async () => {
  const [tenantBody, report, audit, resolution] = shownBodies()
  const tenant = await service.createTenant(tenantBody?.['name'])
  const key = { 'x-tenant-api-key': tenant.api_key }
  const read = (path: string) => service.call('GET', path, { headers: key })
  for (const body of [report, audit]) {
    expect((await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })).status).toBe(202)
  }
  expect((await read('/api/documents/audit?scope_id=case-1&wait=30')).body.status).toBe('indexed')
  const { items } = (await read('/api/scopes/case-1/contradictions')).body
  expect(items).toHaveLength(1)
  expect((await read('/api/scopes/case-1/certificate')).status).toBe(404)
  const path = `/api/contradictions/${items[0].contradiction_id}/resolution`
  expect((await service.call('POST', path, { headers: key, body: resolution })).status).toBe(200)

  const { finality } = (await read('/api/scopes/case-1/summary')).body
  expect(finality.status, JSON.stringify(finality.gates)).toBe('resolved')
  const certificate = await read('/api/scopes/case-1/certificate')
  expect(certificate.body).toMatchObject({ status: 'current' })
  const verdict = await verifyCertificate(certificate.body.certificate, (await read('/.well-known/jwks.json')).body, { scopeId: 'case-1' })
  expect(verdict).toMatchObject({
    ok: true,
    payload: {
      version: 3,
      documents: { count: 2 },
      documents_not_read: { count: 0 },
      readers: [{ documents: 2 }],
      contradictions: { found: 1, open: 0 },
      possible_conflicts: { setting: 'wait', left: 0 },
      settings_changed: {},
      signed_off: [],
    },
  })
})
