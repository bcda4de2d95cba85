/** What is handed on of a case: the schedule of contradictions, and the bundle. */

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { othersOf } from '../../src/contract/finding-words.js'
import { systemClock } from '../../src/platform/clock.js'
import { generateSigningKey, verifyAsOf } from '../../src/scopes/certificates/certificates.js'
import { createStatements } from '../../src/scopes/certificates/statements.js'
import { openBundle } from '../../src/scopes/papers/bundle.js'
import { startTestService, type TestService } from '../support/service.js'
import { partsOf } from '../support/zip-parts.js'
import { dangerous, decide, openCase, passing, said } from './contradicting-notes.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const revenue = (figure: string) => `In FY2025, revenue of Aurelia Holding was EUR ${figure}.`

async function openTenant() {
  const headers = { 'x-tenant-api-key': (await service.createTenant()).api_key }
  const handIn = async (id: string, name: string, text: string) => {
    await service.call('POST', '/api/ingest', { headers, body: { scope_id: 'case', document_id: id, name, text } })
    await service.call('GET', `/api/documents/${id}?scope_id=case&wait=30`, { headers })
  }
  const give = (id: string, issuer: string, day: string, words: string) =>
    handIn(id, `${id}.txt`, `Issuer: ${issuer}\nDate: ${day}\n\n${words}\n`)
  return { headers, handIn, give }
}

describe('the schedule of contradictions', () => {
  it('is a file that can be read again, with both quotes, papers and the decision', async () => {
    const opened = await openCase(service, 'files')
    await decide(service, opened)
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

  it('shows a paper that still says it with issuer and date of its own, and what ended the others', async () => {
    const { headers, give } = await openTenant()
    await give('report', 'Aurelia Holding', '2026-02-01', revenue('41.2M'))
    await give('broker', 'Lindqvist Brokers', '2026-02-03', revenue('41.2M'))
    await give('audit', 'Meridian Audit', '2026-03-01', revenue('33.9M'))
    await give('tax', 'Tax Office', '2026-04-01', revenue('50.7M'))
    await give('report', 'Aurelia Holding', '2026-02-01', 'The office moved to Graz.')
    const { items } = (await service.call('GET', '/api/scopes/case/contradictions', { headers })).body
    const audited = items.find(
      (each: Record<'a' | 'b', { document_id: string }>) => each.a.document_id === 'broker' && each.b.document_id === 'audit',
    )
    const body = { verdict: 'b', reason: 'Audited.', by: 'Ada' }
    await service.call('POST', `/api/contradictions/${audited.contradiction_id}/resolution`, { headers, body })
    for (const [format, dated] of [
      ['xlsx', 'Lindqvist Brokers; 2026-02-03; '],
      ['docx', 'Lindqvist Brokers; dated 2026-02-03; received '],
    ]) {
      const answer = await fetch(`${service.url}/api/scopes/case/schedule?format=${format}`, { headers })
      const schedule = Buffer.from(await answer.arrayBuffer()).toString()
      for (const words of [
        dated,
        'broker.txt, revision 1',
        'Closed by itself: one side no longer counts',
        'A no longer counts: Decided by Ada: Audited.',
      ])
        expect(schedule, format).toContain(words)
      expect(schedule).not.toMatch(/(Brokers|Audit|Office); (dated )?FY2025/)
      expect(schedule).not.toContain('Aurelia Holding; ')
    }
    const open = await fetch(`${service.url}/api/scopes/case/schedule?format=xlsx&status=open`, { headers })
    expect(Buffer.from(await open.arrayBuffer()).toString()).toContain('Meridian Audit; 2026-03-01; ')
    const back = `/api/contradictions/${audited.contradiction_id}/resolution?reason=Too%20early&by=Ada`
    expect((await service.call('DELETE', back, { headers })).status).toBe(200)
    const again = await fetch(`${service.url}/api/scopes/case/schedule?format=docx`, { headers })
    expect(Buffer.from(await again.arrayBuffer()).toString()).toContain(
      'report.txt, revision 1, said the same and no longer counts: A new revision of the same document.',
    )
  })

  it('says of no paper that a decision was about it, where a revision had taken what it said before', async () => {
    const { headers, give } = await openTenant()
    const notes = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6']
    for (const id of notes) await give(id, 'Lindqvist Brokers', '2026-02-03', revenue('41.2M'))
    await give('q', 'Meridian Audit', '2026-03-01', revenue('33.9M'))
    for (const id of notes.slice(0, 5)) await give(id, 'Lindqvist Brokers', '2026-02-03', 'The office moved to Graz.')
    const [open] = (await service.call('GET', '/api/scopes/case/contradictions', { headers })).body.items
    const [lost, verdict] = open.a.document_id === 'p6' ? (['a', 'b'] as const) : (['b', 'a'] as const)
    const path = `/api/contradictions/${open.contradiction_id}`
    await service.call('POST', `${path}/resolution`, { headers, body: { verdict, reason: 'Audited.', by: 'Ada' } })
    const decided = (await service.call('GET', path, { headers })).body
    const { saying, replaced } = othersOf(decided[lost], decided[`supporters_${lost}`], decided.supporters[lost])
    expect([decided[lost].document_id, saying, replaced.map(each => each.document_id)]).toEqual(['p6', 0, notes.slice(0, 5)])
    const answer = await fetch(`${service.url}/api/scopes/case/schedule?format=xlsx`, { headers })
    const schedule = Buffer.from(await answer.arrayBuffer()).toString()
    const reason = 'said the same and no longer counts: A new revision of the same document.'
    for (const words of ['p1', 'p2', 'p3'].map(id => `${id}.txt, revision 1, ${reason}`)) expect(schedule).toContain(words)
    expect(schedule).toContain('and 2 more that say or said the same')
  })

  it('has what the filters ask for, and refuses others', async () => {
    const opened = await openCase(service)
    await decide(service, opened)
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
    const opened = await openCase(service, 'files')
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
    // The bytes of every paper are signed for: by the list of them, and where the case holds that revision by name.
    const digestOf = (part: string) =>
      createHash('sha256')
        .update(parts.get(part) ?? '')
        .digest('hex')
    const ofFirst = { document_id: 'first', revision: 1, file_sha256: digestOf('papers/001 Note of March.txt') }
    expect(signed).toMatchObject({ payload: { papers_json_sha256: digestOf('papers.json'), papers: { listed: [ofFirst, {}] } } })
    expect(JSON.parse(parts.get('papers.json')?.toString() ?? '')[0]).toMatchObject({ kind: 'file', sha256: ofFirst.file_sha256 })
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
    await decide(service, opened)
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
    const { headers, handIn } = await openTenant()
    for (const [id, text] of Object.entries(said)) await handIn(id, `The ${id}`, text)
    const answer = await fetch(`${service.url}/api/scopes/case/bundle`, { headers })
    const parts = partsOf(Buffer.from(await answer.arrayBuffer()))
    expect(parts.get('papers/002 The second.txt')?.toString()).toBe(said.second)
    const [paper] = JSON.parse(parts.get('papers.json')?.toString() ?? '')
    const sha256 = createHash('sha256').update(said.first).digest('hex')
    expect(paper).toEqual({ document_id: 'first', revision: 1, file: 'papers/001 The first.txt', kind: 'text', sha256 })
  })

  it('names papers as every system can unpack them, and lists them so', async () => {
    const { headers, handIn } = await openTenant()
    for (const [id, text] of Object.entries(said)) await handIn(id, 'Re: "5|6 <a> *Ünï?".txt', text)
    const parts = partsOf(Buffer.from(await (await fetch(`${service.url}/api/scopes/case/bundle`, { headers })).arrayBuffer()))
    const named = ['papers/001 Re_ _5_6 _a_ _Ünï__.txt', 'papers/002 Re_ _5_6 _a_ _Ünï__.txt']
    expect([...parts.keys()].filter(each => each.startsWith('papers/'))).toEqual(named)
    const papers = JSON.parse(parts.get('papers.json')?.toString() ?? '') as { file: string }[]
    expect(papers.map(({ file }) => file)).toEqual(named)
  })

  it('holds the revisions that are quoted, all of them, and not one that nothing quotes', async () => {
    const opened = await openCase(service, 'files')
    await decide(service, opened)
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
    const opened = await openCase(service, 'files')
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

  it('speaks of one moment, whatever happens while it is put together', async () => {
    const opened = await openCase(service)
    const { db } = service.database
    const key = await generateSigningKey()
    const statements = createStatements({ db, clock: systemClock, issuer: 'concord', signingKey: () => key })
    const name = { tenantId: opened.tenantId, scopeId: 'case' }
    const acting = (acts: (() => Promise<unknown>)[]): typeof db => ({
      ...db,
      async inTenant(tenantId, work, how) {
        await acts.shift()?.()
        return db.inTenant(tenantId, work, how)
      },
    })
    const rests = async () => undefined
    const openedWhile = (...acts: (() => Promise<unknown>)[]) => openBundle({ db: acting(acts), clock: systemClock }, statements, name)
    const [{ contradiction_id: id }] = (await service.call('GET', '/api/scopes/case/contradictions', { headers: opened.headers })).body
      .items
    const comment = async () => {
      const body = { by: 'Ada', text: 'Which of them was audited?' }
      const { status } = await service.call('POST', `/api/contradictions/${id}/comments`, { headers: opened.headers, body })
      expect(status).toBe(201)
    }
    for (const acts of [
      [rests, () => decide(service, opened)],
      [rests, rests, comment],
      [rests, rests, rests, comment],
    ]) {
      const { sha256 } = await openedWhile(...acts)
      expect(sha256.toString('hex')).toBe((await openedWhile()).sha256.toString('hex'))
    }
    const always = Array.from({ length: 40 }, () => comment)
    await expect(openedWhile(...always)).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 2 })
  })

  it('leaves out what was erased, and says so', async () => {
    const opened = await openCase(service, 'files')
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
