import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runConcord } from '../cli/run-concord.js'
import { fileForm } from '../support/multipart.js'
import { commented, deleted, docxOf, inserted, odtOf, pptxOf, said, shape } from '../support/office.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ RETRY_MAX_ATTEMPTS: '2', RETRY_BASE_MS: '1', RETRY_MAX_MS: '1' })
})
afterAll(() => service.stop())

const scan =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R/Size 4>>\n%%EOF'

type Tenant = Awaited<ReturnType<TestService['createTenant']>>
const keyOf = (tenant: Tenant) => ({ 'x-tenant-api-key': tenant.api_key })
const sample = (name: string) => readFileSync(new URL(`./samples/${name}`, import.meta.url))

async function upload(tenant: Tenant, documentId: string, bytes: Uint8Array | string, name: string) {
  const form = fileForm({ scope_id: 'case', document_id: documentId }, { bytes, name })
  const answer = await service.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...form.headers }, raw: form.raw })
  expect(answer.status, answer.text).toBe(202)
  return settled(tenant, documentId)
}

const get = (tenant: Tenant, path: string) => service.call('GET', path, { headers: keyOf(tenant) })
/** However long a busy machine takes. */
async function settled(tenant: Tenant, documentId: string) {
  for (;;) {
    const { body } = await get(tenant, `/api/documents/${documentId}?scope_id=case&wait=30`)
    if (body.status !== 'queued' && body.status !== 'processing') return body
  }
}

describe('a document that came as a file', () => {
  it('is read like any other: its text is kept, and quotes name page and cell', async () => {
    const tenant = await service.createTenant()
    const record = await upload(tenant, 'report', sample('wrapped.pdf'), 'report.pdf')
    expect(record).toMatchObject({
      status: 'indexed',
      content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      file: { kept: true, extractor: expect.stringMatching(/^pdf@/), notes: [] },
    })
    const text = (await get(tenant, '/api/documents/report/text?scope_id=case')).text
    expect(text).toMatch(/^# Annual report 2025/)
    const claims = (await get(tenant, '/api/scopes/case/claims?document_id=report&limit=200')).body.items
    const total = claims.find((claim: { quote: string }) => claim.quote.includes('was EUR 41.2M'))
    expect(total).toMatchObject({ page: 1, cell: null, paragraph: null })
    expect([...text].slice(total.start, total.end).join('')).toBe(total.quote)
    const last = claims.find((claim: { quote: string }) => claim.quote.includes('31 March 2027'))
    expect(last.page).toBe(2)
    await upload(tenant, 'costs', sample('costs.xlsx'), 'costs.xlsx')
    const cells = (await get(tenant, '/api/scopes/case/claims?document_id=costs&limit=200')).body.items
    expect(cells.map((claim: { cell: string }) => claim.cell)).toContainEqual(expect.stringMatching(/^Costs 2025![A-D]\d(:[A-D]\d)?$/))
  })

  it('is quarantined where the limit of its tenant leaves no room for its text, and read once there is', async () => {
    const tenant = await service.createTenant()
    const limit = (bytes: number | null) => service.admin('PUT', `/admin/tenants/${tenant.tenant_id}/limits`, { bytes })
    const bytes = 'The revenue of Alder Holding for FY2025 was EUR 33.9M.\n'.padEnd(20_000, 'and so on, ')
    await limit(30_000)
    const refused = { status: 'quarantined', failure: { error_class: 'QUOTA_EXCEEDED' } }
    expect(await upload(tenant, 'long', bytes, 'long.txt')).toMatchObject(refused)
    const { usage } = (await service.admin('GET', `/admin/tenants/${tenant.tenant_id}/limits`)).body
    expect(usage.bytes).toBe(20_000)
    await limit(null)
    await service.call('POST', '/api/documents/long/retry?scope_id=case', { headers: keyOf(tenant) })
    expect((await settled(tenant, 'long')).status).toBe('indexed')
  })

  it('contradicts another that came as text', async () => {
    const tenant = await service.createTenant()
    const body = {
      scope_id: 'case',
      name: 'Letter',
      document_id: 'letter',
      text: 'The revenue of Alder Holding for FY2025 was EUR 33.9M.',
    }
    await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
    await upload(tenant, 'report', sample('wrapped.pdf'), 'report.pdf')
    const { items } = (await get(tenant, '/api/scopes/case/contradictions')).body
    const sides = items.flatMap(
      (item: { a: { document_id: string; page: number | null }; b: { document_id: string; page: number | null } }) => [item.a, item.b],
    )
    expect(sides).toContainEqual(expect.objectContaining({ document_id: 'report', page: 1 }))
    expect(sides).toContainEqual(expect.objectContaining({ document_id: 'letter', page: null }))
  })

  it('contradicts another of any kind, and each quote says where it stands', async () => {
    const tenant = await service.createTenant()
    const sentence = (amount: string) => `The revenue of Alder Holding for FY2025 was EUR ${amount}M.`
    const deck = pptxOf([{ shapes: shape('title', 'Results') }, { shapes: shape('title', 'Revenue') + shape('body', sentence('33.9')) }])
    await upload(tenant, 'deck', deck, 'deck.pptx')
    await upload(tenant, 'letter', odtOf(`<text:p>Dear all,</text:p><text:p>${sentence('41.2')}</text:p>`), 'letter.odt')
    const { items } = (await get(tenant, '/api/scopes/case/contradictions')).body
    expect(items).toHaveLength(1)
    expect([items[0].a, items[0].b]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ document_id: 'deck', page: 2, quote: sentence('33.9') }),
        expect.objectContaining({ document_id: 'letter', paragraph: 2, quote: sentence('41.2') }),
      ]),
    )
  })

  it('says what was deleted and commented in it: found by its words, and compared with nothing', async () => {
    const tenant = await service.createTenant()
    const sentence = (amount: string) => `The revenue of Alder Holding for FY2025 was EUR ${amount}M.`
    await upload(tenant, 'letter', docxOf([said(sentence('41.2'))]), 'letter.docx')
    const draft = docxOf(
      [
        said('The revenue of Alder Holding for FY2025 was ') + deleted('EUR 33.9M') + inserted('EUR 41.2M') + said('.'),
        commented('Signed.'),
      ],
      [`See below. ${sentence('35.0')} ${'Please look this up again before anybody signs it. '.repeat(6)}Who signed?`],
    )
    expect((await upload(tenant, 'draft', draft, 'draft.docx')).file.notes).toEqual([expect.stringContaining('1 deleted, 1 commented')])
    expect((await get(tenant, '/api/scopes/case/contradictions')).body.items).toEqual([])
    expect((await get(tenant, '/api/scopes/case/possible-conflicts')).body.items).toEqual([])
    const found = async (words: string) => (await get(tenant, `/api/scopes/case/claims?q=${words}&document_id=draft`)).body.items
    expect(await found('33.9')).toEqual([
      expect.objectContaining({
        role: 'deleted',
        value: expect.stringMatching(/^EUR 33\.9M \(it read: “The revenue/),
        paragraph: 1,
        quote: expect.stringMatching(/^Paragraph 1, deleted by Ana Berg on 2026-03-01: EUR 33\.9M/),
      }),
    ])
    expect((await found('35.0'))[0]).toMatchObject({ role: 'comment', paragraph: 2, quote: sentence('35.0') })
  })

  it('is not read again when the same file comes again', async () => {
    const tenant = await service.createTenant()
    const first = await upload(tenant, 'lease', sample('lease.docx'), 'lease.docx')
    const again = await upload(tenant, 'lease', sample('lease.docx'), 'lease.docx')
    expect(again).toMatchObject({ revision: 2, unchanged: true, status: 'indexed', content_hash: first.content_hash })
    expect((await get(tenant, '/api/documents/lease/text?scope_id=case')).text).toMatch(/^# Lease agreement/)
    expect(again.same_as).toEqual([])
    // Under another name it is another document, and each says of the other that it is the same.
    expect((await upload(tenant, 'copy', sample('lease.docx'), 'copy of lease.docx')).same_as).toEqual(['lease'])
    await upload(tenant, 'other', 'The roof is red.', 'other.txt')
    const sameAs = async () => {
      const { items } = (await get(tenant, '/api/scopes/case/documents')).body
      return Object.fromEntries(items.map((item: { document_id: string; same_as: string[] }) => [item.document_id, item.same_as]))
    }
    expect(await sameAs()).toEqual({ copy: ['lease'], lease: ['copy'], other: [] })
    const body = { scope_id: 'case', name: 'Note', document_id: 'note', text: 'The roof is red.' }
    await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
    await service.call('DELETE', '/api/documents/copy?scope_id=case', { headers: keyOf(tenant) })
    expect(await sameAs()).toEqual({ copy: [], lease: [], note: ['other'], other: ['note'] })
  })

  it('is quarantined with a reason a person understands, and nothing else is touched', async () => {
    const tenant = await service.createTenant()
    const [empty, broken, fine] = await Promise.all([
      upload(tenant, 'scan', scan, 'scan.pdf'),
      upload(tenant, 'broken', '%PDF-1.7 nothing', 'broken.pdf'),
      upload(tenant, 'fine', sample('lease.pdf'), 'lease.pdf'),
    ])
    expect(empty).toMatchObject({
      status: 'quarantined',
      attempts: 1,
      failure: { error_class: 'NO_TEXT' },
      reason: expect.stringContaining('no text'),
    })
    expect(broken).toMatchObject({ status: 'quarantined', failure: { error_class: 'BROKEN' }, reason: expect.stringContaining('damaged') })
    expect(fine.status).toBe('indexed')
  })

  it('is erased with its text, its original and its places', async () => {
    const tenant = await service.createTenant()
    await upload(tenant, 'costs', sample('costs.xlsx'), 'costs.xlsx')
    await service.call('DELETE', '/api/documents/costs?scope_id=case', { headers: keyOf(tenant) })
    const { rows } = await service.database.owner.query(
      `select (select count(*)::integer from file_chunks where tenant_id = $1) as chunks,
         (select count(*)::integer from text_places where tenant_id = $1) as places,
         (select sum(bytes)::integer from scope_heads where tenant_id = $1) as bytes`,
      [tenant.tenant_id],
    )
    expect(rows[0]).toEqual({ chunks: 0, places: 0, bytes: 0 })
  })
})

describe('a mail', () => {
  const documents = async (tenant: Tenant) => {
    const { items } = (await get(tenant, '/api/scopes/case/documents?limit=200')).body
    for (const { document_id } of items) await settled(tenant, document_id)
    return (await get(tenant, '/api/scopes/case/documents?limit=200')).body.items as Document[]
  }
  interface Document {
    document_id: string
    name: string
    type: string
    status: string
    part_of: string | null
    file: { notes: string[] }
  }

  it('brings what is attached to it as documents of their own, also what is attached to a mail within it', async () => {
    const tenant = await service.createTenant()
    const mail = await upload(tenant, 'mail', sample('mail.eml'), 'mail.eml')
    expect(mail).toMatchObject({
      status: 'indexed',
      type: 'eml',
      part_of: null,
      file: { notes: ['Attached pictures too small to be of a page, not read: 1.'] },
    })
    await expect.poll(async () => (await documents(tenant)).length).toBe(4)
    const all = await documents(tenant)
    const named = (name: string) => all.find(each => each.name === name && each.document_id !== 'mail')
    expect(named('lease.docx')).toMatchObject({ status: 'indexed', type: 'docx', part_of: 'mail' })
    expect(named('mail.eml')).toMatchObject({ status: 'indexed', type: 'eml', part_of: 'mail' })
    expect(named('note.txt')).toMatchObject({ status: 'indexed', type: 'txt', part_of: named('mail.eml')?.document_id })
    const original = await fetch(`${service.url}/api/documents/${named('lease.docx')?.document_id}/original?scope_id=case`, {
      headers: keyOf(tenant),
    })
    expect(Buffer.from(await original.arrayBuffer()).equals(sample('lease.docx'))).toBe(true)

    await upload(tenant, 'mail', sample('mail.eml'), 'mail.eml')
    expect(await documents(tenant)).toHaveLength(4)
    await service.call('DELETE', '/api/documents/mail?scope_id=case', { headers: keyOf(tenant) })
    const { rows } = await service.database.owner.query(
      'select count(*)::integer as left from documents where tenant_id = $1 and erased_at is null',
      [tenant.tenant_id],
    )
    expect(rows[0].left).toBe(0)
    const chunks = await service.database.owner.query('select count(*)::integer as n from file_chunks where tenant_id = $1', [
      tenant.tenant_id,
    ])
    expect(chunks.rows[0].n).toBe(0)
  })
})

describe('a scan', () => {
  it('is read with nothing set up, each quote with its page, and not again when it comes again', async () => {
    const tenant = await service.createTenant()
    const read = await upload(tenant, 'scan', sample('scan.pdf'), 'scan.pdf')
    expect(read).toMatchObject({ status: 'indexed', file: { extractor: 'scan@1+tesseract-7.0.0+eng' } })
    expect(read.file.notes).toEqual(['All pages were recognised from a picture and may have mistakes.'])
    const { items } = (await get(tenant, '/api/scopes/case/claims')).body
    const pageOf = (words: string) => items.find(({ quote }: { quote: string }) => quote.includes(words))?.page
    expect([pageOf('EUR 12,500'), pageOf('420 square metres')]).toEqual([1, 2])
    const pages = () =>
      service.database.owner.query(
        'select revision, page, reading, cardinality(starts) > 5 as words from recognised_pages where tenant_id = $1 order by 1, 2',
        [tenant.tenant_id],
      )
    const kept = (revision: number) => [1, 2].map(page => ({ revision, page, reading: null, words: true }))
    expect((await pages()).rows).toEqual(kept(1))
    expect(await upload(tenant, 'scan', sample('scan.pdf'), 'scan.pdf')).toMatchObject({ revision: 2, unchanged: true })
    expect((await pages()).rows).toEqual([...kept(1), ...kept(2)])
    const words = () => get(tenant, '/api/documents/scan/words?scope_id=case')
    expect((await words()).body.items[0]).toMatchObject({ page: 1, text: 'Lease' })
    await service.call('DELETE', '/api/documents/scan?scope_id=case', { headers: keyOf(tenant) })
    expect((await pages()).rows).toEqual([])
    expect((await words()).body.items).toEqual([])
  })

  it('is read by the command that is set up for it, page by page', async () => {
    // In place of a program that recognises letters: it sees a PDF and says what two pages hold.
    const script =
      "const b=[];process.stdin.on('data',d=>b.push(d)).on('end',()=>process.stdout.write(Buffer.concat(b).subarray(0,5)+' scanned.\\f\\nThe rent is EUR 4,000 a month.'))"
    const own = await startTestService({ OCR_COMMAND: `"${process.execPath}" -e "${script}"` })
    try {
      const tenant = await own.createTenant()
      const form = fileForm({ scope_id: 'case', document_id: 'scan' }, { bytes: scan, name: 'scan.pdf' })
      await own.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...form.headers }, raw: form.raw })
      const look = async () => (await own.call('GET', '/api/documents/scan?scope_id=case&wait=30', { headers: keyOf(tenant) })).body
      await expect.poll(async () => (await look()).status).toBe('indexed')
      expect(await look()).toMatchObject({
        status: 'indexed',
        file: { extractor: 'ocr@1', notes: [expect.stringContaining('OCR_COMMAND')] },
      })
      const text = await own.call('GET', '/api/documents/scan/text?scope_id=case', { headers: keyOf(tenant) })
      expect(text.text).toBe('%PDF- scanned.\n\nThe rent is EUR 4,000 a month.')
    } finally {
      await own.stop()
    }
  })

  it('is not recognised again after a crash; a doubtful word makes a possible conflict, is corrected by a person, and read again', async () => {
    const tenant = await service.createTenant()
    const admin = (command: string) => service.admin('POST', `/admin/runtime/${command}`, { scope_id: 'case' }, tenant.api_key)
    const body = { scope_id: 'case', name: 'Letter', document_id: 'letter', text: 'The rent of the Hamburg office is EUR 13,500 a month.' }
    const sent = await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
    expect(sent.status, sent.text).toBe(202)
    expect((await settled(tenant, 'letter')).status).toBe('indexed')
    await admin('pause')
    const form = fileForm({ scope_id: 'case', document_id: 'scan' }, { bytes: sample('scan.pdf'), name: 'scan.pdf' })
    await service.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...form.headers }, raw: form.raw })
    // What was recognised of both pages before the process died, which is not what the pages say.
    const reading = (page: number, words: string) => ({
      page,
      height: 230,
      toPage: [1 / 500, 0, 0, 1 / 230, 0, 0],
      lines: [
        {
          size: 12,
          baseline: 60,
          words: words.split(' ').map((word, at) => {
            return { text: word, confidence: word === '18,500' ? 0.61 : 0.96, left: 20 + 40 * at, right: 54 + 40 * at, top: 50, bottom: 62 }
          }),
        },
      ],
    })
    for (const [page, words] of ['The rent of the Hamburg office is EUR 18,500 a month.', 'Signed in Hamburg.'].entries())
      await service.database.owner.query(
        `insert into recognised_pages (tenant_id, scope_no, generation, document_id, revision, page, reading)
         select tenant_id, scope_no, generation, document_id, revision, $2, $3 from documents where tenant_id = $1 and document_id = 'scan'`,
        [tenant.tenant_id, page + 1, JSON.stringify(reading(page + 1, words))],
      )
    await admin('resume')
    const read = await settled(tenant, 'scan')
    expect(read.status).toBe('indexed')
    expect((await get(tenant, '/api/documents/scan/text?scope_id=case')).text).toBe(
      'The rent of the Hamburg office is EUR 18,500 a month.\n\nSigned in Hamburg.',
    )
    const words = (query = '', of = tenant) => get(of, `/api/documents/scan/words?scope_id=case${query}`)
    const [the, second] = (await words('&limit=2')).body.items
    const rectangle = { left: 0.04, top: 0.2174, width: 0.068, height: 0.0522 }
    expect(the).toEqual({ page: 1, start: 0, end: 3, text: 'The', confidence: 0.96, ...rectangle, corrected: false })
    expect(second).toMatchObject({ text: 'rent', start: 4, left: 0.12 })
    const { next } = (await words('&limit=2')).body
    expect((await words(`&limit=2&cursor=${next}`)).body.items.map((word: { text: string }) => word.text)).toEqual(['of', 'the'])
    expect((await words('&below=0.8')).body).toMatchObject({
      items: [{ text: '18,500', start: 38, end: 44, confidence: 0.61 }],
      next: null,
    })
    expect((await words('&page=2')).body.items.map((word: { text: string }) => word.text)).toEqual(['Signed', 'in', 'Hamburg.'])
    expect((await get(tenant, '/api/documents/letter/words?scope_id=case')).body).toEqual({ items: [], next: null })
    expect((await words('', await service.createTenant())).status).toBe(404)
    const { items } = (await get(tenant, '/api/scopes/case/claims?document_id=scan')).body
    const rent = items.find(({ quote }: { quote: string }) => quote.includes('18,500'))
    expect(rent).toMatchObject({ page: 1, recognised: 0.61, confidence: 0.61 })
    expect((await get(tenant, '/api/scopes/case/contradictions')).body.items).toEqual([])
    const [possible, ...others] = (await get(tenant, '/api/scopes/case/possible-conflicts')).body.items
    expect([possible.reason, others]).toEqual([expect.stringMatching(/^Recognised, 61 %: look at the page\. /), []])

    // A person looks at the page, where it says something else.
    const correct = (body: object, of = tenant) =>
      service.call('POST', '/api/documents/scan/corrections?scope_id=case', { headers: keyOf(of), body: { by: 'j.doe', ...body } })
    expect((await correct({ revision: 1, start: 37, text: '9' })).body).toMatchObject({
      code: 'VALIDATION_FAILED',
      detail: expect.stringMatching(/^\/start/),
    })
    expect((await correct({ revision: 1, start: 38, text: ' ' })).status).toBe(400)
    expect((await correct({ revision: 2, start: 38, text: '9' })).body).toMatchObject({ code: 'STATE_CONFLICT' })
    expect((await correct({ revision: 1, start: 38, text: '9' }, await service.createTenant())).status).toBe(404)
    const corrected = await correct({ revision: 1, start: 38, text: '12,500.00', reason: 'The stamp lies over it.' })
    expect(corrected.body, corrected.text).toMatchObject({
      revision: 2,
      status: 'queued',
      unchanged: false,
      provenance: '“18,500” on page 1 reads “12,500.00”, says j.doe: The stamp lies over it.',
      file: { kept: true, extractor: read.file.extractor, notes: [...read.file.notes, 'Words corrected by people: 1.'] },
    })
    expect(corrected.status).toBe(202)
    expect((await settled(tenant, 'scan')).status).toBe('indexed')
    expect((await get(tenant, '/api/documents/scan/text?scope_id=case')).text).toBe(
      'The rent of the Hamburg office is EUR 12,500.00 a month.\n\nSigned in Hamburg.',
    )
    expect((await get(tenant, '/api/documents/scan/text?scope_id=case&revision=1')).text).toContain('EUR 18,500 a month')
    expect((await words('&below=0.8')).body.items).toEqual([])
    const after = (await words()).body.items
    expect(after[7]).toMatchObject({ text: 'EUR', corrected: false })
    expect(after[8]).toMatchObject({ text: '12,500.00', start: 38, end: 47, confidence: 1, corrected: true, left: 0.68 })
    expect(after.slice(9).map((word: { text: string }) => word.text)).toEqual(['a', 'month.', 'Signed', 'in', 'Hamburg.'])
    const signed = (await get(tenant, '/api/scopes/case/claims?document_id=scan')).body.items
    expect(
      signed.map(({ quote, page, recognised }: { quote: string; page: number; recognised?: number }) => [quote, page, recognised]),
    ).toEqual(expect.arrayContaining([['The rent of the Hamburg office is EUR 12,500.00 a month.', 1, undefined]]))
    // Now it is a contradiction, and the picture is there for either revision.
    expect((await get(tenant, '/api/scopes/case/contradictions')).body.items).toHaveLength(1)
    for (const revision of [1, 2]) {
      const original = await fetch(`${service.url}/api/documents/scan/original?scope_id=case&revision=${revision}`, {
        headers: keyOf(tenant),
      })
      expect(Buffer.from(await original.arrayBuffer()).equals(sample('scan.pdf'))).toBe(true)
    }
    // What was listed before the correction leads to other words after it.
    const env = { CONCORD_URL: service.url, CONCORD_TENANT_KEY: tenant.api_key, HOME: '/' }
    const listed = await runConcord(env, 'documents', 'words', 'case', 'scan', '--page', '1')
    expect(listed.out).toMatch(/^word +page +sure +start +revision\nThe +1 +\d+ % +0 +2\n/)
    const misplaced = ['documents', 'correct', 'case', 'scan', '0', 'Then', '--by', 'j.doe']
    expect((await runConcord(env, ...misplaced, '--revision', '1')).err).toContain('The document is at revision 2 by now')
    expect((await runConcord(env, ...misplaced)).code).toBe(2)
    // One that was read rightly is so as well, and each is said once.
    expect((await correct({ revision: 2, start: 0, text: 'The' })).body.provenance).toBe('“The” on page 1 was read rightly, says j.doe.')
    expect(await settled(tenant, 'scan')).toMatchObject({ revision: 3, status: 'indexed', unchanged: false })
    expect((await correct({ revision: 3, start: 0, text: 'The' })).body.detail).toBe('The word was corrected to this before.')
    // Read again, all of it is what the pages say.
    const again = (languages: string[]) =>
      service.call('POST', '/api/documents/scan/recognition?scope_id=case', { headers: keyOf(tenant), body: { by: 'j.doe', languages } })
    const known = (await get(tenant, '/api/scan-languages')).body
    expect(known.default).toEqual(['eng'])
    expect(known.languages).toContainEqual({ language: 'eng', name: 'English', installed: true, install: null })
    expect(await again(['eng', 'xyz'])).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('npm install @tesseract.js-data/xyz') },
    })
    // The same file again keeps what people read in it.
    expect(await upload(tenant, 'scan', sample('scan.pdf'), 'scan.pdf')).toMatchObject({ revision: 4, unchanged: true })
    expect((await words()).body.items[8]).toMatchObject({ text: '12,500.00', corrected: true })
    expect((await again(['eng'])).body).toMatchObject({
      revision: 5,
      status: 'queued',
      content_hash: null,
      provenance: 'Read again with eng, says j.doe.',
    })
    expect((await again(['eng'])).body.detail).toMatch(/^The document is (queued|processing)\.$/)
    expect(await settled(tenant, 'scan')).toMatchObject({ revision: 5, status: 'indexed', file: { kept: true, notes: read.file.notes } })
    expect((await get(tenant, '/api/documents/scan/text?scope_id=case')).text).toContain('Lease of the Hamburg office')
    expect((await words()).body.items.some((word: { corrected: boolean }) => word.corrected)).toBe(false)
    const { rows: acts } = await service.database.owner.query(
      "select count(*)::integer as n from audit_log where tenant_id = $1 and action = 'correctWord'",
      [tenant.tenant_id],
    )
    expect(acts[0].n).toBeGreaterThanOrEqual(2)
    await service.call('DELETE', '/api/documents/scan?scope_id=case', { headers: keyOf(tenant) })
    const { rows: left } = await service.database.owner.query(
      `select (select count(*)::integer from file_chunks where tenant_id = $1) as chunks, (select count(*)::integer from recognised_pages where tenant_id = $1) as pages,
         (select count(provenance)::integer from documents where tenant_id = $1) as said, (select sum(bytes)::integer from scope_heads where tenant_id = $1) as bytes`,
      [tenant.tenant_id],
    )
    expect(left[0]).toEqual({ chunks: 0, pages: 0, said: 0, bytes: Buffer.byteLength(body.text) })
  })

  it.runIf(process.platform !== 'win32')('holds up nothing; one that waits is not begun when its scope is paused or stopped', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'concord-scans-'))
    const command = `cat >/dev/null; echo begun >>${folder}/log; while [ ! -e ${folder}/go ]; do sleep 0.05; done; echo The rent is EUR 4,000.`
    const own = await startTestService({ OCR_COMMAND: command, WORKERS: '2' })
    const begun = () => readFileSync(`${folder}/log`, 'utf8').trim().split('\n').length
    try {
      const [reading, paused, stopped] = [await own.createTenant(), await own.createTenant(), await own.createTenant()]
      const submit = async (tenant: Tenant) => {
        const form = fileForm({ scope_id: 'case', document_id: 'scan' }, { bytes: scan, name: 'scan.pdf' })
        await own.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...form.headers }, raw: form.raw })
      }
      const status = async (tenant: Tenant, wait = 0) =>
        (await own.call('GET', `/api/documents/scan?scope_id=case&wait=${wait}`, { headers: keyOf(tenant) })).body.status
      /** Handed over by its worker, and put off. */
      const waits = async ({ tenant_id }: Tenant) =>
        (await own.database.owner.query('select not_before > now() as waits from backlog where tenant_id = $1', [tenant_id])).rows[0]?.waits
      await submit(reading)
      await expect.poll(() => existsSync(`${folder}/log`)).toBe(true)
      for (const [tenant, command] of [
        [paused, 'pause'],
        [stopped, 'stop'],
      ] as const) {
        await submit(tenant)
        await expect.poll(() => waits(tenant)).toBe(true)
        await own.admin('POST', `/admin/runtime/${command}`, { scope_id: 'case' }, tenant.api_key)
      }
      // More scans than workers are in hand, and none can be read: texts and files go their way, also behind a scan in its own case.
      const { tenant_id } = reading
      const body = {
        scope_id: 'case',
        name: 'Letter',
        document_id: 'letter',
        text: 'The rent of the Hamburg office is EUR 13,500 a month.',
      }
      await own.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant_id }, body })
      const files = [fileForm({ scope_id: 'case', document_id: 'lease' }, { bytes: sample('lease.pdf'), name: 'lease.pdf' })]
      files.push(fileForm({ scope_id: 'other', document_id: 'note' }, { bytes: 'The deposit is EUR 9,000.', name: 'note.txt' }))
      for (const { headers, raw } of files) await own.call('POST', '/api/files', { headers: { ...keyOf(reading), ...headers }, raw })
      const ended = async (path: string) =>
        (await own.call('GET', `/api/documents/${path}&wait=30`, { headers: keyOf(reading) })).body.status
      for (const path of ['letter?scope_id=case', 'lease?scope_id=case', 'note?scope_id=other'])
        await expect.poll(() => ended(path)).toBe('indexed')
      expect([await status(reading), begun()]).toEqual(['queued', 1])
      writeFileSync(`${folder}/go`, '')
      await expect.poll(() => status(reading, 30)).toBe('indexed')
      expect([await status(paused), await status(stopped), begun()]).toEqual(['queued', 'queued', 1])
      await own.admin('POST', '/admin/runtime/resume', { scope_id: 'case' }, paused.api_key)
      await expect.poll(() => status(paused, 30)).toBe('indexed')
    } finally {
      writeFileSync(`${folder}/go`, '')
      await own.stop()
      rmSync(folder, { recursive: true })
    }
  })
})
