/**
 * Traces across processes: W3C trace contexts in, finished spans out. A span is recorded once it is over, with the times
 * it had, so a worker can record stages that ran in threads or were measured elsewhere. Whether a trace is kept is
 * decided once, where it begins; whoever continues it follows. Without a collector nothing is recorded, and the context
 * a caller sent is handed on as it came.
 */

import { randomBytes } from 'node:crypto'

export interface TraceContext {
  /** 32 lower-case hexadecimal digits. */
  traceId: string
  /** 16 lower-case hexadecimal digits. */
  spanId: string
  sampled: boolean
}

export type SpanKind = 'internal' | 'server' | 'consumer'
export type SpanAttributes = Record<string, string | number | boolean | null | undefined>

/** Times are milliseconds since 1970, with fractions. */
export interface FinishedSpan {
  name: string
  kind: SpanKind
  context: TraceContext
  parentSpanId: string | null
  startMs: number
  endMs: number
  attributes: SpanAttributes
  failed?: boolean
}

export interface Tracer {
  readonly enabled: boolean
  /** The context of a new span: below the parent, or the first of a trace of its own. */
  begin(parent: TraceContext | null): TraceContext
  /** Never throws and never waits; spans of traces that are not kept are dropped here. */
  record(span: FinishedSpan): void
  stats(): SpanStats
  /** Sends what is left, within a moment. */
  close(): Promise<void>
}

export interface SpanStats {
  exported: number
  /** The queue was full. */
  dropped: number
  /** The collector refused them or did not answer. */
  failed: number
}

export interface SpanExporter {
  add(span: FinishedSpan): void
  stats(): SpanStats
  close(): Promise<void>
}

const nothing = '0'.repeat(32)

export function createTracer({ exporter, keepRatio }: { exporter: SpanExporter; keepRatio: number }): Tracer {
  return {
    enabled: true,
    begin: parent =>
      parent === null
        ? firstOf(randomBytes(16).toString('hex'), keepRatio)
        : { traceId: parent.traceId, spanId: newSpanId(), sampled: parent.sampled },
    record: span => {
      if (span.context.sampled) exporter.add(span)
    },
    stats: () => exporter.stats(),
    close: () => exporter.close(),
  }
}

/** For processes without a collector. */
export const noTracer: Tracer = {
  enabled: false,
  begin: parent => parent ?? { traceId: nothing, spanId: nothing.slice(16), sampled: false },
  record: () => undefined,
  stats: () => ({ exported: 0, dropped: 0, failed: 0 }),
  close: async () => undefined,
}

/** By the trace id, as other tracers do it: every process that decides for itself comes to the same answer. */
function firstOf(traceId: string, keepRatio: number): TraceContext {
  const share = Number.parseInt(traceId.slice(-8), 16) / 2 ** 32
  return { traceId, spanId: newSpanId(), sampled: share < keepRatio }
}

function newSpanId(): string {
  return randomBytes(8).toString('hex')
}

/** Null for anything that is not a well-formed `traceparent`. */
export function parseTraceparent(value: unknown): TraceContext | null {
  if (typeof value !== 'string') return null
  const found = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(value)
  const [, traceId = '', spanId = '', flags = ''] = found ?? []
  if (found === null || traceId === nothing || spanId === nothing.slice(16)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
}

/** The trace a stored or received context belongs to, for logs. */
export function traceIdOf(traceparent: string | null | undefined): string | undefined {
  return parseTraceparent(traceparent)?.traceId
}
