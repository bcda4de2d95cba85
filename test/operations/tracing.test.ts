/** One trace from the request through every stage to the commit, as a collector sees it. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../support/service.js'
import { attributeOf, type CollectedSpan, type Collector, startCollector } from './collector.js'

let collector: Collector
let service: TestService

beforeAll(async () => {
  collector = await startCollector()
  service = await startTestService({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=abc%20def',
    OTEL_SERVICE_NAME: 'concord-test',
  })
})

afterAll(async () => {
  await service.stop()
  await collector.close()
})

const stages = ['queue', 'thread', 'extract', 'reconcile', 'govern', 'converge', 'commit']

async function ingest(tenantId: string, headers: Record<string, string> = {}) {
  const body = { scope_id: 'traced', name: 'Report', text: 'Revenue for FY2025 was EUR 41.2M.' }
  const answer = await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenantId, ...headers }, body })
  expect(answer.status).toBe(202)
  return answer
}

const ofTrace = (traceId: string) => collector.spans.filter(span => span.traceId === traceId)
const named = (spans: CollectedSpan[], name: string) => spans.find(span => span.name === name) as CollectedSpan

describe('tracing', () => {
  it('continues the trace of the caller from the request through every stage to the commit', async () => {
    const { tenant_id: tenantId } = await service.createTenant()
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const answer = await ingest(tenantId, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` })
    const all = ['POST /api/ingest', 'group commit', 'process document', ...stages]
    await collector.until(() => all.every(name => ofTrace(traceId).some(span => span.name === name)))

    const spans = ofTrace(traceId)
    const request = named(spans, 'POST /api/ingest')
    expect(request.parentSpanId).toBe('00f067aa0ba902b7')
    expect(request.kind).toBe(2)
    expect(attributeOf(request, 'http.response.status_code')).toBe('202')
    expect(attributeOf(request, 'concord.request_id')).toBe(answer.headers.get('x-request-id'))
    expect(attributeOf(request, 'concord.tenant_id')).toBe(tenantId)
    expect(attributeOf(request, 'concord.scope_id')).toBe('traced')
    expect(named(spans, 'group commit').parentSpanId).toBe(request.spanId)

    const processing = named(spans, 'process document')
    expect(processing.parentSpanId).toBe(request.spanId)
    expect(processing.kind).toBe(5)
    expect(attributeOf(processing, 'concord.outcome')).toBe('indexed')
    expect(attributeOf(processing, 'concord.document_id')).toBe(answer.body.document_id)
    const below = spans.filter(span => span.parentSpanId === processing.spanId)
    expect(below.map(span => span.name)).toEqual(stages)
    for (const span of below) {
      expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true)
      expect(BigInt(span.startTimeUnixNano) >= BigInt(processing.startTimeUnixNano)).toBe(true)
      expect(BigInt(span.endTimeUnixNano) <= BigInt(processing.endTimeUnixNano)).toBe(true)
    }
    for (const [index, span] of below.slice(1).entries()) {
      expect(BigInt(span.startTimeUnixNano) >= BigInt((below[index] as CollectedSpan).startTimeUnixNano)).toBe(true)
    }
    expect(new Set(spans.map(span => span.spanId)).size).toBe(spans.length)
  })

  it('begins a trace of its own for a request without one, and records none that the caller does not keep', async () => {
    const { tenant_id: tenantId } = await service.createTenant()
    const unkept = '11111111111111111111111111111111'
    await ingest(tenantId, { traceparent: `00-${unkept}-00f067aa0ba902b7-00` })
    await ingest(tenantId, { traceparent: 'not-a-traceparent' })
    const mine = () =>
      collector.spans.filter(span => span.name === 'POST /api/ingest' && attributeOf(span, 'concord.tenant_id') === tenantId)
    await collector.until(() => mine().length === 1 && ofTrace(mine()[0]?.traceId ?? '').some(span => span.name === 'commit'))
    expect(mine()[0]?.parentSpanId).toBeUndefined()
    expect(mine()[0]?.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(ofTrace(unkept)).toEqual([])
  })

  it('says which service the spans are of, sends the headers given, and no text', async () => {
    expect([...collector.resources].join()).toContain('"concord-test"')
    expect(collector.requests[0]?.path).toBe('/v1/traces')
    expect(collector.requests[0]?.headers['x-collector-key']).toBe('abc def')
    expect(JSON.stringify(collector.spans)).not.toContain('41.2M')
  })
})
