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

const withdrawal = `reason=${encodeURIComponent('It was the wrong paper.')}&by=j.doe`
const withdraw = (path: string) => service.call('DELETE', `${path}?${withdrawal}`, { headers: key })
const live = async (scopeId: string) =>
  (await get(`/api/scopes/${scopeId}/claims?state=live`)).items.map((claim: { document_id: string }) => claim.document_id).sort()
const resolutionOf = (finding: { contradiction_id: string }) => `/api/contradictions/${finding.contradiction_id}/resolution`

/** Until nothing waits, documents to be read again included. */
async function settled(scopeId: string): Promise<void> {
  const waiting = `select h.queued + h.processing + h.rereads = 0 as is_idle from scope_heads h
    join scopes s using (tenant_id, scope_no) where s.tenant_id = $1 and s.scope_id = $2`
  for (;;) {
    const { rows } = await service.database.owner.query(waiting, [tenant.tenant_id, scopeId])
    if (rows[0]?.is_idle === true) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

/** A report and an audit that contradict each other, decided for one of them. */
async function decided(scopeId: string, winner: 'report' | 'audit') {
  await handIn(scopeId, 'report', paper('Aurelia Holding', '2026-02-01', '41.2'))
  await handIn(scopeId, 'audit', paper('Brandt Audit', '2026-03-01', '33.9'))
  const [finding] = await found(scopeId)
  const side = finding.a.document_id === winner ? 'a' : 'b'
  expect((await post(resolutionOf(finding), word(side))).status).toBe(200)
  return finding
}

it('holds a verdict against a revision that says the losing figure again, and against others that say it', {
  timeout: 60_000,
}, async () => {
  const finding = await decided('revised', 'report')
  await handIn('revised', 'audit', paper('Brandt Audit', '2026-03-01', '33.9', 'Staff: 12\n'))
  await settled('revised')
  expect((await live('revised')).filter((id: string) => id === 'report')).toHaveLength(1)
  const statements = (await get('/api/scopes/revised/claims?state=live')).items.map((claim: { quote: string }) => claim.quote)
  expect(statements).not.toContain('Revenue: EUR 33.9M')
  await handIn('revised', 'bank', paper('Bank Nord', '2026-03-09', '33.9'))
  await settled('revised')
  expect(await live('revised')).not.toContain('bank')
  expect((await found('revised')).filter((each: { status: string }) => each.status === 'open')).toEqual([])
  expect((await withdraw(resolutionOf(finding))).body.claims_revived).toHaveLength(2)
  await settled('revised')
  expect(await live('revised')).toEqual(expect.arrayContaining(['audit', 'bank', 'report']))
  expect((await found('revised')).some((each: { status: string }) => each.status === 'open')).toBe(true)
})

it('gives a verdict effect while both sides are said, and lets it be taken back afterwards', { timeout: 60_000 }, async () => {
  const finding = await decided('erased', 'audit')
  expect(await live('erased')).toEqual(['audit'])
  expect((await service.call('DELETE', '/api/documents/audit?scope_id=erased', { headers: key })).status).toBe(200)
  await settled('erased')
  expect(await live('erased')).toEqual(['report'])
  expect((await get('/api/scopes/erased/contradictions?status=resolved')).items).toMatchObject([{ resolution: { by: 'j.doe' } }])
  const back = await withdraw(resolutionOf(finding))
  expect(back.status).toBe(200)
  expect(back.body).toMatchObject({ status: 'resolved', resolution: { by: 'system' } })
})

const minutes = 'Harbour board\nMinutes of 4 May 2022\nThe Corran pier is 212 m long.\n'
const corrected = 'Harbour board\nCorrected minutes of 7 June 2022\nThe Corran pier is 205 m long.\n'

it('keeps an objection when the document that replaced is revised and says it again', { timeout: 60_000 }, async () => {
  await handIn('objected', 'minutes', minutes)
  await handIn('objected', 'corrected', corrected)
  const [replacement] = (await get('/api/scopes/objected/supersessions')).items
  expect(
    (await post(`/api/supersessions/${replacement.supersession_id}/objection`, { reason: 'It was measured twice.', by: 'j.doe' })).status,
  ).toBe(200)
  await settled('objected')
  await handIn('objected', 'corrected', `${corrected}The shed is red.\n`)
  await settled('objected')
  expect(await live('objected')).toEqual(expect.arrayContaining(['corrected', 'minutes']))
  const open = (await get('/api/scopes/objected/contradictions')).items
  expect(open).toMatchObject([{ status: 'open' }])
  expect((await get('/api/scopes/objected/supersessions?status=objected')).items).toMatchObject([
    { supersession_id: replacement.supersession_id },
  ])
})

it('lets an objection be taken back after both documents were revised and say the same', { timeout: 60_000 }, async () => {
  await handIn('taken-back', 'minutes', minutes)
  await handIn('taken-back', 'corrected', corrected)
  const [replacement] = (await get('/api/scopes/taken-back/supersessions')).items
  const path = `/api/supersessions/${replacement.supersession_id}/objection`
  expect((await post(path, { reason: 'It was measured twice.', by: 'j.doe' })).status).toBe(200)
  await settled('taken-back')
  await handIn('taken-back', 'minutes', `${minutes}The shed is red.\n`)
  await handIn('taken-back', 'corrected', `${corrected}The shed is red.\n`)
  await settled('taken-back')
  expect((await withdraw(path)).status).toBe(200)
  await settled('taken-back')
  const lengths = (await get('/api/scopes/taken-back/claims?state=live')).items.map((claim: { quote: string }) => claim.quote)
  expect(lengths).toContain('The Corran pier is 205 m long.')
  expect(lengths).not.toContain('The Corran pier is 212 m long.')
  expect((await get('/api/scopes/taken-back/contradictions')).items).toEqual([])
})
