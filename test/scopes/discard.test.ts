/** Documents taken out unread: cancelled while they wait, discarded from quarantine. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { fileForm } from '../support/multipart.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const said = { by: 'Ada', reason: 'The wrong file.' }
type Tenant = Awaited<ReturnType<TestService['createTenant']>>
const keyOf = (tenant: Tenant) => ({ 'x-tenant-api-key': tenant.api_key })

function acts(tenant: Tenant, scopeId = 'case') {
  const call = (method: string, path: string, body?: unknown) => service.call(method, path, { headers: keyOf(tenant), body })
  return {
    call,
    hand: (document_id: string, text: string) => call('POST', '/api/ingest', { scope_id: scopeId, name: document_id, document_id, text }),
    cancel: (documentId: string, body: object = said) =>
      call('POST', `/api/documents/${documentId}/cancellation?scope_id=${scopeId}`, body),
    discard: (documentId: string) => call('POST', `/api/documents/${documentId}/discard?scope_id=${scopeId}`, said),
    settled: async (documentId: string) => (await call('GET', `/api/documents/${documentId}?scope_id=${scopeId}&wait=30`)).body,
    summary: async () => (await call('GET', `/api/scopes/${scopeId}/summary`)).body,
    runtime: (verb: string) => service.admin('POST', `/admin/runtime/${verb}`, { scope_id: scopeId }, tenant.api_key),
  }
}

async function eventsOf(tenant: Tenant, subject: string) {
  const { rows } = await service.database.owner.query('select type, data from events where tenant_id = $1 and subject = $2 order by seq', [
    tenant.tenant_id,
    subject,
  ])
  return rows as { type: string; data: Record<string, unknown> }[]
}

describe('a document that waits', () => {
  it('is cancelled with a reason, and the scope goes on without it', async () => {
    const tenant = await service.createTenant()
    const { hand, cancel, settled, summary, runtime } = acts(tenant)
    await hand('kept', 'The revenue of Acme for FY2025 was EUR 1M.')
    expect((await settled('kept')).status).toBe('indexed')
    expect(await cancel('kept')).toMatchObject({ status: 409, body: { code: 'STATE_CONFLICT' } })
    await runtime('pause')
    await hand('wrong', 'The revenue of Acme for FY2025 was EUR 2M.')
    await hand('wrong', 'The revenue of Acme for FY2025 was EUR 3M.')
    expect(await cancel('wrong')).toMatchObject({
      status: 200,
      body: { status: 'rejected', reason: 'Cancelled by Ada: The wrong file.', revision: 2 },
    })
    expect(await cancel('wrong')).toMatchObject({ status: 409 })
    expect(await cancel('missing')).toMatchObject({ status: 404, body: { code: 'DOCUMENT_NOT_FOUND' } })
    expect(await summary()).toMatchObject({ documents: { total: 2, indexed: 1, queued: 0, rejected: 1 } })
    const last = (await eventsOf(tenant, 'wrong')).at(-1)
    expect(last).toMatchObject({
      type: 'document.rejected',
      data: { revision: 2, status: 'rejected', reason: 'Cancelled by Ada: The wrong file.' },
    })
    await runtime('resume')
    await hand('wrong', 'The revenue of Acme for FY2025 was EUR 3M.')
    expect(await settled('wrong')).toMatchObject({ status: 'indexed', revision: 3, counts: { claims: 1 } })
    expect(await replayScope(service.database.db, { tenantId: tenant.tenant_id, scopeId: 'case' })).toMatchObject({
      ok: true,
      complete: true,
    })
  })

  it('keeps on record who had approved it, and why', async () => {
    const tenant = await service.createTenant()
    const { call, hand, cancel, settled, runtime } = acts(tenant)
    const policies = '@outcome("hold") forbid (principal, action == Action::"document", resource); permit (principal, action, resource);'
    await service.admin('POST', '/admin/scopes', { scope_id: 'case' }, tenant.api_key)
    await service.admin('PUT', '/admin/scopes/case/policies', { policies }, tenant.api_key)
    await hand('wrong', 'The revenue of Acme for FY2025 was EUR 2M.')
    expect((await settled('wrong')).status).toBe('held')
    await runtime('pause')
    const [held] = (await call('GET', '/api/scopes/case/decisions?review=pending')).body.items
    const approval = { verdict: 'approve', reason: 'The sums agree.', by: 'Ann' }
    expect((await call('POST', `/api/decisions/${held.decision_id}/review`, approval)).body.review).toBe('approved')
    expect((await cancel('wrong')).status).toBe(200)
    const { body: decided } = await call('GET', '/api/scopes/case/decisions?by=person')
    expect(decided.items.at(-1)).toMatchObject({ kind: 'review', document_id: 'wrong', said: { by: 'Ann', reason: 'The sums agree.' } })
    const { text } = await call('GET', `/api/scopes/case/as-of/page?at=${new Date().toISOString()}`)
    expect(text).toMatch(/Ann[\s\S]*approved?, nothing came of it[\s\S]*The sums agree\./)
    await runtime('resume')
  })

  it('is cancelled only by a key that may decide, for its own person', async () => {
    const tenant = await service.createTenant()
    const { hand, runtime } = acts(tenant)
    await service.admin('POST', '/admin/scopes', { scope_id: 'case' }, tenant.api_key)
    await runtime('pause')
    await hand('wrong', 'The revenue of Acme for FY2025 was EUR 2M.')
    const keyWith = async (wanted: object) => {
      const made = await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, wanted)
      return acts({ ...tenant, api_key: made.body.api_key })
    }
    expect(await (await keyWith({ rights: ['read', 'ingest'] })).cancel('wrong')).toMatchObject({ status: 403 })
    const bound = await keyWith({ rights: ['decide'], person: 'Grace', speak_for: false })
    expect(await bound.cancel('wrong')).toMatchObject({ status: 403 })
    expect(await bound.cancel('wrong', { by: 'Grace', reason: 'Not ours.' })).toMatchObject({ status: 200 })
  })
})

describe('a quarantined document', () => {
  it('is discarded and no longer listed or retried', async () => {
    const tenant = await service.createTenant()
    const { discard, settled, summary, call } = acts(tenant)
    const form = fileForm({ scope_id: 'case', document_id: 'broken' }, { bytes: '%PDF-1.7 and nothing else', name: 'broken.pdf' })
    await service.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...form.headers }, raw: form.raw })
    expect((await settled('broken')).status).toBe('quarantined')
    expect(await discard('broken')).toMatchObject({
      status: 200,
      body: { status: 'rejected', reason: 'Discarded by Ada: The wrong file.' },
    })
    expect(await summary()).toMatchObject({ documents: { quarantined: 0, rejected: 1 } })
    expect((await service.admin('GET', '/admin/quarantine', undefined, tenant.api_key)).body.items).toEqual([])
    expect(await call('POST', '/api/documents/broken/retry?scope_id=case')).toMatchObject({ status: 409 })
    expect(await discard('broken')).toMatchObject({
      status: 409,
      body: { detail: 'The document is rejected: only one that could not be read is discarded.' },
    })
  })

  it('leaves a database that keeps its promises', async () => {
    expect((await verifyDatabase(service.database.db)).broken).toEqual([])
  })
})
