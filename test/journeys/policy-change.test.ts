/** Two nodes on one PostgreSQL: a policy set put in place at one is what the other decides by, without a restart. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { startTestService, type TestService } from '../support/service.js'
import { withinMs } from '../support/time-bounds.js'

let database: TestDatabase
let api: TestService
let worker: TestService
let tenant: { tenant_id: string; api_key: string }

beforeAll(async () => {
  database = await cloneDatabase({ tenantPool: 6, enginePool: 8 })
  api = await startTestService({ ROLE: 'api' }, { database })
  worker = await startTestService({ ROLE: 'worker' }, { database })
  tenant = await api.createTenant('two nodes')
}, 120_000)

afterAll(async () => {
  await worker.stop()
  await api.stop()
  await database.close()
})

async function ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const key = path.startsWith('/api/') ? tenant.api_key : api.adminKey
  const answer = await api.call(method, path, { headers: { authorization: `Bearer ${key}` }, body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

/** Handed in at the one node, decided on by the other; gives the status it came to. */
async function statusOf(documentId: string): Promise<unknown> {
  await ask('POST', '/api/ingest', {
    scope_id: 'case',
    document_id: documentId,
    name: documentId,
    text: `Output of line ${documentId}: 100 t.`,
  })
  return (await ask('GET', `/api/documents/${documentId}?scope_id=case&wait=30`))['status']
}

it('decides by the new set on every node within two seconds', async () => {
  expect(await statusOf('first')).toBe('indexed')
  const { policies } = await ask('GET', '/admin/policies')
  const refusing = `${policies}\n@id("closed") @outcome("reject") @reason("The case is closed to documents.") forbid (principal, action == Action::"document", resource);`
  const dryRun = await ask('POST', '/admin/policies/dry-run', { policies: refusing })
  expect(dryRun).toMatchObject({ examined: 1, changed: 1 })
  expect(await statusOf('second')).toBe('indexed')
  const changedAt = performance.now()
  await ask('PUT', '/admin/policies', { policies: refusing })
  expect(await statusOf('third')).toBe('rejected')
  expect(performance.now() - changedAt).toBeLessThan(withinMs(2000))
  await ask('PUT', '/admin/policies', { policies })
  expect(await statusOf('fourth')).toBe('indexed')
})
