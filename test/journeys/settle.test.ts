/**
 * A case from its first document to its certificate, over HTTP: an issuer reports a figure, an auditor disputes it, a
 * person decides, others confirm, the scope is settled and signed, and new evidence opens it again.
 */

import { execFileSync } from 'node:child_process'
import { createPublicKey, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runConcord } from '../cli/run-concord.js'
import { startJourney } from '../support/journey.js'

const at = startJourney({}, { examination: 'none' })
const { call, get, handIn } = at

const paper = (issuer: string, date: string, revenue: string) =>
  `${issuer}\nNote on Aurelia Holding\nIssued by: ${issuer}\nDate: ${date}\n\n## Key figures FY2025 of Aurelia Holding\n\nRevenue: EUR ${revenue}M\n`

const summary = async () => (await at.admin('GET', '/admin/scopes/aurelia/summary')).body
const open = async () => (await get('/api/scopes/aurelia/contradictions')).items
const certificate = () => call('GET', '/api/scopes/aurelia/certificate')

it('settles when its numbers have earned it, and not before', async () => {
  await handIn('aurelia', 'report', paper('Aurelia Holding', '2026-02-01', '41.2'))
  await handIn('aurelia', 'audit', paper('Brandt Audit', '2026-03-01', '33.9'))

  const found = await open()
  expect(found).toHaveLength(1)
  expect([found[0].a.quote, found[0].b.quote].sort()).toEqual(['Revenue: EUR 33.9M', 'Revenue: EUR 41.2M'])
  expect((await summary()).finality.status).not.toBe('resolved')
  expect((await certificate()).status).toBe(404)

  const side = found[0].a.document_id === 'audit' ? 'a' : 'b'
  const resolution = { verdict: side, reason: 'The audited figure holds.', by: 'j.doe' }
  const decided = await call('POST', `/api/contradictions/${found[0].contradiction_id}/resolution`, resolution)
  expect(decided.body).toMatchObject({ status: 'resolved', resolution: { by: 'j.doe' }, claims_retired: [expect.any(String)] })

  for (const [index, issuer] of ['Notary Keller', 'Bank Nord', 'Register Court', 'Tax Office', 'Valuer Roth'].entries()) {
    await handIn('aurelia', `note-${index}`, paper(issuer, `2026-03-1${index}`, '33.9'))
  }
  const settled = await summary()
  expect(settled.finality.status, JSON.stringify(settled.finality.gates)).toBe('resolved')

  const signed = await certificate()
  expect(signed.body).toMatchObject({ status: 'current', superseded_at: null, scope_id: 'aurelia' })
  await verifiesElsewhere(signed.body.certificate)

  await handIn('aurelia', 'objection', paper('Lender South', '2026-04-01', '55.0'))
  expect((await open()).length).toBeGreaterThan(0)
  expect((await summary()).finality.status).not.toBe('resolved')
  expect((await certificate()).body).toMatchObject({ status: 'superseded', superseded_at: expect.any(String), withdrawn_at: null })
})

/** With the standard library alone, and with openssl where there is one. */
async function verifiesElsewhere(jws: string): Promise<void> {
  const { keys } = await get('/.well-known/jwks.json')
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

it('holds what a policy wants a person to see, and goes on when they approve', async () => {
  await at.admin('POST', '/admin/scopes', { scope_id: 'held', mode: 'review' })
  await handIn('held', 'report', paper('Aurelia Holding', '2026-02-01', '41.2'))
  await handIn('held', 'audit', paper('Brandt Audit', '2026-02-01', '33.9'), 'held')
  expect((await get('/api/scopes/held/claims?document_id=audit')).items).toEqual([])
  const [decision] = (await get('/api/scopes/held/decisions?review=pending')).items
  expect(decision).toMatchObject({ outcome: 'hold', review: 'pending' })
  const path = `/api/decisions/${decision.decision_id}/review`
  const review = { verdict: 'approve', reason: 'Seen.', by: 'j.doe' }
  expect((await call('POST', path, review)).body.review).toBe('approved')
  expect((await get('/api/documents/audit?scope_id=held&wait=30')).status).toBe('indexed')
  expect(await call('POST', path, review)).toMatchObject({ status: 409, body: { code: 'STATE_CONFLICT' } })
})

it('has a first page: what is contested, missing, not read and looked at by whom, and what changed since the last visit', async () => {
  await handIn(
    'first-page',
    'report',
    `${paper('Aurelia Holding', '2026-02-01', '41.2')}\nSee Annex 3, Annex 7, Annex 9, our letter of 4 March 2025 and the report of 1 March 2026.\n`,
  )
  const first = await get('/api/scopes/first-page/overview')
  expect(first).toMatchObject({ scope_id: 'first-page', since: null, contested: { open: 0, items: [] } })
  const audit = `${paper('Brandt Audit', '2026-03-01', '33.9')}\n## Annex 7\n\nAs Annex 7 says.\n`
  await handIn('first-page', 'audit', audit)
  const [found] = (await get('/api/scopes/first-page/contradictions')).items
  await call('PUT', `/api/contradictions/${found.contradiction_id}/assignment`, { to: 'R. Roe', due: '2020-01-31' })
  // The same visit goes on: nothing was before it.
  expect((await get('/api/scopes/first-page/overview')).since).toBeNull()
  const read = await get(`/api/scopes/first-page/overview?since=${first.last_seq}`)
  expect(read).toMatchObject({
    contested: {
      open: 1,
      items: [
        {
          contradiction_id: found.contradiction_id,
          severity: 'high',
          says: 'money',
          why: expect.stringMatching(/^The figures are 18 % apart, on a matter of weight/),
          assignment: { to: 'R. Roe' },
        },
      ],
    },
    reviewed: { contradictions: { decided: 0, total: 1 } },
    people: { unassigned: 0, items: [{ person: 'R. Roe', open: 1, overdue: 1, next_due: '2020-01-31' }] },
    papers: { total: 2, drawn: 2, links: [{ a: 0, b: 1, kind: 'contradicts', count: 1, open: 1 }] },
  })
  expect(read.papers.groups).toMatchObject([
    { issuer: 'Aurelia Holding', from: '2026-02-01', papers: [{ document_id: 'report' }] },
    { issuer: 'Brandt Audit', from: '2026-03-01' },
  ])
  expect(read.missing.map(({ mention, papers }: { mention: string; papers: object[] }) => [mention, papers])).toEqual([
    ['Annex 3', [{ document_id: 'report', name: 'report' }]],
    ['Annex 9', [{ document_id: 'report', name: 'report' }]],
    ['letter of 4 March 2025', [{ document_id: 'report', name: 'report' }]],
  ])
  const counts = new Map(read.since.changes.map(({ type, count }: { type: string; count: number }) => [type, count]))
  expect([counts.get('document.indexed'), counts.get('contradiction.detected'), counts.get('contradiction.assigned')]).toEqual([1, 1, 1])
  // A visit that nobody continued for a while is the last one: what came after it is told on the next.
  await at.rows(`update visits set seen_at = seen_at - interval '31 minutes', seq = $1`, [first.last_seq])
  const again = await get('/api/scopes/first-page/overview')
  expect([again.since.seq, again.since.changes]).toEqual([first.last_seq, read.since.changes])
  expect((await get('/api/scopes/first-page/overview')).since.seq).toBe(first.last_seq)
  const stranger = { 'x-tenant-api-key': (await at.service.createTenant()).api_key }
  expect((await call('GET', '/api/scopes/first-page/overview', undefined, stranger)).body.code).toBe('SCOPE_NOT_FOUND')
  const env = { CONCORD_URL: at.service.url, CONCORD_TENANT_KEY: at.key['x-tenant-api-key'] ?? '' }
  const { out } = await runConcord(env, 'overview', 'first-page')
  for (const words of ['The figures are 18 % apart', 'Annex 3', 'R. Roe', '0 of 1', ' UTC): 1 contradiction found'])
    expect(out).toContain(words)
  await handIn('first-page', 'Annex_09', 'A page.')
  await at.rows(`update documents set profile = null where document_id = 'Annex_09'`)
  // The same text once more: what was read of it is what it was.
  await handIn('first-page', 'audit', audit)
  const { missing, papers } = await get('/api/scopes/first-page/overview')
  expect(papers.groups).toContainEqual(expect.objectContaining({ issuer: 'Brandt Audit', from: '2026-03-01' }))
  expect(
    missing.map(({ mention }: { mention: string }) => mention),
    'what nobody could read is there',
  ).toEqual(['Annex 3', 'letter of 4 March 2025'])
})
