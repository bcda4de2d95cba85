/** One service and one tenant for all stories of a file, and what every story does with them: hand in, read, sign off, replay. */

import { afterAll, beforeAll, expect } from 'vitest'
import type { CertificateV4 } from '../../src/kernel/certificate-payload.js'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { payloadOf } from '../../src/scopes/certificates/certificates.js'
import { startTestService, type TestAnswer, type TestService, type TestServiceOptions } from './service.js'

interface ReadEvent {
  type: string
  data: Record<string, unknown>
}

export function startJourney(env: Record<string, string> = {}, options: TestServiceOptions = {}) {
  let service: TestService
  let tenant: { tenant_id: string; api_key: string }
  let key: Record<string, string>
  beforeAll(async () => {
    service = await startTestService(env, options)
    tenant = await service.createTenant()
    key = { 'x-tenant-api-key': tenant.api_key }
  })
  afterAll(() => service.stop())

  const call = (method: string, path: string, body?: unknown, headers = key): Promise<TestAnswer> =>
    service.call(method, path, { headers, ...(body === undefined ? {} : { body }) })
  const get = async (path: string) => (await call('GET', path)).body
  const rows = async (sql: string, values: unknown[] = []) => (await service.database.owner.query(sql, values)).rows

  /** Until the document is what it ends as. */
  const handIn = async (scopeId: string, documentId: string, text: string, ends = 'indexed'): Promise<void> => {
    const body = { scope_id: scopeId, name: documentId, document_id: documentId, text }
    expect((await call('POST', '/api/ingest', body)).status).toBe(202)
    expect((await get(`/api/documents/${documentId}?scope_id=${scopeId}&wait=30`)).status).toBe(ends)
  }
  /** Two papers that speak of different matters. */
  const openCase = async (scopeId: string): Promise<void> => {
    await handIn(scopeId, 'contract', 'The contract sum of Harbour Tower is EUR 4.2M.')
    await handIn(scopeId, 'letter', 'The site manager of Harbour Tower is Anna Weber.')
  }
  /** A file that nobody can read, where RETRY_MAX_ATTEMPTS is 1. */
  const quarantine = async (scopeId: string, documentId: string): Promise<void> => {
    const form = new FormData()
    form.set('scope_id', scopeId)
    form.set('document_id', documentId)
    form.set('file', new Blob([Buffer.from('%PDF-1.4\nnothing of a file')], { type: 'application/pdf' }), `${documentId}.pdf`)
    expect((await fetch(`${service.url}/api/files`, { method: 'POST', headers: key, body: form })).status).toBe(202)
    expect((await get(`/api/documents/${documentId}?scope_id=${scopeId}&wait=30`)).status).toBe('quarantined')
  }
  /** The events of a scope as a client reads them, from the beginning to the first of this type that comes so many times. */
  const eventsUntil = async (scopeId: string, type: string, times = 1): Promise<ReadEvent[]> => {
    const stop = new AbortController()
    const { body } = await fetch(`${service.url}/api/scopes/${scopeId}/events?after=-1`, { headers: key, signal: stop.signal })
    let text = ''
    const read = () => [...text.matchAll(/^data: (.*)\n/gm)].map(([, data = '']) => JSON.parse(data) as ReadEvent)
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      if (read().filter(each => each.type === type).length >= times) break
    }
    stop.abort()
    return read()
  }
  const summary = (scopeId: string) => get(`/api/scopes/${scopeId}/summary`)
  /** Until nothing waits, documents to be read again included. */
  const settled = (scopeId: string): Promise<void> =>
    expect
      .poll(
        async () =>
          (
            await rows(
              `select (h.queued + h.processing + h.rereads)::integer as waiting from scope_heads h join scopes s using (tenant_id, scope_no)
               where s.tenant_id = $1 and s.scope_id = $2`,
              [tenant.tenant_id, scopeId],
            )
          )[0]?.waiting,
        { interval: 20 },
      )
      .toBe(0)

  return {
    get service() {
      return service
    },
    get tenant() {
      return tenant
    },
    get key() {
      return key
    },
    call,
    get,
    /** As the owner of the database, past every policy. */
    rows,
    admin: (method: string, path: string, body?: unknown) => service.admin(method, path, body, tenant.api_key),
    handIn,
    openCase,
    quarantine,
    eventsUntil,
    summary,
    gate: async (scopeId: string, name = 'examined') =>
      (await summary(scopeId)).finality.gates.find((each: { gate: string }) => each.gate === name),
    settings: (scopeId: string, finality: object) =>
      service.admin('PATCH', `/admin/scopes/${scopeId}`, { settings: { finality } }, tenant.api_key),
    /** Documents of the statements that count. */
    live: async (scopeId: string): Promise<string[]> =>
      (await get(`/api/scopes/${scopeId}/claims?state=live`)).items.map((claim: { document_id: string }) => claim.document_id).sort(),
    sign: (scopeId: string, by = 'J. Doe', more: object = {}, headers = key) =>
      call('POST', `/api/scopes/${scopeId}/sign-off`, { by, reason: 'I read every paper.', ...more }, headers),
    certificate: async (scopeId: string) => payloadOf((await get(`/api/scopes/${scopeId}/certificate`)).certificate) as CertificateV4,
    replayed: (scopeId: string) => replayScope(service.database.db, { tenantId: tenant.tenant_id, scopeId }),
    runtime: async (verb: 'pause' | 'resume', scopeId: string): Promise<void> => {
      expect((await service.admin('POST', `/admin/runtime/${verb}`, { scope_id: scopeId }, tenant.api_key)).status).toBe(200)
    },
    settled,
    /** Where a signed case stands once nothing waits: its finality, papers since, and whether the latest sign-off covers what counts. */
    stands: async (scopeId: string) => {
      await settled(scopeId)
      const { finality, examined } = await summary(scopeId)
      return [finality.status, examined.papers_since, examined.sign_offs[0].current]
    },
  }
}
