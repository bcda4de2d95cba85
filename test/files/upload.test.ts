import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeStaleUploads } from '../../src/store/documents/files.js'
import { removeOldTexts } from '../../src/store/maintenance/text-retention.js'
import { removeDeletedTenants, removeOldGenerations } from '../../src/store/scopes/reset-removal.js'
import { type FormFile, fileForm, formBody, formType } from '../support/multipart.js'
import { startTestService, type TestAnswer, type TestService } from '../support/service.js'

let service: TestService
beforeAll(async () => {
  // Nothing is processed: what is tested here is what happens before.
  service = await startTestService({ MAX_FILE_BYTES: String(1024 * 1024) })
  await service.admin('POST', '/admin/runtime/pause')
})
afterAll(() => service.stop())

type Tenant = Awaited<ReturnType<TestService['createTenant']>>
const keyOf = (tenant: Tenant) => ({ 'x-tenant-api-key': tenant.api_key })
const pdf = (bytes = 100) => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(bytes)])

function upload(tenant: Tenant, fields: Record<string, string>, file: FormFile, headers: Record<string, string> = {}): Promise<TestAnswer> {
  const form = fileForm({ scope_id: 'case', ...fields }, file)
  return service.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...form.headers, ...headers }, raw: form.raw })
}

async function original(tenant: Tenant, documentId: string, query = '', method = 'GET') {
  const response = await fetch(`${service.url}/api/documents/${documentId}/original?scope_id=case${query}`, {
    method,
    headers: keyOf(tenant),
  })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const rowsOf = async (table: string, tenant: Tenant) =>
  (await service.database.owner.query(`select count(*)::integer as n from ${table} where tenant_id = $1`, [tenant.tenant_id])).rows[0]
    .n as number
const usage = async (tenant: Tenant) => (await service.admin('GET', `/admin/tenants/${tenant.tenant_id}/limits`)).body.usage

describe('handing a file in', () => {
  it('queues a document and keeps the original byte for byte', async () => {
    const tenant = await service.createTenant()
    const bytes = pdf(300_000)
    const sha256 = createHash('sha256').update(bytes).digest()
    const { status, body } = await upload(tenant, { document_id: 'd', source: 'auditor' }, { bytes, name: 'Übersicht "Q1".pdf' })
    expect(status).toBe(202)
    expect(body).toEqual({
      scope_id: 'case',
      name: expect.stringContaining('bersicht'),
      type: 'pdf',
      document_id: 'd',
      idempotency_key: null,
      queued: true,
      seq: 0,
      integration_version: 'v1',
      message: 'Document queued for processing.',
      file: { sha256: sha256.toString('hex'), media_type: 'application/pdf', bytes: bytes.length },
    })
    const record = await service.call('GET', '/api/documents/d?scope_id=case', { headers: keyOf(tenant) })
    expect(record.body).toMatchObject({
      status: 'queued',
      type: 'pdf',
      source: 'auditor',
      file: { kept: true, extractor: null, notes: [] },
    })
    const read = await original(tenant, 'd')
    expect(read.response.status).toBe(200)
    expect(read.bytes.equals(bytes)).toBe(true)
    expect(Object.fromEntries(read.response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': expect.stringMatching(/^attachment; filename="[^"]*"; filename\*=UTF-8''[\w%.-]+$/),
      'repr-digest': `sha-256=:${sha256.toString('base64')}:`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    const head = await original(tenant, 'd', '', 'HEAD')
    expect([head.response.status, head.bytes.length, head.response.headers.get('content-length')]).toEqual([200, 0, String(bytes.length)])
    expect(await rowsOf('uploads', tenant)).toBe(0)
    expect((await usage(tenant)).bytes).toBe(bytes.length)
  })

  it('gives parts of the original, with one row in the audit log for a reading however many parts it has', async () => {
    const tenant = await service.createTenant()
    const bytes = pdf(300_000)
    await upload(tenant, { document_id: 'd' }, { bytes })
    const part = async (range: string, more: Record<string, string> = {}) => {
      const headers = { ...keyOf(tenant), range, ...more }
      const response = await fetch(`${service.url}/api/documents/d/original?scope_id=case`, { headers })
      return { response, bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const chunk = 128 * 1024
    for (const [first, last] of [
      [0, 0],
      [chunk - 1, chunk],
      [10, 290_000],
      [chunk, 2 * chunk - 1],
    ] as const) {
      const read = await part(`bytes=${first}-${last}`)
      expect(read.response.status).toBe(206)
      expect(read.response.headers.get('content-range')).toBe(`bytes ${first}-${last}/${bytes.length}`)
      expect(read.bytes.equals(bytes.subarray(first, last + 1))).toBe(true)
    }
    const tail = await part('bytes=-7')
    expect(tail.bytes.equals(bytes.subarray(-7))).toBe(true)
    const etag = tail.response.headers.get('etag') ?? ''
    expect((await part('bytes=0-1', { 'if-range': etag })).response.status).toBe(206)
    expect((await part('bytes=0-1', { 'if-range': '"another"' })).response.status).toBe(200)
    const beyond = await part(`bytes=${bytes.length}-`)
    expect([beyond.response.status, beyond.response.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])
    const readings = async () =>
      (
        await service.database.owner.query("select detail from audit_log where tenant_id = $1 and action = 'getOriginal'", [
          tenant.tenant_id,
        ])
      ).rows.map(row => row.detail as { document_id: string; revision: number })
    expect(await readings()).toEqual([{ document_id: 'd', revision: 1 }])
    await service.call('DELETE', '/api/documents/d?scope_id=case&reason=r&by=b', { headers: keyOf(tenant) })
    expect((await part('bytes=0-1')).response.status).toBe(404)
    expect(await readings()).toHaveLength(1)
  })

  it('does the same on the admin route, for the scope in the path', async () => {
    const tenant = await service.createTenant()
    const form = fileForm({ document_id: 'd' }, { bytes: pdf() })
    const headers = { authorization: `Bearer ${service.adminKey}`, ...keyOf(tenant), ...form.headers }
    const missing = await service.call('POST', '/admin/scopes/case/files', { headers, raw: form.raw })
    expect([missing.status, await rowsOf('file_chunks', tenant)]).toEqual([404, 0])
    await service.admin('POST', '/admin/scopes', { scope_id: 'case' }, tenant.api_key)
    const answer = await service.call('POST', '/admin/scopes/case/files', { headers, raw: form.raw })
    expect(answer.status, answer.text).toBe(202)
    expect((await original(tenant, 'd')).response.status).toBe(200)
  })

  it('keeps the original of every revision', async () => {
    const tenant = await service.createTenant()
    const files = [pdf(), pdf()]
    for (const bytes of files) await upload(tenant, { document_id: 'd' }, { bytes })
    expect((await original(tenant, 'd')).bytes.equals(files[1]!)).toBe(true)
    expect((await original(tenant, 'd', '&revision=1')).bytes.equals(files[0]!)).toBe(true)
    expect((await original(tenant, 'd', '&revision=3')).response.status).toBe(404)
  })

  it('answers a repeated key with the first answer, and refuses it for another file', async () => {
    const tenant = await service.createTenant()
    const bytes = pdf()
    const first = await upload(tenant, { idempotency_key: 'k' }, { bytes, name: 'a.pdf' })
    const again = await upload(tenant, {}, { bytes, name: 'a.pdf' }, { 'idempotency-key': 'k' })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
    const other = await upload(tenant, { idempotency_key: 'k' }, { bytes: pdf(), name: 'a.pdf' })
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    const renamed = await upload(tenant, { idempotency_key: 'k' }, { bytes, name: 'b.pdf' })
    expect(renamed.status).toBe(422)
    expect([await rowsOf('documents', tenant), await rowsOf('file_chunks', tenant), await rowsOf('uploads', tenant)]).toEqual([1, 1, 0])
  })

  it('names what it reads when it is something else, whatever its name', async () => {
    const tenant = await service.createTenant()
    const image = Buffer.concat([Buffer.from('GIF89a\0'), randomBytes(200_000)])
    const answer = await upload(tenant, {}, { bytes: image, name: 'report.pdf', type: 'application/pdf' })
    expect([answer.status, answer.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(answer.body.detail).toMatch(/^It is called a PDF file, .* supported: PDF, DOCX, XLSX, PPTX/)
    const text = await upload(tenant, {}, { bytes: 'The revenue was EUR 4M.', name: 'report.pdf' })
    expect([text.status, text.body.type]).toEqual([202, 'txt'])
    expect(await rowsOf('uploads', tenant)).toBe(0)
  })

  it('refuses what is too large, empty, out of order, unknown, repeated or not whole', async () => {
    const tenant = await service.createTenant()
    const file = { bytes: pdf() }
    const send = (raw: Buffer, headers: Record<string, string> = {}) =>
      service.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...formType, ...headers }, raw })
    const scope: [string, string] = ['scope_id', 'case']
    const large = await upload(tenant, {}, { bytes: pdf(1024 * 1024) })
    expect([large.status, large.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const refused: [Buffer, string][] = [
      [formBody([scope, ['file', { bytes: '' }]]), '/file'],
      [formBody([['file', file], scope]), '/scope_id'],
      [formBody([scope, ['file', file], ['name', 'late']]), '/name'],
      [formBody([scope, ['colour', 'red'], ['file', file]]), '/colour'],
      [formBody([scope, scope, ['file', file]]), '/scope_id'],
      [formBody([scope, ['name', ''], ['file', file]]), '/name'],
      [formBody([scope, ['name', 'n'.repeat(501)], ['file', file]]), '/name'],
      [formBody([scope, ['document_id', 'a\u0000b'], ['file', file]]), '/document_id'],
      [formBody([scope, ['file', file], ['file', file]]), '/file'],
      [formBody([scope]), '/file'],
      [formBody([scope, ['file', file]], { end: false }), ''],
      [Buffer.from('nothing of the kind'), ''],
    ]
    for (const [raw, pointer] of refused) {
      const answer = await send(raw)
      expect([answer.status, answer.body.code, answer.body.errors[0].pointer], pointer).toEqual([400, 'VALIDATION_FAILED', pointer])
    }
    const late = await send(formBody([['file', file], scope]))
    expect(late.body.errors).toEqual([{ pointer: '/scope_id', detail: 'is required, and fields must come before the file' }])
    const json = await service.call('POST', '/api/files', { headers: keyOf(tenant), body: { scope_id: 'case' } })
    expect(json.status).toBe(415)
    const ingest = await service.call('POST', '/api/ingest', {
      headers: { 'x-tenant-id': tenant.tenant_id, ...formType },
      raw: formBody([scope]),
    })
    expect(ingest.status).toBe(415)
    expect([await rowsOf('documents', tenant), await rowsOf('file_chunks', tenant), await rowsOf('uploads', tenant)]).toEqual([0, 0, 0])
  })

  it('always needs a key, and shows nothing to another tenant', async () => {
    const tenant = await service.createTenant()
    const stranger = await service.createTenant()
    const form = fileForm({ scope_id: 'case' }, { bytes: pdf() })
    const bare = await service.call('POST', '/api/files', { headers: { 'x-tenant-id': tenant.tenant_id, ...form.headers }, raw: form.raw })
    expect([bare.status, bare.body.code]).toEqual([401, 'AUTH_MISSING'])
    await upload(tenant, { document_id: 'd' }, { bytes: pdf() })
    await upload(stranger, { document_id: 'other' }, { bytes: pdf() })
    expect((await original(stranger, 'd')).response.status).toBe(404)
  })

  it('has no original for a document that came as text', async () => {
    const tenant = await service.createTenant()
    const body = { scope_id: 'case', name: 'n', text: 't', document_id: 'd' }
    await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
    const { response, bytes } = await original(tenant, 'd')
    expect([response.status, JSON.parse(bytes.toString()).code]).toEqual([404, 'ORIGINAL_NOT_FOUND'])
  })
})

describe('room for files', () => {
  it('is counted while a file comes, and given back when it does not come whole', async () => {
    const tenant = await service.createTenant()
    await service.admin('PUT', `/admin/tenants/${tenant.tenant_id}/limits`, { bytes: 500_000 })
    const form = fileForm({ scope_id: 'case' }, { bytes: pdf(400_000) })
    const headers = { ...keyOf(tenant), ...form.headers, 'content-length': String(form.raw.length) }
    const slow = httpRequest(`${service.url}/api/files`, { method: 'POST', headers })
    slow.on('error', () => undefined)
    slow.write(form.raw.subarray(0, 300_000))
    await expect.poll(() => usage(tenant).then(used => used.bytes)).toBe(2 * 128 * 1024)
    // The service has transactions of its own, which are short: one that an upload keeps open would stay.
    const open = () =>
      service.database.owner.query(
        "select count(*)::integer as n from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
      )
    await expect.poll(async () => (await open()).rows[0].n).toBe(0)
    const refused = await upload(tenant, {}, { bytes: pdf(300_000) })
    expect([refused.status, refused.body.code]).toEqual([403, 'QUOTA_EXCEEDED'])
    slow.destroy()
    await expect.poll(() => usage(tenant).then(used => used.bytes)).toBe(0)
    expect(await rowsOf('file_chunks', tenant)).toBe(0)
    expect((await upload(tenant, {}, { bytes: pdf(300_000) })).status).toBe(202)
  })

  it('is given back when the tenant is deleted before the file has come, and nothing is made for it', async () => {
    const tenant = await service.createTenant()
    const form = fileForm({ scope_id: 'case' }, { bytes: pdf(400_000) })
    const headers = { ...keyOf(tenant), ...form.headers, 'content-length': String(form.raw.length) }
    const slow = httpRequest(`${service.url}/api/files`, { method: 'POST', headers })
    const answered = once(slow, 'response') as Promise<[IncomingMessage]>
    slow.write(form.raw.subarray(0, 300_000))
    await expect.poll(() => rowsOf('file_chunks', tenant)).toBe(2)
    await service.admin('DELETE', `/admin/tenants/${tenant.tenant_id}`)
    await removeDeletedTenants(service.database.db, { batchRows: 100, batches: 100 })
    slow.end(form.raw.subarray(300_000))
    const [answer] = await answered
    expect([answer.statusCode, await json(answer)]).toEqual([401, expect.objectContaining({ code: 'TENANT_KEY_INVALID' })])
    for (const table of ['scopes', 'documents', 'file_chunks']) expect([table, await rowsOf(table, tenant)]).toEqual([table, 0])
  })

  it('is given back after an hour where a process died over an upload', async () => {
    const tenant = await service.createTenant()
    const { owner, db } = service.database
    await owner.query(
      `insert into uploads (tenant_id, file_id, bytes, created_at) values ($1, 'old', 3, now() - interval '61 minutes'), ($1, 'new', 3, now())`,
      [tenant.tenant_id],
    )
    await owner.query(`insert into file_chunks (tenant_id, file_id, chunk_no, data) values ($1, 'old', 0, 'abc'), ($1, 'new', 0, 'abc')`, [
      tenant.tenant_id,
    ])
    expect(await removeStaleUploads(db, 10)).toBe(1)
    expect([await rowsOf('uploads', tenant), await rowsOf('file_chunks', tenant)]).toEqual([1, 1])
  })
})

describe('originals leave', () => {
  it('with the document when it is erased', async () => {
    const tenant = await service.createTenant()
    await upload(tenant, { document_id: 'd' }, { bytes: pdf(1000) })
    await upload(tenant, { document_id: 'd' }, { bytes: pdf(1000) })
    const erased = await service.call('DELETE', '/api/documents/d?scope_id=case', { headers: keyOf(tenant) })
    expect(erased.body).toMatchObject({ status: 'rejected', file: { kept: false, sha256: expect.any(String) } })
    expect((await original(tenant, 'd')).response.status).toBe(404)
    expect((await original(tenant, 'd', '&revision=1')).response.status).toBe(404)
    expect([await rowsOf('file_chunks', tenant), (await usage(tenant)).bytes]).toEqual([0, 0])
  })

  it('with the scope when it is reset, and with the tenant', async () => {
    const tenant = await service.createTenant()
    await upload(tenant, { document_id: 'd' }, { bytes: pdf() })
    await service.admin('POST', '/admin/scopes/case/reset', undefined, tenant.api_key)
    expect((await original(tenant, 'd')).response.status).toBe(404)
    await removeOldGenerations(service.database.db, { batchRows: 100, batches: 100 })
    expect([await rowsOf('file_chunks', tenant), (await usage(tenant)).bytes]).toEqual([0, 0])
    await upload(tenant, { document_id: 'd' }, { bytes: pdf() })
    await service.admin('DELETE', `/admin/tenants/${tenant.tenant_id}`)
    await expect
      .poll(async () => {
        await removeDeletedTenants(service.database.db, { batchRows: 100, batches: 100 })
        return rowsOf('file_chunks', tenant)
      })
      .toBe(0)
  })

  it('after their time, where a time is set', async () => {
    const tenant = await service.createTenant()
    await upload(tenant, { document_id: 'd' }, { bytes: pdf(1000) })
    await service.database.owner.query(
      "update documents set status = 'indexed', received_at = now() - interval '3 days' where tenant_id = $1",
      [tenant.tenant_id],
    )
    while ((await removeOldTexts(service.database.db, 2, 10)) > 0);
    expect([await rowsOf('file_chunks', tenant), (await usage(tenant)).bytes]).toEqual([0, 0])
    expect((await original(tenant, 'd')).response.status).toBe(404)
  })
})
