/** What counts follows from what is said: stories over HTTP in which acts meet that used to undo each other. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
let tenant: { tenant_id: string; api_key: string }
let key: Record<string, string>

beforeAll(async () => {
  service = await startTestService({}, { examination: 'none' })
  tenant = await service.createTenant()
  key = { 'x-tenant-api-key': tenant.api_key }
})
afterAll(() => service.stop())

const paper = (issuer: string, date: string, revenue: string, rest = '') =>
  `${issuer}\nNote on Aurelia Holding\nIssued by: ${issuer}\nDate: ${date}\n\n## Key figures FY2025 of Aurelia Holding\n\nRevenue: EUR ${revenue}M\n${rest}`

async function handIn(scopeId: string, documentId: string, text: string): Promise<string> {
  const body = { scope_id: scopeId, name: documentId, document_id: documentId, text }
  const accepted = await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
  expect(accepted.status).toBe(202)
  return (await service.call('GET', `/api/documents/${documentId}?scope_id=${scopeId}&wait=30`, { headers: key })).body.status
}

const get = async (path: string) => (await service.call('GET', path, { headers: key })).body
const post = (path: string, body: unknown) => service.call('POST', path, { headers: key, body })
const found = async (scopeId: string) => (await get(`/api/scopes/${scopeId}/contradictions?status=all`)).items
const word = (verdict: string) => ({ verdict, reason: 'Looked at both papers.', by: 'j.doe' })

it('takes in a document that policy holds also in a settled case, which waits for a person then', { timeout: 60_000 }, async () => {
  await service.admin('POST', '/admin/scopes', { scope_id: 'settled', mode: 'review' }, tenant.api_key)
  for (const [index, issuer] of [
    'Aurelia Holding',
    'Bank Nord',
    'Register Court',
    'Tax Office',
    'Valuer Roth',
    'Notary Keller',
  ].entries()) {
    expect(await handIn('settled', `note-${index}`, paper(issuer, `2026-03-1${index}`, '33.9'))).toBe('indexed')
  }
  const waiting = (await get('/api/scopes/settled/decisions?review=pending')).items
  for (const { decision_id: id } of waiting) await post(`/api/decisions/${id}/review`, { ...word('approve') })
  const status = async () => (await service.admin('GET', '/admin/scopes/settled/summary', undefined, tenant.api_key)).body.finality.status
  expect(await status()).toBe('resolved')
  expect(await handIn('settled', 'dissent', paper('Brandt Audit', '2026-04-01', '55.0'))).toBe('held')
  expect(await status()).toBe('review')
  expect((await get('/api/scopes/settled/certificate')).status).toBe('superseded')
})

it('calls nobody but itself system', { timeout: 60_000 }, async () => {
  await handIn('named', 'report', paper('Aurelia Holding', '2026-02-01', '41.2'))
  await handIn('named', 'audit', paper('Brandt Audit', '2026-03-01', '33.9'))
  const [finding] = await found('named')
  const path = `/api/contradictions/${finding.contradiction_id}/resolution`
  const refused = await post(path, { ...word('a'), by: 'system' })
  expect(refused.status).toBe(400)
  expect(refused.body.errors).toEqual([{ pointer: '/by', detail: expect.stringContaining('system') }])
  expect((await post(path, word('a'))).status).toBe(200)
})
