import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminKey, prepareService, type ServiceProcess } from '../chaos/service-process.js'
import { copyDataDir } from '../support/data-dir.js'
import { withinMs } from '../support/time-bounds.js'
import { type Experience, type HealthyTarget, ordinaryRequests } from './healthy.js'
import { open, silentConnections, slowBody, slowHeaders, smugglingShapes, speak, type Target, unfinishedBodies } from './raw.js'

const requestTimeoutMs = 2000
/** The server looks for late requests once a second, if the machine lets it. */
const patienceMs = requestTimeoutMs + withinMs(6000)
/** Below this a p99 says more about the machine than about the service. */
const noiseMs = 25
const isProof = process.env['PROVE'] === '1'
const sample = isProof ? 2000 : 150

let folder: string
let service: ServiceProcess
let target: Target
let healthy: HealthyTarget
let normal: Experience
const figures: Record<string, string> = {}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'concord-hostile-'))
  copyDataDir(join(folder, 'data'))
  // What is taken in is not read: the attacks are on what answers.
  service = await prepareService(join(folder, 'data'), { REQUEST_TIMEOUT_MS: String(requestTimeoutMs), ROLE: 'api' })
  await service.start()
  target = { port: Number(new URL(service.url).port) }
  const tenant = await newTenant()
  healthy = { url: service.url, tenantId: tenant.tenant_id, tenantKey: tenant.api_key }
  await ordinaryRequests(healthy, sample)
  normal = await ordinaryRequests(healthy, sample)
}, 120_000)

afterAll(async () => {
  console.log(
    `PROVE hostile normal_p99=${normal.p99Ms.toFixed(1)}ms ${Object.entries(figures)
      .map(([name, text]) => `${name}=${text}`)
      .join(' ')}`,
  )
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function newTenant(): Promise<{ tenant_id: string; api_key: string }> {
  const made = await fetch(`${service.url}/admin/tenants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'somebody' }),
  })
  return (await made.json()) as { tenant_id: string; api_key: string }
}

function residentMib(): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid()}/status`, 'utf8'))?.[1]) / 1024
}

/** Runs an attack and, meanwhile, ordinary requests; these must all succeed, and in a proof not much slower than without it. */
async function meanwhile<T>(name: string, attack: Promise<T>): Promise<T> {
  const during = await ordinaryRequests(healthy, sample)
  const result = await attack
  const ratio = during.p99Ms / Math.max(normal.p99Ms, noiseMs)
  figures[name] = `${ratio.toFixed(2)}x`
  expect(during.wrong).toEqual([])
  if (isProof) expect(ratio, `p99 ${during.p99Ms} ms, normally ${normal.p99Ms} ms`).toBeLessThan(5)
  else expect(during.p99Ms).toBeLessThan(patienceMs)
  return result
}

function expectNoFailure(statuses: number[]): void {
  expect(statuses.filter(status => status >= 500)).toEqual([])
}

describe('a hostile client', () => {
  it('that drips headers is told 408 and cut off', async () => {
    const seen = await meanwhile('slow_headers', Promise.all(Array.from({ length: 50 }, () => slowHeaders(target, patienceMs))))
    for (const one of seen) {
      expect(one.closedMs).not.toBeNull()
      expect(one.statuses).toEqual([408])
    }
  })

  it('that drips a body is told 408 and cut off', async () => {
    const seen = await meanwhile('slow_body', Promise.all(Array.from({ length: 50 }, () => slowBody(target, patienceMs, healthy.tenantId))))
    for (const one of seen) {
      expect(one.closedMs).not.toBeNull()
      expectNoFailure(one.statuses)
      expect(one.statuses.filter(status => status < 400)).toEqual([])
    }
  })

  it.runIf(process.platform === 'linux')(
    'that sends most of many bodies and never their ends takes its share of memory and no more',
    async () => {
      const count = isProof ? 550 : 120
      const attacker = await newTenant()
      const before = residentMib()
      const seen = await meanwhile('unfinished_bodies', unfinishedBodies(target, count, attacker.tenant_id))
      await expect.poll(() => seen.told()).toBeGreaterThan(count / 2)
      const grown = residentMib() - before
      seen.close()
      figures['unfinished_bodies_grown'] = `${grown.toFixed(0)}MiB`
      expect(grown).toBeLessThan(400)
    },
    60_000,
  )

  it('that pipelines gets every answer, in order', async () => {
    const wanted = Array.from(
      { length: 100 },
      (_none, n) => `GET ${n % 2 === 0 ? '/api/health' : '/nowhere'} HTTP/1.1\r\nHost: x\r\n${n === 99 ? 'Connection: close\r\n' : ''}\r\n`,
    )
    const seen = await meanwhile('pipelining', speak(target, [wanted.join('')], { patienceMs }))
    expect(seen.statuses).toEqual(wanted.map((_one, n) => (n % 2 === 0 ? 200 : 404)))
  })

  it.each(smugglingShapes)('that smuggles with %s gets no second answer', async (_name, bytes) => {
    const seen = await speak(target, [bytes], { patienceMs })
    expectNoFailure(seen.statuses)
    expect(seen.statuses.length, seen.text).toBeLessThanOrEqual(1)
    expect(seen.text).not.toContain('ROUTE_NOT_FOUND')
    expect(seen.statuses.every(status => status >= 400)).toBe(true)
    expect(seen.closedMs).not.toBeNull()
  })

  it.each([
    ['one long header', `GET /api/health HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['many headers', `GET /api/health HTTP/1.1\r\nHost: x\r\n${Array.from({ length: 5000 }, (_none, n) => `X-${n}: a\r\n`).join('')}\r\n`],
    ['a long address', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ])('that sends %s is told 431 and cut off', async (_name, bytes) => {
    const seen = await speak(target, [bytes], { patienceMs })
    expect(seen.statuses).toEqual([431])
    expect(seen.closedMs).not.toBeNull()
  })

  it.each([
    ['garbage', '\u0016\u0003\u0001 hello \u0000\r\n\r\n'],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', 'BREW /coffee HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['no host', 'GET /api/health HTTP/1.1\r\n\r\n'],
  ])('that speaks %s is told so', async (_name, bytes) => {
    const seen = await speak(target, [bytes], { patienceMs })
    expectNoFailure(seen.statuses)
    expect(seen.statuses.length).toBe(1)
    expect(seen.statuses[0]).toBeGreaterThanOrEqual(400)
  })

  it('that goes away in the middle costs nothing', async () => {
    const half = `POST /api/ingest HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${healthy.tenantId}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{`
    const vanish = async () => {
      const socket = await open(target)
      socket.write(half, () => socket.resetAndDestroy())
    }
    await meanwhile(
      'half_open',
      Promise.all([
        ...Array.from({ length: 200 }, vanish),
        ...Array.from({ length: 50 }, () => speak(target, [half], { patienceMs, endAfter: true })),
      ]),
    )
  })

  it('with 1,000 connections that never send changes nothing for others, and loses them in time', async () => {
    const silent = await silentConnections(target, 1000)
    try {
      await meanwhile('silent_1000', Promise.resolve())
      await expect.poll(() => silent.closedByServer(), { timeout: patienceMs + 15_000, interval: 200 }).toBe(1000)
    } finally {
      silent.close()
    }
  })

  it('left the service as it was', async () => {
    const after = await ordinaryRequests(healthy, sample)
    expect(after.wrong).toEqual([])
    expect(service.output()).not.toContain('"level":"error"')
  })

  it('ends with its PostgreSQL when its terminal is closed, which it is told twice', async () => {
    const postmaster = join(folder, 'data', 'postgres', 'postmaster.pid')
    expect(existsSync(postmaster)).toBe(true)
    process.kill(service.pid(), 'SIGHUP')
    await service.stop('SIGHUP')
    expect(existsSync(postmaster)).toBe(false)
  })
})

describe('the same attacks on servers that are easy prey', () => {
  it('notice a server without time limits', async () => {
    const server = createServer({ requestTimeout: 0, headersTimeout: 0 }, (_request, response) => response.end())
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const seen = await slowHeaders({ port: (server.address() as AddressInfo).port }, 3000)
    server.closeAllConnections()
    server.close()
    expect(seen.closedMs).toBeNull()
  })

  it('notice a server that reads a second request out of the first', async () => {
    const answer = 'HTTP/1.1 404 Not Found\r\nContent-Length: 15\r\n\r\nROUTE_NOT_FOUND'
    const server = createTcpServer(socket =>
      socket.on('data', bytes => socket.end(answer.repeat(String(bytes).split('HTTP/1.1\r\n').length - 1))),
    )
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const seen = await speak({ port: (server.address() as AddressInfo).port }, [smugglingShapes[0]?.[1] ?? ''], { patienceMs: 3000 })
    server.close()
    expect(seen.statuses.length).toBeGreaterThan(1)
  })
})
