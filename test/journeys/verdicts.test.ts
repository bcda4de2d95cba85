/** Verdicts other than for one side: what stays disputed, a slip of the pen, two different things; over HTTP and the command line. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CertificateV4 } from '../../src/kernel/certificate-payload.js'
import { replayScope } from '../../src/pipeline/replay.js'
import { payloadOf } from '../../src/scopes/certificates.js'
import { runConcord } from '../cli/run-concord.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
let tenant: { tenant_id: string; api_key: string }
let key: Record<string, string>

beforeAll(async () => {
  service = await startTestService()
  tenant = await service.createTenant()
  key = { 'x-tenant-api-key': tenant.api_key }
})
afterAll(() => service.stop())

const paper = (issuer: string, date: string, revenue: string) =>
  `${issuer}\nNote on Aurelia Holding\nIssued by: ${issuer}\nDate: ${date}\n\n## Key figures FY2025 of Aurelia Holding\n\nRevenue: EUR ${revenue}M\n`
const call = (method: string, path: string, body?: unknown) =>
  service.call(method, path, { headers: key, ...(body === undefined ? {} : { body }) })
const get = async (path: string) => (await call('GET', path)).body
const live = async (scopeId: string) =>
  (await get(`/api/scopes/${scopeId}/claims?state=live`)).items.map((claim: { document_id: string }) => claim.document_id).sort()
const certificate = async (scopeId: string) => payloadOf((await get(`/api/scopes/${scopeId}/certificate`)).certificate) as CertificateV4
const replayed = (scopeId: string) => replayScope(service.database.db, { tenantId: tenant.tenant_id, scopeId })
const judgement = { reason: 'Looked at both papers.', by: 'j.doe' }
const taken = `reason=${encodeURIComponent('Too early.')}&by=j.doe`

async function handIn(scopeId: string, documentId: string, text: string): Promise<void> {
  const body = { scope_id: scopeId, name: documentId, document_id: documentId, text }
  expect((await call('POST', '/api/ingest', body)).status).toBe(202)
  expect((await get(`/api/documents/${documentId}?scope_id=${scopeId}&wait=30`)).status).toBe('indexed')
}

/** A report and an audit that contradict each other; answers the id and the path of its resolution. */
async function contradicting(scopeId: string): Promise<{ id: string; path: string; sideOf: (documentId: string) => 'a' | 'b' }> {
  await handIn(scopeId, 'report', paper('Aurelia Holding', '2026-02-01', '41.2'))
  await handIn(scopeId, 'audit', paper('Brandt Audit', '2026-03-01', '33.9'))
  const [{ contradiction_id: id, a }] = (await get(`/api/scopes/${scopeId}/contradictions`)).items
  return { id, path: `/api/contradictions/${id}/resolution`, sideOf: documentId => (a.document_id === documentId ? 'a' : 'b') }
}

it('leaves a contradiction disputed: both sides count, nothing waits, and the certificate names it', { timeout: 60_000 }, async () => {
  const { id, path } = await contradicting('disputed')
  const answer = await call('POST', path, { verdict: 'disputed', ...judgement })
  expect(answer.body).toMatchObject({ status: 'resolved', resolution: { verdict: 'disputed', by: 'j.doe' }, claims_retired: [] })
  expect(await live('disputed')).toEqual(['audit', 'report'])
  expect((await get('/api/scopes/disputed/summary')).contradictions.open).toBe(0)
  expect((await call('POST', '/api/scopes/disputed/sign-off', judgement)).body.finality).toBe('resolved')
  expect((await certificate('disputed')).disputed).toEqual({ count: 1, ids: [id] })
  // Whoever says the same later joins it, and asks nobody again.
  await handIn('disputed', 'bank', paper('Bank Nord', '2026-03-09', '33.9'))
  expect((await get('/api/scopes/disputed/contradictions')).items).toEqual([])
  // Where one side is no longer said there is nothing to dispute.
  for (const documentId of ['audit', 'bank']) await call('DELETE', `/api/documents/${documentId}?scope_id=disputed`)
  await handIn('disputed', 'crane', 'The crane of Harbour Tower stands on the north side.')
  expect((await call('POST', '/api/scopes/disputed/sign-off', judgement)).body.finality).toBe('resolved')
  expect((await certificate('disputed')).disputed).toEqual({ count: 0, ids: [] })
  expect(await replayed('disputed')).toMatchObject({ ok: true })
})

it('takes a slip of the pen out, in favour of nothing, and back in', { timeout: 60_000 }, async () => {
  const { path, sideOf } = await contradicting('slip')
  const refused = await call('POST', path, { verdict: 'clerical_error', ...judgement })
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/side'])
  expect((await call('POST', path, { verdict: 'a', side: 'a', ...judgement })).body.errors[0].pointer).toBe('/side')
  const side = sideOf('report')
  const { body } = await call('POST', path, { verdict: 'clerical_error', side, ...judgement })
  expect(body).toMatchObject({ status: 'resolved', resolution: { verdict: 'clerical_error', side }, claims_retired: [expect.any(String)] })
  expect(body[side]).toMatchObject({ document_id: 'report', superseded_by: null, superseded_reason: expect.stringContaining('j.doe') })
  expect(await live('slip')).toEqual(['audit'])
  // It binds whoever says the same.
  await handIn('slip', 'bank', paper('Bank Nord', '2026-03-09', '41.2'))
  expect(await live('slip')).toEqual(['audit'])
  expect((await service.call('DELETE', `${path}?${taken}`, { headers: key })).body).toMatchObject({ status: 'open' })
  expect(await live('slip')).toEqual(['audit', 'bank', 'report'])
  expect(await replayed('slip')).toMatchObject({ ok: true })
})

it('lets two different things stand, at the command line too', { timeout: 60_000 }, async () => {
  const { id, sideOf } = await contradicting('two')
  const env = { CONCORD_URL: service.url, CONCORD_TENANT_KEY: tenant.api_key }
  const said = ['--reason', 'Group and company.', '--by', 'j.doe', '--json']
  const apart = await runConcord(env, 'resolve', id, 'not_the_same', ...said)
  expect(apart.json).toMatchObject({ status: 'dismissed', resolution: { verdict: 'not_the_same' } })
  expect(await live('two')).toEqual(['audit', 'report'])
  const slip = await runConcord(env, 'resolve', id, 'clerical_error', '--side', sideOf('audit'), ...said)
  expect(slip.json).toMatchObject({ status: 'resolved', resolution: { verdict: 'clerical_error', side: sideOf('audit') } })
  expect(await live('two')).toEqual(['report'])
})
