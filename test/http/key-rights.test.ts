/** Keys that may do some things, in some scopes, for a while, for one person. */

import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
let tenant: { tenant_id: string; api_key: string }
const clock = { aheadMs: 0, now: () => new Date(), monotonicMs: () => performance.now() + clock.aheadMs }
beforeAll(async () => {
  service = await startTestService({ AUDIT_READS: 'all' }, { clock })
  tenant = await service.createTenant()
  for (const scope of ['here', 'there']) {
    await ingest(tenant.api_key, scope, 'audit', 'Issued by: Brandt Audit\n\nRevenue for FY2025 was EUR 41.2 million.')
    await ingest(tenant.api_key, scope, 'bank', 'Issued by: Bank Nord\n\nRevenue for FY2025 was EUR 33.9 million.')
    for (const document of ['audit', 'bank']) await call(tenant.api_key, 'GET', `/api/documents/${document}?scope_id=${scope}&wait=30`)
  }
})
afterAll(() => service.stop())

const call = (key: string, method: string, path: string, body?: unknown) =>
  service.call(method, path, {
    headers: { 'x-tenant-id': tenant.tenant_id, 'x-tenant-api-key': key },
    ...(body === undefined ? {} : { body }),
  })
const ingest = (key: string, scope: string, document: string, text: string) =>
  call(key, 'POST', '/api/ingest', { scope_id: scope, document_id: document, name: document, text })
const makeKey = async (wanted: Record<string, unknown>) => {
  const answer = await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, wanted)
  expect(answer.status).toBe(201)
  return answer.body as { api_key: string; key_id: string }
}
const refused = (what: RegExp) => ({ status: 403, body: { code: 'RIGHTS_INSUFFICIENT', detail: expect.stringMatching(what) } })
/** One that an attempt before has decided is opened again. */
const openIn = async (scope: string) => {
  const { body } = await call(tenant.api_key, 'GET', `/api/scopes/${scope}/contradictions?status=all`)
  const { contradiction_id: id, status } = body.items[0]
  if (status !== 'open') await call(tenant.api_key, 'DELETE', `/api/contradictions/${id}/resolution?reason=again&by=ada`)
  return id as string
}
const decision = { verdict: 'a', reason: 'The auditor saw the ledger.', by: 'ada' }

describe('the first key of a tenant', () => {
  it('may do everything, and the list says so', async () => {
    const { body } = await service.admin('GET', `/admin/tenants/${tenant.tenant_id}/keys`)
    const all = ['read', 'ingest', 'decide', 'erase', 'manage', 'hold']
    expect(body.items[0]).toMatchObject({ rights: all, scopes: null, expires_at: null, person: null, speak_for: true })
  })
})

describe('a key with some rights', () => {
  it('is refused what it lacks, by name', async () => {
    const reader = (await makeKey({ rights: ['read'] })).api_key
    expect((await call(reader, 'GET', '/api/scopes/here/summary')).status).toBe(200)
    expect(await ingest(reader, 'here', 'x', 'text')).toMatchObject(refused(/`ingest`/))
    expect(await call(reader, 'POST', `/api/contradictions/${await openIn('here')}/resolution`, decision)).toMatchObject(
      refused(/`decide`/),
    )
    expect(await call(reader, 'DELETE', '/api/documents/audit?scope_id=here')).toMatchObject(refused(/`erase`/))
    const writer = (await makeKey({ rights: ['ingest'] })).api_key
    expect((await ingest(writer, 'other', 'x', 'text')).status).toBe(202)
    expect(await call(writer, 'GET', '/api/scopes')).toMatchObject(refused(/`read`/))
  })

  it('limits what an operator does in the tenant’s name', async () => {
    const key = (await makeKey({ rights: ['read'] })).api_key
    expect((await service.admin('GET', '/admin/scopes/here', undefined, key)).status).toBe(200)
    expect(await service.admin('POST', '/admin/scopes/here/reset', undefined, key)).toMatchObject(refused(/`erase`/))
    expect(await service.admin('POST', '/admin/runtime/pause', {}, key)).toMatchObject(refused(/`manage`/))
  })
})

describe('passages of documents', () => {
  const passages = { scope_id: 'here', severity: 'low', by: 'ada', reason: 'They differ.' }
  const slice = (document_id: string, more = {}) => ({ document_id, revision: 1, start: 0, end: 10, ...more })
  const words = { scope_id: 'here', severity: 'low', claim_a: 'one', claim_b: 'two', source_a: 'a', source_b: 'b' }
  const withoutKey = (body: unknown) => service.call('POST', '/api/contradictions', { headers: { 'x-tenant-id': tenant.tenant_id }, body })

  it('are named with a key alone: by the id of its tenant nobody learns a word, nor what there is', async () => {
    for (const [a, b] of [
      [slice('audit'), slice('bank')],
      [slice('none'), slice('bank')],
      [slice('audit', { revision: 9 }), slice('bank', { end: 90_000 })],
      [slice('audit'), undefined],
    ]) {
      const answer = await withoutKey({ ...passages, a, b })
      expect(answer).toMatchObject({ status: 401, body: { code: 'AUTH_MISSING', detail: expect.stringContaining('needs a tenant key') } })
      expect(answer.headers.get('www-authenticate')).toContain('Bearer')
    }
    expect((await withoutKey(words)).status).toBe(201)
  })

  it('are shown by the answer: they ask for `read` beside `decide`, and both documents are noted as seen', async () => {
    const report = async (rights: string[]) => {
      const { api_key: key, key_id: keyId } = await makeKey({ rights })
      const answer = await call(key, 'POST', '/api/contradictions', { ...passages, a: slice('audit'), b: slice('bank') })
      const seen = 'select object from audit_log where reader = $1 and object is not null order by object'
      const { rows } = await service.database.owner.query(seen, [`key:${keyId}`])
      return { ...answer, seen: rows.map(row => row.object) }
    }
    expect(await report(['decide', 'ingest'])).toMatchObject({ ...refused(/`read`/), seen: [] })
    expect(await report(['read', 'ingest'])).toMatchObject({ ...refused(/`decide`/), seen: [] })
    expect(await report(['read', 'decide'])).toMatchObject({ status: 201, seen: ['document here audit', 'document here bank'] })
  })
})

describe('the quotes of a finding', () => {
  it('are in the answer to who decides it: that asks for `read` beside `decide`, and is noted as seen', async () => {
    const tried = async (rights: string[], method: string, path: string, body?: unknown) => {
      const { api_key: key, key_id: keyId } = await makeKey({ rights })
      const answer = await call(key, method, path, body)
      const seen = 'select object from audit_log where reader = $1 and object is not null'
      const { rows } = await service.database.owner.query(seen, [`key:${keyId}`])
      return { ...answer, seen: rows.map(row => row.object) }
    }
    const id = await openIn('here')
    const path = `/api/contradictions/${id}/resolution`
    const withdrawal = `${path}?reason=again&by=ada`
    const blind = { ...refused(/`read`/), seen: [] }
    expect(await tried(['decide', 'ingest'], 'POST', path, decision)).toMatchObject(blind)
    const [decided, withdrawn] = [
      await tried(['read', 'decide'], 'POST', path, decision),
      await tried(['read', 'decide'], 'DELETE', withdrawal),
    ]
    for (const answer of [decided, withdrawn]) {
      expect(answer).toMatchObject({ status: 200, seen: [`finding here ${id}`] })
      expect(answer.body.a.quote).toContain('Revenue')
    }
    // Whether it exists or not.
    for (const finding of ['possible-conflicts/pcf_x/dismissal', 'possible-conflicts/pcf_x/acceptance', 'supersessions/sup_x/objection'])
      expect(await tried(['decide'], 'POST', `/api/${finding}`, { reason: 'r', by: 'ada' })).toMatchObject(blind)
    const corrected = { revision: 1, start: 0, text: 'Issued', by: 'ada' }
    expect(await tried(['decide'], 'POST', '/api/documents/audit/corrections?scope_id=here', corrected)).toMatchObject(blind)
    const several = { possible_conflict_ids: ['pcf_x'], verdict: 'dismiss', reason: 'r', by: 'ada' }
    expect((await tried(['decide'], 'POST', '/api/scopes/here/possible-conflicts/decisions', several)).status).toBe(200)
  })
})

describe('how a word of a scan was read before', () => {
  it('is told by acts that answer with the document to who may read', async () => {
    await service.admin('POST', '/admin/runtime/pause', { scope_id: 'here' }, tenant.api_key)
    const said = '“18,500” on page 1 reads “12,500.00”, says j.doe: A stamp lies over it.'
    const cancelled = async (rights: string[], id: string) => {
      const body = { scope_id: 'here', document_id: id, name: id, text: 'The mill.' }
      expect((await call(tenant.api_key, 'POST', '/api/ingest', body)).status).toBe(202)
      await service.database.owner.query('update documents set provenance = $2 where tenant_id = $1 and document_id = $3', [
        tenant.tenant_id,
        said,
        id,
      ])
      const { api_key: key } = await makeKey({ rights })
      return call(key, 'POST', `/api/documents/${id}/cancellation?scope_id=here`, { reason: 'r', by: 'ada' })
    }
    expect(await cancelled(['decide'], 'blind')).toMatchObject({ status: 200, body: { status: 'rejected', provenance: null } })
    expect(await cancelled(['decide', 'read'], 'seeing')).toMatchObject({ status: 200, body: { provenance: said } })
    await service.admin('POST', '/admin/runtime/resume', { scope_id: 'here' }, tenant.api_key)
  })

  it('is left out with any `provenance`, also of a document that is attached', async () => {
    const attached = async (rights: string[], document_id: string) => {
      const { api_key: key } = await makeKey({ rights })
      const body = { document_id, name: document_id, text: 'The mill.', provenance: 'urn:register:4711' }
      return service.admin('POST', '/admin/scopes/elsewhere/documents', body, key)
    }
    expect((await service.admin('POST', '/admin/scopes', { scope_id: 'elsewhere' }, tenant.api_key)).status).toBe(201)
    expect(await attached(['ingest'], 'blind')).toMatchObject({ status: 201, body: { status: 'attached', provenance: null } })
    expect(await attached(['ingest', 'read'], 'seeing')).toMatchObject({ status: 201, body: { provenance: 'urn:register:4711' } })
  })
})

describe('a key for some scopes', () => {
  it('sees and reaches these alone, and is told the same of others whether they exist or not', async () => {
    const key = (await makeKey({ scopes: ['here'] })).api_key
    expect((await call(key, 'GET', '/api/scopes')).body.items.map((scope: { scope_id: string }) => scope.scope_id)).toEqual(['here'])
    expect((await call(key, 'GET', '/api/scopes/here/summary')).status).toBe(200)
    expect((await call(key, 'GET', '/api/scan-languages')).status).toBe(200)
    const [existing, missing] = [await call(key, 'GET', '/api/scopes/there/claims'), await call(key, 'GET', '/api/scopes/nowhere/claims')]
    expect(existing).toMatchObject(refused(/does not reach/))
    expect({ ...missing.body, request_id: '', instance: '' }).toEqual({ ...existing.body, request_id: '', instance: '' })
    expect(await ingest(key, 'there', 'x', 'text')).toMatchObject(refused(/does not reach/))
    const file = (scope: string) => {
      const form = new FormData()
      form.append('scope_id', scope)
      form.append('file', new Blob(['Revenue was EUR 4M.'], { type: 'text/plain' }), 'note.txt')
      return fetch(`${service.url}/api/files`, { method: 'POST', headers: { 'x-tenant-api-key': key }, body: form })
    }
    expect((await file('there')).status).toBe(403)
    expect((await file('here')).status).toBe(202)
    expect(await call(key, 'GET', '/api/documents/audit?scope_id=there')).toMatchObject(refused(/does not reach/))
    expect(await call(key, 'GET', '/api/scopes/there/events')).toMatchObject(refused(/does not reach/))
    const following = new AbortController()
    const stream = await fetch(`${service.url}/api/events`, { headers: { 'x-tenant-api-key': key }, signal: following.signal })
    await ingest(tenant.api_key, 'there', 'unseen', 'text')
    await ingest(tenant.api_key, 'here', 'seen', 'text')
    const decoder = new TextDecoder()
    let told = ''
    for await (const piece of stream.body ?? []) {
      told += decoder.decode(piece, { stream: true })
      if (told.includes('"seen"')) break
    }
    following.abort()
    expect(told).not.toContain('unseen')
  })

  it('does not find a finding of another', async () => {
    const key = (await makeKey({ scopes: ['here'] })).api_key
    const elsewhere = await call(key, 'POST', `/api/contradictions/${await openIn('there')}/resolution`, decision)
    const nowhere = await call(key, 'POST', '/api/contradictions/con_0123456789abcdefghijkl/resolution', decision)
    expect(elsewhere).toMatchObject({ status: 404, body: { code: 'CONTRADICTION_NOT_FOUND' } })
    expect(elsewhere.body.detail).toBe(nowhere.body.detail)
    const claimed = `/api/contradictions/${await openIn('there')}/resolution?reason=r&by=b&scope_id=here`
    expect((await call(key, 'DELETE', claimed)).status).toBe(404)
  })

  it('does not reach what concerns all of them', async () => {
    const key = (await makeKey({ scopes: ['here'] })).api_key
    expect(await service.admin('POST', '/admin/runtime/pause', {}, key)).toMatchObject(refused(/all of them/))
    expect((await service.admin('POST', '/admin/runtime/pause', { scope_id: 'here' }, key)).status).toBe(200)
    expect((await service.admin('POST', '/admin/runtime/resume', { scope_id: 'here' }, key)).status).toBe(200)
  })
})

describe('a key of a person', () => {
  it('acts for nobody else, and the audit names the person', async () => {
    const { api_key: key, key_id: keyId } = await makeKey({ person: 'ada', label: 'desk' })
    const id = await openIn('here')
    expect(await call(key, 'POST', `/api/contradictions/${id}/resolution`, { ...decision, by: 'bob' })).toMatchObject(
      refused(/"ada" alone/),
    )
    expect((await call(key, 'POST', `/api/contradictions/${id}/resolution`, decision)).status).toBe(200)
    // As the key spells the name, in a body and in a query.
    const withdrawn = await call(key, 'DELETE', `/api/contradictions/${id}/resolution?reason=again&by=A%20d%20a`)
    expect(withdrawn, JSON.stringify(withdrawn.body)).toMatchObject({ status: 200 })
    const spelled = await call(key, 'POST', `/api/contradictions/${id}/resolution`, { ...decision, by: ' ADA\u00ad' })
    expect(spelled).toMatchObject({ status: 200, body: { resolution: { by: 'ada' } } })
    await service.admin('GET', '/admin/scopes', undefined, key)
    const { body } = await service.admin('GET', '/admin/audit?action=listScopes')
    expect(body.items[0].detail).toEqual({ tenant_key: keyId, person: 'ada' })
  })

  it('is needed where policy asks for two people, and names in requests count for nobody', async () => {
    const permit = 'permit (principal, action, resource);'
    const policies = `${permit}
@id("second") @outcome("hold") @reason("A second person looks.")
forbid (principal, action == Action::"resolution", resource);
@id("two-people") @outcome("reject") @reason("Two different people, each with a key of their own.")
forbid (principal, action == Action::"review", resource)
unless { principal.bound && context.proposed_by_bound && principal.name != context.proposed_by };`
    const put = (set: string) => service.admin('PUT', '/admin/scopes/there/policies', { policies: set }, tenant.api_key)
    expect((await put(permit)).status).toBe(200)
    const id = await openIn('there')
    expect((await put(policies)).status).toBe(200)
    const [ada, bob] = [(await makeKey({ person: 'ada' })).api_key, (await makeKey({ person: 'bob' })).api_key]
    const held = await call(ada, 'POST', `/api/contradictions/${id}/resolution`, decision)
    expect(held.status).toBe(409)
    const { body: waiting } = await call(ada, 'GET', '/api/scopes/there/decisions?review=pending')
    const review = `/api/decisions/${waiting.items[0].decision_id}/review`
    const approve = { verdict: 'approve', reason: 'Checked.' }
    expect((await call(ada, 'POST', review, { ...approve, by: 'ada' })).status).toBe(409)
    // Anybody can be named by a key that speaks for all.
    expect((await call(tenant.api_key, 'POST', review, { ...approve, by: 'bob' })).status).toBe(409)
    // Nor is it another person who is only spelled differently.
    const { api_key: again } = await makeKey({ person: 'Ada\u00ad' })
    expect((await call(again, 'POST', review, { ...approve, by: 'Ada\u00ad' })).status).toBe(409)
    expect((await call(bob, 'POST', review, { ...approve, by: 'bob' })).status).toBe(200)
    const { body: resolved } = await call(ada, 'GET', '/api/scopes/there/contradictions?status=resolved')
    expect(resolved.items.map((item: { contradiction_id: string }) => item.contradiction_id)).toContain(id)
  })

  it('is asked for when it is to speak for nobody else', async () => {
    const answer = await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, { speak_for: false })
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/speak_for' }] } })
  })
})

describe('a key with an end', () => {
  it('is answered no more, also where the call began before', async () => {
    const { api_key: key, key_id: keyId } = await makeKey({ rights: ['read'] })
    const runtime = (to: string) => service.admin('POST', `/admin/runtime/${to}`, { scope_id: 'here' }, tenant.api_key)
    expect((await runtime('pause')).status).toBe(200)
    expect((await ingest(tenant.api_key, 'here', 'late', 'The rent is EUR 4,000 a month.')).status).toBe(202)
    const waiting = call(key, 'GET', '/api/documents/late?scope_id=here&wait=30')
    expect((await call(key, 'GET', '/api/documents/late?scope_id=here')).body.status).toBe('queued')
    await service.admin('DELETE', `/admin/tenants/${tenant.tenant_id}/keys/${keyId}`)
    expect((await runtime('resume')).status).toBe(200)
    expect(await waiting).toMatchObject({ status: 401, body: { code: 'TENANT_KEY_INVALID' } })
  })

  it.each([
    [
      '/api/ingest',
      'application/json',
      ['{"scope_id":"here","document_id":"slow-text","name":"slow",', '"text":"The rent is EUR 4,000."}'],
    ],
    [
      '/api/files',
      'multipart/form-data; boundary=x',
      [
        '--x\r\ncontent-disposition: form-data; name="scope_id"\r\n\r\nhere\r\n--x\r\ncontent-disposition: form-data; name="document_id"\r\n\r\nslow-file\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nThe rent',
        ' is EUR 4,000.\r\n--x--\r\n',
      ],
    ],
  ])('hands in nothing whose end comes after its own: %s', async (path, type, [begin, end]) => {
    const { api_key: key, key_id: keyId } = await makeKey({ rights: ['ingest'] })
    const headers = { 'x-tenant-id': tenant.tenant_id, 'x-tenant-api-key': key, 'content-type': type, expect: '100-continue' }
    const sent = request(`${service.url}${path}`, { method: 'POST', headers })
    const answered = new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
      sent.on('error', reject).on('response', async response => {
        let text = ''
        for await (const piece of response) text += piece
        resolve({ status: response.statusCode, body: JSON.parse(text) })
      })
    })
    // The body is asked for once it is known whose it is.
    await once(sent, 'continue')
    sent.write(begin)
    await service.admin('DELETE', `/admin/tenants/${tenant.tenant_id}/keys/${keyId}`)
    await vi.waitFor(async () => expect((await call(key, 'GET', '/api/me')).status).toBe(401))
    // As long after its end as that may take to be known everywhere.
    clock.aheadMs += 1000
    sent.end(end)
    expect(await answered).toMatchObject({ status: 401, body: { code: 'TENANT_KEY_INVALID' } })
    const { body } = await call(tenant.api_key, 'GET', '/api/scopes/here/documents?limit=200')
    expect(body.items.map((item: { document_id: string }) => item.document_id)).not.toContain(
      `slow-${path.endsWith('s') ? 'file' : 'text'}`,
    )
  })

  it('works until then and no longer', async () => {
    const soon = (await makeKey({ expires_at: new Date(Date.now() + 60_000).toISOString() })).api_key
    expect((await call(soon, 'GET', '/api/scopes')).status).toBe(200)
    for (const wrong of [
      'tomorrow',
      '2026-02-31',
      '0000-01-01T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2020-01-01T00:00:00Z',
      '2090-02-30T00:00:00Z',
    ]) {
      const answer = await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, { expires_at: wrong })
      expect(answer, wrong).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', errors: expect.arrayContaining([expect.objectContaining({ pointer: '/expires_at' })]) },
      })
    }
    expect(await makeKey({ expires_at: '9999-12-31T23:59:59-12:00' })).toMatchObject({ expires_at: '9999-12-31T23:59:59.999Z' })
    const over = await makeKey({ expires_at: new Date(Date.now() + 60_000).toISOString() })
    await service.database.owner.query('update tenant_keys set expires_at = clock_timestamp() where key_id = $1', [over.key_id])
    expect(await call(over.api_key, 'GET', '/api/scopes')).toMatchObject({ status: 401, body: { code: 'TENANT_KEY_INVALID' } })
  })
})
