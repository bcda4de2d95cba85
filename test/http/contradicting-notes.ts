/** A case with two notes that contradict each other, and a decision between them, for tests of what is handed on of it. */

import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { fileForm } from '../support/multipart.js'
import type { TestService } from '../support/service.js'

export const said = {
  first: 'Vela Ltd: net debt at 31 March 2025 was EUR 17.5M.',
  second: 'Vela Ltd: net debt at 31 March 2025 was EUR 12.0M.',
}
export const dangerous = '=HYPERLINK("http://evil.example") <&> "quoted"'

export interface Case {
  tenantId: string
  headers: Record<string, string>
  upload(documentId: string, name: string, bytes: Buffer): Promise<void>
  read(path: string, headers?: Record<string, string>): Promise<Response>
}

/** Reading files takes long: where nothing hangs on it the papers come as texts. */
export async function openCase(service: TestService, papers: 'files' | 'texts' = 'texts'): Promise<Case> {
  const tenant = await service.createTenant()
  const headers = { 'x-tenant-api-key': tenant.api_key }
  const upload: Case['upload'] = async (documentId, name, bytes) => {
    const form = fileForm({ scope_id: 'case', document_id: documentId, name }, { bytes, name })
    const answer = await service.call('POST', '/api/files', { headers: { ...headers, ...form.headers }, raw: form.raw })
    expect(answer.status, answer.text).toBe(202)
    const read = await service.call('GET', `/api/documents/${documentId}?scope_id=case&wait=30`, { headers })
    expect(read.body.status, read.text).toBe('indexed')
  }
  const give: Case['upload'] = async (document_id, name, bytes) => {
    const body = { scope_id: 'case', document_id, name, text: bytes.toString() }
    await service.call('POST', '/api/ingest', { headers, body })
    await service.call('GET', `/api/documents/${document_id}?scope_id=case&wait=30`, { headers })
  }
  const handIn = papers === 'files' ? upload : give
  await handIn('first', 'Note of March.txt', Buffer.from(said.first))
  await handIn('second', 'Audit letter.txt', Buffer.from(said.second))
  return {
    tenantId: tenant.tenant_id,
    headers,
    upload,
    read: (path, more = {}) => fetch(`${service.url}${path}`, { headers: { ...headers, ...more } }),
  }
}

export async function decide(service: TestService, { headers }: Case): Promise<void> {
  const found = await service.call('GET', '/api/scopes/case/contradictions', { headers })
  const id = found.body.items[0].contradiction_id
  const body = { verdict: 'both', reason: `Two dates of booking. ${dangerous}`, by: 'Ada' }
  expect((await service.call('POST', `/api/contradictions/${id}/resolution`, { headers, body })).status).toBe(200)
}

/** A moment behind everything recorded so far, and before everything that follows: instants are whole milliseconds. */
export async function passing(): Promise<string> {
  await wait(2)
  const now = new Date().toISOString()
  await wait(2)
  return now
}
