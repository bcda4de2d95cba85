/** Files and mails on their way through the whole service: read, compared, quarantined, erased. */

import { describe, expect, it } from 'vitest'
import { commented, deleted, docxOf, inserted, odtOf, pptxOf, said, shape } from '../support/office.js'
import { keyOf, sample, scan, startFileService, type Tenant } from './sent-files.js'

const at = startFileService()
const { get, settled, upload } = at

describe('a document that came as a file', () => {
  it('is read like any other: its text is kept, and quotes name page and cell', async () => {
    const tenant = await at.service.createTenant()
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
    const tenant = await at.service.createTenant()
    const limit = (bytes: number | null) => at.service.admin('PUT', `/admin/tenants/${tenant.tenant_id}/limits`, { bytes })
    const bytes = 'The revenue of Alder Holding for FY2025 was EUR 33.9M.\n'.padEnd(20_000, 'and so on, ')
    await limit(30_000)
    const refused = { status: 'quarantined', failure: { error_class: 'QUOTA_EXCEEDED' } }
    expect(await upload(tenant, 'long', bytes, 'long.txt')).toMatchObject(refused)
    const { usage } = (await at.service.admin('GET', `/admin/tenants/${tenant.tenant_id}/limits`)).body
    expect(usage.bytes).toBe(20_000)
    await limit(null)
    await at.service.call('POST', '/api/documents/long/retry?scope_id=case', { headers: keyOf(tenant) })
    expect((await settled(tenant, 'long')).status).toBe('indexed')
  })

  it('contradicts another that came as text', async () => {
    const tenant = await at.service.createTenant()
    const body = {
      scope_id: 'case',
      name: 'Letter',
      document_id: 'letter',
      text: 'The revenue of Alder Holding for FY2025 was EUR 33.9M.',
    }
    await at.service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
    await upload(tenant, 'report', sample('wrapped.pdf'), 'report.pdf')
    const { items } = (await get(tenant, '/api/scopes/case/contradictions')).body
    const sides = items.flatMap(
      (item: { a: { document_id: string; page: number | null }; b: { document_id: string; page: number | null } }) => [item.a, item.b],
    )
    expect(sides).toContainEqual(expect.objectContaining({ document_id: 'report', page: 1 }))
    expect(sides).toContainEqual(expect.objectContaining({ document_id: 'letter', page: null }))
  })

  it('contradicts another of any kind, and each quote says where it stands', async () => {
    const tenant = await at.service.createTenant()
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
    const tenant = await at.service.createTenant()
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
    const tenant = await at.service.createTenant()
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
    await at.service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
    await at.service.call('DELETE', '/api/documents/copy?scope_id=case', { headers: keyOf(tenant) })
    expect(await sameAs()).toEqual({ copy: [], lease: [], note: ['other'], other: ['note'] })
  })

  it('is quarantined with a reason a person understands, and nothing else is touched', async () => {
    const tenant = await at.service.createTenant()
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
    const tenant = await at.service.createTenant()
    await upload(tenant, 'costs', sample('costs.xlsx'), 'costs.xlsx')
    await at.service.call('DELETE', '/api/documents/costs?scope_id=case', { headers: keyOf(tenant) })
    const { rows } = await at.service.database.owner.query(
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
    const tenant = await at.service.createTenant()
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
    const original = await fetch(`${at.service.url}/api/documents/${named('lease.docx')?.document_id}/original?scope_id=case`, {
      headers: keyOf(tenant),
    })
    expect(Buffer.from(await original.arrayBuffer()).equals(sample('lease.docx'))).toBe(true)

    await upload(tenant, 'mail', sample('mail.eml'), 'mail.eml')
    expect(await documents(tenant)).toHaveLength(4)
    await at.service.call('DELETE', '/api/documents/mail?scope_id=case', { headers: keyOf(tenant) })
    const { rows } = await at.service.database.owner.query(
      'select count(*)::integer as left from documents where tenant_id = $1 and erased_at is null',
      [tenant.tenant_id],
    )
    expect(rows[0].left).toBe(0)
    const chunks = await at.service.database.owner.query('select count(*)::integer as n from file_chunks where tenant_id = $1', [
      tenant.tenant_id,
    ])
    expect(chunks.rows[0].n).toBe(0)
  })
})
