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

export function createOtlpExporter(options: OtlpOptions): SpanExporter {
  return new Exporter(options)
}

class Exporter implements SpanExporter {
  private readonly options: OtlpOptions
  private readonly limits: OtlpLimits
  private readonly url: string
  private waiting: FinishedSpan[] = []
  private gathering: NodeJS.Timeout | undefined
  private sending: Promise<void> | undefined
  private readonly ended = new AbortController()
  private readonly counts = { exported: 0, dropped: 0, failed: 0 }
  private complained = false

  constructor(options: OtlpOptions) {
    this.options = options
    this.limits = { ...defaults, ...options.limits }
    this.url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`
  }

  add(span: FinishedSpan): void {
    if (this.waiting.length >= this.limits.waitingSpans || this.ended.signal.aborted) {
      this.counts.dropped++
      return
    }
    this.waiting.push(span)
    if (this.waiting.length >= this.limits.spansPerRequest) this.send()
    else this.gathering ??= setTimeout(() => this.send(), this.limits.gatherMs).unref()
  }

  stats() {
    return { ...this.counts }
  }

  async close(): Promise<void> {
    const cutOff = setTimeout(() => this.ended.abort(new Error('the process ends')), this.limits.closeMs)
    this.send()
    await this.sending
    clearTimeout(cutOff)
    clearTimeout(this.gathering)
    this.ended.abort(new Error('the process ends'))
  }

  private send(): void {
    clearTimeout(this.gathering)
    this.gathering = undefined
    this.sending ??= this.sendAll().finally(() => {
      this.sending = undefined
    })
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const spans = this.waiting.splice(0, this.limits.spansPerRequest)
      if (await this.sendBatch(spans)) this.counts.exported += spans.length
      else this.counts.failed += spans.length
    }
  }

  private async sendBatch(spans: readonly FinishedSpan[]): Promise<boolean> {
    const body = JSON.stringify(toExport(spans, this.options.resource))
    for (let attempt = 1; !this.ended.signal.aborted; attempt++) {
      const fault = await this.post(body)
      if (fault === undefined) {
        this.complained = false
        return true
      }
      if (!fault.passing || attempt >= this.limits.tries) {
        this.complain(fault.reason)
        return false
      }
      await pause(this.limits.retryMs * attempt, this.ended.signal)
    }
    return false
  }

  private async post(body: string): Promise<{ passing: boolean; reason: string } | undefined> {
    try {
      const response = await fetch(this.url, {
        method: 'POST',
        headers: { ...this.options.headers, 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(this.limits.requestMs), this.ended.signal]),
      })
      await response.body?.cancel()
      return response.ok ? undefined : { passing: passing.has(response.status), reason: `it answered ${response.status}` }
    } catch (error) {
      return { passing: true, reason: messageOf(error) }
    }
  }

  /** Once for each time the collector goes away: losing traces must not fill the log. */
  private complain(reason: string): void {
    if (this.complained || this.ended.signal.aborted) return
    this.complained = true
    this.options.logger.warn({ reason }, 'trace export failed, spans dropped')
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
