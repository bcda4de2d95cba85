/** What a collector that is away or slow costs: spans, which are counted, and nothing else. */

import { afterEach, expect, it } from 'vitest'
import { createLogger } from '../../src/platform/logger.js'
import { createOtlpExporter, type OtlpOptions } from '../../src/platform/otlp-exporter.js'
import { createTracer, type FinishedSpan, formatTraceparent, noTracer, parseTraceparent } from '../../src/platform/tracing.js'
import { type Collector, startCollector } from './collector.js'

const lines: string[] = []
const logger = createLogger({ level: 'warn', destination: { write: line => void lines.push(line) } })
const open: Collector[] = []

afterEach(async () => {
  for (const collector of open.splice(0)) await collector.close()
})

async function collecting() {
  const collector = await startCollector()
  open.push(collector)
  return collector
}

function exporterTo(endpoint: string, limits: OtlpOptions['limits'] = {}) {
  return createOtlpExporter({ endpoint, headers: {}, resource: {}, logger, limits: { gatherMs: 5, retryMs: 5, ...limits } })
}

function span(name: string): FinishedSpan {
  const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true }
  return { name, kind: 'internal', context, parentSpanId: null, startMs: 1700000000000.25, endMs: 1700000000001, attributes: {} }
}

it('tries again when the collector is overloaded', async () => {
  const collector = await collecting()
  collector.answers.push(503, 429)
  const exporter = exporterTo(collector.url)
  exporter.add(span('kept'))
  await collector.until(spans => spans.length === 1)
  expect(collector.requests.map(request => request.status)).toEqual([503, 429, 200])
  expect(collector.spans[0]?.startTimeUnixNano).toBe('1700000000000250000')
  await exporter.close()
  expect(exporter.stats()).toEqual({ exported: 1, dropped: 0, failed: 0 })
})

it('does not repeat what the collector refuses', async () => {
  const collector = await collecting()
  collector.answers.push(400)
  const exporter = exporterTo(collector.url)
  exporter.add(span('refused'))
  await exporter.close()
  expect(collector.requests).toHaveLength(1)
  expect(exporter.stats()).toEqual({ exported: 0, dropped: 0, failed: 1 })
})

it('drops spans beyond its bound instead of keeping them, complains once, and closes in time when nobody answers', async () => {
  const collector = await collecting()
  await collector.close()
  open.splice(0)
  lines.splice(0)
  const exporter = exporterTo(collector.url, { waitingSpans: 10, spansPerRequest: 4, closeMs: 200 })
  for (let index = 0; index < 1000; index++) exporter.add(span(`span ${index}`))
  await exporter.close()
  const { exported, dropped, failed } = exporter.stats()
  expect(exported).toBe(0)
  expect(dropped).toBeGreaterThan(950)
  expect(dropped + failed).toBe(1000)
  expect(lines.length).toBeLessThanOrEqual(1)
})

it('decides about a trace where it begins and follows whoever decided before', () => {
  const added: FinishedSpan[] = []
  const exporter = { add: (each: FinishedSpan) => void added.push(each), stats: noTracer.stats, close: noTracer.close }
  const none = createTracer({ exporter, keepRatio: 0 })
  const all = createTracer({ exporter, keepRatio: 1 })
  expect(none.begin(null).sampled).toBe(false)
  expect(all.begin(null).sampled).toBe(true)
  const kept = parseTraceparent(`00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`)
  expect(none.begin(kept)).toMatchObject({ traceId: 'c'.repeat(32), sampled: true })
  expect(none.begin(kept).spanId).not.toBe('d'.repeat(16))
  none.record({ ...span('x'), context: none.begin(null) })
  none.record({ ...span('y'), context: none.begin(kept) })
  expect(added.map(each => each.name)).toEqual(['y'])
  const half = createTracer({ exporter, keepRatio: 0.5 })
  const share = Array.from({ length: 4000 }, () => half.begin(null)).filter(context => context.sampled).length / 4000
  expect(share).toBeGreaterThan(0.4)
  expect(share).toBeLessThan(0.6)
})

it.each([
  ['', null],
  ['00-00000000000000000000000000000000-00f067aa0ba902b7-01', null],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01', null],
  ['ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', null],
  ['00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01', null],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'],
])('reads the context %j', (given, expected) => {
  const context = parseTraceparent(given)
  expect(context === null ? null : formatTraceparent(context)).toBe(expected)
})
