/** What submitters say their papers are about: however it is said, it keeps papers about different things apart. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { dumpDatabase, tablesWith } from '../support/dump-database.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
let tenant: { tenant_id: string; api_key: string }
let own: Record<string, string>
let admin: Record<string, string>
beforeAll(async () => {
  service = await startTestService()
  tenant = await service.createTenant()
  own = { 'x-tenant-api-key': tenant.api_key }
  admin = { authorization: `Bearer ${service.adminKey}`, 'x-tenant-api-key': tenant.api_key }
})
afterAll(() => service.stop())

const cartons = (count: number) => `Number of cartons: ${count}\nMaterial: ${count > 410 ? 'stainless' : 'carbon'} steel`
const header = (about: string | null): Record<string, string> => (about === null ? {} : { 'x-document-about': encodeURIComponent(about) })

async function settled(scopeId: string, documentId: string) {
  return (await service.call('GET', `/api/documents/${documentId}?scope_id=${scopeId}&wait=30`, { headers: own })).body
}

async function handIn(scopeId: string, documentId: string, text: string, about: string | null) {
  const body = { scope_id: scopeId, document_id: documentId, name: `${documentId}.txt`, text }
  expect((await service.call('POST', '/api/ingest', { headers: { ...own, ...header(about) }, body })).status).toBe(202)
  return settled(scopeId, documentId)
}

async function sendFile(path: string, fields: Record<string, string>, headers = own) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([cartons(402)]), 'list.txt')
  const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: form })
  return { status: answer.status, body: (await answer.json()) as { errors?: { pointer: string }[] } }
}

async function shown(scopeId: string) {
  const list = async (kind: string) => (await service.call('GET', `/api/scopes/${scopeId}/${kind}`, { headers: own })).body.items.length
  return { contradictions: await list('contradictions?status=open'), possible: await list('possible-conflicts') }
}

const none = { contradictions: 0, possible: 0 }

it('papers about different things contradict nothing of each other, and those about the same do', async () => {
  await handIn('bare', 'a', cartons(420), null)
  await handIn('bare', 'b', cartons(402), null)
  expect((await shown('bare')).contradictions).toBeGreaterThan(0)

  expect((await handIn('apart', 'a', cartons(420), 'Lieferung 7, Zürich')).about).toBe('Lieferung 7, Zürich')
  expect((await handIn('apart', 'b', cartons(402), 'Lieferung 8, Zürich')).about).toBe('Lieferung 8, Zürich')
  expect(await shown('apart')).toEqual(none)

  await handIn('same', 'a', cartons(420), 'Delivery 7')
  await handIn('same', 'b', cartons(402), '  delivery   7 ')
  expect((await shown('same')).contradictions).toBeGreaterThan(0)

  await handIn('one-side', 'a', cartons(420), 'Delivery 7')
  expect((await handIn('one-side', 'b', cartons(402), null)).about).toBeNull()
  expect((await shown('one-side')).contradictions).toBeGreaterThan(0)
})

it('a batch, a file and what is attached say it too', async () => {
  await handIn('ways', 'first', cartons(420), 'Delivery 7')
  const documents = ['b1', 'b2'].map(id => ({ scope_id: 'ways', document_id: id, name: id, text: cartons(402) }))
  const batch = await service.call('POST', '/api/ingest/batch', { headers: { ...own, ...header('Delivery 8') }, body: { documents } })
  expect(batch.body.accepted).toBe(2)
  for (const id of ['b1', 'b2']) expect((await settled('ways', id)).about).toBe('Delivery 8')

  expect((await sendFile('/api/files', { scope_id: 'ways', document_id: 'file', about: 'Delivery 8' })).status).toBe(202)
  expect((await settled('ways', 'file')).about).toBe('Delivery 8')
  expect((await sendFile('/admin/scopes/ways/files', { document_id: 'file-2', about: 'Delivery 8' }, admin)).status).toBe(202)
  expect((await settled('ways', 'file-2')).about).toBe('Delivery 8')

  const attached = { document_id: 'attached', name: 'a.txt', text: cartons(402), about: 'Delivery 8' }
  const { status, body } = await service.call('POST', '/admin/scopes/ways/documents', { headers: admin, body: attached })
  expect([status, body.about]).toEqual([201, 'Delivery 8'])
  await service.call('POST', '/admin/scopes/ways/ingest', { headers: admin, body: {} })
  expect(await settled('ways', 'attached')).toMatchObject({ status: 'indexed', about: 'Delivery 8' })
  expect(await shown('ways')).toEqual(none)
})

it('refuses what cannot be kept, and says where', async () => {
  const document = { scope_id: 'refused', document_id: 'd', name: 'd.txt', text: 'A text.' }
  const refusals = ['%', '%E9', '%ff%fe', 'a%00b', '%20', 'Z\u00fcrich', encodeURIComponent('é'.repeat(201)), 'x'.repeat(2500)]
  for (const given of refusals) {
    const headers = { ...own, 'x-document-about': given }
    for (const [path, body] of [
      ['/api/ingest', document],
      ['/api/ingest/batch', { documents: [document] }],
    ] as const) {
      const answer = await service.call('POST', path, { headers, body })
      expect([given, path, answer.status, answer.body.errors?.[0].pointer]).toEqual([given, path, 400, '/headers/x-document-about'])
    }
  }
  for (const about of ['x'.repeat(201), '', ' ', 'a\u0000b']) {
    const file = await sendFile('/api/files', { scope_id: 'refused', about })
    expect([about, file.status, file.body.errors?.[0]?.pointer]).toEqual([about, 400, '/about'])
  }
  expect((await service.call('POST', '/api/ingest', { headers: own, body: { ...document, about: 'closed' } })).status).toBe(400)
  expect((await service.call('GET', '/api/scopes/refused/summary', { headers: own })).status).toBe(404)
  // As long as it may be, in characters of four bytes.
  const longest = '𝒳'.repeat(200)
  expect((await handIn('longest', 'd', 'A text.', longest)).about).toBe(longest)
  expect((await sendFile('/api/files', { scope_id: 'longest', document_id: 'f', about: longest })).status).toBe(202)
})

it('is part of what an idempotency key stands for', async () => {
  const body = { scope_id: 'keyed', name: 'd.txt', text: 'The pump is red.', idempotency_key: 'k-1' }
  const send = (about: string | null) => service.call('POST', '/api/ingest', { headers: { ...own, ...header(about) }, body })
  const first = await send('Pump 1')
  expect((await send('Pump 1')).body).toEqual(first.body)
  expect([(await send('Pump 2')).body.code, (await send(null)).body.code]).toEqual(['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_REUSED'])
})

it('a revision without it keeps it, reading again too, and the same text about another thing is compared anew', async () => {
  await handIn('kept', 'a', cartons(420), 'Delivery 7')
  await handIn('kept', 'b', cartons(402), 'Delivery 8')
  expect(await handIn('kept', 'b', cartons(404), null)).toMatchObject({ revision: 2, about: 'Delivery 8' })
  expect(await handIn('kept', 'b', cartons(404), null)).toMatchObject({ revision: 3, about: 'Delivery 8', unchanged: true })
  expect(await handIn('kept', 'b', cartons(404), 'Delivery 8')).toMatchObject({ revision: 4, unchanged: true })
  expect(await shown('kept')).toEqual(none)

  const reread = await service.call('POST', '/api/scopes/kept/reread', { headers: own, body: {} })
  expect(reread.body.queued).toBe(2)
  const waiting = async () => (await service.call('GET', '/api/scopes/kept/summary', { headers: own })).body.reading.waiting
  await expect.poll(waiting).toBe(0)
  expect(await settled('kept', 'b')).toMatchObject({ revision: 4, about: 'Delivery 8', status: 'indexed' })
  expect(await shown('kept')).toEqual(none)

  expect(await handIn('kept', 'b', cartons(404), 'Delivery 7')).toMatchObject({ revision: 5, about: 'Delivery 7', unchanged: false })
  expect((await shown('kept')).contradictions).toBeGreaterThan(0)
  const { rows } = await service.database.owner.query(
    `select v.data->'unchanged' as unchanged from events v
     where v.tenant_id = $1 and v.type = 'document.queued' and v.data->>'scope_id' = 'kept' and v.subject = 'b' order by v.seq`,
    [tenant.tenant_id],
  )
  expect(rows.map(({ unchanged }) => unchanged)).toEqual([false, false, true, true, false])
})

it('a replay compares as it was compared then', async () => {
  for (const [id, count, about] of [
    ['a', 420, 'Delivery 7'],
    ['b', 402, 'Delivery 8'],
    ['b', 404, 'Delivery 7'],
  ] as const)
    await handIn('replayed', id, cartons(count), about)
  const replayed = await replayScope(service.database.db, { tenantId: tenant.tenant_id, scopeId: 'replayed' })
  expect(replayed).toMatchObject({ ok: true, documents: { reconciled: 3 } })
})

it('goes with the document when it is erased', async () => {
  await handIn('erased', 'a', 'A text.', 'Zorvath delivery')
  await handIn('erased', 'a', 'Another text.', 'Quillonby delivery')
  const attached = { document_id: 'b', name: 'b.txt', text: 'A text.', about: 'Zorvath attached' }
  await service.call('POST', '/admin/scopes/erased/documents', { headers: { ...admin, 'idempotency-key': 'att' }, body: attached })
  const found = async () => tablesWith(await dumpDatabase(service.database.owner), ['zorvath', 'quillonb'])
  expect(await found()).toContain('documents')
  for (const id of ['a', 'b']) await service.call('DELETE', `/api/documents/${id}?scope_id=erased`, { headers: own })
  expect(await found()).toEqual([])
  expect((await settled('erased', 'a')).about).toBeNull()
  // What is handed in under its name later is about nothing that was said before.
  expect((await handIn('erased', 'a', 'A third text.', null)).about).toBeNull()
})
