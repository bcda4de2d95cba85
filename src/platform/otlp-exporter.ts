/**
 * Sends finished spans to a collector by OTLP over HTTP, as JSON. Bounded everywhere: spans waiting (the newest are
 * dropped beyond it), spans in a request, requests under way (one), time for an answer, tries. A collector that is slow
 * or away costs spans, which are counted, and never time or memory of the service.
 */

import { pause } from './deadline.js'
import { messageOf } from './errors.js'
import type { Logger } from './logger.js'
import type { FinishedSpan, SpanAttributes, SpanExporter, SpanKind } from './tracing.js'

export interface OtlpOptions {
  /** The collector's base address; spans go to `/v1/traces` below it. */
  endpoint: string
  /** Sent with every request, for collectors that ask for a key. */
  headers: Readonly<Record<string, string>>
  /** What the spans are of: service.name, service.version, service.instance.id. */
  resource: SpanAttributes
  logger: Logger
  limits?: Partial<OtlpLimits>
}

interface OtlpLimits {
  waitingSpans: number
  spansPerRequest: number
  /** Time spans wait for company. */
  gatherMs: number
  requestMs: number
  tries: number
  retryMs: number
  closeMs: number
}

const defaults: OtlpLimits = {
  waitingSpans: 8192,
  spansPerRequest: 512,
  gatherMs: 1000,
  requestMs: 5000,
  tries: 3,
  retryMs: 500,
  closeMs: 2000,
}
/** Answers after which OTLP says to try again. */
const passing = new Set([429, 502, 503, 504])

export function createOtlpExporter({ endpoint, headers, resource, logger, limits: given }: OtlpOptions): SpanExporter {
  const limits = { ...defaults, ...given }
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const ended = new AbortController()
  const counts = { exported: 0, dropped: 0, failed: 0 }
  const waiting: FinishedSpan[] = []
  let gathering: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let complained = false

  const post = async (body: string): Promise<{ passing: boolean; reason: string } | undefined> => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(limits.requestMs), ended.signal]),
      })
      await response.body?.cancel()
      return response.ok ? undefined : { passing: passing.has(response.status), reason: `it answered ${response.status}` }
    } catch (error) {
      return { passing: true, reason: messageOf(error) }
    }
  }
  const sendBatch = async (spans: readonly FinishedSpan[]): Promise<boolean> => {
    const body = JSON.stringify(toExport(spans, resource))
    for (let attempt = 1; !ended.signal.aborted; attempt++) {
      const fault = await post(body)
      if (fault === undefined) {
        complained = false
        return true
      }
      if (!fault.passing || attempt >= limits.tries) {
        // Once for each time the collector goes away: losing traces must not fill the log.
        if (!complained && !ended.signal.aborted) logger.warn({ reason: fault.reason }, 'trace export failed, spans dropped')
        complained = true
        return false
      }
      await pause(limits.retryMs * attempt, ended.signal)
    }
    return false
  }
  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const spans = waiting.splice(0, limits.spansPerRequest)
      if (await sendBatch(spans)) counts.exported += spans.length
      else counts.failed += spans.length
    }
  }
  const send = (): void => {
    clearTimeout(gathering)
    gathering = undefined
    sending ??= sendAll().finally(() => {
      sending = undefined
    })
  }
  return {
    add(span) {
      if (waiting.length >= limits.waitingSpans || ended.signal.aborted) {
        counts.dropped++
        return
      }
      waiting.push(span)
      if (waiting.length >= limits.spansPerRequest) send()
      else gathering ??= setTimeout(send, limits.gatherMs).unref()
    },
    stats: () => ({ ...counts }),
    async close() {
      const cutOff = setTimeout(() => ended.abort(new Error('the process ends')), limits.closeMs)
      send()
      await sending
      clearTimeout(cutOff)
      clearTimeout(gathering)
      ended.abort(new Error('the process ends'))
    },
  }
}

const kinds: Record<SpanKind, number> = { internal: 1, server: 2, consumer: 5 }
const statusError = 2

function toExport(spans: readonly FinishedSpan[], resource: SpanAttributes) {
  return {
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ scope: { name: 'concord' }, spans: spans.map(toSpan) }],
      },
    ],
  }
}

function toSpan({ name, kind, context, parentSpanId, startMs, endMs, attributes, failed }: FinishedSpan) {
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: toNanos(startMs),
    endTimeUnixNano: toNanos(Math.max(startMs, endMs)),
    attributes: toAttributes(attributes),
    ...(failed ? { status: { code: statusError } } : {}),
  }
}

/** As text, because nanoseconds since 1970 are beyond what a number holds exactly. */
function toNanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n)
}

function toAttributes(attributes: SpanAttributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [{ key, value: toValue(value) }],
  )
}

function toValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
