/** What is handed on of a case: the schedule of contradictions, and the bundle. */

import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canonicalJson } from '../../src/kernel/canonical.js'
import { SetDigest } from '../../src/kernel/set-digest.js'
import { systemClock } from '../../src/platform/clock.js'
import { generateSigningKey, verifyAsOf } from '../../src/scopes/certificates/certificates.js'
import { createStatements } from '../../src/scopes/certificates/statements.js'
import { openBundle } from '../../src/scopes/papers/bundle.js'
import { runConcord } from '../cli/run-concord.js'
import { fileForm } from '../support/multipart.js'
import { addPossible } from '../support/possible-conflict.js'
import { startTestService, type TestService } from '../support/service.js'
import { partsOf } from '../support/zip-parts.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const said = { first: 'Vela Ltd: net debt at 31 March 2025 was EUR 17.5M.', second: 'Vela Ltd: net debt at 31 March 2025 was EUR 12.0M.' }
const dangerous = '=HYPERLINK("http://evil.example") <&> "quoted"'

interface Case {
  tenantId: string
  headers: Record<string, string>
  upload(documentId: string, name: string, bytes: Buffer): Promise<void>
  read(path: string, headers?: Record<string, string>): Promise<Response>
}

/** Reading files takes long: where nothing hangs on it the papers come as texts. */
async function openCase(papers: 'files' | 'texts' = 'texts'): Promise<Case> {
  const tenant = await service.createTenant()
  const headers = { 'x-tenant-api-key': tenant.api_key }
  const upload: Case['upload'] = async (documentId, name, bytes) => {
    const form = fileForm({ scope_id: 'case', document_id: documentId, name }, { bytes, name })
    const answer = await service.call('POST', '/api/files', { headers: { ...headers, ...form.headers }, raw: form.raw })
    expect(answer.status, answer.text).toBe(202)
    const read = await service.call('GET', `/api/documents/${documentId}?scope_id=case&wait=30`, { headers })
    expect(read.body.status, read.text).toBe('indexed')
  }
  const give: Case['upload'] = async (document_id, name, bytes) => {
    const body = { scope_id: 'case', document_id, name, text: bytes.toString() }
    await service.call('POST', '/api/ingest', { headers, body })
    await service.call('GET', `/api/documents/${document_id}?scope_id=case&wait=30`, { headers })
  }
  const handIn = papers === 'files' ? upload : give
  await handIn('first', 'Note of March.txt', Buffer.from(said.first))
  await handIn('second', 'Audit letter.txt', Buffer.from(said.second))
  return {
    tenantId: tenant.tenant_id,
    headers,
    upload,
    read: (path, more = {}) => fetch(`${service.url}${path}`, { headers: { ...headers, ...more } }),
  }
}

async function decide({ headers }: Case): Promise<void> {
  const found = await service.call('GET', '/api/scopes/case/contradictions', { headers })
  const id = found.body.items[0].contradiction_id
  const body = { verdict: 'both', reason: `Two dates of booking. ${dangerous}`, by: 'Ada' }
  expect((await service.call('POST', `/api/contradictions/${id}/resolution`, { headers, body })).status).toBe(200)
}

describe('the schedule of contradictions', () => {
  it('is a file that can be read again, with both quotes, papers and the decision', async () => {
    const opened = await openCase('files')
    await decide(opened)
    for (const format of ['docx', 'xlsx']) {
      const answer = await opened.read(`/api/scopes/case/schedule?format=${format}`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-disposition')).toContain(`case contradictions.${format}`)
      expect(answer.headers.get('content-type')).toContain('openxmlformats')
      await opened.upload(format, `schedule.${format}`, Buffer.from(await answer.arrayBuffer()))
      const text = (await service.call('GET', `/api/documents/${format}/text?scope_id=case`, { headers: opened.headers })).text
      for (const words of [
        said.first,
        said.second,
        'Note of March.txt',
        'Audit letter.txt',
        'Both stand',
        'Ada',
        'Two dates of booking.',
        dangerous,
      ])
        expect(text).toContain(words)
    }
  })

  it('has what the filters ask for, and refuses others', async () => {
    const opened = await openCase()
    await decide(opened)
    const decided = await passing()
    const { headers } = opened
    const reported = { scope_id: 'case', severity: 'low', claim_a: 'Ten.', claim_b: 'Twelve.', source_a: 'a call', source_b: 'a mail' }
    const { contradiction_id: id } = (await service.call('POST', '/api/contradictions', { headers, body: reported })).body
    await service.call('PUT', `/api/contradictions/${id}/assignment`, { headers, body: { to: 'Ada' } })
    const [first, second] = [said.first, 'Twelve.']
    for (const [filters, expected, words] of [
      ['', [first, second], 'case case: 2 contradictions<'],
      ['&status=open', [second], '1 contradiction (only open)'],
      ['&status=decided', [first], '(only decided)'],
      ['&status=dismissed', [], '0 contradictions (only dismissed)'],
      ['&severity=low', [second], '(only severity low)'],
      ['&document_id=first', [first], '(only with document first)'],
      ['&found_by=person', [second], '(only found by a person)'],
      ['&assigned_to=Ada', [second], '(only assigned to Ada)'],
      ['&q=%20A%20CALL', [second], '(only that say “A CALL”)'],
      ['&q=vela', [first], '(only that say “vela”)'],
      [`&known_at=${decided}`, [first], `(only as known on ${decided})`],
      ['&status=open&severity=low&found_by=rules', [], '(only open, severity low, found by rules)'],
    ] as const)
      for (const format of ['docx', 'xlsx']) {
        const answer = await opened.read(`/api/scopes/case/schedule?format=${format}${filters}`)
        const schedule = Buffer.from(await answer.arrayBuffer()).toString()
        expect(
          [first, second].filter(quote => schedule.includes(quote)),
          `${format} ${filters}`,
        ).toEqual(expected)
        expect(schedule, filters).toContain(words)
        // Rows are as high as their longest text, or lines would lie over each other.
        if (format === 'xlsx' && expected[0] === first) expect(schedule).toMatch(/<row r="3" ht="(?!13\.5")[\d.]+" customHeight="1">/)
      }
    for (const [path, status] of [
      ['/api/scopes/case/schedule?format=pdf', 400],
      ['/api/scopes/case/schedule?known_at=yesterday', 400],
      ['/api/scopes/none/schedule', 404],
      ['/api/scopes/none/bundle', 404],
    ] as const)
      expect((await opened.read(path)).status).toBe(status)
    const stranger = { 'x-tenant-api-key': (await service.createTenant()).api_key }
    expect((await service.call('GET', '/api/scopes/case/bundle', { headers: stranger })).body.code).toBe('SCOPE_NOT_FOUND')
    const wanted = { label: 'in', rights: ['ingest'] }
    const { api_key } = (await service.admin('POST', `/admin/tenants/${opened.tenantId}/keys`, wanted)).body
    expect((await service.call('GET', '/api/scopes/case/schedule', { headers: { 'x-tenant-api-key': api_key } })).status).toBe(403)
  })
})

describe('the bundle', () => {
  it('holds schedule, cited papers, keys and how to verify, and goes on where it broke off', async () => {
    const opened = await openCase('files')
    const answer = await opened.read('/api/scopes/case/bundle')
    expect(answer.status).toBe(200)
    const whole = Buffer.from(await answer.arrayBuffer())
    expect(whole.length).toBe(Number(answer.headers.get('content-length')))
    const parts = partsOf(whole)
    expect([...parts.keys()]).toEqual([
      'README.txt',
      'schedule.docx',
      'schedule.xlsx',
      'as-of.html',
      'as-of.jws',
      'keys.json',
      'papers.json',
      'papers/001 Note of March.txt',
      'papers/002 Audit letter.txt',
    ])
    expect(parts.get('papers/001 Note of March.txt')?.toString()).toBe(said.first)
    expect(JSON.parse(parts.get('keys.json')?.toString() ?? '').keys.length).toBeGreaterThan(0)
    expect(parts.get('README.txt')?.toString()).toContain('no certificate')
    expect(parts.get('as-of.html')?.toString()).toContain(said.second)
    const keys = JSON.parse(parts.get('keys.json')?.toString() ?? '')
    const signed = await verifyAsOf(parts.get('as-of.jws')?.toString() ?? '', keys, { scopeId: 'case', tenantId: opened.tenantId })
    expect(signed).toMatchObject({ ok: true, payload: { contradictions: { count: 1 } } })
    // The same bytes whenever it is asked for: it says what it speaks of, and no time at which it was not signed.
    const { at, iat } = signed.ok ? signed.payload : {}
    expect(iat).toBeUndefined()
    expect(parts.get('README.txt')?.toString()).toContain(`the case as it was on ${at}, when it last changed`)
    expect(parts.get('as-of.html')?.toString()).toContain(' at that moment or later, without a time of signing')
    const etag = answer.headers.get('etag') ?? ''
    const rest = await opened.read('/api/scopes/case/bundle', { range: 'bytes=700-', 'if-range': etag })
    expect(rest.status).toBe(206)
    expect(Buffer.from(await rest.arrayBuffer()).equals(whole.subarray(700))).toBe(true)
    expect((await opened.read('/api/scopes/case/bundle', { range: `bytes=${whole.length}-` })).status).toBe(416)
    await decide(opened)
    const changed = await opened.read('/api/scopes/case/bundle', { range: 'bytes=700-', 'if-range': etag })
    expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false])
    const newest = Buffer.from(await changed.arrayBuffer())
    // A paper that no round has read is held, too.
    const attached = { name: 'Came later', document_id: 'attached', text: said.first }
    await service.admin('POST', '/admin/scopes/case/documents', attached, opened.headers['x-tenant-api-key'])
    const later = partsOf(Buffer.from(await (await opened.read('/api/scopes/case/bundle')).arrayBuffer()))
    for (const [held, jws] of [
      [2, partsOf(newest).get('as-of.jws')],
      [3, later.get('as-of.jws')],
    ] as const)
      expect(await verifyAsOf(jws?.toString() ?? '', keys)).toMatchObject({ ok: true, payload: { papers: { count: held } } })
    const seen = await service.database.owner.query('select object from audit_log where tenant_id = $1 and object is not null order by 1', [
      opened.tenantId,
    ])
    expect(seen.rows.map(row => row.object)).toEqual(['original case first 1', 'original case second 1'])
  })

  it('holds the text of papers that came as text', async () => {
    const tenant = await service.createTenant()
    const headers = { 'x-tenant-api-key': tenant.api_key }
    for (const [id, text] of Object.entries(said)) {
      await service.call('POST', '/api/ingest', { headers, body: { scope_id: 'case', document_id: id, name: `The ${id}`, text } })
      await service.call('GET', `/api/documents/${id}?scope_id=case&wait=30`, { headers })
    }
    const answer = await fetch(`${service.url}/api/scopes/case/bundle`, { headers })
    const parts = partsOf(Buffer.from(await answer.arrayBuffer()))
    expect(parts.get('papers/002 The second.txt')?.toString()).toBe(said.second)
    const [paper] = JSON.parse(parts.get('papers.json')?.toString() ?? '')
    const sha256 = createHash('sha256').update(said.first).digest('hex')
    expect(paper).toEqual({ document_id: 'first', revision: 1, file: 'papers/001 The first.txt', sha256 })
  })

  it('holds the revisions that are quoted, all of them, and not one that nothing quotes', async () => {
    const opened = await openCase('files')
    await decide(opened)
    const revised = 'Vela Ltd: net debt at 31 March 2025 was EUR 19.0M.'
    await opened.upload('first', 'Note of March.txt', Buffer.from(revised))
    await opened.upload('second', 'Audit letter.txt', Buffer.from('Nothing is said of it any more.'))
    const parts = partsOf(Buffer.from(await (await opened.read('/api/scopes/case/bundle')).arrayBuffer()))
    const papers = JSON.parse(parts.get('papers.json')?.toString() ?? '') as Record<
      'document_id' | 'revision' | 'file' | 'sha256',
      string
    >[]
    for (const { file, sha256 } of papers)
      expect(
        createHash('sha256')
          .update(parts.get(file) ?? '')
          .digest('hex'),
      ).toBe(sha256)
    expect(papers.map(paper => [paper.document_id, paper.revision, paper.file, parts.get(paper.file)?.toString()])).toEqual([
      ['first', 1, 'papers/001 revision 1 Note of March.txt', said.first],
      ['first', 2, 'papers/002 revision 2 Note of March.txt', revised],
      ['second', 1, 'papers/003 Audit letter.txt', said.second],
    ])
    await opened.upload('schedule', 'schedule.docx', parts.get('schedule.docx') ?? Buffer.of())
    const text = (await service.call('GET', '/api/documents/schedule/text?scope_id=case', { headers: opened.headers })).text
    for (const words of [
      'Note of March.txt, revision 1, paragraph 1',
      'Note of March.txt, revision 2, paragraph 1',
      'Both stand. On record only: a side is no longer said by anybody. Ada,',
    ])
      expect(text).toContain(words)
  })

  it('is bounded: what is over the limit is listed with its digest and why it is not there', async () => {
    const opened = await openCase('files')
    const { db } = service.database
    const key = await generateSigningKey()
    const statements = createStatements({ db, clock: systemClock, issuer: 'concord', signingKey: () => key })
    const name = { tenantId: opened.tenantId, scopeId: 'case' }
    const full = { why: expect.stringContaining('full'), file: null, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }
    const bytes = said.first.length
    for (const [limits, expected] of [
      [{ papers: 1, bytes: 10_000 }, [{ document_id: 'first', file: 'papers/001 Note of March.txt' }, full]],
      [{ papers: 9, bytes: 2 * bytes - 1 }, [{ document_id: 'first', file: 'papers/001 Note of March.txt' }, full]],
      [{ papers: 9, bytes: bytes - 1 }, [full, full]],
    ] as const) {
      const { archive, given } = await openBundle({ db, clock: systemClock }, statements, name, limits)
      const pieces: Uint8Array[] = []
      for await (const piece of archive.chunks()) pieces.push(piece)
      const parts = partsOf(Buffer.concat(pieces))
      expect(JSON.parse(parts.get('papers.json')?.toString() ?? '')).toMatchObject(expected)
      expect([...parts.keys()].filter(each => each.startsWith('papers/'))).toHaveLength(given.length)
      expect(given).toHaveLength(expected.filter(each => each !== full).length)
    }
    // Papers are read when their turn comes: one erased meanwhile is not given, and the archive breaks off.
    const { archive } = await openBundle({ db, clock: systemClock }, statements, name)
    const begun = archive.chunks()
    let sent = Buffer.of()
    while (!sent.toString().endsWith('papers/001 Note of March.txt'))
      sent = Buffer.concat([sent, (await begun.next()).value ?? Buffer.of()])
    await service.call('DELETE', '/api/documents/first?scope_id=case', { headers: opened.headers })
    await expect(begun.next()).rejects.toMatchObject({ code: 'ORIGINAL_NOT_FOUND' })
  })

  it('leaves out what was erased, and says so', async () => {
    const opened = await openCase('files')
    await service.call('DELETE', '/api/documents/first?scope_id=case', { headers: opened.headers })
    const answer = await opened.read('/api/scopes/case/bundle')
    const whole = Buffer.from(await answer.arrayBuffer())
    expect(whole.includes(said.first)).toBe(false)
    expect(whole.includes('Note of March')).toBe(false)
    const parts = partsOf(whole)
    expect(JSON.parse(parts.get('papers.json')?.toString() ?? '')).toMatchObject([
      { document_id: 'first', revision: 1, file: null, sha256: null, why: expect.stringContaining('kept') },
      { document_id: 'second', file: 'papers/001 Audit letter.txt' },
    ])
    for (const format of ['docx', 'xlsx']) {
      const schedule = Buffer.from(await (await opened.read(`/api/scopes/case/schedule?format=${format}`)).arrayBuffer())
      expect(['17.5M', 'Note of March', said.second, '(erased)'].map(words => schedule.includes(words))).toEqual([false, false, true, true])
    }
  })
})

describe('a case as it was at a moment', () => {
  const asOf = (opened: Case, at: string, more = '') =>
    service.call('GET', `/api/scopes/case/as-of?at=${encodeURIComponent(at)}${more}`, { headers: opened.headers })

  it('says what was held, what counted, and what was open, then and after a decision', async () => {
    const opened = await openCase()
    const [conflict] = (await service.call('GET', '/api/scopes/case/contradictions', { headers: opened.headers })).body.items
    const recorded = (await service.call('GET', '/api/scopes/case/decisions', { headers: opened.headers })).body.items
    const before = await passing()
    await decide(opened)
    const after = await passing()
    const then = (await asOf(opened, before)).body
    expect(then).toMatchObject({
      scope_id: 'case',
      at: before,
      subject: null,
      before_reset: false,
      reset_at: null,
      chain: { length: recorded.length, head: recorded.at(-1).hash },
    })
    expect(then.papers.items.map((paper: { name: string }) => paper.name)).toEqual(['Note of March.txt', 'Audit letter.txt'])
    expect(then.statements.items).toHaveLength(2)
    expect(then.contradictions.items).toMatchObject([
      { contradiction_id: conflict.contradiction_id, a: { quote: conflict.a.quote }, b: { quote: conflict.b.quote }, opened_by: [] },
    ])
    expect(then.decisions.items).toEqual([])
    const now = (await asOf(opened, after)).body
    expect(now.contradictions.items).toEqual([])
    expect(now.decisions.items).toMatchObject([{ by: 'Ada', verdict: 'both', finding_id: conflict.contradiction_id, vouched: false }])
    expect(now.chain.length).toBeGreaterThan(then.chain.length)
    const known = (status: string, at: string) => opened.read(`/api/scopes/case/contradictions?status=${status}&known_at=${at}`)
    expect(await (await known('open', before)).json()).toMatchObject({ items: [{ status: 'open' }] })
    const narrowed = async (list: string, ids: string) =>
      (await service.call('GET', `/api/scopes/case/${list}ids=${encodeURIComponent(ids)}`, { headers: opened.headers })).body
    const found = await narrowed('contradictions?status=all&', `${conflict.contradiction_id},ctr_no`)
    expect(found).toMatchObject({ items: [{ status: 'resolved' }], next: null })
    expect((await narrowed('contradictions?status=all&', 'ctr_no')).items).toEqual([])
    const named = await narrowed('documents?', 'second,%66irst,a%2Cb')
    expect(named.items.map((each: { document_id: string }) => each.document_id)).toEqual(['first', 'second'])
    for (const ids of [Array(101).fill('x').join(), '%zz'])
      expect(await narrowed('documents?', ids)).toMatchObject({ status: 400, errors: [{ pointer: '/query/ids' }] })
    expect(await (await known('all', after)).json()).toMatchObject({ items: [{ status: 'resolved', resolution: { by: 'Ada' } }] })
    const about = (await asOf(opened, before, `&subject=${encodeURIComponent(conflict.subject)}&list=contradictions`)).body
    expect([about.contradictions.items.length, about.papers]).toEqual([1, undefined])
    // Papers may call it differently: the second says Vela Group.
    const { owner } = service.database
    await owner.query(
      "update claims set subject = 'Vela Group', subject_hash = concord_subject_hash('Vela Group') where tenant_id = $1 and document_id = 'second'",
      [opened.tenantId],
    )
    const possible = await addPossible(service, opened.tenantId, 'case')
    for (const [subject, statements] of [
      [conflict.subject, 1],
      ['vela group', 1],
      ['nobody', 0],
    ] as const) {
      const about = `&subject=${encodeURIComponent(subject)}`
      const found = Array(statements).fill(expect.anything())
      expect((await asOf(opened, before, about)).body).toMatchObject({ statements: { items: found }, contradictions: { items: found } })
      const ids = (await asOf(opened, await passing(), about)).body.possible_conflicts.items.map(
        (each: { possible_conflict_id: string }) => each.possible_conflict_id,
      )
      expect(ids).toEqual(statements === 0 ? [] : [possible])
    }
    const first = (await asOf(opened, before, '&list=papers&limit=1')).body.papers
    const second = (await asOf(opened, before, `&list=papers&limit=1&cursor=${first.next}`)).body.papers
    expect([first.items[0].document_id, second.items[0].document_id, second.next]).toEqual(['first', 'second', null])
  })

  it('names what was erased since without its words, and says where a reset lies in between', async () => {
    const opened = await openCase()
    const before = await passing()
    await service.call('DELETE', '/api/documents/first?scope_id=case', { headers: opened.headers })
    for (const path of ['', '/signed', '/page']) {
      const { text } = await service.call('GET', `/api/scopes/case/as-of${path}?at=${before}`, { headers: opened.headers })
      expect(text.includes('17.5M') || text.includes('Note of March')).toBe(false)
    }
    const then = (await asOf(opened, before)).body
    expect(then.papers.items[0]).toMatchObject({ document_id: 'first', name: null, erased_at: expect.any(String) })
    const erased = await passing()
    expect((await asOf(opened, erased)).body.papers.items).toMatchObject([{ document_id: 'second', erased_at: null }])
    const { statement } = (await service.call('GET', `/api/scopes/case/as-of/signed?at=${erased}`, { headers: opened.headers })).body
    expect(await verifyAsOf(statement, (await service.call('GET', '/.well-known/jwks.json')).body)).toMatchObject({
      payload: { papers: { count: 1, listed: [{ document_id: 'second' }] } },
    })
    expect(then.contradictions.items).toMatchObject([{ a: { document_id: 'first', quote: null }, b: { document_id: 'second' } }])
    await service.admin('POST', '/admin/scopes/case/reset', undefined, opened.headers['x-tenant-api-key'])
    expect((await asOf(opened, before)).body).toMatchObject({ before_reset: true, chain: null, round: null, papers: { items: [] } })
    expect(await (await opened.read(`/api/scopes/case/as-of/page?at=${before}`)).text()).toContain('The case was reset on')
    expect((await asOf(opened, await passing())).body).toMatchObject({ before_reset: false, chain: { length: 0 } })
  })

  it('says that a case of the same name was deleted since, and nothing of what it held', async () => {
    const opened = await openCase()
    const before = await passing()
    expect((await service.call('DELETE', '/api/scopes/case', { headers: opened.headers })).status).toBe(200)
    const between = await passing()
    await opened.upload('third', 'Another case.txt', Buffer.from(said.first))
    const gone = { before_reset: true, reset_at: expect.any(String), chain: null, round: null }
    expect((await asOf(opened, before)).body).toMatchObject({ ...gone, papers: { items: [] } })
    const { statement } = (await service.call('GET', `/api/scopes/case/as-of/signed?at=${before}`, { headers: opened.headers })).body
    const keys = (await service.call('GET', '/.well-known/jwks.json')).body
    expect(await verifyAsOf(statement, keys)).toMatchObject({ ok: true, payload: gone })
    expect(await (await opened.read(`/api/scopes/case/as-of/page?at=${before}`)).text()).toContain('The case was deleted on')
    expect((await asOf(opened, between)).body).toMatchObject({ before_reset: false, papers: { items: [] } })
    expect(await (await opened.read(`/api/scopes/case/as-of/page?at=${between}`)).text()).toContain('The case was made on')
    expect((await asOf(opened, await passing())).body).toMatchObject({ before_reset: false, papers: { items: [{ document_id: 'third' }] } })
  })

  it('is signed, and verified with the public keys alone', async () => {
    const opened = await openCase('files')
    await decide(opened)
    const at = await passing()
    const { statement, ...signed } = (await service.call('GET', `/api/scopes/case/as-of/signed?at=${at}`, { headers: opened.headers })).body
    expect(signed).toMatchObject({ scope_id: 'case', at })
    const keys = (await service.call('GET', '/.well-known/jwks.json')).body
    const { chain } = (await asOf(opened, at)).body
    const verdict = await verifyAsOf(statement, keys, { tenantId: opened.tenantId, scopeId: 'case' })
    expect(verdict).toMatchObject({ ok: true, payload: { at, chain, papers: { count: 2 }, decisions: { count: 1 } } })
    expect(await verifyAsOf(statement, keys, { scopeId: 'other' })).toMatchObject({
      ok: false,
      fault: expect.stringContaining('is about case'),
    })
    expect(await verifyAsOf(statement, { keys: [] })).toMatchObject({ ok: false })
    const [head, body = '', signature] = statement.split('.')
    const forged = Buffer.from(body, 'base64url').toString().replace('Ada', 'Eve')
    const other = [head, Buffer.from(forged).toString('base64url'), signature].join('.')
    expect(await verifyAsOf(other, keys)).toMatchObject({ ok: false, fault: 'the signature does not match' })
    const page = await opened.read(`/api/scopes/case/as-of/page?at=${at}`)
    const html = await page.text()
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(html).toContain(said.first)
    expect(html).toContain('<td>Note of March.txt, revision 1, paragraph 1</td>')
    expect(html).toContain('&lt;&amp;&gt;')
    const spoken = (instant: string) => `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`
    expect(html).toMatch(new RegExp(`It speaks of ${spoken(at)}\\. Signed by \\S+ on \\d{4}-\\d\\d-\\d\\d [\\d:]+ UTC, with the key`))
    expect(html).not.toContain('<&>')
  })

  it('has the digest of a list beyond 1,000 entries, which whoever pages through the list works out', async () => {
    const opened = await openCase()
    const { owner } = service.database
    const { rows } = await owner.query(
      "select column_name from information_schema.columns where table_name = 'documents' and is_generated = 'NEVER' and column_name <> 'document_id'",
    )
    const columns = rows.map(row => row.column_name).join(', ')
    await owner.query(
      `insert into documents (document_id, ${columns}) select 'copy-' || n, ${columns.replace(/\bseq\b/, 'seq + n * 10')}
       from documents, generate_series(1, 1000) n where tenant_id = $1 and document_id = 'first'`,
      [opened.tenantId],
    )
    const at = await passing()
    const env = { CONCORD_URL: service.url, CONCORD_TENANT_KEY: opened.headers['x-tenant-api-key'] ?? '' }
    const { items, next } = (await runConcord(env, 'as-of', 'case', '--at', at, '--list', 'papers', '--limit', '1100', '--json')).json
      .papers
    expect([items.length, next]).toEqual([1002, null])
    const sum = new SetDigest()
    for (const paper of items) sum.add(canonicalJson(paper))
    const { statement } = (await service.call('GET', `/api/scopes/case/as-of/signed?at=${at}`, { headers: opened.headers })).body
    expect(await verifyAsOf(statement, (await service.call('GET', '/.well-known/jwks.json')).body)).toMatchObject({
      ok: true,
      payload: { papers: { count: 1002, digest: sum.hex(), listed: null }, statements: { count: 2, listed: [{}, {}] } },
    })
    const html = await (await opened.read(`/api/scopes/case/as-of/page?at=${at}`)).text()
    expect(html).toContain(`<h2>Papers: 1002</h2>\n<p>Too many to list here; their digest is ${sum.hex()}.</p>`)
    expect(html).toContain(said.second)
  })

  it('refuses moments that are none or still to come, and other tenants', async () => {
    const opened = await openCase()
    for (const at of ['yesterday', '2026-13-01T00:00:00Z', '2026-01-31', new Date(Date.now() + 3_600_000).toISOString(), ''])
      for (const path of ['', '/signed', '/page'])
        expect((await opened.read(`/api/scopes/case/as-of${path}?at=${at}`)).status, `${path} ${at}`).toBe(400)
    expect((await opened.read('/api/scopes/case/as-of')).status).toBe(400)
    expect((await opened.read('/api/scopes/none/as-of?at=2026-01-01T00:00:00Z')).status).toBe(404)
    expect((await asOf(opened, '2026-01-01T00:00:00Z', '&cursor=x')).body.errors[0].pointer).toBe('/query/list')
    expect((await asOf(opened, '2026-01-01T00:00:00Z', '&list=papers&cursor=x')).body.code).toBe('CURSOR_INVALID')
    expect((await asOf(opened, '2020-01-01T00:00:00+02:00')).body).toMatchObject({ at: '2019-12-31T22:00:00.000Z', papers: { items: [] } })
    const stranger = { 'x-tenant-api-key': (await service.createTenant()).api_key }
    const path = '/api/scopes/case/as-of?at=2026-01-01T00:00:00Z'
    expect((await service.call('GET', path, { headers: stranger })).body.code).toBe('SCOPE_NOT_FOUND')
  })
})

/** A moment behind everything recorded so far, and before everything that follows: instants are whole milliseconds. */
async function passing(): Promise<string> {
  await wait(2)
  const now = new Date().toISOString()
  await wait(2)
  return now
}
