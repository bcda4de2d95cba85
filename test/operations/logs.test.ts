/**
 * What a busy service writes about itself at its most talkative: who, where and what, and never a text, a quote or a key.
 * Each marker below is handed to the service in one of the places where it could slip into a line.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/client/index.js'
import { AppError } from '../../src/platform/errors.js'
import { createLogger } from '../../src/platform/logger.js'
import type { Database } from '../../src/store/server/database.js'
import { startTestService, type TestService } from '../support/service.js'

const marker = 'zyzzyva'
const lines: string[] = []
let service: TestService
let tenant: { tenant_id: string; api_key: string }

beforeAll(async () => {
  const logger = createLogger({ level: 'trace', destination: { write: line => void lines.push(line) } })
  service = await startTestService({ FAULTS: 'poison', RETRY_MAX_ATTEMPTS: '1' }, { logger })
  tenant = await service.createTenant(`tenant ${marker}`)
})

afterAll(() => service.stop())

const scope = 'log-scope'
const withKey = () => ({ 'x-tenant-api-key': tenant.api_key })

async function ingest(name: string, type: string, text: string, headers: Record<string, string> = {}) {
  const body = { scope_id: scope, name, type, text, source: `source ${marker}`, idempotency_key: `${marker}-${name}` }
  const answer = await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id, ...headers }, body })
  expect(answer.status).toBe(202)
  return answer.body.document_id as string
}

async function settled(documentId: string): Promise<string> {
  const read = await service.call('GET', `/api/documents/${documentId}?scope_id=${scope}&wait=30`, { headers: withKey() })
  return read.body.status
}

async function beBusy(): Promise<void> {
  const ids = [
    await ingest(`a ${marker}`, 'txt', `The head office of ${marker} is in Ghent. Revenue for FY2025 was EUR 41.2M.`),
    await ingest('b', 'txt', `The head office of ${marker} is in Lyon. Revenue for FY2025 was EUR 39.0M.`),
    await ingest('c', 'json', `{"${marker}": broken`),
    await ingest('d', 'html', `<p>${marker} <table><tr><td>${marker}`),
    await ingest('e', 'csv', `name,"${marker}\n1,2,3`),
  ]
  for (const id of ids) expect(['indexed', 'quarantined', 'rejected', 'held']).toContain(await settled(id))
  const answers = [
    await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, raw: `{"text":"${marker}` }),
    await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body: { text: marker, [marker]: 1 } }),
    await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': marker, authorization: `Bearer ${marker}` }, body: {} }),
    await service.call('GET', `/api/scopes/${scope}/claims?subject=${marker}&cursor=${marker}`, { headers: withKey() }),
    await service.call('GET', `/api/scopes/${scope}/contradictions`, { headers: withKey() }),
    await service.call('GET', '/admin/tenants', { headers: { authorization: `Bearer ${marker}-not-a-key-0123456789` } }),
    await service.call('GET', `/nowhere/${marker}`),
  ]
  expect(answers.map(answer => answer.status)).toEqual([400, 400, 401, 400, 200, 401, 404])
}

describe('the log', () => {
  it('says that faults are injected on purpose, also where documents alone misbehave', () => {
    const said = lines.map(line => JSON.parse(line)).filter(line => line.msg.startsWith('FAULTS set'))
    expect(said).toEqual([expect.objectContaining({ level: 'warn', faults: 'poison', msg: 'FAULTS set, poisoned documents misbehave' })])
  })

  it('of a busy service at its most talkative holds no text, no quote, no name and no key', async () => {
    await beBusy()
    const poisoned = await ingest('f', 'txt', `poison:throw ${marker}`, {
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      'x-request-id': 'mine-1',
    })
    expect(await settled(poisoned)).toBe('quarantined')
    const log = lines.join('')
    expect(lines.length).toBeGreaterThan(20)
    for (const secret of [marker, tenant.api_key, service.adminKey, service.internalsKey, service.database.address.password ?? 'absent']) {
      expect(log.includes(secret), `the log holds ${secret}`).toBe(false)
    }
    expect(log).not.toMatch(/cnk_|postgres:\/\//)
  })

  it('names the request, the trace, the tenant and the scope of what it tells', () => {
    const answered = lines.map(line => JSON.parse(line)).find(line => line.request_id === 'mine-1')
    expect(answered).toMatchObject({
      level: 'debug',
      msg: 'request completed',
      operation: 'ingestDocument',
      status: 202,
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      tenant_id: tenant.tenant_id,
      scope_id: scope,
    })
    expect(Date.parse(answered.time)).not.toBeNaN()
    const failed = lines.map(line => JSON.parse(line)).find(line => line.msg === 'document failed')
    expect(failed).toMatchObject({
      level: 'warn',
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      tenant_id: tenant.tenant_id,
      scope_id: scope,
      stage: 'extract',
      error_class: 'extractor_error',
    })
    expect(failed.document_id).toMatch(/^doc_/)
  })

  it('names the class of a damaged file, and no place in the program', async () => {
    const client = createClient({ url: service.url, tenantKey: tenant.api_key })
    const broken = new Blob(['%PDF-1.7\nnothing of a PDF follows'])
    await client.ingestFile(broken, { scope_id: scope, document_id: 'broken', name: 'broken.pdf' })
    expect(await settled('broken')).toBe('quarantined')
    const failed = lines.map(line => JSON.parse(line)).find(line => line.document_id === 'broken' && line.msg === 'document failed')
    expect(failed).toMatchObject({ level: 'warn', action: 'quarantine', error_class: 'BROKEN' })
    expect(failed).not.toHaveProperty('err')
  })

  it('says why storage did not answer, once for many requests, and nothing of what they asked', async () => {
    const said: string[] = []
    const logger = createLogger({ level: 'warn', destination: { write: line => void said.push(line) } })
    let isAway = false
    const wrapDatabase = (db: Database): Database => ({
      ...db,
      engineQuery: (text, values) =>
        isAway
          ? Promise.reject(new AppError('STORAGE_UNAVAILABLE', { cause: new Error('timeout expired') }))
          : db.engineQuery(text, values),
    })
    const other = await startTestService({}, { logger, wrapDatabase })
    try {
      isAway = true
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => other.admin('POST', '/admin/tenants', { name: `tenant ${marker}` })),
      )
      isAway = false
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
    } finally {
      isAway = false
      await other.stop()
    }
    const why = said.map(line => JSON.parse(line)).filter(line => line.msg === 'storage unavailable')
    expect(why).toEqual([
      expect.objectContaining({
        level: 'warn',
        operation: 'createTenant',
        refused: 1,
        err: expect.objectContaining({ message: 'timeout expired' }),
      }),
    ])
    expect(why[0].request_id).toBeTypeOf('string')
    expect(said.join('')).not.toContain(marker)
    expect(said.join('')).not.toContain(other.internalsKey)
  })
})
