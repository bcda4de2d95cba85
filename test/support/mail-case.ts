/** Cases of one mail: handing it in, deciding about it, and what became of what it brought. */
import { expect } from 'vitest'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { type MailPart, mailOf } from './mail.js'
import { fileForm } from './multipart.js'
import type { TestService } from './service.js'

export interface Tenant {
  tenant_id: string
  api_key: string
}

export const rent = { name: 'rent.txt', bytes: 'The rent of the Hamburg office is EUR 12,500 a month.' }
/** Of the same name, and of another rent. */
export const raised = { ...rent, bytes: rent.bytes.replace('12,500', '12,900') }
/** A mail with these parts; to the byte another each time. */
export const mailWith = (text: string, parts: readonly MailPart[]) => ({ bytes: mailOf(text, parts), name: 'mail.eml' })

const headersOf = ({ api_key: key }: Tenant) => ({ 'x-tenant-api-key': key })

export function mailCase(running: () => TestService) {
  const get = async (tenant: Tenant, path: string) => (await running().call('GET', path, { headers: headersOf(tenant) })).body
  const post = (tenant: Tenant, path: string, body: unknown) => running().call('POST', path, { headers: headersOf(tenant), body })

  async function settled(tenant: Tenant): Promise<{ name: string; revision: number; status: string; provenance: string | null }[]> {
    const busy = async () => {
      const { documents: counts } = await get(tenant, '/api/scopes/case/summary')
      return counts.queued + counts.processing
    }
    await expect.poll(busy).toBe(0)
    return (await get(tenant, '/api/scopes/case/documents?limit=200')).items
  }

  async function send(tenant: Tenant, documentId: string, file: { bytes: string | Buffer; name: string }, source = 'clerk'): Promise<void> {
    const form = fileForm({ scope_id: 'case', document_id: documentId, source }, file)
    const answer = await running().call('POST', '/api/files', { headers: { ...headersOf(tenant), ...form.headers }, raw: form.raw })
    expect(answer.status, answer.text).toBe(202)
  }

  return {
    get,
    post,
    /** Its first parameter is the id of the tenant. */
    query: async (tenant: Tenant, text: string, ...values: unknown[]) =>
      (await running().database.owner.query(text, [tenant.tenant_id, ...values])).rows,
    settled,
    settledAs: async (tenant: Tenant, name: string) => (await settled(tenant)).find(each => each.name === name),
    send,
    sendMail: (tenant: Tenant, text: string, parts: readonly MailPart[], source?: string) =>
      send(tenant, 'mail', mailWith(text, parts), source),
    async say(tenant: Tenant, documentId: string, text: string): Promise<void> {
      const body = { scope_id: 'case', name: documentId, document_id: documentId, text }
      expect((await post(tenant, '/api/ingest', body)).status).toBe(202)
    },
    async setRuntime(tenant: Tenant, verb: 'pause' | 'resume'): Promise<void> {
      const answer = await running().admin('POST', `/admin/runtime/${verb}`, { scope_id: 'case' }, tenant.api_key)
      expect(answer.status, answer.text).toBe(200)
    },
    async setPolicies(tenant: Tenant, policies: string): Promise<void> {
      const answer = await running().admin('PUT', '/admin/scopes/case/policies', { policies }, tenant.api_key)
      expect(answer.status, answer.text).toBe(200)
    },
    async expectReplayed(tenant: Tenant): Promise<void> {
      const place = { tenantId: tenant.tenant_id, scopeId: 'case' }
      expect(await replayScope(running().database.db, place)).toMatchObject({ ok: true, difference: null })
    },
  }
}
