/** What a scrape shows of a service that works, by the internals key and on the port of metrics. */

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../support/service.js'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
let service: TestService
let tenant: { tenant_id: string; api_key: string }

beforeAll(async () => {
  service = await startTestService({ METRICS_PORT: '0' })
  tenant = await service.createTenant('metered-tenant')
})

afterAll(() => service.stop())

async function ingest(text: string): Promise<string> {
  const body = { scope_id: 'metered-scope', name: 'Report', text }
  const answer = await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
  expect(answer.status).toBe(202)
  const read = await service.call('GET', `/api/documents/${answer.body.document_id}?scope_id=metered-scope&wait=30`, {
    headers: { 'x-tenant-api-key': tenant.api_key },
  })
  return read.body.status
}

const scrape = async () => (await fetch(`${service.metricsUrl}/metrics`)).text()

/** A scrape in which a sample has come to a value: figures follow what they are about within a few seconds. */
async function scrapeOnce(sample: string, value: number): Promise<string> {
  let text = ''
  await expect
    .poll(async () => {
      text = await scrape()
      return sampleOf(text, sample)
    })
    .toBe(value)
  return text
}

/** The value of one sample, by name and labels in the order they are written. */
function sampleOf(text: string, sample: string): number | undefined {
  const line = text.split('\n').find(each => each.startsWith(`${sample} `))
  return line === undefined ? undefined : Number(line.slice(sample.length + 1))
}

describe('metrics', () => {
  it('count what was done, by outcome and stage', async () => {
    expect(await ingest('Revenue for FY2025 was EUR 41.2M.')).toBe('indexed')
    expect(await ingest('Headcount at year end was 310.')).toBe('indexed')
    const text = await scrapeOnce('concord_document_attempts_total{outcome="indexed"}', 2)
    expect(sampleOf(text, 'concord_document_attempts_total{outcome="quarantined"}')).toBe(0)
    for (const stage of ['queue', 'thread', 'extract', 'reconcile', 'govern', 'converge', 'commit']) {
      expect(sampleOf(text, `concord_stage_duration_seconds_count{stage="${stage}"}`), stage).toBe(2)
    }
    expect(sampleOf(text, 'concord_stage_duration_seconds_sum{stage="extract"}')).toBeGreaterThan(0)
    expect(sampleOf(text, 'http_server_request_duration_seconds_count{operation="ingestDocument",method="POST",status="202"}')).toBe(2)
    expect(sampleOf(text, 'concord_ingest_flush_rows_total')).toBe(2)
    expect(sampleOf(text, `concord_info{version="${version}"}`)).toBe(1)
  })

  it('show how everything stands', async () => {
    const standing = {
      concord_queue_depth: 0,
      concord_queue_runnable_documents: 0,
      concord_queue_oldest_age_seconds: 0,
      concord_quarantined_documents: 0,
      concord_stream_readers: 0,
      concord_leases_expired_total: 0,
      concord_ingest_queue_rows: 0,
      concord_ingest_queue_bytes: 0,
      concord_database_up: 1,
      concord_leader: 1,
      'concord_runtime_state{level="service",state="running"}': 1,
      'concord_runtime_state{level="service",state="paused"}': 0,
      'concord_runtime_state{level="scope",state="stopped"}': 0,
      'concord_nodes{role="all"}': 1,
      'concord_worker_circuit{state="closed"}': 1,
      'concord_extractor_tokens_total{kind="input"}': 0,
      'concord_ingest_refusals_total{reason="overload"}': 0,
      'concord_database_pool{pool="engine",state="waiting"}': 0,
      'concord_trace_spans_total{outcome="dropped"}': 0,
    }
    let text = ''
    await expect
      .poll(async () => {
        text = await scrape()
        return Object.fromEntries(Object.keys(standing).map(name => [name, sampleOf(text, name)]))
      })
      .toEqual(standing)
    expect(sampleOf(text, 'concord_event_tail_lag_seconds')).toBeLessThan(30)
    const workers = ['idle', 'busy', 'draining'].map(state => sampleOf(text, `concord_workers{state="${state}"}`) ?? 0)
    expect(workers.reduce((sum, value) => sum + value)).toBeGreaterThan(0)
    for (const source of ['hatchery', 'quarantine', 'events', 'database', 'ingest', 'process']) {
      expect(sampleOf(text, `concord_scrape_failures_total{source="${source}"}`), source).toBe(0)
    }
  })

  it('follow a pause and the queue behind it', async () => {
    expect((await service.admin('POST', '/admin/runtime/pause')).status).toBe(200)
    const body = { scope_id: 'metered-scope', name: 'Report', text: 'Later.' }
    await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
    const text = await scrapeOnce('concord_queue_depth', 1)
    expect(sampleOf(text, 'concord_runtime_state{level="service",state="paused"}')).toBe(1)
    expect(sampleOf(text, 'concord_queue_runnable_documents')).toBe(0)
    await service.admin('POST', '/admin/runtime/resume')
  })

  it('never name a tenant, a scope, a document or a path as it came', async () => {
    await service.call('GET', '/api/scopes/metered-scope/claims', { headers: { 'x-tenant-api-key': tenant.api_key } })
    await service.call('GET', '/nowhere/metered-scope')
    const notFound = 'http_server_request_duration_seconds_count{operation="none",method="GET",status="404"}'
    let text = ''
    await expect
      .poll(async () => {
        text = await scrape()
        return sampleOf(text, notFound)
      })
      .toBeGreaterThan(0)
    expect(text).not.toContain('metered')
    expect(text).not.toContain(tenant.tenant_id)
    expect(text).not.toMatch(/doc_|key_|cnk_|req_/)
  })

  it('are the same behind the internals key', async () => {
    const refused = await service.call('GET', '/metrics')
    expect(refused.status).toBe(401)
    const answer = await service.call('GET', '/metrics', { headers: { authorization: `Bearer ${service.internalsKey}` } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    expect(sampleOf(answer.text, 'concord_database_up')).toBe(1)
  })
})

describe('the port of metrics', () => {
  it('answers probes, and nothing else', async () => {
    const health = await fetch(`${service.metricsUrl}/health`)
    expect(health.status).toBe(200)
    expect(await health.json()).toEqual({ status: 'ok', version, faults: [] })
    expect((await fetch(`${service.metricsUrl}/live`)).status).toBe(200)
    expect((await fetch(`${service.metricsUrl}/admin/tenants`)).status).toBe(404)
    expect((await fetch(`${service.metricsUrl}/metrics`, { method: 'POST' })).status).toBe(404)
  })
})

describe('a process without requests', () => {
  it('opens the port of metrics, says when the database is away, and leaves out what it cannot know', async () => {
    let away = false
    const worker = await startTestService(
      { METRICS_PORT: '0', ROLE: 'worker' },
      {
        wrapDatabase: db => ({
          ...db,
          engine: (work, how) => (away ? Promise.reject(new Error('away')) : db.engine(work, how)),
          health: async () => ({ ...(await db.health()), ok: !away }),
        }),
      },
    )
    try {
      expect((await fetch(`${worker.metricsUrl}/health`)).status).toBe(200)
      away = true
      const health = await fetch(`${worker.metricsUrl}/health`)
      expect(health.status).toBe(503)
      expect(await health.json()).toMatchObject({ status: 'unavailable', faults: ['The database does not answer.'] })
      expect((await fetch(`${worker.metricsUrl}/live`)).status).toBe(200)
      const text = await (await fetch(`${worker.metricsUrl}/metrics`)).text()
      expect(sampleOf(text, 'concord_database_up')).toBe(0)
      expect(sampleOf(text, 'concord_queue_depth')).toBeUndefined()
      expect(sampleOf(text, 'concord_scrape_failures_total{source="hatchery"}')).toBe(1)
      expect(sampleOf(text, 'concord_stream_readers')).toBe(0)
    } finally {
      away = false
      await worker.stop()
    }
  })
})
