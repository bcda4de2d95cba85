/**
 * A case from its first document to its certificate, over HTTP: an issuer reports a figure, an auditor disputes it, a
 * person decides, others confirm, the scope is settled and signed, and new evidence opens it again.
 */

import { execFileSync } from 'node:child_process'
import { createPublicKey, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

const paper = (issuer: string, date: string, revenue: string) =>
  `${issuer}\nNote on Aurelia Holding\nIssued by: ${issuer}\nDate: ${date}\n\n## Key figures FY2025 of Aurelia Holding\n\nRevenue: EUR ${revenue}M\n`

async function handIn(documentId: string, issuer: string, text: string): Promise<string> {
  const body = { scope_id: 'aurelia', name: documentId, document_id: documentId, source: issuer, text }
  const accepted = await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
  expect(accepted.status).toBe(202)
  const read = await service.call('GET', `/api/documents/${documentId}?scope_id=aurelia&wait=30`, { headers: key })
  return read.body.status
}

const summary = async () => (await service.admin('GET', '/admin/scopes/aurelia/summary', undefined, tenant.api_key)).body
const open = async () => (await service.call('GET', '/api/scopes/aurelia/contradictions', { headers: key })).body.items
const certificate = () => service.call('GET', '/api/scopes/aurelia/certificate', { headers: key })

it('settles when its numbers have earned it, and not before', { timeout: 60_000 }, async () => {
  expect(await handIn('report', 'Aurelia Holding', paper('Aurelia Holding', '2026-02-01', '41.2'))).toBe('indexed')
  expect(await handIn('audit', 'Brandt Audit', paper('Brandt Audit', '2026-03-01', '33.9'))).toBe('indexed')

  const found = await open()
  expect(found).toHaveLength(1)
  expect([found[0].a.quote, found[0].b.quote].sort()).toEqual(['Revenue: EUR 33.9M', 'Revenue: EUR 41.2M'])
  expect((await summary()).finality.status).not.toBe('resolved')
  expect((await certificate()).status).toBe(404)

  const side = found[0].a.document_id === 'audit' ? 'a' : 'b'
  const resolution = { verdict: side, reason: 'The audited figure holds.', by: 'j.doe' }
  const decided = await service.call('POST', `/api/contradictions/${found[0].contradiction_id}/resolution`, {
    headers: key,
    body: resolution,
  })
  expect(decided.body).toMatchObject({ status: 'resolved', resolution: { by: 'j.doe' }, claims_retired: [expect.any(String)] })

  for (const [index, issuer] of ['Notary Keller', 'Bank Nord', 'Register Court', 'Tax Office', 'Valuer Roth'].entries()) {
    expect(await handIn(`note-${index}`, issuer, paper(issuer, `2026-03-1${index}`, '33.9'))).toBe('indexed')
  }
  const settled = await summary()
  expect(settled.finality.status, JSON.stringify(settled.finality.gates)).toBe('resolved')

  const signed = await certificate()
  expect(signed.body).toMatchObject({ status: 'current', superseded_at: null, scope_id: 'aurelia' })
  await verifiesElsewhere(signed.body.certificate)

  expect(await handIn('objection', 'Lender South', paper('Lender South', '2026-04-01', '55.0'))).toBe('indexed')
  expect((await open()).length).toBeGreaterThan(0)
  expect((await summary()).finality.status).not.toBe('resolved')
  expect((await certificate()).body).toMatchObject({ status: 'superseded', superseded_at: expect.any(String), withdrawn_at: null })
})

/** With the standard library alone, and with openssl where there is one. */
async function verifiesElsewhere(jws: string): Promise<void> {
  const { keys } = (await service.call('GET', '/.well-known/jwks.json')).body
  const [header, payload, signature] = jws.split('.') as [string, string, string]
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
  const publicKey = createPublicKey({ key: keys.find((jwk: { kid: string }) => jwk.kid === kid), format: 'jwk' })
  const bytes = Buffer.from(`${header}.${payload}`)
  const signed = Buffer.from(signature, 'base64url')
  expect(verify(null, bytes, publicKey, signed)).toBe(true)
  expect(verify(null, Buffer.from(`${header}.${payload}x`), publicKey, signed)).toBe(false)
  const folder = mkdtempSync(join(tmpdir(), 'concord-certificate-'))
  try {
    writeFileSync(join(folder, 'key.pem'), publicKey.export({ type: 'spki', format: 'pem' }))
    writeFileSync(join(folder, 'bytes'), bytes)
    writeFileSync(join(folder, 'signature'), signed)
    const args = ['pkeyutl', '-verify', '-pubin', '-inkey', 'key.pem', '-rawin', '-in', 'bytes', '-sigfile', 'signature']
    expect(execFileSync('openssl', args, { cwd: folder, encoding: 'utf8' })).toMatch(/success/i)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  } finally {
    rmSync(folder, { recursive: true })
  }
  const certified = JSON.parse(Buffer.from(payload, 'base64url').toString())
  expect(certified).toMatchObject({
    iss: expect.stringMatching(/^urn:concord:[\w-]{43}$/),
    scope_id: 'aurelia',
    status: 'resolved',
    documents: { count: 7 },
  })
}

it('holds what a policy wants a person to see, and goes on when they approve', { timeout: 60_000 }, async () => {
  await service.admin('POST', '/admin/scopes', { scope_id: 'held', mode: 'review' }, tenant.api_key)
  const hand = async (documentId: string, issuer: string, revenue: string) => {
    const body = { scope_id: 'held', name: documentId, document_id: documentId, source: issuer, text: paper(issuer, '2026-02-01', revenue) }
    await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
    return (await service.call('GET', `/api/documents/${documentId}?scope_id=held&wait=30`, { headers: key })).body.status
  }
  expect(await hand('report', 'Aurelia Holding', '41.2')).toBe('indexed')
  expect(await hand('audit', 'Brandt Audit', '33.9')).toBe('held')
  const claims = await service.call('GET', '/api/scopes/held/claims?document_id=audit', { headers: key })
  expect(claims.body.items).toEqual([])
  const waiting = await service.call('GET', '/api/scopes/held/decisions?review=pending', { headers: key })
  const decision = waiting.body.items.find(
    (item: { outcome: string; review: string }) => item.outcome === 'hold' && item.review === 'pending',
  )
  const review = { verdict: 'approve', reason: 'Seen.', by: 'j.doe' }
  const approved = await service.call('POST', `/api/decisions/${decision.decision_id}/review`, { headers: key, body: review })
  expect(approved.body.review).toBe('approved')
  const read = await service.call('GET', '/api/documents/audit?scope_id=held&wait=30', { headers: key })
  expect(read.body.status).toBe('indexed')
  const again = await service.call('POST', `/api/decisions/${decision.decision_id}/review`, { headers: key, body: review })
  expect(again).toMatchObject({ status: 409, body: { code: 'STATE_CONFLICT' } })
})
