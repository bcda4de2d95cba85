import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attachDocument, registerDocument } from '../../src/scopes/documents/attach.js'
import { getDocumentText, listRevisions } from '../../src/scopes/documents/document-text.js'
import { listDocuments } from '../../src/scopes/documents/documents.js'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { retryDocument } from '../../src/scopes/documents/quarantine.js'
import { listContradictions } from '../../src/scopes/findings/contradictions.js'
import { scopeConvergence } from '../../src/scopes/kernel-convergence.js'
import { listScopes } from '../../src/scopes/lifecycle.js'
import { patchScope } from '../../src/scopes/settings.js'
import { openWorld, readDocument, type World } from './support.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const text = '\ufeffZeile 1\r\n\t𝒜 <script>alert(1)</script> \u202e'

describe('the text of a document', () => {
  it('is the one submitted, of any revision, and is not sent twice', async () => {
    const scope = await world.newScope(await world.newTenant(), 'texts')
    await attachDocument(world.deps, scope, { name: 'n', text, document_id: 'a/b' })
    await attachDocument(world.deps, scope, { name: 'n', text: 'second', document_id: 'a/b' })
    const read = (revision?: number, ifNoneMatch?: string) =>
      getDocumentText(world.deps, { ...scope, documentId: 'a/b', revision, ifNoneMatch })
    const first = await read(1)
    expect(first.body).toBe(text)
    expect((await read()).body).toBe('second')
    expect(await read(1, `W/"x", ${first.etag}`)).toEqual({ etag: first.etag, body: null })
    expect((await read(2, first.etag)).body).toBe('second')
    await expect(read(3)).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND', detail: 'The document has no revision 3.' })
  })

  it('is not there once erased, for what was never read here, and for another tenant', async () => {
    const scope = await world.newScope(await world.newTenant(), 'gone')
    await readDocument(world, scope, { documentId: 'd', claims: [{ slot: 's', value: '1' }] })
    await eraseDocument(world.deps, { ...scope, documentId: 'd' })
    const { body } = await registerDocument(world.deps, scope.tenantId, { scope_id: 'gone', name: 'n', type: 'pdf' }, undefined)
    const other = await world.newScope(await world.newTenant(), 'gone')
    const missing: [typeof scope & { documentId: string }, string][] = [
      [{ ...scope, documentId: 'd' }, 'No text of the document is kept'],
      [{ ...scope, documentId: body.document_id }, 'No text of the document is kept'],
      [{ ...scope, documentId: 'a\0' }, 'no document with this id'],
      [{ ...other, documentId: 'd' }, 'no document with this id'],
    ]
    for (const [name, words] of missing) {
      const refusal = { code: 'DOCUMENT_NOT_FOUND', detail: expect.stringContaining(words) }
      await expect(getDocumentText(world.deps, name)).rejects.toMatchObject(refusal)
    }
  })
})

describe('revisions', () => {
  it('are listed newest first, by pages', async () => {
    const scope = await world.newScope(await world.newTenant(), 'revisions')
    for (const each of ['1', '2', '3']) await attachDocument(world.deps, scope, { name: `n${each}`, text: each, document_id: 'd' })
    const first = await listRevisions(world.deps, { ...scope, documentId: 'd', limit: 2 })
    expect(first.items.map(item => [item.revision, item.name])).toEqual([
      [3, 'n3'],
      [2, 'n2'],
    ])
    const second = await listRevisions(world.deps, { ...scope, documentId: 'd', limit: 2, cursor: first.next ?? '' })
    expect(second).toMatchObject({ items: [{ revision: 1 }], next: null })
    await expect(listRevisions(world.deps, { ...scope, documentId: 'none' })).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' })
  })
})

describe('filters', () => {
  it('find documents by the time they came in', async () => {
    const scope = await world.newScope(await world.newTenant(), 'times')
    await attachDocument(world.deps, scope, { name: 'n', text: 't', document_id: 'd' })
    const count = async (filter: object) => (await listDocuments(world.deps, { ...scope, ...filter })).items.length
    expect(await count({ receivedFrom: '2020-01-01T00:00:00Z', status: 'attached' })).toBe(1)
    expect(await count({ receivedFrom: '2999-01-01T00:00:00Z' })).toBe(0)
    expect(await count({ receivedTo: '2020-01-01T00:00:00+02:00' })).toBe(0)
    await expect(count({ receivedFrom: '2020-01-02T00:00:00Z', receivedTo: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/query/received_from' }],
    })
  })

  it('find contradictions by severity and by a document on a side', async () => {
    const scope = await world.newScope(await world.newTenant(), 'sides')
    const [one, two] = ['one', 'two'].map(slot => ({ slot, value: '1' }))
    const first = await readDocument(world, scope, { documentId: 'a', claims: [one!, two!] })
    const [a = '', b = ''] = first.claimIds
    await readDocument(world, scope, {
      documentId: 'b',
      claims: [{ slot: 'one', value: '2' }],
      contradictions: [{ a, b: 0, severity: 'low' }],
    })
    await readDocument(world, scope, {
      documentId: 'c',
      claims: [{ slot: 'two', value: '2' }],
      contradictions: [{ a: b, b: 0, severity: 'high' }],
    })
    const found = async (filter: object) => (await listContradictions(world.deps, { ...scope, ...filter })).items.map(item => item.severity)
    expect(await found({})).toEqual(['low', 'high'])
    expect(await found({ severity: 'high' })).toEqual(['high'])
    expect(await found({ documentId: 'a' })).toEqual(['low', 'high'])
    expect(await found({ documentId: 'b' })).toEqual(['low'])
    expect(await found({ documentId: 'c', severity: 'low' })).toEqual([])
    expect(await found({ documentId: 'd', status: 'all' })).toEqual([])
  })

  it('find scopes by part of their name and by finality, with what happened to them', async () => {
    const tenantId = await world.newTenant()
    const scope = await world.newScope(tenantId, 'north-1')
    await world.newScope(tenantId, 'south-1')
    await patchScope(world.deps, scope, { display_name: 'Fjord & Co' })
    const ids = async (filter: object) => (await listScopes(world.deps, tenantId, filter)).items.map(item => item.scope_id)
    expect(await ids({ q: 'NORTH' })).toEqual(['north-1'])
    expect(await ids({ q: 'fjord &' })).toEqual(['north-1'])
    expect(await ids({ q: '%' })).toEqual([])
    const { result } = await readDocument(world, scope, { documentId: 'd', claims: [{ slot: 's', value: '1' }] })
    expect(await ids({ finality: result.finality.to })).toContain('north-1')
    const [record] = (await listScopes(world.deps, tenantId, {})).items
    expect(record).toMatchObject({ trajectory: [result.point.score], counts: { possible_conflicts: 0 } })
    expect(Date.parse(record?.updated_at ?? '')).toBeGreaterThanOrEqual(Date.parse(record?.created_at ?? ''))
  })
})

describe('convergence', () => {
  it('of a scope is told to its tenant alone, with gates and history', async () => {
    const scope = await world.newScope(await world.newTenant(), 'own')
    for (const documentId of ['a', 'b']) await readDocument(world, scope, { documentId, claims: [{ slot: documentId, value: '1' }] })
    const page = await scopeConvergence(world.deps, { ...scope, limit: 1 })
    expect(page).toMatchObject({ scope_id: 'own', convergence: { round: 2 }, history: { items: [{ round: 2, kind: 'document' }] } })
    expect(page).not.toHaveProperty('tenant_id')
    expect(page.gates.length).toBeGreaterThan(3)
    const rest = await scopeConvergence(world.deps, { ...scope, limit: 1, cursor: page.history.next ?? '' })
    expect(rest.history).toMatchObject({ items: [{ round: 1 }], next: null })
    const stranger = { tenantId: await world.newTenant(), scopeId: 'own' }
    await expect(scopeConvergence(world.deps, stranger)).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
  })
})

describe('retrying', () => {
  it('sends a quarantined document back, and no other', async () => {
    const scope = await world.newScope(await world.newTenant(), 'retries')
    await readDocument(world, scope, { documentId: 'd', claims: [] })
    const document = { ...scope, documentId: 'd' }
    await expect(retryDocument(world.deps, document)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    await world.owner.query("update documents set status = 'quarantined', reason = 'broken' where tenant_id = $1", [scope.tenantId])
    await world.owner.query('update scope_heads set indexed = indexed - 1, quarantined = quarantined + 1 where tenant_id = $1', [
      scope.tenantId,
    ])
    expect(await retryDocument(world.deps, document)).toMatchObject({ status: 'queued', attempts: 0 })
    await expect(retryDocument(world.deps, { ...document, documentId: 'x' })).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' })
  })
})
