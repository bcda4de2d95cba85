/** One service for all stories of a file, to which tenants send files, and how these end. */

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'
import { fileForm } from '../support/multipart.js'
import { startTestService, type TestService } from '../support/service.js'

export type Tenant = Awaited<ReturnType<TestService['createTenant']>>
export const keyOf = (tenant: Tenant) => ({ 'x-tenant-api-key': tenant.api_key })
export const sample = (name: string) => readFileSync(new URL(`./samples/${name}`, import.meta.url))
/** A page of which nobody can read anything. */
export const scan =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R/Size 4>>\n%%EOF'

export function startFileService() {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService({ RETRY_MAX_ATTEMPTS: '2', RETRY_BASE_MS: '1', RETRY_MAX_MS: '1' })
  })
  afterAll(() => service.stop())

  async function upload(tenant: Tenant, documentId: string, bytes: Uint8Array | string, name: string) {
    const form = fileForm({ scope_id: 'case', document_id: documentId }, { bytes, name })
    const answer = await service.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...form.headers }, raw: form.raw })
    expect(answer.status, answer.text).toBe(202)
    return settled(tenant, documentId)
  }

  const get = (tenant: Tenant, path: string) => service.call('GET', path, { headers: keyOf(tenant) })
  /** However long a busy machine takes. */
  async function settled(tenant: Tenant, documentId: string) {
    for (;;) {
      const { body } = await get(tenant, `/api/documents/${documentId}?scope_id=case&wait=30`)
      if (body.status !== 'queued' && body.status !== 'processing') return body
    }
  }

  return {
    get service() {
      return service
    },
    upload,
    get,
    settled,
  }
}
