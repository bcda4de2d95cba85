/** What well-behaved clients experience meanwhile: latencies and refusals of ordinary requests, a few at a time. */

import { patientFetch } from '../support/patient-fetch.js'

export interface Experience {
  p50Ms: number
  p99Ms: number
  requests: number
  /** Answers that were not the expected ones. */
  wrong: string[]
}

export interface HealthyTarget {
  url: string
  tenantId: string
  tenantKey: string
}

export async function ordinaryRequests(target: HealthyTarget, count: number, lanes = 4): Promise<Experience> {
  const latencies: number[] = []
  const wrong: string[] = []
  let next = 0
  const lane = async () => {
    for (let n = next++; n < count; n = next++) {
      const started = performance.now()
      const [response, expected] = await request(target, n)
      await response.arrayBuffer()
      latencies.push(performance.now() - started)
      if (response.status !== expected) wrong.push(`${response.url} answered ${response.status}`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  latencies.sort((a, b) => a - b)
  return { p50Ms: at(latencies, 0.5), p99Ms: at(latencies, 0.99), requests: latencies.length, wrong }
}

async function request({ url, tenantId, tenantKey }: HealthyTarget, n: number): Promise<[Response, number]> {
  if (n % 3 === 0) return [await patientFetch(`${url}/api/scopes`, { headers: { 'x-tenant-api-key': tenantKey } }), 200]
  const body = JSON.stringify({ scope_id: `case-${n % 5}`, name: 'Report', text: `Figure ${n}.` })
  const headers = { 'x-tenant-id': tenantId, 'content-type': 'application/json' }
  return [await patientFetch(`${url}/api/ingest`, { method: 'POST', headers, body }), 202]
}

export function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
