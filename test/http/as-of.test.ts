/** A case as it was at a moment: what was held, counted and open then, in lists, signed, and to print. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canonicalJson } from '../../src/kernel/canonical.js'
import { SetDigest } from '../../src/kernel/set-digest.js'
import { verifyAsOf } from '../../src/scopes/certificates/certificates.js'
import { runConcord } from '../cli/run-concord.js'
import { addPossible } from '../support/possible-conflict.js'
import { startTestService, type TestService } from '../support/service.js'
import { type Case, decide, openCase, passing, said } from './contradicting-notes.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

describe('a case as it was at a moment', () => {
  const asOf = (opened: Case, at: string, more = '') =>
    service.call('GET', `/api/scopes/case/as-of?at=${encodeURIComponent(at)}${more}`, { headers: opened.headers })

  it('says what was held, what counted, and what was open, then and after a decision', async () => {
    const opened = await openCase(service)
    const [conflict] = (await service.call('GET', '/api/scopes/case/contradictions', { headers: opened.headers })).body.items
    const recorded = (await service.call('GET', '/api/scopes/case/decisions', { headers: opened.headers })).body.items
    const before = await passing()
    await decide(service, opened)
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
    const opened = await openCase(service)
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
    const opened = await openCase(service)
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
    const opened = await openCase(service, 'files')
    await decide(service, opened)
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
    const opened = await openCase(service)
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
    const opened = await openCase(service)
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
