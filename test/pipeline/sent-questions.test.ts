/** What is written down before a question is sent to a model, and where none may be sent any more. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { deleteScope, resetScope } from '../../src/scopes/reset.js'
import { listSent, noteSent } from '../../src/store/documents/model-off.js'
import type { ScopePlace } from '../../src/store/scopes/scopes.js'
import { openWorld, type PipelineWorld } from './support.js'

let world: PipelineWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function openCase(): Promise<ScopePlace> {
  const tenantId = await world.newTenant()
  await world.ingest([{ tenantId, scopeId: 'case', documentId: 'memo', text: 'The weir of Tolmin was opened on 3 May 2024.' }])
  return { tenantId, scopeNo: await world.scopeNo(tenantId, 'case'), generation: 1 }
}

function send(place: ScopePlace, model: string, ...shown: string[]): Promise<boolean> {
  const memo = { documentId: 'memo', revision: 1 }
  const others = shown.map(documentId => ({ documentId, revision: 1 }))
  const question = { shown: [memo, ...others] as const, model, wholeCase: true }
  return world.db.inTenant(place.tenantId, tx => noteSent(tx, place, question))
}

test('each document is listed with every model that was shown it, and when that was last', async () => {
  const place = await openCase()
  const sent = (documentId: string) => world.db.inTenant(place.tenantId, tx => listSent(tx, place, documentId, 10))
  expect(await send(place, 'model:a', 'ledger')).toBe(true)
  const [first] = await sent('ledger')
  expect(first).toMatchObject({ document_id: 'memo', revision: 1, whole_case: true, model: 'model:a' })
  expect(await send(place, 'model:b')).toBe(true)
  expect(await sent('ledger')).toEqual([first])
  expect((await sent('memo')).map(each => each.model)).toEqual(['model:b', 'model:a'])
  expect(await send(place, 'model:b', 'ledger')).toBe(true)
  expect((await sent('ledger')).map(each => each.model)).toEqual(['model:b', 'model:a'])
  expect(await sent('letter')).toEqual([])
})

test('what a question showed of a document stays listed when the one it was about is erased', async () => {
  const place = await openCase()
  expect(await send(place, 'model:a', 'ledger')).toBe(true)
  await eraseDocument(world.scopes, { tenantId: place.tenantId, scopeId: 'case', documentId: 'memo' })
  const listed = (documentId: string) => world.db.inTenant(place.tenantId, tx => listSent(tx, place, documentId, 10))
  expect(await listed('ledger')).toEqual([
    { document_id: 'memo', revision: 1, whole_case: true, model: 'model:a', asked_at: expect.any(String) },
  ])
  expect(await listed('memo')).toEqual([])
})

test.each<[string, (place: ScopePlace) => Promise<unknown>]>([
  ['a case that was reset', ({ tenantId }) => resetScope(world.scopes, { tenantId, scopeId: 'case' })],
  ['a case that was deleted', ({ tenantId }) => deleteScope(world.scopes, { tenantId, scopeId: 'case' })],
  [
    'a tenant that was deleted',
    ({ tenantId }) => world.db.engineQuery('update tenants set deleted_at = clock_timestamp() where tenant_id = $1', [tenantId]),
  ],
])('no question is sent, nor a row left, about %s meanwhile', async (_, withdraw) => {
  const place = await openCase()
  await withdraw(place)
  expect(await send(place, 'model:a')).toBe(false)
  expect(await world.rows('select document_id from documents_sent where tenant_id = $1', [place.tenantId])).toEqual([])
})
