import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runTextRetention } from '../../src/scopes/documents/text-retention.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

it('removes texts of settled documents after their time and nothing else, and gives their bytes back', async () => {
  const tenant = await service.createTenant()
  const headers = { 'x-tenant-id': tenant.tenant_id, 'x-tenant-api-key': tenant.api_key }
  const ingest = (document_id: string) =>
    service.call('POST', '/api/ingest', { headers, body: { scope_id: 'case', name: 'n', document_id, text: `The revenue was EUR 5M.` } })
  await ingest('old')
  await ingest('new')
  for (const id of ['old', 'new']) await service.call('GET', `/api/documents/${id}?scope_id=case&wait=30`, { headers })
  await service.admin('POST', '/admin/scopes/case/documents', { name: 'n', document_id: 'waiting', text: 'Not read yet.' }, tenant.api_key)
  await service.database.owner.query(
    "update documents set received_at = received_at - interval '10 days' where tenant_id = $1 and document_id in ('old', 'waiting')",
    [tenant.tenant_id],
  )
  const { db } = service.database
  expect(await runTextRetention({ db, config: { textRetentionDays: undefined } })).toEqual({ texts: 0, more: false })
  // A node whose clock is ahead forgets nothing early: ages are the database's.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400 * 86_400_000 })
  expect(await runTextRetention({ db, config: { textRetentionDays: 30 } }).finally(() => vi.useRealTimers())).toEqual({
    texts: 0,
    more: false,
  })
  expect(await runTextRetention({ db, config: { textRetentionDays: 7 } })).toEqual({ texts: 1, more: false })
  expect(await runTextRetention({ db, config: { textRetentionDays: 7 } })).toEqual({ texts: 0, more: false })
  const { rows } = await service.database.owner.query(
    'select document_id, text is not null as kept, text_hash is not null as hashed from documents where tenant_id = $1 order by 1',
    [tenant.tenant_id],
  )
  expect(rows).toEqual([
    { document_id: 'new', kept: true, hashed: true },
    { document_id: 'old', kept: false, hashed: true },
    { document_id: 'waiting', kept: true, hashed: true },
  ])
  const { body } = await service.admin('GET', `/admin/tenants/${tenant.tenant_id}/limits`)
  const claims = await service.call('GET', '/api/scopes/case/claims', { headers })
  expect(claims.body.items.length).toBeGreaterThan(0)
  // Texts that are kept, and what was derived from all of them.
  expect(body.usage).toMatchObject({ documents: 3, bytes: 23 + 13 + claims.body.items.length * 512 })
  expect((await verifyDatabase(db)).broken).toEqual([])
})
