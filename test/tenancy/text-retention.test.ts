import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createClient } from '../../src/client/index.js'
import { runTextRetention } from '../../src/scopes/documents/text-retention.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { says } from '../models/scripted-model.js'
import { startModelService } from '../support/model-service.js'
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

it('removes texts of revisions that a later one replaced before they were read', async () => {
  const tenant = await service.createTenant()
  await createClient({ url: service.url, tenantKey: tenant.api_key }).createScope({ scope_id: 'case' })
  const attach = async (document_id: string, text: string) =>
    expect(await service.admin('POST', '/admin/scopes/case/documents', { name: 'n', document_id, text }, tenant.api_key)).toMatchObject({
      status: 201,
    })
  const statuses = ['held', 'quarantined', 'attached']
  for (const id of statuses) {
    await attach(id, `The first text, ${id}.`)
    await attach(id, `The second text, ${id}.`)
  }
  const { db, owner } = service.database
  await owner.query(
    `update documents set received_at = received_at - interval '10 days', status = case when current then status else document_id end
     where tenant_id = $1`,
    [tenant.tenant_id],
  )
  expect(await runTextRetention({ db, config: { textRetentionDays: 7 } })).toEqual({ texts: 3, more: false })
  const { rows } = await owner.query(
    'select document_id, revision, text is not null as kept from documents where tenant_id = $1 order by document_id, revision',
    [tenant.tenant_id],
  )
  expect(rows).toEqual(
    statuses.toSorted().flatMap(document_id => [
      { document_id, revision: 1, kept: false },
      { document_id, revision: 2, kept: true },
    ]),
  )
  expect((await verifyDatabase(db)).broken).toEqual([])
})

it.each(['before', 'after'])('a text that comes again is shown to a model, removed where it came first %s that', async order => {
  const place = await startModelService()
  try {
    const { service } = place
    const tenant = await service.createTenant()
    const headers = { 'x-tenant-api-key': tenant.api_key }
    const handIn = async (document_id: string, text: string) => {
      await service.call('POST', '/api/ingest', { headers, body: { scope_id: 'case', name: document_id, document_id, text } })
      const { body } = await service.call('GET', `/api/documents/${document_id}?scope_id=case&wait=30`, { headers })
      expect(body).toMatchObject({ status: 'indexed', model: 'answered' })
      return body
    }
    const age = async () => {
      const { db, owner } = service.database
      await owner.query("update documents set received_at = received_at - interval '10 days' where document_id = 'survey' and revision = 1")
      expect(await runTextRetention({ db, config: { textRetentionDays: 7 } })).toEqual({ texts: 1, more: false })
    }
    const tight = 'The hatch covers of MV Corvina were watertight when she sailed.'
    const survey = `Survey by Harwick\n\n${tight}`
    await handIn('survey', survey)
    if (order === 'before') await age()
    expect(await handIn('survey', survey)).toMatchObject({ revision: 2, unchanged: true })
    if (order === 'after') await age()
    const poured = 'Sea water poured through her hatches from the first night of the voyage.'
    place.behave = says({ a: poured, b: tight, subject: 'MV Corvina', attribute: 'hatch covers' })
    const letter = `Letter of the crew\n\n${poured}`
    await handIn('letter', letter)
    const { body } = await service.call('GET', '/api/scopes/case/contradictions', { headers })
    expect(body.items).toMatchObject([{ found_by: 'model:reader-1', a: { quote: tight }, b: { quote: poured } }])
    // It is counted with what a model is shown.
    const { body: sent } = await service.call('GET', '/api/scopes/case/model', { headers })
    expect(sent.characters).toBe(survey.length + letter.length)
  } finally {
    await place.stop()
  }
})
