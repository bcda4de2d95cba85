/** What counts where texts are gone, or read by another version of the reader: nothing that was settled comes back, nothing is lost. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { runTextRetention } from '../../src/scopes/text-retention.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
let tenant: { tenant_id: string; api_key: string }
let key: Record<string, string>

beforeAll(async () => {
  service = await startTestService({}, { examination: 'none' })
  tenant = await service.createTenant()
  key = { 'x-tenant-api-key': tenant.api_key }
})
afterAll(() => service.stop())

const minutes = 'Harbour board\nMinutes of 4 May 2022\nThe Corran pier is 212 m long.\n'
const corrected = 'Harbour board\nCorrected minutes of 7 June 2022\nThe Corran pier is 205 m long.\n'
const survey = 'Harbour works at Corran\nIssuer: Lund Surveyors\nDate: 2022-05-09\n\nThe Corran pier is 198 m long.\n'

const call = (method: string, path: string, body?: unknown) =>
  service.call(method, path, { headers: key, ...(body === undefined ? {} : { body }) })
const items = async (scopeId: string, path: string) => (await call('GET', `/api/scopes/${scopeId}/${path}`)).body.items
const live = async (scopeId: string) =>
  (await items(scopeId, 'claims?state=live')).map((claim: { document_id: string }) => claim.document_id).sort()

async function handIn(scopeId: string, documentId: string, text: string): Promise<void> {
  const body = { scope_id: scopeId, name: documentId, document_id: documentId, text }
  expect((await call('POST', '/api/ingest', body)).status).toBe(202)
  expect((await call('GET', `/api/documents/${documentId}?scope_id=${scopeId}&wait=30`)).body.status).toBe('indexed')
}

/** Changes rows of documents of a case, as time or another version of the service would. */
async function change(scopeId: string, documentIds: readonly string[], set: string): Promise<void> {
  const { rowCount } = await service.database.owner.query(
    `update documents set ${set} where tenant_id = $1 and document_id = any ($3)
       and scope_no = (select scope_no from scopes where tenant_id = $1 and scope_id = $2)`,
    [tenant.tenant_id, scopeId, documentIds],
  )
  expect(rowCount).toBe(documentIds.length)
}

/** Removes texts by age; answers whether this one is still there. */
async function expire(scopeId: string, documentId: string): Promise<'gone' | 'kept'> {
  await change(scopeId, [documentId], "received_at = received_at - interval '10 days'")
  await runTextRetention({ db: service.database.db, config: { textRetentionDays: 7 } })
  const text = `select text from documents d join scopes s using (tenant_id, scope_no)
    where s.tenant_id = $1 and s.scope_id = $2 and d.document_id = $3`
  const { rows } = await service.database.owner.query(text, [tenant.tenant_id, scopeId, documentId])
  return rows[0]?.text === null ? 'gone' : 'kept'
}

/** Until nothing waits, documents to be read again included. */
async function settled(scopeId: string): Promise<void> {
  const waiting = `select h.queued + h.processing + h.rereads as waiting from scope_heads h
    join scopes s using (tenant_id, scope_no) where s.tenant_id = $1 and s.scope_id = $2`
  const count = async () => Number((await service.database.owner.query(waiting, [tenant.tenant_id, scopeId])).rows[0]?.waiting)
  await expect.poll(count, { timeout: 20_000, interval: 20 }).toBe(0)
}

/** As a version that places statements otherwise leaves it: what is read now does not meet it. */
async function forgetPlace(scopeId: string, documentId: string): Promise<void> {
  const own = `d.tenant_id = $1 and d.document_id = $3 and d.scope_no = (select scope_no from scopes where tenant_id = $1 and scope_id = $2)`
  const values = [tenant.tenant_id, scopeId, documentId]
  const terms = `delete from claim_terms t using documents d
    where ${own} and t.tenant_id = d.tenant_id and t.scope_no = d.scope_no and t.first_claim_no = d.first_claim_no`
  expect((await service.database.owner.query(terms, values)).rowCount).toBeGreaterThan(0)
  const place = `update claims d set slot_hash = 1, body = jsonb_set(d.body::jsonb, '{slotKey}', '"elsewhere"')::json where ${own}`
  await service.database.owner.query(place, values)
}

async function runtime(verb: 'pause' | 'resume', scopeId: string): Promise<void> {
  expect((await service.admin('POST', `/admin/runtime/${verb}`, { scope_id: scopeId }, tenant.api_key)).status).toBe(200)
}

const isSound = async () => expect((await verifyDatabase(service.database.db)).broken).toEqual([])

it('leaves a statement corrected when another version reads it again and the correction has no text any more', {
  timeout: 60_000,
}, async () => {
  await handIn('upgraded', 'minutes', minutes)
  await handIn('upgraded', 'corrected', corrected)
  expect(await expire('upgraded', 'corrected')).toBe('gone')
  await change('upgraded', ['minutes', 'corrected'], "extractor_version = 'before'")
  await forgetPlace('upgraded', 'corrected')
  expect((await call('POST', '/api/scopes/upgraded/reread', {})).body).toMatchObject({ queued: 1 })
  await settled('upgraded')
  expect(await live('upgraded')).toEqual(['corrected'])
  expect(await items('upgraded', 'supersessions?status=standing')).toMatchObject([{ claim: { document_id: 'minutes' } }])
  await isSound()
})

it('lets a statement count again whose correction is revised away, also without its text', { timeout: 60_000 }, async () => {
  await handIn('released', 'minutes', minutes)
  await handIn('released', 'corrected', corrected)
  expect(await expire('released', 'minutes')).toBe('gone')
  await handIn('released', 'corrected', 'Harbour board\nCorrected minutes of 7 June 2022\nThe shed is red.\n')
  await settled('released')
  expect(await live('released')).toContain('minutes')
  await isSound()
})

it('keeps the text of what waits to be read again, however old', { timeout: 60_000 }, async () => {
  await handIn('waiting', 'minutes', minutes)
  await runtime('pause', 'waiting')
  expect((await call('POST', '/api/scopes/waiting/reread', {})).body).toMatchObject({ queued: 1 })
  expect(await expire('waiting', 'minutes')).toBe('kept')
  await runtime('resume', 'waiting')
  await settled('waiting')
  expect(await live('waiting')).toEqual(['minutes'])
  expect(await expire('waiting', 'minutes')).toBe('gone')
})

it('opens again what a correction had closed when that is read otherwise, and has what counts again read again', {
  timeout: 60_000,
}, async () => {
  await handIn('reread', 'minutes', minutes)
  await handIn('reread', 'survey', survey)
  const [{ contradiction_id: id }] = await items('reread', 'contradictions')
  await handIn('reread', 'corrected', corrected)
  await settled('reread')
  const findOld = async () =>
    (await items('reread', 'contradictions?status=all')).find((each: { contradiction_id: string }) => each.contradiction_id === id)
  expect(await findOld()).toMatchObject({ status: 'resolved', resolution: { by: 'system' } })
  await runtime('pause', 'reread')
  // As another reader may read it; nothing else is read again.
  await change('reread', ['corrected'], "text = 'Nothing is said here.'")
  await change('reread', ['minutes', 'survey'], 'text = null')
  expect((await call('POST', '/api/scopes/reread/reread', {})).body).toMatchObject({ queued: 1 })
  await change('reread', ['minutes'], `text = '${minutes}'`)
  await runtime('resume', 'reread')
  await settled('reread')
  expect(await live('reread')).toEqual(expect.arrayContaining(['minutes', 'survey']))
  expect(await findOld()).toMatchObject({ status: 'open' })
  const queued = `select subject from events e join scopes s using (tenant_id, scope_no)
    where s.tenant_id = $1 and s.scope_id = 'reread' and e.type = 'document.reread_queued' order by e.seq`
  const { rows } = await service.database.owner.query(queued, [tenant.tenant_id])
  expect(rows.map(each => each.subject)).toEqual(['corrected', 'minutes'])
  await isSound()
})
