/** Two nodes on one PostgreSQL: a policy set put in place at one is what the other decides by, without a restart. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DatabaseAddress } from '../../src/store/server/connection.js'
import { createMigratedDatabase, dropDatabase } from '../support/clone-database.js'
import { type ConcordProcess, processKeys, startConcord } from '../support/concord-process.js'
import { patientFetch } from '../support/patient-fetch.js'
import { withinMs } from '../support/time-bounds.js'

let address: DatabaseAddress
let api: ConcordProcess
let worker: ConcordProcess
let tenant: { tenant_id: string; api_key: string }

beforeAll(async () => {
  address = await createMigratedDatabase()
  api = await startConcord({ address, role: 'api' })
  worker = await startConcord({ address, role: 'worker' })
  tenant = (await ask('POST', '/admin/tenants', { name: 'two nodes' })) as typeof tenant
}, 120_000)

afterAll(async () => {
  await Promise.all([api, worker].map(each => each?.end('SIGKILL')))
  await dropDatabase(address)
})

async function ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const response = await patientFetch(api.url + path, {
    method,
    headers: {
      authorization: `Bearer ${path.startsWith('/api/') ? tenant.api_key : processKeys.admin}`,
      ...(path.startsWith('/api/') ? { 'x-tenant-id': tenant.tenant_id } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
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

it('decides by the new set on every node within two seconds', { timeout: 60_000 }, async () => {
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
