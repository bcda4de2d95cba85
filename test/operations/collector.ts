/** A trace collector for tests: takes OTLP over HTTP as a real one does, and lets a test wait for spans. */

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, string> }[]
  status?: { code: number }
}

export interface Collector {
  url: string
  spans: CollectedSpan[]
  resources: Set<string>
  requests: { path: string | undefined; headers: IncomingHttpHeaders; status: number }[]
  /** Statuses to answer next, in order; 200 once they are used up. */
  answers: number[]
  until(holds: (spans: CollectedSpan[]) => boolean): Promise<void>
  close(): Promise<void>
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const resources = new Set<string>()
  const requests: Collector['requests'] = []
  const answers: number[] = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const status = answers.shift() ?? 200
      requests.push({ path: request.url, headers: request.headers, status })
      if (status === 200) {
        const body = JSON.parse(Buffer.concat(chunks).toString())
        for (const { resource, scopeSpans } of body.resourceSpans) {
          resources.add(JSON.stringify(resource.attributes))
          for (const { spans: sent } of scopeSpans) spans.push(...sent)
        }
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
      for (const look of waiting) look()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    requests,
    answers,
    until: holds =>
      new Promise(resolve => {
        const look = () => {
          if (!holds(spans)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export function attributeOf(span: CollectedSpan, key: string): string | undefined {
  const value = span.attributes.find(attribute => attribute.key === key)?.value
  return value === undefined ? undefined : Object.values(value)[0]
}
