/**
 * The registry of metrics. Names are conventional, labels bounded: an operation is one of the contract's, never a path
 * as it came. Gauges that must be asked for are read when the registry is scraped.
 */

import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  observeRequest(answered: { operation: string; method: string; status: number; seconds: number }): void
  /** A figure that is asked for at each scrape. One that cannot be read is left out of that scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  registry: Registry
  text(): Promise<string>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['operation', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  return {
    registry,
    observeRequest: ({ operation, method, status, seconds }) => requests.observe({ operation, method, status: String(status) }, seconds),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          try {
            this.set(await read())
          } catch {
            // The figure is unknown now; a stale one would be a lie.
            this.reset()
          }
        },
      })
    },
    text: () => registry.metrics(),
  }
}
