import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/contract/operations.js'
import { createLogger } from '../../src/platform/logger.js'
import { settled } from '../isolation/household.js'
import { checkAgainstContract, startTestService, type TestService } from '../support/service.js'
import { type FuzzNames, type FuzzRequest, requestsAt } from './requests.js'

const perOperation = Number(process.env['FUZZ'] ?? (process.env['PROVE'] === '1' ? 500 : 6))
const seed = Number(process.env['SEED'] ?? 7)
const answerMs = 20_000

let service: TestService
let names: FuzzNames
const tally = { requests: 0, failures: 0, byStatus: {} as Record<number, number> }

beforeAll(async () => {
  service = await startTestService({ PUBLIC_AUTH: 'id', DATABASE_STATEMENT_TIMEOUT_MS: '15000' })
  names = await prepare(service)
}, 120_000)
afterAll(async () => {
  console.log(`PROVE fuzz requests=${tally.requests} failures=${tally.failures} statuses=${JSON.stringify(tally.byStatus)}`)
  await service.stop()
})

async function prepare(target: TestService): Promise<FuzzNames> {
  const tenant = await target.createTenant()
  const headers = { 'x-tenant-id': tenant.tenant_id, 'x-tenant-api-key': tenant.api_key }
  const post = (path: string, body: object) => target.call('POST', path, { headers, body })
  for (const scope_id of ['one', 'two']) {
    for (const [n, document_id] of ['a', 'b'].entries()) {
      await post('/api/ingest', {
        scope_id,
        name: 'n',
        document_id,
        text: `The revenue of Acme for FY2025 was EUR ${n + 1}M.`,
        source: `s${n}`,
      })
    }
    const report = { scope_id, claim_a: 'a', claim_b: 'b', source_a: 's', source_b: 't', severity: 'low' }
    for (let n = 0; n < 2; n++) await post('/api/contradictions', report)
    await settled(target, { tenantId: tenant.tenant_id, key: tenant.api_key, mark: '', scope: scope_id }, scope_id)
  }
  const read = async (path: string) => (await target.call('GET', path, { headers })).body
  const webhook = { url: 'https://receiver.invalid/', events: ['webhook.disabled'] }
  const webhooks = [await post('/api/webhooks', webhook), await post('/api/webhooks', webhook)].map(made => made.body.webhook_id as string)
  const contradictions = await read('/api/scopes/one/contradictions?limit=1')
  const decisions = await read('/api/scopes/one/decisions?limit=1')
  const pages = [contradictions, decisions, await read('/api/scopes?limit=1'), await read('/api/scopes/one/documents?limit=1')]
  pages.push(await read('/api/webhooks?limit=1'))
  return {
    tenantId: tenant.tenant_id,
    tenantKey: tenant.api_key,
    adminKey: target.adminKey,
    internalsKey: target.internalsKey,
    scopes: ['one', 'two', 'three'],
    documents: ['a', 'b', 'c'],
    contradictions: contradictions.items.map((item: { contradiction_id: string }) => item.contradiction_id),
    decisions: decisions.items.map((item: { decision_id: string }) => item.decision_id),
    webhooks,
    cursors: pages.map(page => page.next as string).filter(Boolean),
  }
}

/** Sends a request and gives what is wrong with the answer, or null. */
async function faultOf(target: TestService, request: FuzzRequest, stream: boolean): Promise<string | null> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), answerMs)
  try {
    const response = await fetch(target.url + request.path, {
      method: request.method,
      headers: request.headers,
      body: request.body as BodyInit | undefined,
      signal: stop.signal,
    })
    tally.byStatus[response.status] = (tally.byStatus[response.status] ?? 0) + 1
    if (stream && response.status === 200) {
      stop.abort()
      return null
    }
    const text = await response.text()
    const json = (response.headers.get('content-type') ?? '').includes('json') && text !== ''
    const body = json ? JSON.parse(text) : undefined
    if (response.status >= 500 && body?.code !== 'OVERLOADED') return `answered ${response.status}: ${text}`
    checkAgainstContract(request.method, request.path, { status: response.status, headers: response.headers, body })
    return null
  } catch (error) {
    return stop.signal.aborted ? `no answer within ${answerMs} ms` : (error as Error).message
  } finally {
    clearTimeout(timer)
  }
}

/** Service-wide runtime acts without a tenant key would pause the service for the others. */
const fuzzed = Object.values(operations)

describe('generated requests', () => {
  it.each(fuzzed.map(operation => [operation.id, operation] as const))(
    'at %s are answered as the contract says, and never with a 5xx',
    async (_id, operation) => {
      await fc.assert(
        fc.asyncProperty(requestsAt(operation, names), async request => {
          tally.requests++
          const fault = await faultOf(service, request, operation.stream === true)
          if (fault !== null) tally.failures++
          expect(fault).toBeNull()
        }),
        { numRuns: perOperation, seed, endOnFailure: true },
      )
    },
    perOperation * 1000 + 30_000,
  )

  it('at any path and method are answered as the contract says', async () => {
    const path = fc.oneof(
      fc.webPath(),
      fc.webUrl().map(url => new URL(url).pathname),
      fc.constantFrom(
        '/',
        '//',
        '/api',
        '/api/',
        '/admin/../api/health',
        '/API/HEALTH',
        '/docs/x',
        '/problems/x',
        '/%2e%2e/x',
        '/%',
        '/api/scopes/%ff%fe/claims',
        `/api/scopes/${'a'.repeat(9000)}/claims`,
        '/api/health%00',
      ),
    )
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACEX')
    await fc.assert(
      fc.asyncProperty(path, method, async (where, how) => {
        tally.requests++
        const response = await fetch(service.url + (where || '/'), { method: how })
        await response.arrayBuffer()
        expect(response.status).toBeLessThan(500)
        expect(response.headers.get('x-request-id')).toBeTruthy()
      }),
      { numRuns: perOperation * 4, seed },
    )
  })
})

describe('the same requests, when the service is broken on purpose', () => {
  it('find a statement that fails in a way nobody foresaw', async () => {
    const broken = await startTestService(
      { PUBLIC_AUTH: 'id' },
      {
        logger: createLogger({ level: 'silent' }),
        wrapDatabase: db => ({
          ...db,
          inTenant: (tenantId, work, options) =>
            db.inTenant(
              tenantId,
              tx =>
                work({
                  ...tx,
                  query: statement =>
                    statement.text.startsWith('select revision, status, ') ? tx.query({ text: 'select 1/0' }) : tx.query(statement),
                }),
              options,
            ),
        }),
      },
    )
    try {
      const found = await prepare(broken)
      const requests = fc.sample(requestsAt(operations['createDocument']!, found), { numRuns: 40, seed })
      const faults = await Promise.all(requests.map(request => faultOf(broken, request, false)))
      expect(faults.filter(fault => fault?.includes('500')).length).toBeGreaterThan(0)
    } finally {
      await broken.stop()
    }
  })

  it('find an answer that is not in the contract', () => {
    const answer = { status: 200, headers: new Headers({ 'x-request-id': 'r' }), body: { items: [{ scope_id: 'UPPER' }], next: null } }
    expect(() => checkAgainstContract('GET', '/api/scopes', answer)).toThrow(/differs from the contract/)
  })
})
