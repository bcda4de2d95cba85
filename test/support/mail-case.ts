/** Cases of one mail: handing it in, and what became of what it brought. */
import { expect } from 'vitest'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { fileForm } from './multipart.js'
import type { TestService } from './service.js'

export interface Tenant {
  tenant_id: string
  api_key: string
}

export const rent = { name: 'rent.txt', bytes: 'The rent of the Hamburg office is EUR 12,500 a month.' }
export const headersOf = ({ api_key: key }: Tenant) => ({ 'x-tenant-api-key': key })

export function mailCase(running: () => TestService) {
  const get = async (tenant: Tenant, path: string) => (await running().call('GET', path, { headers: headersOf(tenant) })).body
  return {
    get,
    async send(tenant: Tenant, documentId: string, file: { bytes: string | Buffer; name: string }, source = 'clerk'): Promise<void> {
      const form = fileForm({ scope_id: 'case', document_id: documentId, source }, file)
      const answer = await running().call('POST', '/api/files', { headers: { ...headersOf(tenant), ...form.headers }, raw: form.raw })
      expect(answer.status, answer.text).toBe(202)
    },
    async say(tenant: Tenant, documentId: string, text: string): Promise<void> {
      const body = { scope_id: 'case', name: documentId, document_id: documentId, text }
      expect((await running().call('POST', '/api/ingest', { headers: headersOf(tenant), body })).status).toBe(202)
    },
    async settled(tenant: Tenant): Promise<{ name: string; revision: number; status: string; provenance: string | null }[]> {
      const busy = async () => {
        const { documents: counts } = await get(tenant, '/api/scopes/case/summary')
        return counts.queued + counts.processing
      }
      await expect.poll(busy).toBe(0)
      return (await get(tenant, '/api/scopes/case/documents?limit=200')).items
    },
    async expectReplayed(tenant: Tenant): Promise<void> {
      const place = { tenantId: tenant.tenant_id, scopeId: 'case' }
      expect(await replayScope(running().database.db, place)).toMatchObject({ ok: true, difference: null })
    },
  }
}
