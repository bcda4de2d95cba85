/** Legal holds over HTTP: every way to remove something is refused while one stands, and lifting is on record. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../src/client/index.js'
import { runRetention } from '../../src/events/retention.js'
import { runTextRetention } from '../../src/scopes/documents/text-retention.js'
import { chainAuditLog, shortenAuditLog } from '../../src/tenancy/audit.js'
import { mailOf } from '../support/mail.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
let tenant: { tenant_id: string; api_key: string }
let client: ReturnType<typeof createClient>

const said = { by: 'j.doe', reason: 'Litigation is expected.' }
const onHold = { code: 'LEGAL_HOLD', status: 409 }

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  tenant = await service.createTenant()
  client = createClient({ url: service.url, tenantKey: tenant.api_key, internalsKey: service.internalsKey })
  for (const id of ['offer', 'letter']) {
    await client.ingest({ scope_id: 'case', name: id, document_id: id, text: `The price of the ${id} is EUR 40.` })
    await client.document('case', id, { wait: 30 })
  }
})

const erase = (documentId: string) => client.eraseDocument('case', documentId)
const sql = (text: string, values: unknown[] = []) => service.database.owner.query(text, values)

/** Everything there is is forty days old, and thirty are kept. */
async function keepThirtyDays(): Promise<void> {
  const { db } = service.database
  await expect.poll(async () => (await chainAuditLog(db)) + (await openAudits())).toBe(0)
  const old = { documents: 'received_at', events: 'time', idempotency_keys: 'created_at', audit_log: 'at' }
  for (const [table, column] of Object.entries(old)) await sql(`update ${table} set ${column} = ${column} - interval '40 days'`)
  await runTextRetention({ db, config: { textRetentionDays: 30 } })
  await runRetention({ db, config: { eventRetentionDays: 30, idempotencyRetentionHours: 48 } })
  await shortenAuditLog(db, 30)
}
const openAudits = async () => (await sql('select count(*)::int as n from audit_log where hash is null')).rows[0].n as number

/** What retention could take: texts, events, idempotency keys and audit rows of the case. */
async function left(): Promise<Record<string, number>> {
  const { rows } = await sql(
    `select (select count(*) from documents where tenant_id = $1 and document_id = 'offer' and text is not null)::int as texts,
       (select count(*) from events where tenant_id = $1 and scope_no <> 0)::int as events,
       (select count(*) from idempotency_keys where tenant_id = $1)::int as keys,
       (select count(*) from audit_log where tenant_id = $1 and scope_id = 'case')::int as audit`,
    [tenant.tenant_id],
  )
  return rows[0]
}

describe.each([
  ['case', {}, 'The case is on legal hold'],
  ['document', { documentId: 'offer' }, 'The document offer is on legal hold'],
] as const)('every way to remove something, with a %s on hold', (_, held, words) => {
  const ways: [string, () => Promise<unknown>][] = [
    ['erasing the document', () => erase('offer')],
    [
      'erasing it by its id in the query',
      () => service.call('DELETE', '/api/documents?scope_id=case&document_id=offer', { headers: key() }),
    ],
    ['deleting the case', () => client.deleteScope('case')],
    ['resetting the case', () => client.admin.reset('case')],
    ['deleting the tenant', () => service.admin('DELETE', `/admin/tenants/${tenant.tenant_id}`)],
  ]
  const key = () => ({ 'x-tenant-api-key': tenant.api_key })
  /** However it was asked for. */
  const answerOf = async (asked: Promise<unknown>) => {
    const answer = (await asked.catch((error: unknown) => error)) as { status: number; body?: { code: string; detail: string } }
    return { ...(answer.body ?? (answer as unknown as { code: string; detail: string })), status: answer.status }
  }

  it('is refused and says who set it; retention leaves it; lifted, all of it works', async () => {
    expect(await client.hold('case', said, held)).toMatchObject({ by: 'j.doe', reason: said.reason, vouched: false, changed: true })
    for (const [way, remove] of ways) {
      const answer = await answerOf(remove())
      expect(answer, way).toMatchObject(onHold)
      expect(answer.detail, way).toMatch(/is on legal hold, set by j\.doe on 20/)
      if (way !== 'deleting the tenant') expect(answer.detail, way).toContain(words)
      else expect(answer.detail).toContain('documentId' in held ? 'The document offer of the case case' : 'The case case')
    }
    const before = await left()
    expect(before).toEqual({ texts: 1, events: expect.any(Number), keys: 2, audit: expect.any(Number) })
    await keepThirtyDays()
    expect(await left()).toEqual(before)
    // What somebody hands in anew removes nothing of what is held.
    await client.ingest({ scope_id: 'case', name: 'offer', document_id: 'offer', text: 'The price of the offer is EUR 50.' })
    await client.document('case', 'offer', { wait: 30 })
    expect(await client.documentText('case', 'offer', { revision: 1 })).toContain('EUR 40')

    const lifted = await client.liftHold('case', { by: 'a.roe', reason: 'The case was settled.' }, held)
    expect(lifted).toMatchObject({ changed: true, lifted: { by: 'a.roe', reason: 'The case was settled.', vouched: false } })
    await keepThirtyDays()
    expect(await left()).toEqual({ texts: 0, events: 0, keys: 0, audit: 0 })
    expect((await erase('offer')).erased_at).not.toBeNull()
    await client.admin.reset('case')
    await client.deleteScope('case')
    expect((await service.admin('DELETE', `/admin/tenants/${tenant.tenant_id}`)).status).toBe(200)
  })
})

describe('a case on hold', () => {
  it('shows it on the case, its documents and the list, and tells of it', async () => {
    const { hold_id } = await client.hold('case', said)
    const hold = { of: 'case', hold_id, by: 'j.doe', reason: said.reason }
    expect((await client.summary('case')).legal_hold).toMatchObject(hold)
    expect((await client.scopes().toArray())[0]?.legal_hold).toMatchObject(hold)
    expect((await client.document('case', 'letter')).legal_hold).toMatchObject(hold)
    expect(await client.holds('case').toArray()).toMatchObject([{ hold_id, scope_id: 'case', lifted: null }])
    await client.liftHold('case', said)
    expect((await client.summary('case')).legal_hold).toBeNull()
    expect(await client.holds('case', { standing: true }).toArray()).toEqual([])
    expect(await client.holds('case').toArray()).toMatchObject([{ hold_id, lifted: { by: 'j.doe' } }])
    const { rows } = await sql(`select type from events where tenant_id = $1 and type like 'legal_hold.%' order by seq`, [tenant.tenant_id])
    expect(rows.map(row => row.type)).toEqual(['legal_hold.set', 'legal_hold.lifted'])
  })

  it('is set and lifted once, however often that is asked for', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => client.hold('case', said)))
    expect(answers.filter(answer => answer.changed)).toHaveLength(1)
    expect(new Set(answers.map(answer => answer.hold_id)).size).toBe(1)
    expect((await client.liftHold('case', said)).changed).toBe(true)
    expect(await client.liftHold('case', { by: 'b.poe', reason: 'again' })).toMatchObject({ changed: false, lifted: { by: 'j.doe' } })
    expect(await client.hold('case', said)).toMatchObject({ changed: true })
  })

  it('keeps its texts and originals whatever their age, and loses them once it is lifted', async () => {
    await client.ingestFile(new Blob(['The fee is EUR 30.']), { scope_id: 'case', document_id: 'file', name: 'file.txt' })
    await client.document('case', 'file', { wait: 30 })
    const original = async () => (await client.original('case', 'file')).text()
    await client.hold('case', said)
    await keepThirtyDays()
    for (const id of ['offer', 'letter']) expect(await client.documentText('case', id)).toContain('EUR 40')
    expect([await client.documentText('case', 'file'), await original()]).toEqual(['The fee is EUR 30.', 'The fee is EUR 30.'])
    await client.liftHold('case', said)
    await client.hold('case', said, { documentId: 'file' })
    await keepThirtyDays()
    expect(await original()).toBe('The fee is EUR 30.')
    await expect(client.documentText('case', 'letter')).rejects.toMatchObject({ status: 404 })
    await client.liftHold('case', said, { documentId: 'file' })
    await keepThirtyDays()
    await expect(original()).rejects.toMatchObject({ code: 'ORIGINAL_NOT_FOUND' })
  })
})

describe('a document on hold', () => {
  it('cannot be erased nor its case removed, while others of the case can be erased', async () => {
    await client.hold('case', said, { documentId: 'offer' })
    await expect(erase('offer')).rejects.toMatchObject({ ...onHold, detail: expect.stringContaining('document offer') })
    await expect(client.deleteScope('case')).rejects.toMatchObject(onHold)
    expect((await client.document('case', 'letter')).legal_hold).toBeNull()
    expect((await client.document('case', 'offer')).legal_hold).toMatchObject({ of: 'document' })
    expect((await erase('letter')).erased_at).not.toBeNull()
    await expect(client.liftHold('case', said)).rejects.toMatchObject({ code: 'HOLD_NOT_FOUND' })
    await client.liftHold('case', said, { documentId: 'offer' })
    await erase('offer')
    // Why it was held may tell of it; who and when stay.
    expect(await client.holds('case').toArray()).toMatchObject([
      { document_id: 'offer', by: 'j.doe', reason: null, lifted: { reason: null } },
    ])
  })
})

describe('a mail with attachments', () => {
  const textOf = (id: string) => client.documentText('case', id)
  let parts: string[]

  /** Within the mail another one: what is attached to that came with both. */
  beforeEach(async () => {
    const within = mailOf('The fee is EUR 30.', [{ name: 'inner.txt', bytes: 'The rent is EUR 40.' }])
    const bytes = mailOf('Papers are attached.', [
      { name: 'first.txt', bytes: 'The deposit is EUR 50.' },
      { name: 'within.eml', bytes: within },
    ])
    await client.ingestFile(new Blob([new Uint8Array(bytes)]), { scope_id: 'case', document_id: 'mail', name: 'mail.eml' })
    let all: Awaited<ReturnType<typeof listed>> = []
    const listed = () => client.documents('case').toArray()
    const indexed = async () => {
      all = (await listed()).filter(each => each.status === 'indexed')
      return all.length
    }
    await expect.poll(indexed, { timeout: 60_000 }).toBe(6)
    parts = ['first.txt', 'within.eml', 'inner.txt'].map(name => all.find(each => each.name === name)?.document_id ?? name)
  })

  it('keeps all of them while the mail is on hold, and retention leaves them', async () => {
    await client.hold('case', said, { documentId: 'mail' })
    for (const id of ['mail', ...parts]) {
      await expect(erase(id), id).rejects.toMatchObject({ ...onHold, detail: expect.stringContaining('document mail') })
      expect((await client.document('case', id)).legal_hold, id).toMatchObject({ of: id === 'mail' ? 'document' : 'mail', by: 'j.doe' })
    }
    await sql(`update documents set received_at = now() - interval '40 days' where tenant_id = $1`, [tenant.tenant_id])
    await runTextRetention({ db: service.database.db, config: { textRetentionDays: 30 } })
    expect(await Promise.all(parts.map(textOf))).toEqual([
      expect.stringContaining('EUR 50'),
      expect.stringContaining('EUR 30'),
      expect.stringContaining('EUR 40'),
    ])
    await expect(textOf('letter')).rejects.toMatchObject({ status: 404 })
    await client.liftHold('case', said, { documentId: 'mail' })
    await erase('mail')
    for (const id of parts) expect((await client.document('case', id)).erased_at, id).not.toBeNull()
  })

  it('is not erased while one of them is on hold, nor are the others with it', async () => {
    const [first = '', within = '', inner = ''] = parts
    await client.hold('case', said, { documentId: inner })
    for (const id of ['mail', within]) {
      await expect(erase(id), id).rejects.toMatchObject({ ...onHold, detail: expect.stringContaining(`document ${inner}`) })
      expect((await client.document('case', id)).legal_hold, id).toMatchObject({ of: 'attachment' })
    }
    expect(await textOf(first)).toContain('EUR 50')
    expect((await client.document('case', first)).legal_hold).toBeNull()
    expect((await erase(first)).erased_at).not.toBeNull()
  })
})

describe('the audit log', () => {
  it('has who set and who lifted a hold after the case is deleted, without their reasons', async () => {
    await client.hold('case', said)
    await client.hold('case', said, { documentId: 'offer' })
    await client.liftHold('case', { by: 'a.roe', reason: 'Settled.' }, { documentId: 'offer' })
    await client.liftHold('case', { by: 'a.roe', reason: 'Settled.' })
    await expect(client.hold('case', { by: 'a\u202eb', reason: 'x' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await client.deleteScope('case')
    const logged = `select action, scope_id, status, outcome, detail from audit_log where tenant_id = $1 and tier = 'public' order by id`
    const finished = async () => (await sql(logged, [tenant.tenant_id])).rows.filter(row => row.status !== null)
    await expect.poll(async () => (await finished()).length, { timeout: 30_000 }).toBe(6)
    const rows = await finished()
    expect(rows.map(row => [row.action, row.scope_id, row.status, row.detail.document_id, row.detail.by])).toEqual([
      ['holdScope', 'case', 200, undefined, 'j.doe'],
      ['holdDocument', 'case', 200, 'offer', 'j.doe'],
      ['liftDocumentHold', 'case', 200, 'offer', 'a.roe'],
      ['liftScopeHold', 'case', 200, undefined, 'a.roe'],
      ['holdScope', 'case', 400, undefined, undefined],
      ['deleteOwnScope', 'case', 200, undefined, undefined],
    ])
    expect(JSON.stringify(rows)).not.toMatch(/Litigation|Settled/)
  })
})

describe('who may set one', () => {
  const keyWith = async (wanted: object) =>
    (await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, wanted)).body.api_key as string
  const as = (key: string) => createClient({ url: service.url, tenantKey: key })

  it('needs the right, and a person who is vouched for is recorded as such', async () => {
    const reviewer = as(await keyWith({ rights: ['read', 'decide', 'erase', 'manage'] }))
    const refused = { code: 'RIGHTS_INSUFFICIENT' }
    await expect(reviewer.hold('case', said)).rejects.toMatchObject(refused)
    await client.hold('case', said)
    await expect(reviewer.liftHold('case', said)).rejects.toMatchObject(refused)
    const counsel = as(await keyWith({ rights: ['read', 'hold'], person: 'counsel', speak_for: false }))
    expect(await counsel.liftHold('case', { by: 'counsel', reason: 'Settled.' })).toMatchObject({ lifted: { vouched: true } })
    await expect(counsel.hold('case', said)).rejects.toMatchObject(refused)
  })

  it('reaches nothing of another tenant, nothing that is not there, and takes no bad input', async () => {
    const other = as((await service.createTenant()).api_key)
    const asks = [
      () => other.hold('case', said),
      () => other.liftHold('case', said),
      () => other.holds('case').toArray(),
      () => client.hold('none', said),
    ]
    for (const ask of asks) {
      await expect(ask()).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
    }
    await expect(client.hold('case', said, { documentId: 'none' })).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' })
    await expect(client.hold('case', { by: '', reason: 'x' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await expect(client.liftHold('case', said)).rejects.toMatchObject({ code: 'HOLD_NOT_FOUND' })
  })
})
