/**
 * A second port for the people who run the service: metrics without a key, for scrapes inside a private network, and
 * health for probes, also of processes that answer no requests. `/live` says that the process runs, `/health` that it
 * can work.
 */

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from '../platform/logger.js'

export interface MetricsPortOptions {
  host: string
  port: number
  metrics(): Promise<string>
  /** What makes this process unable to work; empty when nothing does. */
  faults(): Promise<string[]>
  version: string
  logger: Logger
}

const textFormat = 'text/plain; version=0.0.4; charset=utf-8'

export type MetricsPort = Awaited<ReturnType<typeof openMetricsPort>>

export async function openMetricsPort(options: MetricsPortOptions) {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000, keepAliveTimeout: 5000 }, (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0]
    const answer = request.method === 'GET' || request.method === 'HEAD' ? answers[path as keyof typeof answers] : undefined
    if (answer === undefined) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('GET /metrics, /health or /live\n')
    answer(options, response).catch(error => {
      options.logger.warn({ err: error }, 'metrics request failed')
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  server.maxConnections = 64
  server.listen(options.port, options.host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async (): Promise<void> => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const answers = {
  '/metrics': async ({ metrics }: MetricsPortOptions, response: ServerResponse) => {
    const text = await metrics()
    response.writeHead(200, { 'content-type': textFormat }).end(text)
  },
  '/health': async ({ faults, version }: MetricsPortOptions, response: ServerResponse) => {
    const found = await faults()
    sendJson(response, found.length === 0 ? 200 : 503, { status: found.length === 0 ? 'ok' : 'unavailable', version, faults: found })
  },
  '/live': async ({ version }: MetricsPortOptions, response: ServerResponse) => sendJson(response, 200, { status: 'ok', version }),
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body))
}
