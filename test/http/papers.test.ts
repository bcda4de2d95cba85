/** What is handed on of a case: the schedule of contradictions, and the bundle. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileForm } from '../support/multipart.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const said = { first: 'Vela Ltd: net debt at 31 March 2025 was EUR 17.5M.', second: 'Vela Ltd: net debt at 31 March 2025 was EUR 12.0M.' }
const dangerous = '=HYPERLINK("http://evil.example") <&> "quoted"'

interface Case {
  tenantId: string
  headers: Record<string, string>
  upload(documentId: string, name: string, bytes: Buffer): Promise<void>
  read(path: string, headers?: Record<string, string>): Promise<Response>
}

async function openCase(): Promise<Case> {
  const tenant = await service.createTenant()
  const headers = { 'x-tenant-api-key': tenant.api_key }
  const upload: Case['upload'] = async (documentId, name, bytes) => {
    const form = fileForm({ scope_id: 'case', document_id: documentId, name }, { bytes, name })
    const answer = await service.call('POST', '/api/files', { headers: { ...headers, ...form.headers }, raw: form.raw })
    expect(answer.status, answer.text).toBe(202)
    const read = await service.call('GET', `/api/documents/${documentId}?scope_id=case&wait=30`, { headers })
    expect(read.body.status, read.text).toBe('indexed')
  }
  await upload('first', 'Note of March.txt', Buffer.from(said.first))
  await upload('second', 'Audit letter.txt', Buffer.from(said.second))
  return {
    tenantId: tenant.tenant_id,
    headers,
    upload,
    read: (path, more = {}) => fetch(`${service.url}${path}`, { headers: { ...headers, ...more } }),
  }
}

async function decide({ headers }: Case): Promise<void> {
  const found = await service.call('GET', '/api/scopes/case/contradictions', { headers })
  const id = found.body.items[0].contradiction_id
  const body = { verdict: 'both', reason: `Two dates of booking. ${dangerous}`, by: 'Ada' }
  expect((await service.call('POST', `/api/contradictions/${id}/resolution`, { headers, body })).status).toBe(200)
}

describe('the schedule of contradictions', () => {
  it.each(['docx', 'xlsx'])('is a file that can be read again, with both quotes, papers and the decision (%s)', async format => {
    const opened = await openCase()
    await decide(opened)
    const answer = await opened.read(`/api/scopes/case/schedule?format=${format}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toContain(`case contradictions.${format}`)
    expect(answer.headers.get('content-type')).toContain('openxmlformats')
    await opened.upload('schedule', `schedule.${format}`, Buffer.from(await answer.arrayBuffer()))
    const text = (await service.call('GET', '/api/documents/schedule/text?scope_id=case', { headers: opened.headers })).text
    for (const words of [
      said.first,
      said.second,
      'Note of March.txt',
      'Audit letter.txt',
      'Both stand',
      'Ada',
      'Two dates of booking.',
      dangerous,
    ])
      expect(text).toContain(words)
  })

  it('has what the filters ask for, and refuses others', async () => {
    const opened = await openCase()
    await decide(opened)
    const open = await opened.read('/api/scopes/case/schedule?status=open&format=docx')
    const all = await opened.read('/api/scopes/case/schedule?format=docx')
    expect(Number(open.headers.get('content-length'))).toBeLessThan(Number(all.headers.get('content-length')))
    await Promise.all([open.arrayBuffer(), all.arrayBuffer()])
    for (const [path, status] of [
      ['/api/scopes/case/schedule?format=pdf', 400],
      ['/api/scopes/none/schedule', 404],
      ['/api/scopes/none/bundle', 404],
    ] as const)
      expect((await opened.read(path)).status).toBe(status)
    const stranger = { 'x-tenant-api-key': (await service.createTenant()).api_key }
    expect((await service.call('GET', '/api/scopes/case/bundle', { headers: stranger })).body.code).toBe('SCOPE_NOT_FOUND')
    const wanted = { label: 'in', rights: ['ingest'] }
    const { api_key } = (await service.admin('POST', `/admin/tenants/${opened.tenantId}/keys`, wanted)).body
    expect((await service.call('GET', '/api/scopes/case/schedule', { headers: { 'x-tenant-api-key': api_key } })).status).toBe(403)
  })
})

describe('the bundle', () => {
  it('holds schedule, cited papers, keys and how to verify, and goes on where it broke off', async () => {
    const opened = await openCase()
    const answer = await opened.read('/api/scopes/case/bundle')
    expect(answer.status).toBe(200)
    const whole = Buffer.from(await answer.arrayBuffer())
    expect(whole.length).toBe(Number(answer.headers.get('content-length')))
    const parts = partsOf(whole)
    expect([...parts.keys()]).toEqual([
      'README.txt',
      'schedule.docx',
      'schedule.xlsx',
      'keys.json',
      'papers.json',
      'papers/001 Note of March.txt',
      'papers/002 Audit letter.txt',
    ])
    expect(parts.get('papers/001 Note of March.txt')?.toString()).toBe(said.first)
    expect(JSON.parse(parts.get('keys.json')?.toString() ?? '').keys.length).toBeGreaterThan(0)
    expect(parts.get('README.txt')?.toString()).toContain('no certificate')
    const etag = answer.headers.get('etag') ?? ''
    const rest = await opened.read('/api/scopes/case/bundle', { range: 'bytes=700-', 'if-range': etag })
    expect(rest.status).toBe(206)
    expect(Buffer.from(await rest.arrayBuffer()).equals(whole.subarray(700))).toBe(true)
    expect((await opened.read('/api/scopes/case/bundle', { range: `bytes=${whole.length}-` })).status).toBe(416)
    await decide(opened)
    const changed = await opened.read('/api/scopes/case/bundle', { range: 'bytes=700-', 'if-range': etag })
    expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false])
    await changed.arrayBuffer()
    const seen = await service.database.owner.query('select object from audit_log where tenant_id = $1 and object is not null order by 1', [
      opened.tenantId,
    ])
    expect(seen.rows.map(row => row.object)).toEqual(['original case first 1', 'original case second 1'])
  })

  it('holds the text of papers that came as text', async () => {
    const tenant = await service.createTenant()
    const headers = { 'x-tenant-api-key': tenant.api_key }
    for (const [id, text] of Object.entries(said)) {
      await service.call('POST', '/api/ingest', { headers, body: { scope_id: 'case', document_id: id, name: `The ${id}`, text } })
      await service.call('GET', `/api/documents/${id}?scope_id=case&wait=30`, { headers })
    }
    const answer = await fetch(`${service.url}/api/scopes/case/bundle`, { headers })
    const parts = partsOf(Buffer.from(await answer.arrayBuffer()))
    expect(parts.get('papers/002 The second.txt')?.toString()).toBe(said.second)
  })

  it('leaves out what was erased, and says so', async () => {
    const opened = await openCase()
    await service.call('DELETE', '/api/documents/first?scope_id=case', { headers: opened.headers })
    const answer = await opened.read('/api/scopes/case/bundle')
    const whole = Buffer.from(await answer.arrayBuffer())
    expect(whole.includes(said.first)).toBe(false)
    expect(whole.includes('Note of March')).toBe(false)
  })
})

/** By the listing at its end, as programs read it. */
function partsOf(archive: Buffer): Map<string, Buffer> {
  const parts = new Map<string, Buffer>()
  let at = archive.readUInt32LE(archive.length - 6)
  for (let left = archive.readUInt16LE(archive.length - 12); left > 0; left--) {
    const [bytes, nameBytes, offset] = [archive.readUInt32LE(at + 24), archive.readUInt16LE(at + 28), archive.readUInt32LE(at + 42)]
    const name = archive.toString('utf8', at + 46, at + 46 + nameBytes)
    const start = offset + 30 + archive.readUInt16LE(offset + 26)
    parts.set(name, archive.subarray(start, start + bytes))
    at += 46 + nameBytes
  }
  return parts
}
