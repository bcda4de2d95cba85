import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
})
afterAll(() => service.stop())

interface Row {
  action: string
  actor: string
  tenant_id: string | null
  scope_id: string | null
  status: number | null
  detail: Record<string, unknown>
}

async function rowsOf(tenantId: string): Promise<Row[]> {
  const { rows } = await service.database.owner.query(
    `select action, actor, tenant_id, scope_id, status, detail from audit_log where tenant_id = $1 and tier = 'public' order by action, status`,
    [tenantId],
  )
  return rows
}

describe('acts of a tenant key that take something away or send it elsewhere', () => {
  it('are in the audit log, with the key, the thing and how it ended', async () => {
    const tenant = await service.createTenant()
    const headers = { 'x-tenant-api-key': tenant.api_key }
    const call = (method: string, path: string, body?: unknown) => service.call(method, path, { headers, body })
    await call('POST', '/api/ingest', { scope_id: 'case', document_id: 'd', name: 'n', text: 'The rent is EUR 4,000 a month.' })
    await call('GET', '/api/documents/d?scope_id=case&wait=30')
    expect((await call('DELETE', '/api/documents/d?scope_id=case')).status).toBe(200)
    expect((await call('DELETE', '/api/documents?scope_id=case&document_id=none')).status).toBe(404)
    const webhook = await call('POST', '/api/webhooks', { url: 'http://127.0.0.1:1/', events: ['document.indexed'] })
    expect(webhook.status, webhook.text).toBe(201)
    expect((await call('DELETE', `/api/webhooks/${webhook.body.webhook_id}`)).status).toBe(200)
    await expect.poll(async () => (await rowsOf(tenant.tenant_id)).filter(row => row.status !== null)).toHaveLength(4)
    const rows = await rowsOf(tenant.tenant_id)
    expect(rows.map(({ action, scope_id, status }) => [action, scope_id, status])).toEqual([
      ['createWebhook', null, 201],
      ['deleteWebhook', null, 200],
      ['eraseDocument', 'case', 200],
      ['eraseDocumentByQuery', 'case', 404],
    ])
    expect(rows.every(({ actor }) => actor.startsWith('key:'))).toBe(true)
    expect(rows[1]?.detail).toMatchObject({ webhook_id: webhook.body.webhook_id })
    expect(rows[2]?.detail).toMatchObject({ document_id: 'd' })
  })

  it('are there for everything done to a webhook, refused or not, and nothing is for looking at it', async () => {
    const tenant = await service.createTenant()
    const headers = { 'x-tenant-api-key': tenant.api_key }
    const call = (method: string, path: string, body?: unknown) => service.call(method, path, { headers, body })
    const { webhook_id: id } = (await call('POST', '/api/webhooks', { url: 'http://127.0.0.1:1/', events: ['*'] })).body
    await call('GET', `/api/webhooks/${id}`)
    await call('GET', `/api/webhooks/${id}/deliveries`)
    const statuses = [
      await call('PATCH', `/api/webhooks/${id}`, { enabled: false }),
      await call('POST', `/api/webhooks/${id}/secret`),
      await call('POST', `/api/webhooks/${id}/test`),
      await call('POST', `/api/webhooks/${id}/deliveries/none/redelivery`),
      await call('DELETE', `/api/webhooks/${id}`),
      await call('DELETE', `/api/webhooks/${id}`),
    ].map(({ status }) => status)
    await expect.poll(async () => (await rowsOf(tenant.tenant_id)).filter(row => row.status !== null)).toHaveLength(7)
    const rows = await rowsOf(tenant.tenant_id)
    expect(rows.map(({ action, status }) => [action, status])).toEqual(
      [
        ['createWebhook', 201],
        ['changeWebhook', statuses[0]],
        ['rotateWebhookSecret', statuses[1]],
        ['testWebhook', statuses[2]],
        ['redeliverWebhook', 404],
        ['deleteWebhook', 200],
        ['deleteWebhook', 404],
      ].sort(),
    )
    for (const { action, actor, detail } of rows)
      expect([actor, detail['webhook_id']]).toEqual([expect.stringMatching(/^key:/), action === 'createWebhook' ? undefined : id])
  })

  it('are there for signing out, with the session and its person', async () => {
    const tenant = await service.createTenant()
    const wanted = { label: 'Ada', rights: ['read'], person: 'Ada', speak_for: false }
    const { api_key } = (await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, wanted)).body
    const session = await service.call('POST', '/api/session/key', { headers: { 'x-tenant-api-key': api_key } })
    const cookie = (session.headers.get('set-cookie') ?? '').split(';')[0] as string
    const out = () => service.call('DELETE', '/api/session', { headers: { cookie, 'x-csrf-token': session.body.csrf_token } })
    expect((await out()).status).toBe(200)
    const ended = async () => (await rowsOf(tenant.tenant_id)).filter(row => row.action === 'endSession' && row.status !== null)
    await expect.poll(ended).toHaveLength(1)
    const [row] = await ended()
    expect(row).toMatchObject({ status: 200, actor: `session:${session.body.session_id}`, detail: { person: 'Ada' } })
  })
})

describe('the name of a person', () => {
  it('can be seen, is not the service’s, and has no characters that turn the rest of a line around', async () => {
    const tenant = await service.createTenant()
    for (const person of ['ada\u202ekcab', 'a\u2066b', 'a\u0000b', 'a\nb', '  ', '\u3164', 'System']) {
      const answer = await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, { label: 'x', person })
      expect([answer.status, person]).toEqual([400, person])
    }
    const answer = await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, { label: 'x', person: 'Ада Лавлейс-O’Neil' })
    expect(answer.status, answer.text).toBe(201)
    const joined = await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, { label: 'x', person: 'ශ\u0dca\u200dරී' })
    expect(joined.status, joined.text).toBe(201)
  })
})
