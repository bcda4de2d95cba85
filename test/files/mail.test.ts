import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { countParts } from '../../src/store/documents/file-documents.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import type { ScopePlace } from '../../src/store/scopes/scopes.js'
import { mailOf } from '../support/mail.js'
import { msgOf } from '../support/msg.js'
import { fileForm } from '../support/multipart.js'
import { startTestService, type TestService } from '../support/service.js'
import { zipOf } from '../support/zip.js'

const prove = process.env['PROVE'] === '1'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

type Tenant = Awaited<ReturnType<TestService['createTenant']>>
interface Document {
  document_id: string
  name: string
  status: string
  revision: number
  provenance: string | null
  part_of: string | null
  file: { notes: string[] } | null
}

const keyOf = (tenant: Tenant) => ({ 'x-tenant-api-key': tenant.api_key })
const get = (tenant: Tenant, path: string) => service.call('GET', path, { headers: keyOf(tenant) })

async function send(tenant: Tenant, bytes: Buffer, name = 'mail.eml', source = 'counsel'): Promise<Document> {
  const form = fileForm({ scope_id: 'case', document_id: 'mail', source }, { bytes, name })
  const answer = await service.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...form.headers }, raw: form.raw })
  expect(answer.status, answer.text).toBe(202)
  return processed(tenant, 'mail')
}

/** However long a busy machine takes. */
async function processed(tenant: Tenant, documentId: string | undefined): Promise<Document> {
  for (;;) {
    const { body } = await get(tenant, `/api/documents/${documentId}?scope_id=case&wait=30`)
    if (body.status !== 'queued' && body.status !== 'processing') return body
  }
}

const erase = (tenant: Tenant) => service.call('DELETE', '/api/documents/mail?scope_id=case', { headers: keyOf(tenant) })

/** All documents of the case once nothing waits any more. */
async function settled(tenant: Tenant): Promise<Document[]> {
  const busy = async () => {
    const { documents } = (await get(tenant, '/api/scopes/case/summary')).body
    return documents.attached + documents.queued + documents.processing
  }
  await expect.poll(busy).toBe(0)
  return documentsOf(tenant)
}

async function documentsOf(tenant: Tenant): Promise<Document[]> {
  const { items, next } = (await get(tenant, '/api/scopes/case/documents?limit=200')).body
  expect(next).toBeNull()
  return items
}

const named = (all: readonly Document[], name: string) => all.find(each => each.name === name)
const liveQuotes = async (tenant: Tenant) =>
  (await get(tenant, '/api/scopes/case/claims?limit=200')).body.items
    .filter((claim: { superseded_at: string | null }) => claim.superseded_at === null)
    .map((claim: { quote: string }) => claim.quote)

describe('the names of what a mail carries', () => {
  it('lead nowhere and turn nothing around, and originals end in what they are', async () => {
    const tenant = await service.createTenant()
    await send(
      tenant,
      mailOf('Two files.', [
        { name: '../../lease.txt', bytes: 'The rent is EUR 4,000 a month.' },
        { name: '=?utf-8?B?aW52b2ljZeKArmZkcC5leGU=?=', bytes: 'The fee is EUR 200.' },
      ]),
    )
    const all = await settled(tenant)
    expect(all.map(({ name }) => name).sort()).toEqual(['invoicefdp.exe', 'lease.txt', 'mail.eml'])
    const id = named(all, 'invoicefdp.exe')?.document_id
    const original = await fetch(`${service.url}/api/documents/${id}/original?scope_id=case`, { headers: keyOf(tenant) })
    expect(original.headers.get('content-disposition')).toBe(
      `attachment; filename="invoicefdp.exe.txt"; filename*=UTF-8''invoicefdp.exe.txt`,
    )
    await original.body?.cancel()
  })
})

describe('an attachment that is erased alone', () => {
  it('is said to be in its mail still, and in what that came with', async () => {
    const tenant = await service.createTenant()
    const note = mailOf('Inner.', [{ name: 'note.txt', bytes: 'The fee is EUR 200.' }])
    await send(tenant, mailOf('Outer.', [{ name: 'inner.eml', bytes: note }]))
    const all = await settled(tenant)
    const [inner, attached] = ['inner.eml', 'note.txt'].map(name => named(all, name)?.document_id)
    const erased = async (id: string | undefined) =>
      (await service.call('DELETE', `/api/documents/${id}?scope_id=case`, { headers: keyOf(tenant) })).body
    expect(await erased(attached)).toMatchObject({ erased_at: expect.any(String), still_held_by: [inner, 'mail'] })
    expect(await erased(inner)).toMatchObject({ still_held_by: ['mail'] })
    expect(await erased(attached)).toMatchObject({ still_held_by: ['mail'] })
    expect(await erased('mail')).not.toHaveProperty('still_held_by')
  })
})

describe('limits of what a mail carries', () => {
  it('are three mails deep, and a note says what was left', async () => {
    const tenant = await service.createTenant()
    let mail = mailOf('Level 5.')
    for (let level = 4; level >= 1; level--)
      mail = mailOf(`Level ${level}.`, [
        { name: `below-${level}.eml`, bytes: mail },
        { name: `note-${level}.txt`, bytes: `Note of level ${level}.` },
      ])
    await send(tenant, mail)
    const all = await settled(tenant)
    expect(all.map(({ name }) => name).sort()).toEqual([
      'below-1.eml',
      'below-2.eml',
      'below-3.eml',
      'mail.eml',
      'note-1.txt',
      'note-2.txt',
      'note-3.txt',
    ])
    expect(named(all, 'note-3.txt')?.part_of).toBe(named(all, 'below-2.eml')?.document_id)
    expect(named(all, 'below-3.eml')?.file?.notes).toEqual(['Files 3 mails or archives deep, not read: 2.'])
  })

  it('are one hundred documents, those of mails within it included', async () => {
    const tenant = await service.createTenant()
    const notes = (count: number, prefix: string) =>
      Array.from({ length: count }, (_, n) => ({ name: `${prefix}${n}.txt`, bytes: `Note ${n}.` }))
    const inner = (name: string) => ({ name: `${name}.eml`, bytes: mailOf('Inner.', notes(30, name)) })
    await send(tenant, mailOf('Outer.', [inner('one'), inner('two'), ...notes(48, 'outer-')]))
    // At the same time: neither knows what the other brings before it is kept.
    for (const name of ['one.eml', 'two.eml']) await processed(tenant, named(await documentsOf(tenant), name)?.document_id)
    const all = prove ? await settled(tenant) : await documentsOf(tenant)
    expect(all).toHaveLength(101)
    expect([named(all, 'one.eml'), named(all, 'two.eml')].flatMap(each => each?.file?.notes)).toEqual([
      'Files beyond the first 100, or beyond 64 MiB, of the whole mail or archive, not read: 10.',
    ])
    // Two hundred notes are read in a proof alone: what a note becomes is told of few.
    if (!prove) await erase(tenant)
    const ofMail = (await get(tenant, '/api/scopes/case/documents?limit=200&part_of=mail')).body.items
    expect(ofMail).toHaveLength(50)
    const many = await service.createTenant()
    expect((await send(many, mailOf('Many.', notes(103, 'n')))).file?.notes).toEqual(['Attachments beyond the first 100, not read: 3.'])
    expect(await documentsOf(many)).toHaveLength(101)
    if (!prove) await erase(many)
  })
})

describe('an archive', () => {
  const rent = (amount: string) => `The rent of the Hamburg office is EUR ${amount} a month.`

  it('brings its files as documents under their paths, those of archives within it to the same depth, and nothing of its own', async () => {
    const tenant = await service.createTenant()
    let nested = zipOf({ 'level-4.txt': 'Level 4.' })
    for (let level = 3; level >= 1; level--) nested = zipOf({ [`level-${level}.zip`]: nested })
    const mail = msgOf({
      subject: 'Rent',
      from: ['Ana Berg', 'ana@alder.example'],
      to: [],
      date: '2026-03-02T09:00:00Z',
      body: rent('12,900'),
      attachments: [{ name: 'plan.txt', bytes: 'The area of the Hamburg office is 420 m².' }],
    })
    await send(tenant, zipOf({ '../../lease/a.txt': rent('12,500'), 'mails/rent.msg': mail, 'nested.zip': nested }), 'papers.zip')
    const all = await settled(tenant)
    expect(all.map(({ name }) => name).sort()).toEqual(
      ['papers.zip', 'lease/a.txt', 'mails/rent.msg', 'plan.txt', 'nested.zip', 'level-1.zip', 'level-2.zip'].sort(),
    )
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 'indexed'))
    expect(named(all, 'lease/a.txt')?.part_of).toBe('mail')
    expect(named(all, 'level-2.zip')?.file?.notes).toEqual(['Files 3 mails or archives deep, not read: 1.'])
    const { items } = (await get(tenant, '/api/scopes/case/contradictions')).body
    const sides = [items[0].a, items[0].b].map(({ document_id, quote }) => [document_id, quote])
    expect(new Map(sides as [string, string][])).toEqual(
      new Map([
        [named(all, 'lease/a.txt')?.document_id, rent('12,500')],
        [named(all, 'mails/rent.msg')?.document_id, rent('12,900')],
      ]),
    )
    expect((await get(tenant, '/api/scopes/case/claims?document_id=mail')).body.items).toEqual([])

    await send(tenant, zipOf({ '../../lease/a.txt': rent('12,900') }), 'papers.zip')
    const after = await settled(tenant)
    expect(named(after, 'lease/a.txt')).toMatchObject({ revision: 2, part_of: 'mail' })
    expect(named(after, 'plan.txt')?.provenance).toMatch(/^No longer attached/)
    expect((await get(tenant, '/api/scopes/case/contradictions?status=open')).body.items).toEqual([])
  })
})

describe('a new revision of a mail', () => {
  const rent = { name: 'rent.txt', bytes: 'The rent of the Hamburg office is EUR 12,500 a month.' }
  const inner = {
    name: 'inner.eml',
    bytes: mailOf('See below.', [{ name: 'area.txt', bytes: 'The area of the Hamburg office is 420 m².' }]),
  }
  const headcount = { name: 'staff.txt', bytes: 'The headcount of Alder Works in 2025 was 312.' }

  it('makes new revisions of what it still carries, and what it carries no more counts no more', async () => {
    const tenant = await service.createTenant()
    await send(tenant, mailOf('First.', [rent, inner, headcount]))
    const before = await settled(tenant)
    expect(before).toHaveLength(5)
    expect((await liveQuotes(tenant)).join()).toMatch(/12,500.*420 m²|420 m².*12,500/)

    await send(tenant, mailOf('Second.', [{ ...headcount, bytes: 'The headcount of Alder Works in 2025 was 315.' }]))
    const after = await settled(tenant)
    expect(after.map(({ document_id }) => document_id).sort()).toEqual(before.map(({ document_id }) => document_id).sort())
    expect(named(after, 'staff.txt')).toMatchObject({ revision: 2, part_of: 'mail', file: expect.anything() })
    for (const name of ['rent.txt', 'inner.eml', 'area.txt']) {
      expect(named(after, name), name).toMatchObject({
        revision: 2,
        status: 'indexed',
        part_of: named(before, name)?.part_of,
        file: null,
        provenance: 'No longer attached: revision 2 of the mail or archive does not contain it.',
      })
    }
    const quotes = (await liveQuotes(tenant)).join()
    expect(quotes).toContain('315')
    expect(quotes).not.toMatch(/12,500|420 m²|312/)
    const rentId = named(after, 'rent.txt')?.document_id
    const original = await fetch(`${service.url}/api/documents/${rentId}/original?scope_id=case&revision=1`, { headers: keyOf(tenant) })
    expect(await original.text()).toBe(rent.bytes)

    await send(tenant, mailOf('Third.', [rent]))
    expect(named(await settled(tenant), 'rent.txt')).toMatchObject({ revision: 3, file: expect.anything() })
    expect((await liveQuotes(tenant)).join()).toContain('12,500')
    const place = { tenantId: tenant.tenant_id, scopeId: 'case' }
    expect(await replayScope(service.database.db, place)).toMatchObject({ ok: true, complete: true, difference: null })
    expect((await verifyDatabase(service.database.db)).broken).toEqual([])
  })

  describe('that policy holds', () => {
    const policies = `@outcome("hold") forbid(principal, action == Action::"document", resource) when { context.document.source == "stranger" };
permit(principal, action, resource);`
    const second = mailOf('Second.', [headcount])
    const sayMail = (tenant: Tenant, source: string) => send(tenant, second, 'mail.eml', source)
    const sayText = async (tenant: Tenant, source: string) => {
      const body = { scope_id: 'case', name: 'mail', document_id: 'mail', source, text: 'The mail was taken back.' }
      await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
      return processed(tenant, 'mail')
    }

    async function held(say: typeof sayMail): Promise<Tenant> {
      const tenant = await service.createTenant()
      await send(tenant, mailOf('First.', [rent, inner]))
      await settled(tenant)
      expect((await service.admin('PUT', '/admin/scopes/case/policies', { policies }, tenant.api_key)).status).toBe(200)
      expect(await say(tenant, 'stranger')).toMatchObject({ revision: 2, status: 'held' })
      return tenant
    }

    async function review(tenant: Tenant, verdict: 'approve' | 'reject'): Promise<void> {
      const { rows } = await service.database.owner.query(
        "select decision_id from decisions where tenant_id = $1 and review = 'pending' and document_id = 'mail'",
        [tenant.tenant_id],
      )
      const body = { verdict, reason: 'Looked at.', by: 'Ada' }
      const answer = await service.call('POST', `/api/decisions/${rows[0].decision_id}/review`, { headers: keyOf(tenant), body })
      expect(answer.status, answer.text).toBe(200)
      await processed(tenant, 'mail')
    }

    it.each([
      ['as a mail', sayMail],
      ['as a text', sayText],
    ])('leaves what the one before carried as it is, also once it is rejected: %s', async (_, say) => {
      const tenant = await held(say)
      await review(tenant, 'reject')
      const after = await settled(tenant)
      for (const name of ['rent.txt', 'inner.eml', 'area.txt'])
        expect(named(after, name)).toMatchObject({ revision: 1, file: expect.anything() })
      expect((await liveQuotes(tenant)).join()).toMatch(/12,500.*420 m²|420 m².*12,500/)
    })

    it('rejects: what the one before carried goes on filling the mail, and so does what came with it', async () => {
      const tenant = await service.createTenant()
      await send(tenant, mailOf('First.', [rent, inner]))
      const rentId = named(await settled(tenant), 'rent.txt')?.document_id ?? ''
      const rejecting = policies.replace('hold', 'reject')
      expect((await service.admin('PUT', '/admin/scopes/case/policies', { policies: rejecting }, tenant.api_key)).status).toBe(200)
      expect(await sayMail(tenant, 'stranger')).toMatchObject({ revision: 2, status: 'rejected' })
      await settled(tenant)
      const counted = await service.database.db.inTenant(tenant.tenant_id, async tx => {
        const scope = await tx.row<ScopePlace>(
          `select tenant_id as "tenantId", scope_no as "scopeNo", generation from scopes where scope_id = 'case'`,
          [],
        )
        return countParts(tx, scope!, rentId)
      })
      // Both of the first, what the inner mail carries, and what came with the second.
      expect(counted.documents).toBe(4)
    })

    it.each([
      ['once it is approved', (tenant: Tenant) => review(tenant, 'approve')],
      ['once the same mail comes from somebody else', (tenant: Tenant) => sayMail(tenant, 'counsel')],
    ])('takes that back %s, and its round counts it as waiting', async (_, admit) => {
      const tenant = await held(sayMail)
      await settled(tenant)
      await admit(tenant)
      const after = await settled(tenant)
      for (const name of ['rent.txt', 'inner.eml', 'area.txt'])
        expect(named(after, name)).toMatchObject({ revision: 2, status: 'indexed', file: null })
      expect(named(after, 'staff.txt')).toMatchObject({ revision: 1, file: expect.anything() })
      const { db, owner } = service.database
      const { rows } = await owner.query(
        `select input->'workload'->'queued' as queued from rounds where tenant_id = $1 and document_id = 'mail' order by round desc limit 1`,
        [tenant.tenant_id],
      )
      expect(rows[0].queued).toBe(3)
      expect(await replayScope(db, { tenantId: tenant.tenant_id, scopeId: 'case' })).toMatchObject({ ok: true, difference: null })
      expect((await verifyDatabase(db)).broken).toEqual([])
    })
  })

  it('that is no mail any more carries nothing', async () => {
    const tenant = await service.createTenant()
    await send(tenant, mailOf('First.', [rent]))
    await settled(tenant)
    const body = { scope_id: 'case', name: 'mail', document_id: 'mail', text: 'The mail was taken back.' }
    await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
    await expect.poll(async () => named(await settled(tenant), 'rent.txt')?.revision).toBe(2)
    expect((await liveQuotes(tenant)).join()).not.toContain('12,500')
  })

  it('that is read after a later one leaves the attachments as they are', async () => {
    const tenant = await service.createTenant()
    await send(tenant, mailOf('First.', [rent]))
    await settled(tenant)
    await send(tenant, mailOf('Second.', [headcount]))
    await settled(tenant)
    const { owner } = service.database
    // As if the first had failed for reasons of its surroundings and come to its turn again only now.
    await owner.query(
      `with again as (
         update documents set status = 'queued', text = null, text_hash = null, text_extractor = null where tenant_id = $1 and document_id = 'mail' and revision = 1
         returning tenant_id, scope_no, seq, generation, document_id, revision),
       head as (update scope_heads set has_backlog = true, queued = queued + 1, indexed = indexed - 1 where tenant_id = $1)
       insert into backlog (tenant_id, scope_no, seq, generation, document_id, revision) select * from again`,
      [tenant.tenant_id],
    )
    await expect
      .poll(
        async () =>
          (
            await owner.query("select status from documents where tenant_id = $1 and document_id = 'mail' and revision = 1", [
              tenant.tenant_id,
            ])
          ).rows[0].status,
      )
      .toBe('quarantined')
    const all = (await get(tenant, '/api/scopes/case/documents?limit=200')).body.items
    expect([named(all, 'rent.txt')?.revision, named(all, 'staff.txt')?.revision]).toEqual([2, 1])
  })

  it('is erased with everything it ever carried', async () => {
    const tenant = await service.createTenant()
    await send(tenant, mailOf('First.', [rent, inner]))
    await settled(tenant)
    await send(tenant, mailOf('Second.', [headcount]))
    await settled(tenant)
    await erase(tenant)
    const { rows } = await service.database.owner.query(
      `select (select count(*)::integer from documents where tenant_id = $1 and erased_at is null) as documents,
         (select count(*)::integer from file_chunks where tenant_id = $1) as chunks,
         (select sum(bytes)::integer from scope_heads where tenant_id = $1) as bytes`,
      [tenant.tenant_id],
    )
    expect(rows[0]).toEqual({ documents: 0, chunks: 0, bytes: 0 })
  })
})
