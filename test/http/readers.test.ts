/** Streams and waits are shared: one tenant's do not lock out another's, nor health, operators and ingest. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
let controller = new AbortController()
/** One that nobody holds any more is closed when memory is tidied up. */
let held: Response[] = []
beforeAll(async () => {
  service = await startTestService({ SSE_MAX_READERS: '12' })
})
afterEach(() => {
  controller.abort()
  controller = new AbortController()
  held = []
})
afterAll(() => service.stop())

type Tenant = Awaited<ReturnType<TestService['createTenant']>>

const ingest = (tenant: Tenant) =>
  service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body: { scope_id: 'case', name: 'n', text: 't' } })

async function openStreams(tenant: Tenant, count: number): Promise<number[]> {
  const open = async () => {
    const headers = { 'x-tenant-api-key': tenant.api_key }
    const response = await fetch(`${service.url}/api/scopes/case/events`, { headers, signal: controller.signal })
    held.push(response)
    return response.status
  }
  const statuses: number[] = []
  for (let n = 0; n < count; n++) statuses.push(await open())
  return statuses
}

describe('a tenant with more streams than its share', () => {
  it('is told 429, and others, operators and ingest go on', async () => {
    const [greedy, other] = [await service.createTenant(), await service.createTenant()]
    for (const tenant of [greedy, other]) expect((await ingest(tenant)).status).toBe(202)
    const statuses = await openStreams(greedy, 20)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect(statuses.filter(status => status === 200)).toHaveLength(8)
    expect(await openStreams(other, 1)).toEqual([200])
    expect((await service.call('GET', '/api/health')).status).toBe(200)
    expect((await service.admin('GET', '/admin/health')).status).toBe(200)
    expect((await ingest(greedy)).status).toBe(202)
  })
})
