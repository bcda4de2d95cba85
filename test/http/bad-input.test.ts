/** What clients get wrong, by accident or on purpose: a 4xx with a code and a pointer, quickly. */

import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagePaths } from '../../src/http/page-paths.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
let headers: Record<string, string>

beforeAll(async () => {
  service = await startTestService({ REQUEST_TIMEOUT_MS: '5000' })
  const tenant = await service.createTenant()
  headers = { 'x-tenant-id': tenant.tenant_id }
})
afterAll(() => service.stop())

const post = (raw: string | Uint8Array, more: Record<string, string> = {}) =>
  service.call('POST', '/api/ingest', { headers: { ...headers, ...more }, raw })

describe('bodies', () => {
  it.each([
    ['no JSON', '{"a":', 'JSON_INVALID'],
    ['repeated names', '{"scope_id":"a","scope_id":"b","name":"n","text":"t"}', 'JSON_INVALID'],
    ['__proto__', '{"scope_id":"a","name":"n","text":"t","__proto__":{"x":1}}', 'JSON_INVALID'],
    ['endless nesting', '['.repeat(5000), 'JSON_INVALID'],
    ['an array', '[]', 'VALIDATION_FAILED'],
    ['null', 'null', 'VALIDATION_FAILED'],
    ['a wrong type', '{"scope_id":"a","name":{},"text":"t"}', 'VALIDATION_FAILED'],
  ])('with %s are refused', async (_what, raw, code) => {
    expect(await post(raw)).toMatchObject({ status: 400, body: { code } })
  })

  it.each([
    ['NUL', '{"scope_id":"a","name":"n","text":"t\\u0000"}', '/text'],
    ['a lone surrogate', '{"scope_id":"a","name":"\\ud800","text":"t"}', '/name'],
  ])('with %s are refused with a pointer', async (_what, raw, pointer) => {
    expect((await post(raw)).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer }] })
  })

  it('that are not UTF-8 are refused', async () => {
    const raw = Buffer.concat([Buffer.from('{"scope_id":"a","name":"n","text":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])
    expect((await post(raw)).body.code).toBe('JSON_INVALID')
  })

  it.each([['text/plain'], ['application/xml'], ['application/jsonx']])('of type %s are refused', async type => {
    const answer = await post('{}', { 'content-type': type })
    expect(answer).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE', detail: 'Send application/json.' } })
  })

  it('with an encoding or another charset are refused', async () => {
    expect((await post('{}', { 'content-encoding': 'gzip' })).body).toMatchObject({
      status: 415,
      detail: expect.stringContaining('Content-Encoding'),
    })
    expect((await post('{}', { 'content-encoding': 'Identity' })).status).toBe(400)
    expect((await post('{}', { 'content-type': 'application/json; charset=utf-16' })).body).toMatchObject({
      status: 415,
      detail: expect.stringContaining('UTF-8'),
    })
  })

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=b'])(
    'without bytes are none, also as %s',
    async type => {
      const tenant = await service.createTenant()
      await service.admin('POST', '/admin/scopes', { scope_id: 'case' }, tenant.api_key)
      const sent = { authorization: `Bearer ${service.adminKey}`, 'x-tenant-api-key': tenant.api_key, 'content-type': type }
      const reset = (raw: string) => service.call('POST', '/admin/scopes/case/reset', { headers: sent, raw })
      expect((await reset('')).status).toBe(200)
      expect((await reset('a=1')).status).toBe(415)
      expect((await post('', { 'content-type': type })).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer: '' }] })
    },
  )

  it('without a length have no bytes either, whatever their type', async () => {
    const { api_key } = await service.createTenant()
    await service.admin('POST', '/admin/scopes', { scope_id: 'case' }, api_key)
    const { answer } = await rawRequest(
      service.url,
      `POST /admin/scopes/case/reset HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.adminKey}\r\nX-Tenant-API-Key: ${api_key}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })

  it.each([
    ['a type that is not read', 'text/plain', ''],
    ['an encoding', 'application/json', 'Content-Encoding: gzip\r\n'],
  ])('with %s are refused when they have been sent, so that the answer arrives', async (_what, type, more) => {
    const sent = await rawRequest(
      service.url,
      `POST /api/ingest HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${headers['x-tenant-id']}\r\nContent-Type: ${type}\r\n${more}Content-Length: ${4 * 1024 * 1024}\r\n\r\n`,
      Buffer.alloc(64 * 1024, 0x20),
      64,
    )
    expect(sent.failure).toBeUndefined()
    expect(sent.answer).toMatch(/^HTTP\/1\.1 415 .*"code":"UNSUPPORTED_MEDIA_TYPE".*\}$/s)
  })

  it('may begin with a byte order mark', async () => {
    expect((await post('\ufeff{"scope_id":"marked","name":"n","text":"t"}')).status).toBe(202)
  })

  it('that are missing are asked for', async () => {
    const answer = await service.call('POST', '/api/ingest', { headers: { ...headers, 'content-type': 'application/json' } })
    expect(answer.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer: '' }] })
  })

  it.each([3, 7, 20])('of %i MiB are answered with 413 and the answer arrives', async mib => {
    expect(await post(Buffer.alloc(mib * 1024 * 1024, 0x20))).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
  })

  it.each([3, 20])('of %i MiB whose length is not said are answered with 413 too', async mib => {
    const piece = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1024 * 1024, 0x20), Buffer.from('\r\n')])
    const head = `POST /api/ingest HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${headers['x-tenant-id']}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    expect((await rawRequest(service.url, head, piece, mib, '0\r\n\r\n')).answer).toMatch(/^HTTP\/1\.1 413 .*"code":"PAYLOAD_TOO_LARGE"/s)
  })

  it('that are too long are refused before they are sent where a client asks first', async () => {
    const { answer } = await rawRequest(
      service.url,
      `POST /api/ingest HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${headers['x-tenant-id']}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 3000000\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('of 100 MB are refused without being kept in memory', async () => {
    const before = process.memoryUsage().rss
    const sent = await rawRequest(
      service.url,
      `POST /api/ingest HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${headers['x-tenant-id']}\r\nContent-Type: application/json\r\nContent-Length: 100000000\r\n\r\n`,
      Buffer.alloc(1024 * 1024, 0x20),
      100,
    )
    expect(sent.answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(sent.megabytes).toBeLessThan(60)
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
  })

  it('that never end are answered with 408', async () => {
    const head = `POST /api/ingest HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${headers['x-tenant-id']}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`
    const { answer } = await rawRequest(service.url, head)
    expect(answer).toMatch(/^HTTP\/1\.1 408/)
    expect(answer).toContain('REQUEST_TIMEOUT')
  })
})

describe('texts in which nobody can see anything', () => {
  it('are refused with a pointer wherever a person writes', async () => {
    const { tenant_id: tenantId, api_key: key } = await service.createTenant()
    await service.admin('POST', '/admin/scopes', { scope_id: 'seen' }, key)
    const ofTenant = { 'x-tenant-api-key': key }
    const put = (path: string, body: object) => service.call('POST', path, { headers: ofTenant, body })
    const unseen = '\u202e\u200b '
    const report = {
      scope_id: 'seen',
      claim_a: 'The roof is red.',
      claim_b: 'The roof is blue.',
      source_a: 'a',
      source_b: 'b',
      severity: 'low',
    }
    const answers = await Promise.all([
      service.admin('POST', `/admin/tenants/${tenantId}/keys`, { label: unseen }),
      service.admin('POST', '/admin/scopes', { scope_id: 'unnamed', display_name: unseen }, key),
      service.admin('PATCH', '/admin/scopes/seen', { display_name: unseen }, key),
      service.admin('PUT', '/admin/scopes/seen/glossary', { terms: { '': ['turnover'] } }, key),
      put('/api/contradictions', { ...report, claim_a: unseen }),
      put('/api/contradictions', { ...report, source_b: unseen }),
      put('/api/webhooks', { url: 'https://example.com/x', events: ['*'], description: unseen }),
      service.admin('PUT', '/admin/scopes/seen/glossary', { terms: { 'a\u2028b': ['turnover'] } }, key),
      service.admin('PUT', '/admin/scopes/seen/glossary', { terms: { 'a\u2029': 5 } }, key),
    ])
    expect(answers.map(({ status, body }) => [status, body.code, body.errors?.[0]?.pointer])).toEqual(
      [
        '/label',
        '/display_name',
        '/display_name',
        '/terms/',
        '/claim_a',
        '/source_b',
        '/description',
        '/terms/a\u2028b',
        '/terms/a\u2029',
      ].map(pointer => [400, 'VALIDATION_FAILED', pointer]),
    )
  })

  it('are taken where the specification gives bounds and no more', async () => {
    const { body } = await service.admin('POST', '/admin/tenants', { name: ' ' })
    expect((await service.admin('POST', '/admin/tenants', { name: 'n'.repeat(600) })).status).toBe(201)
    await service.admin('POST', '/admin/scopes', { scope_id: 'given' }, body.api_key)
    const headers = { 'x-tenant-api-key': body.api_key }
    for (const id of [' ', 'a\tb']) {
      const document = { scope_id: 'given', name: 'n', text: 'The roof is red.', document_id: id }
      expect(await service.call('POST', '/api/ingest', { headers, body: document })).toMatchObject({
        status: 202,
        body: { document_id: id },
      })
      const found = await service.call('GET', `/api/documents/${encodeURIComponent(id)}?scope_id=given`, { headers })
      expect(found).toMatchObject({ status: 200, body: { document_id: id } })
    }
  })

  it('that were taken before are given back', async () => {
    const { tenant_id: tenantId, api_key: key } = await service.createTenant()
    await service.admin('POST', '/admin/scopes', { scope_id: 'old', display_name: 'old' }, key)
    const { owner } = service.database
    await owner.query("update tenants set name = ' ' where tenant_id = $1", [tenantId])
    await owner.query("update scopes set display_name = E'\\u202e' where tenant_id = $1", [tenantId])
    const listed = await service.call('GET', '/api/scopes', { headers: { 'x-tenant-api-key': key } })
    expect(listed.body.items).toMatchObject([{ display_name: '\u202e' }])
    expect((await service.admin('GET', '/admin/tenants')).body.items).toContainEqual(
      expect.objectContaining({ tenant_id: tenantId, name: ' ' }),
    )
  })
})

describe('requests', () => {
  it('to unknown routes are 404, to known ones with another method 405 with Allow', async () => {
    expect((await service.call('GET', '/nowhere')).body.code).toBe('ROUTE_NOT_FOUND')
    const answer = await service.call('DELETE', '/api/ingest')
    expect(answer).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } })
    expect(answer.headers.get('allow')).toBe('POST')
    expect((await service.call('PUT', '/admin/tenants')).headers.get('allow')).toBe('GET, HEAD, POST')
  })

  it.each(pagePaths)('to the page %s with another method are 405 with Allow', async path => {
    expect((await service.call('GET', path)).status).toBe(200)
    for (const method of ['POST', 'OPTIONS']) {
      const answer = await service.call(method, path)
      expect(answer).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } })
      expect(answer.headers.get('allow')).toBe('GET, HEAD')
    }
  })

  it('that repeat a parameter are refused where the contract has it, and nothing is said of others', async () => {
    const tenant = await service.createTenant()
    const list = (query: string) => service.call('GET', `/api/scopes?${query}`, { headers: { 'x-tenant-api-key': tenant.api_key } })
    expect((await list('limit=1&limit=2')).body).toMatchObject({ status: 400, errors: [{ pointer: '/query/limit' }] })
    expect((await list('colour=red')).status).toBe(200)
    expect((await list('colour=red&colour=blue')).status).toBe(200)
    expect((await list('limit=0x10')).body).toMatchObject({ status: 400, errors: [{ pointer: '/query/limit', detail: 'must be integer' }] })
  })

  it('that are not HTTP get the shape of every problem', async () => {
    const { answer } = await rawRequest(service.url, 'NONSENSE\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400/)
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
  })

  it.each([
    ['no host', 'GET /api/health HTTP/1.1\r\n\r\n', 400, 'VALIDATION_FAILED'],
    ['two hosts', 'GET /api/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'VALIDATION_FAILED'],
    ['two tenants', 'GET /api/scopes HTTP/1.1\r\nHost: a\r\nX-Tenant-ID: a\r\nX-Tenant-ID: b\r\n\r\n', 400, 'VALIDATION_FAILED'],
    ['an expectation nobody knows', 'GET /api/health HTTP/1.1\r\nHost: x\r\nExpect: foo\r\n\r\n', 417, 'EXPECTATION_FAILED'],
    ['the wish for a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    [
      'an encoding besides chunked',
      'POST /api/ingest HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      400,
      'VALIDATION_FAILED',
    ],
  ])('with %s get the shape of every problem and no second answer', async (_what, bytes, status, code) => {
    const { answer } = await rawRequest(service.url, bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toMatch(/x-request-id: /i)
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({
      status,
      code,
      request_id: expect.stringMatching(/^req_/),
    })
  })

  it('that ask before they send their body are told to go on only when it is wanted', async () => {
    const ask = (route: string, tenant = headers['x-tenant-id'], type = 'application/json') =>
      rawRequest(
        service.url,
        `POST ${route} HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${tenant}\r\nContent-Type: ${type}\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
      )
    expect((await ask('/api/ingest')).answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /)
    expect((await ask('/api/ingest', 'ten_0000000000000000000000')).answer).toMatch(/^HTTP\/1\.1 401 /)
    expect((await ask('/nowhere')).answer).toMatch(/^HTTP\/1\.1 404 /)
    expect((await ask('/api/ingest', headers['x-tenant-id'], 'text/plain')).answer).toMatch(/^HTTP\/1\.1 415 /)
  })

  it.each(['/%61dmin/health', '/admin/%68ealth', '/%61pi/health', '/internals%2fhealth', '/%64ocs', '/openapi%2ejson'])(
    'to %s, which spells a route in another way, are 404',
    async path => {
      const answer = await service.call('GET', path, { headers: { authorization: `Bearer ${service.internalsKey}` } })
      expect(answer).toMatchObject({ status: 404, body: { code: 'ROUTE_NOT_FOUND' } })
    },
  )

  it('in the form for proxies are answered as any other', async () => {
    const { answer } = await rawRequest(service.url, 'GET http://x/api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('with bytes outside ASCII in Idempotency-Key are refused, so that two keys never become one', async () => {
    const body = JSON.stringify({ scope_id: 'a', name: 'n', text: 't' })
    for (const byte of ['\xe9', '\xe8', 'Ã©']) {
      const head = `POST /api/ingest HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${headers['x-tenant-id']}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\nIdempotency-Key: caf${byte}\r\n\r\n${body}`
      const { answer } = await rawRequest(service.url, Buffer.from(head, 'latin1'))
      expect(answer).toMatch(/^HTTP\/1\.1 400 .*VALIDATION_FAILED.*idempotency-key/s)
    }
  })

  it('with too many headers or too long an address are refused', async () => {
    const { answer } = await rawRequest(service.url, `GET /api/health HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(50_000)}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 431/)
    expect((await service.call('GET', `/api/health?x=${'a'.repeat(30_000)}`)).status).toBe(414)
  })

  it('with the longest reason in the address are read, and with a longer one told so', async () => {
    const { tenant_id, api_key } = await service.createTenant()
    const withdraw = (reason: string) => {
      const query = new URLSearchParams({ reason, by: '\u{1F600}'.repeat(200) })
      return service.call('DELETE', `/api/contradictions/ctr_x/resolution?${query}`, {
        headers: { 'x-tenant-id': tenant_id, 'x-tenant-api-key': api_key },
      })
    }
    expect((await withdraw('\u{1F600}'.repeat(2000))).body).toMatchObject({ code: 'CONTRADICTION_NOT_FOUND' })
    expect((await withdraw('\u{1F600}'.repeat(2001))).body).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: expect.stringContaining('reason') }],
    })
  })

  it('for application/problem+json get that media type', async () => {
    const answer = await service.call('GET', '/nowhere', { headers: { accept: 'application/problem+json' } })
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    const typeFor = async (accept: string) => (await service.call('GET', '/nowhere', { headers: { accept } })).headers.get('content-type')
    expect(await typeFor('text/html, Application/Problem+JSON;q=0.5')).toMatch(/^application\/problem\+json/)
    expect(await typeFor('application/json, application/problem+json;q=0')).toMatch(/^application\/json/)
  })

  it('keep a request id that is harmless and replace one that is not', async () => {
    const kept = await service.call('GET', '/api/health', { headers: { 'x-request-id': 'abc-123' } })
    expect(kept.headers.get('x-request-id')).toBe('abc-123')
    const replaced = await service.call('GET', '/api/health', { headers: { 'x-request-id': '{"a": 1}' } })
    expect(replaced.headers.get('x-request-id')).toMatch(/^req_/)
  })

  it('with malformed scope ids in the path are answered like missing scopes', async () => {
    const tenant = await service.createTenant()
    for (const scope of ['UPPER', '%20', 'a'.repeat(500), '..%2f..', '%00', '%FF', '%zz', 'a%', '%ED%A0%80']) {
      const answer = await service.admin('GET', `/admin/scopes/${scope}/summary`, undefined, tenant.api_key)
      expect(answer, scope).toMatchObject({ status: 404, body: { code: 'SCOPE_NOT_FOUND' } })
    }
    const keyed = { 'x-tenant-api-key': tenant.api_key }
    expect((await service.call('GET', '/api/webhooks/%FF', { headers: keyed })).body.code).toBe('WEBHOOK_NOT_FOUND')
    expect((await service.call('GET', '/api/scopes/%FF/claims')).status).toBe(401)
    expect((await service.call('GET', '/api/%FF/claims')).body.code).toBe('ROUTE_NOT_FOUND')
  })

  it('that say in the query what belongs into the body are refused: the act would be on more than was meant', async () => {
    const stop = await service.admin('POST', '/admin/runtime/stop?scope_id=case&x=1')
    expect(stop).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/query/scope_id' }] } })
    const ingest = await service.call('POST', '/api/ingest?name=other', { headers, body: { scope_id: 'a', name: 'n', text: 't' } })
    expect(ingest.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer: '/query/name', detail: 'belongs into the body' }] })
    expect((await service.admin('POST', '/admin/runtime/start?x=1')).status).toBe(200)
    expect((await service.admin('GET', '/admin/tenants?typo=1')).status).toBe(200)
    expect((await service.call('GET', '/api/health?now')).status).toBe(200)
  })
})

/** Sends bytes over a bare socket, and more of them while the server takes them, and at last the end; gives what came back. */
function rawRequest(
  url: string,
  head: string | Buffer,
  more?: Buffer,
  times = 0,
  last?: string,
): Promise<{ answer: string; megabytes: number; failure: Error | undefined }> {
  const { hostname, port } = new URL(url)
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    let failure: Error | undefined
    const finish = () => resolve({ answer, failure, megabytes: socket.bytesWritten / 1024 / 1024 })
    socket.on('data', data => {
      answer += data.toString()
    })
    socket.on('error', error => {
      failure = error
    })
    socket.on('close', finish)
    socket.write(head)
    let left = times
    const send = () => {
      while (more && left-- > 0 && !socket.destroyed) if (!socket.write(more)) return socket.once('drain', send)
      if (last !== undefined && !socket.destroyed) socket.write(last)
      return undefined
    }
    send()
  })
}
