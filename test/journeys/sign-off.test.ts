/** Nothing is signed that nobody examined: the gate, the sign-off, what undoes it, and what the certificate says, over HTTP. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CertificateV4 } from '../../src/kernel/certificate-payload.js'
import { replayScope } from '../../src/pipeline/replay.js'
import { payloadOf } from '../../src/scopes/certificates.js'
import { removeDeletedScopes, removeOldGenerations } from '../../src/store/scopes/reset-removal.js'
import { runConcord } from '../cli/run-concord.js'
import { addPossible } from '../support/possible-conflict.js'
import { startTestService, type TestAnswer, type TestService } from '../support/service.js'

let service: TestService
let tenant: { tenant_id: string; api_key: string }
let key: Record<string, string>

beforeAll(async () => {
  service = await startTestService({ RETRY_MAX_ATTEMPTS: '1' })
  tenant = await service.createTenant()
  key = { 'x-tenant-api-key': tenant.api_key }
})
afterAll(() => service.stop())

const call = (method: string, path: string, body?: unknown, headers = key) =>
  service.call(method, path, { headers, ...(body === undefined ? {} : { body }) })
const get = async (path: string) => (await call('GET', path)).body
const summary = (scope: string) => get(`/api/scopes/${scope}/summary`)
const gate = async (scope: string) => (await summary(scope)).finality.gates.find((each: { gate: string }) => each.gate === 'examined')
const sign = (scope: string, by = 'J. Doe', more: object = {}, headers = key) =>
  call('POST', `/api/scopes/${scope}/sign-off`, { by, reason: 'I read both papers.', ...more }, headers)
const certificate = async (scope: string) => payloadOf((await get(`/api/scopes/${scope}/certificate`)).certificate) as CertificateV4
const settings = (scope: string, finality: object) =>
  service.admin('PATCH', `/admin/scopes/${scope}`, { settings: { finality } }, tenant.api_key)

async function handIn(scope: string, documentId: string, text: string): Promise<TestAnswer> {
  const body = { scope_id: scope, name: documentId, document_id: documentId, text }
  expect((await call('POST', '/api/ingest', body)).status).toBe(202)
  return call('GET', `/api/documents/${documentId}?scope_id=${scope}&wait=30`)
}

/** Two papers that say different things about different matters. */
async function openCase(scope: string): Promise<void> {
  await handIn(scope, 'contract', 'The contract sum of Harbour Tower is EUR 4.2M.')
  await handIn(scope, 'letter', 'The site manager of Harbour Tower is Anna Weber.')
}

async function quarantine(scope: string, documentId: string): Promise<void> {
  const form = new FormData()
  form.set('scope_id', scope)
  form.set('document_id', documentId)
  form.set('file', new Blob([Buffer.from('%PDF-1.4\nnothing of a file')], { type: 'application/pdf' }), `${documentId}.pdf`)
  const answer = await fetch(`${service.url}/api/files`, { method: 'POST', headers: key, body: form })
  expect(answer.status).toBe(202)
  expect((await call('GET', `/api/documents/${documentId}?scope_id=${scope}&wait=30`)).body.status).toBe('quarantined')
}

describe('a case nobody looked at', { timeout: 60_000 }, () => {
  it('needs a person, and is certified with who signed it off', async () => {
    await openCase('plain')
    const before = await summary('plain')
    expect(before.finality.status).toBe('review')
    expect(await gate('plain')).toMatchObject({ ok: false, value: 0 })
    expect((await call('GET', '/api/scopes/plain/certificate')).body.code).toBe('CERTIFICATE_NOT_FOUND')

    const signed = await sign('plain')
    expect(signed.status).toBe(201)
    expect(signed.body).toMatchObject({
      by: 'J. Doe',
      vouched: false,
      reason: 'I read both papers.',
      current: true,
      finality: 'resolved',
      unread: [],
      withdrawn: null,
      covers: {
        documents: {
          count: 2,
          hashes: [
            { document_id: 'contract', revision: 1 },
            { document_id: 'letter', revision: 1 },
          ],
        },
      },
    })
    const { version, examined, disputed } = await certificate('plain')
    expect(version).toBe(4)
    expect(disputed).toEqual({ count: 0, ids: [] })
    expect(examined).toMatchObject({
      setting: 'person',
      by_rules: [{ documents: 2 }],
      by_model: [],
      sign_offs: [{ sign_off_id: signed.body.sign_off_id, by: 'J. Doe', vouched: false, current: true }],
      not_read: { count: 0, listed: [] },
      cleared_by_model: { count: 0, ids: [] },
      possible_conflicts_left: 0,
    })
    expect(examined.words).toMatch(/^Compared by rules alone\. Signed off by J\. Doe on \d+ \w+ \d{4}\.$/)
    const { items } = await get('/api/scopes/plain/decisions?limit=50')
    expect(
      items.some(
        (each: { decision_id: string; outcome: string }) => each.decision_id === signed.body.decision_id && each.outcome === 'admit',
      ),
    ).toBe(true)
  })

  it('leaves `resolved` with the next paper, and the next sign-off covers the difference', async () => {
    await openCase('grows')
    await sign('grows')
    await handIn('grows', 'note', 'The crane of Harbour Tower stands on the north side.')
    const since = await summary('grows')
    expect(since.finality.status).toBe('review')
    expect(since.examined).toMatchObject({ setting: 'person', papers_since: 1, sign_offs: [{ by: 'J. Doe', current: false }] })
    expect(since.examined.words).toMatch(/^signed off by J\. Doe, current to \d+ \w+ \d{4}, 1 paper since$/)
    expect((await get('/api/documents/note?scope_id=grows')).compared_by.words).toBe('compared by rules alone')
    const [first] = (await get('/api/scopes/grows/sign-offs')).items
    expect(first).toMatchObject({ current: false, withdrawn: null, covers: { documents: { count: 2 } } })
    const second = await sign('grows', 'R. Roe')
    expect(second.body).toMatchObject({ finality: 'resolved', covers: { documents: { count: 3 } } })
    expect((await certificate('grows')).examined.sign_offs).toMatchObject([
      { by: 'R. Roe', current: true },
      { by: 'J. Doe', current: false },
    ])
    expect((await get('/api/scopes/grows/sign-offs')).items.map((each: { by: string }) => each.by)).toEqual(['R. Roe', 'J. Doe'])
  })

  it('leaves `resolved` when a paper changes, goes, is attached, registered or quarantined', async () => {
    const leaves: [string, (scope: string) => Promise<unknown>][] = [
      ['changed', scope => handIn(scope, 'letter', 'The site manager of Harbour Tower is Boris Adler.')],
      ['erased', scope => call('DELETE', `/api/documents/letter?scope_id=${scope}`)],
      [
        'attached',
        scope =>
          service.admin('POST', `/admin/scopes/${scope}/documents`, { name: 'x', text: 'Nothing.', document_id: 'x' }, tenant.api_key),
      ],
      ['registered', scope => call('POST', '/api/documents', { scope_id: scope, name: 'elsewhere', type: 'pdf' })],
      ['quarantined', scope => quarantine(scope, 'scan')],
    ]
    for (const [scope, change] of leaves) {
      await openCase(scope)
      await settings(scope, { minimum_documents: 1, minimum_claims: 1 })
      expect((await sign(scope)).body.finality, scope).toBe('resolved')
      await change(scope)
      expect((await summary(scope)).finality.status, scope).toBe('review')
    }
  })

  it('stays signed when the same text comes again, or it is read again without another finding', async () => {
    await openCase('again')
    await sign('again')
    await handIn('again', 'letter', 'The site manager of Harbour Tower is Anna Weber.')
    expect((await summary('again')).finality.status).toBe('resolved')
    await call('POST', '/api/scopes/again/reread', {})
    await expect.poll(async () => (await summary('again')).reading.waiting, { timeout: 20_000 }).toBe(0)
    expect((await summary('again')).finality.status).toBe('resolved')
    expect((await get('/api/scopes/again/sign-offs')).items[0].current).toBe(true)
  })

  it('leaves `resolved` when the glossary or a setting changes, and not when it only asks for more signatures', async () => {
    await openCase('set')
    await sign('set')
    await settings('set', { signatures: 2 })
    expect(await gate('set')).toMatchObject({ ok: false, value: 1 })
    expect((await sign('set', 'J.  DOE')).body.finality).toBe('review')
    expect((await sign('set', 'R. Roe')).body.finality).toBe('resolved')
    await service.admin('PUT', '/admin/scopes/set/glossary', { terms: { 'contract sum': ['price'] } }, tenant.api_key)
    expect((await summary('set')).finality.status).toBe('review')
    await sign('set')
    await sign('set', 'R. Roe')
    await settings('set', { veto_severity: 'high' })
    expect((await summary('set')).finality.status).toBe('review')
  })
})

describe('a decision on a finding', { timeout: 60_000 }, () => {
  const spring = 'Harbour Tower is finished when the swallows return.'
  const winter = 'Nothing is finished before the first snow falls.'
  const whole = (document_id: string, text: string) => ({ document_id, revision: 1, start: 0, end: text.length })

  it('ends what was signed, as a report, a reopening and a reset of it do', async () => {
    await handIn('decided', 'spring', spring)
    await handIn('decided', 'winter', winter)
    await settings('decided', { minimum_claims: 1 })
    await sign('decided')
    expect((await summary('decided')).finality.status).toBe('resolved')
    const report = {
      scope_id: 'decided',
      a: whole('spring', spring),
      b: whole('winter', winter),
      severity: 'high',
      by: 'A. Weber',
      reason: 'Two dates.',
    }
    const { contradiction_id: id } = (await call('POST', '/api/contradictions', report)).body
    expect((await summary('decided')).examined).toMatchObject({ papers_since: 0, sign_offs: [{ current: false }] })
    expect((await summary('decided')).examined.words).toMatch(/^signed off by J\. Doe, current to .*, something else counts since$/)
    const path = `/api/contradictions/${id}/resolution`
    await call('POST', path, { verdict: 'both', by: 'A. Weber', reason: 'Two towers.' })
    expect((await sign('decided')).body.finality).toBe('resolved')
    await call('POST', path, { verdict: 'dismiss', by: 'A. Weber', reason: 'One tower.' })
    expect((await summary('decided')).examined.sign_offs[0].current).toBe(false)
    expect((await sign('decided')).body.finality).toBe('resolved')
    await call('DELETE', `${path}?by=A.%20Weber&reason=Again`)
    expect((await summary('decided')).finality.status).not.toBe('resolved')
  })

  it('ends it where somebody objects to a replacement', async () => {
    await handIn('objected', 'first', 'Orel Mills\nReport of 3 March 2021\nNet debt of Orel Mills was EUR 17.9 million at the end of 2020.')
    await handIn(
      'objected',
      'second',
      'Orel Mills\nCorrected report of 5 March 2021\nNet debt of Orel Mills was EUR 19.7 million at the end of 2020.',
    )
    await settings('objected', { minimum_claims: 1 })
    expect((await sign('objected')).body).toMatchObject({ finality: 'resolved' })
    const [replaced] = (await get('/api/scopes/objected/supersessions')).items
    const answer = await call('POST', `/api/supersessions/${replaced.supersession_id}/objection`, {
      by: 'A. Weber',
      reason: 'The draft was right.',
    })
    expect(answer.status).toBe(200)
    expect((await summary('objected')).finality.status).not.toBe('resolved')
    expect((await get('/api/scopes/objected/sign-offs')).items[0].current).toBe(false)
  })
})

describe('lists and events', { timeout: 60_000 }, () => {
  it('say who compared, who signed and what came since', async () => {
    await openCase('listed')
    const listed = async () => (await get('/api/scopes?q=listed')).items[0].examined
    expect(await listed()).toEqual({ words: 'not signed off', papers_since: 0, compared: 'compared by rules alone' })
    await quarantine('listed', 'scan')
    const unread = [{ document_id: 'scan', how: 'read_by_eye', reason: 'It repeats the sum.' }]
    const { sign_off_id: id } = (await sign('listed', 'J. Doe', { unread })).body
    const documents = (await get('/api/scopes/listed/documents')).items as { document_id: string; compared_by: object }[]
    const by = (documentId: string) => documents.find(each => each.document_id === documentId)?.compared_by
    expect(by('contract')).toMatchObject({
      words: 'compared by rules and J. Doe',
      person: { by: 'J. Doe', vouched: false, sign_off_id: id, how: null },
    })
    expect(by('scan')).toMatchObject({ words: 'read by J. Doe', rules: null, person: { how: 'read_by_eye' } })
    expect((await listed()).words).toMatch(/^signed off by J\. Doe, current to \d+ \w+ \d{4}$/)
    await handIn('listed', 'note', 'The crane of Harbour Tower stands on the north side.')
    expect(await listed()).toMatchObject({ words: expect.stringMatching(/, 1 paper since$/), papers_since: 1 })
    expect((await get('/api/documents/note?scope_id=listed')).compared_by).toMatchObject({ words: 'compared by rules alone', person: null })
    expect((await summary('listed')).examined).toMatchObject({ compared: 'compared by rules alone', papers_since: 1 })
    await call('DELETE', `/api/scopes/listed/sign-offs/${id}?by=x&reason=x`)
    expect((await get('/api/documents/contract?scope_id=listed')).compared_by.person).toBeNull()
    expect((await listed()).words).toBe('not signed off')
    const internals = await service.call('GET', `/internals/kernel/convergence?tenant_id=${tenant.tenant_id}&scope_id=listed`, {
      headers: { authorization: `Bearer ${service.internalsKey}` },
    })
    expect(internals.body.items[0]).toMatchObject({ examined: 'not signed off', possible_conflicts: 0 })
  })

  it('tell of possible conflicts beside contradictions', async () => {
    await openCase('told')
    await addPossible(service, tenant.tenant_id, 'told')
    await handIn('told', 'note', 'The crane of Harbour Tower stands on the north side.')
    expect((await get('/api/scopes?q=told')).items[0].counts).toMatchObject({ open_contradictions: 0, possible_conflicts: 1 })
    const { rows } = await service.database.owner.query(
      "select type, data from events where data->>'scope_id' = 'told' and type in ('document.indexed', 'finality.changed') order by seq",
    )
    for (const { type, data } of rows)
      expect([type, data]).toEqual([type, expect.objectContaining({ possible_conflicts: expect.any(Number) })])
    expect(rows.map(each => each.type)).toContain('finality.changed')
  })
})

describe('a sign-off', { timeout: 60_000 }, () => {
  it('is refused while another gate fails, with the list', async () => {
    await handIn('thin', 'only', 'The contract sum of Harbour Tower is EUR 4.2M.')
    const refused = await sign('thin')
    expect(refused).toMatchObject({ status: 409, body: { code: 'STATE_CONFLICT' } })
    expect(refused.body.errors.map((each: { pointer: string }) => each.pointer)).toEqual(['/gates/minimum_content'])
    expect((await get('/api/scopes/thin/sign-offs')).items).toEqual([])
  })

  it('names every document that was not read, and says what was done about it', async () => {
    await openCase('scans')
    await quarantine('scans', 'photo')
    const unnamed = await sign('scans')
    expect(unnamed).toMatchObject({ status: 409, body: { code: 'STATE_CONFLICT', errors: [{ pointer: '/unread' }] } })
    expect(unnamed.body.errors[0].detail).toContain('photo')
    const entry = { document_id: 'photo', how: 'set_aside', reason: 'A picture of the gate.' }
    expect((await sign('scans', 'J. Doe', { unread: [{ ...entry, document_id: 'none' }] })).body.code).toBe('DOCUMENT_NOT_FOUND')
    expect((await sign('scans', 'J. Doe', { unread: [entry, entry] })).body.code).toBe('VALIDATION_FAILED')
    expect((await sign('scans', 'J. Doe', { unread: [entry, { ...entry, document_id: 'letter' }] })).body.code).toBe('STATE_CONFLICT')
    expect((await sign('scans', 'J. Doe', { unread: Array(1001).fill(entry) })).status).toBe(400)
    const signed = await sign('scans', 'J. Doe', { unread: [entry] })
    expect(signed.body).toMatchObject({ finality: 'resolved', unread: [{ ...entry, revision: 1, status: 'quarantined' }] })
    const { examined } = await certificate('scans')
    expect(examined.not_read.listed).toEqual([{ document_id: 'photo', revision: 1, status: 'quarantined', how: 'set_aside' }])
    expect(examined.words).toContain('1 paper not read.')
    expect((await summary('scans')).examined.not_examined).toEqual([])
  })

  it('lets a paper that a person read count as content', async () => {
    await handIn('eye', 'contract', 'The contract sum of Harbour Tower is EUR 4.2M.')
    await quarantine('eye', 'scan')
    const unread = [{ document_id: 'scan', how: 'read_by_eye', reason: 'It repeats the sum.' }]
    expect((await sign('eye', 'J. Doe', { unread: [{ ...unread[0], how: 'set_aside' }] })).status).toBe(409)
    expect((await sign('eye', 'J. Doe', { unread })).body.finality).toBe('resolved')
  })

  it('is withdrawn once, on record, and the case needs another', async () => {
    await openCase('back')
    const { sign_off_id: id } = (await sign('back')).body
    const path = `/api/scopes/back/sign-offs/${id}?by=R.%20Roe&reason=Too%20early`
    const withdrawn = await call('DELETE', path)
    expect(withdrawn).toMatchObject({
      status: 200,
      body: { current: false, finality: 'review', withdrawn: { by: 'R. Roe', vouched: false, reason: 'Too early' } },
    })
    expect(await call('DELETE', path)).toMatchObject({ status: 409, body: { code: 'STATE_CONFLICT' } })
    expect((await call('DELETE', '/api/scopes/back/sign-offs/sgn_none?by=x&reason=x')).body.code).toBe('SIGN_OFF_NOT_FOUND')
    expect((await get('/api/scopes/back/sign-offs')).items).toHaveLength(1)
    const { rows } = await service.database.owner.query(
      "select type from events where type like 'scope.sign%' and data->>'scope_id' = 'back' order by seq",
    )
    expect(rows.map(each => each.type)).toEqual(['scope.signed_off', 'scope.sign_off_withdrawn'])
  })

  it('is made once for one idempotency key', async () => {
    await openCase('twice')
    const once = { ...key, 'idempotency-key': 'sign-1' }
    const first = await sign('twice', 'J. Doe', {}, once)
    const again = await sign('twice', 'J. Doe', {}, once)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await sign('twice', 'R. Roe', {}, once)).status).toBe(422)
    expect((await get('/api/scopes/twice/sign-offs')).items).toHaveLength(1)
  })

  it('takes the right to decide, a case of one’s own, and a name', async () => {
    await openCase('rights')
    const other = await service.createTenant()
    const foreign = { 'x-tenant-api-key': other.api_key }
    expect((await sign('rights', 'J. Doe', {}, foreign)).body.code).toBe('SCOPE_NOT_FOUND')
    expect((await call('GET', '/api/scopes/rights/sign-offs', undefined, foreign)).body.code).toBe('SCOPE_NOT_FOUND')
    const { sign_off_id: id } = (await sign('rights')).body
    expect((await call('DELETE', `/api/scopes/rights/sign-offs/${id}?by=x&reason=x`, undefined, foreign)).body.code).toBe('SCOPE_NOT_FOUND')
    const made = async (body: object) => ({
      'x-tenant-api-key': (await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, body)).body.api_key as string,
    })
    const reader = await made({ label: 'reader', rights: ['read', 'ingest'] })
    expect((await sign('rights', 'J. Doe', {}, reader)).body.code).toBe('RIGHTS_INSUFFICIENT')
    expect((await call('DELETE', `/api/scopes/rights/sign-offs/${id}?by=x&reason=x`, undefined, reader)).body.code).toBe(
      'RIGHTS_INSUFFICIENT',
    )
    const elsewhere = await made({ label: 'elsewhere', rights: ['read', 'decide'], scopes: ['plain'] })
    expect((await sign('rights', 'J. Doe', {}, elsewhere)).body.code).toBe('RIGHTS_INSUFFICIENT')
    const own = await made({ label: 'own', person: 'a.weber', rights: ['read', 'decide'], speak_for: false })
    expect((await sign('rights', 'J. Doe', {}, own)).body.code).toBe('RIGHTS_INSUFFICIENT')
    expect((await sign('rights', 'a.weber', {}, own)).body).toMatchObject({ by: 'a.weber', vouched: true })
    expect((await sign('rights', 'system')).body.code).toBe('VALIDATION_FAILED')
    expect((await call('POST', '/api/scopes/rights/sign-off', { by: 'x' })).body.code).toBe('VALIDATION_FAILED')
    expect((await certificate('rights')).examined.sign_offs[0]).toMatchObject({ by: 'a.weber', vouched: true })
  })

  it('answers a settlement that a policy holds for a person, where policy lets this person', async () => {
    await openCase('held')
    const hold = `
@id("all") permit (principal, action, resource);
@id("settlement-is-signed-off") @outcome("hold") @reason("A person settles it.")
forbid (principal, action == Action::"finality", resource) when { context.to == "resolved" };
@id("not-mallory") @outcome("hold") @reason("Somebody else.")
forbid (principal, action == Action::"review", resource) when { principal.name == "mallory" };`
    await service.admin('PUT', '/admin/scopes/held/policies', { policies: hold }, tenant.api_key)
    expect((await sign('held', 'mallory')).body.finality).toBe('review')
    expect((await get('/api/scopes/held/decisions?review=pending')).items).toHaveLength(1)
    expect((await sign('held')).body.finality).toBe('resolved')
    expect((await get('/api/scopes/held/decisions?review=pending')).items).toEqual([])
    expect((await certificate('held')).examined.approvals).toMatchObject([{ actor: { id: 'J. Doe' } }])
  })

  it('waits where policy holds it, and is made once it is approved', async () => {
    await openCase('second')
    const hold = `
@id("all") permit (principal, action, resource);
@id("four-eyes") @outcome("hold") @reason("Another person looks at it.")
forbid (principal, action == Action::"resolution", resource) when { context.verdict == "sign_off" };`
    await service.admin('PUT', '/admin/scopes/second/policies', { policies: hold }, tenant.api_key)
    expect((await sign('second')).body.code).toBe('STATE_CONFLICT')
    expect((await get('/api/scopes/second/sign-offs')).items).toEqual([])
    const [waiting] = (await get('/api/scopes/second/decisions?review=pending')).items
    const review = { verdict: 'approve', by: 'R. Roe', reason: 'Seen.' }
    expect((await call('POST', `/api/decisions/${waiting.decision_id}/review`, review)).status).toBe(200)
    expect((await summary('second')).finality.status).toBe('resolved')
    expect((await get('/api/scopes/second/sign-offs')).items).toMatchObject([{ by: 'J. Doe', current: true }])
  })

  it('is erased with its case, and gone after a reset', async () => {
    for (const scope of ['reset-signed', 'deleted-signed']) {
      await openCase(scope)
      expect((await sign(scope, 'J. Doe', { reason: 'Zorvath told me.' })).body.finality).toBe('resolved')
    }
    await service.admin('POST', '/admin/scopes/reset-signed/reset', {}, tenant.api_key)
    expect((await get('/api/scopes/reset-signed/sign-offs')).items).toEqual([])
    expect((await summary('reset-signed')).examined.words).toBe('not signed off')
    await call('DELETE', '/api/scopes/deleted-signed')
    const { db, owner } = service.database
    await expect
      .poll(
        async () => {
          await removeOldGenerations(db, { batchRows: 1000, batches: 1000 })
          await removeDeletedScopes(db, { batchRows: 1000, batches: 1000 })
          return (await owner.query("select count(*)::int as left from sign_offs where reason like 'Zorvath%'")).rows[0].left
        },
        { timeout: 20_000 },
      )
      .toBe(0)
  })

  it('is exported with its case', async () => {
    await openCase('exported')
    const { sign_off_id: id } = (await sign('exported')).body
    const env = { CONCORD_URL: service.url, CONCORD_TENANT_KEY: tenant.api_key, XDG_CONFIG_HOME: '/nonexistent', DATA_DIR: '/nonexistent' }
    const { out } = await runConcord(env, 'export', 'exported')
    const lines = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { kind: string; record: { sign_off_id?: string } })
    expect(lines.filter(each => each.kind === 'sign_off').map(each => each.record.sign_off_id)).toEqual([id])
  })

  it('is replayed, and its reasons go with an erased paper', async () => {
    await openCase('words')
    const { sign_off_id: id } = (await sign('words', 'J. Doe', { reason: 'I asked Anna Weber.' })).body
    await call('DELETE', `/api/scopes/words/sign-offs/${id}?by=R.%20Roe&reason=Anna%20objects`)
    expect(await replayScope(service.database.db, { tenantId: tenant.tenant_id, scopeId: 'words' })).toMatchObject({
      ok: true,
      complete: true,
    })
    await call('DELETE', '/api/documents/letter?scope_id=words')
    const [kept] = (await get('/api/scopes/words/sign-offs')).items
    expect(kept).toMatchObject({ by: 'J. Doe', reason: '', withdrawn: { by: 'R. Roe', reason: '' } })
    expect(await replayScope(service.database.db, { tenantId: tenant.tenant_id, scopeId: 'words' })).toMatchObject({ ok: true })
    for (const table of ['sign_offs', 'rounds', 'decisions', 'events']) {
      const { rows } = await service.database.owner.query(
        `select count(*)::int as left from ${table} t where t::text like '%Anna%' and tenant_id = $1 and scope_no = (select scope_no from scopes where scope_id = 'words')`,
        [tenant.tenant_id],
      )
      expect(rows[0].left, table).toBe(0)
    }
  })
})

describe('a sign-off that was taken back', { timeout: 60_000 }, () => {
  it('loses why when a paper is erased that came between', async () => {
    await openCase('between')
    const { sign_off_id: id } = (await sign('between', 'J. Doe', { reason: 'I read both.' })).body
    await handIn('between', 'note', 'The gardener is Anna Weber.')
    await call('DELETE', `/api/scopes/between/sign-offs/${id}?by=R.%20Roe&reason=Anna%20objects`)
    await call('DELETE', '/api/documents/note?scope_id=between')
    const [kept] = (await get('/api/scopes/between/sign-offs')).items
    expect(kept).toMatchObject({ reason: 'I read both.', withdrawn: { by: 'R. Roe', reason: '' } })
  })
})

describe('where the settings ask for less', { timeout: 60_000 }, () => {
  it('settles by itself, and the certificate says that nobody was asked', async () => {
    await openCase('none')
    await settings('none', { examination: 'none' })
    expect((await summary('none')).finality.status).toBe('resolved')
    const { examined } = await certificate('none')
    expect(examined).toMatchObject({ setting: 'none', sign_offs: [] })
    expect(examined.words).toBe('Compared by rules alone. The settings ask for no examination.')
  })

  it('says of nobody that they signed what came after', async () => {
    await openCase('after')
    await settings('after', { examination: 'none' })
    expect((await sign('after', 'J. Doe')).status).toBe(201)
    await handIn('after', 'third', 'The roof is red.')
    const { examined } = await certificate('after')
    expect(examined.sign_offs).toMatchObject([{ by: 'J. Doe', current: false }])
    expect(examined.words).toMatch(/Signed off by J\. Doe on [^.]*, for what counted before\./)
  })

  it('asks for a model: what it did not compare stands in the way until a person signs for it', async () => {
    await openCase('model')
    await settings('model', { examination: 'model' })
    expect(await gate('model')).toMatchObject({ ok: false, value: 2 })
    // It names them, and why.
    expect((await gate('model')).how).toContain('Not examined: contract (no model was asked), letter (no model was asked).')
    expect((await summary('model')).examined.not_examined).toEqual([
      { document_id: 'contract', why: 'no model was asked' },
      { document_id: 'letter', why: 'no model was asked' },
    ])
    // What came of asking one says why.
    const { owner } = service.database
    const outcome =
      "update documents set model_outcome = $1 where document_id = $2 and scope_no = (select scope_no from scopes where scope_id = 'model')"
    await owner.query(outcome, ['unconfirmed', 'contract'])
    await owner.query(outcome, ['off', 'letter'])
    await owner.query(
      `insert into model_readings (tenant_id, scope_no, generation, document_id, revision, model, prompt_version, outcome, listed, reading, dropped,
         prompt_tokens, completion_tokens, asked_at)
       select tenant_id, scope_no, generation, document_id, revision, 'model:small', '3', 'unconfirmed', '{}', '{}', '{}', 1, 1, now() from documents
       where document_id = 'contract' and scope_no = (select scope_no from scopes where scope_id = 'model')`,
    )
    expect((await gate('model')).how).toContain('Not examined: contract (candidates unconfirmed), letter (the model is off).')
    expect((await get('/api/documents/contract?scope_id=model')).compared_by).toMatchObject({
      model: { model: 'small', questions: '3', complete: false },
      words: 'compared by rules and small (questions 3), in part',
    })
    expect((await sign('model')).body.finality).toBe('resolved')
    expect((await summary('model')).examined.not_examined).toEqual([])
    expect((await certificate('model')).examined.words).toContain('The settings ask for a comparison by a model')
    await handIn('model', 'note', 'The crane of Harbour Tower stands on the north side.')
    expect(await gate('model')).toMatchObject({ ok: false, value: 1, how: expect.stringContaining('note (no model was asked)') })
    const { sign_off_id: id } = (await get('/api/scopes/model/sign-offs')).items[0]
    await call('DELETE', `/api/scopes/model/sign-offs/${id}?by=x&reason=x`)
    expect(await gate('model')).toMatchObject({ ok: false, value: 3 })
  })
})
