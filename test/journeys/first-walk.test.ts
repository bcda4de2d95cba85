/** The README's walkthrough, with the bodies it shows: two documents, one contradiction, one decision, a sign-off, a certificate. */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyCertificate } from '../../src/scopes/certificates/certificates.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ PUBLIC_AUTH: 'id' })
})
afterAll(() => service.stop())

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const walk = readme.slice(readme.indexOf('## Walkthrough'), readme.indexOf('## Guarantees'))

/** What the walk sends, in its order. */
function shownBodies(): Record<string, string>[] {
  return [...walk.matchAll(/-d '(\{[\s\S]*?\})'/g)].map(([, body]) => JSON.parse((body ?? '').replaceAll('\n', ' ')))
}

/** What the walk takes from the contradictions it found and keeps as a variable, by the line it shows. */
function shownChoice(variable: string, found: object): string {
  const script = new RegExp(`^${variable}=\\$\\(node -p '(.*)' "\\$FOUND"\\)$`, 'm').exec(walk)?.[1]
  return execFileSync(process.execPath, ['-p', script ?? '', JSON.stringify(found)], { encoding: 'utf8' }).trim()
}

it('ends in a certificate that says what it rests on', async () => {
  const [tenantBody, report, audit, resolution, signOff] = shownBodies()
  const tenant = await service.createTenant(tenantBody?.['name'])
  const key = { 'x-tenant-api-key': tenant.api_key }
  const read = (path: string) => service.call('GET', path, { headers: key })
  for (const body of [report, audit]) {
    expect((await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })).status).toBe(202)
  }
  expect((await read('/api/documents/audit?scope_id=case-1&wait=30')).body.status).toBe('indexed')
  const found = (await read('/api/scopes/case-1/contradictions')).body
  expect(found.items).toHaveLength(1)
  expect((await read('/api/scopes/case-1/certificate')).status).toBe(404)
  const path = `/api/contradictions/${shownChoice('CONTRADICTION', found)}/resolution`
  const verdict = resolution?.['verdict']?.replace("'$SIDE'", shownChoice('SIDE', found))
  const decided = await service.call('POST', path, { headers: key, body: { ...resolution, verdict } })
  expect(decided.status).toBe(200)
  const { verdict: letter, reason } = decided.body.resolution as { verdict: 'a' | 'b'; reason: string }
  expect(reason).toBe('The audited figure holds.')
  expect(decided.body[letter]).toMatchObject({ document_id: 'audit', quote: 'Revenue for FY2025 was EUR 33.9M.' })
  const { a, b } = found.items[0]
  expect(shownChoice('SIDE', { items: [{ a: b, b: a }] })).not.toBe(letter)

  const status = async () => (await read('/api/scopes/case-1/summary')).body.finality.status
  expect(await status()).toBe('review')
  expect((await read('/api/scopes/case-1/certificate')).status).toBe(404)
  expect((await service.call('POST', '/api/scopes/case-1/sign-off', { headers: key, body: signOff })).status).toBe(201)
  const { finality } = (await read('/api/scopes/case-1/summary')).body
  expect(finality.status, JSON.stringify(finality.gates)).toBe('resolved')
  const certificate = await read('/api/scopes/case-1/certificate')
  expect(certificate.body).toMatchObject({ status: 'current' })
  const verified = await verifyCertificate(certificate.body.certificate, (await read('/.well-known/jwks.json')).body, { scopeId: 'case-1' })
  expect(verified).toMatchObject({
    ok: true,
    payload: {
      version: 4,
      documents: { count: 2 },
      examined: {
        setting: 'person',
        by_rules: [{ documents: 2 }],
        by_model: [],
        not_read: { count: 0 },
        sign_offs: [{ by: 'j.doe', vouched: false, current: true }],
        approvals: [],
      },
      contradictions: { found: 1, open: 0 },
      possible_conflicts: { setting: 'wait', left: 0 },
      settings_changed: {},
    },
  })
})
