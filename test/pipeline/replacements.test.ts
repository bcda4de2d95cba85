/** Replacements that a model finds and that do not act by themselves: proposed by pairs of documents, accepted, taken back, on record. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { status } from '../models/model-server.js'
import { isConfirming, isSettling, put, type SaidPair, says } from '../models/scripted-model.js'
import { type ModelService, startModelService } from '../support/model-service.js'
import type { TestService } from '../support/service.js'

let place: ModelService
let service: TestService
let tenant: { tenant_id: string; api_key: string }

beforeAll(async () => {
  place = await startModelService({}, { examination: 'none' })
  service = place.service
  tenant = await service.createTenant()
})
afterAll(() => place.stop())

const headers = () => ({ 'x-tenant-api-key': tenant.api_key })
const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown) =>
  service.call(method, path, { headers: headers(), ...(body === undefined ? {} : { body }) })
const by = { reason: 'Clause 4 was amended.', by: 'ann' }

async function handIn(scopeId: string, documentId: string, text: string): Promise<string> {
  const body = { scope_id: scopeId, document_id: documentId, name: `${documentId}.txt`, text }
  expect((await call('POST', '/api/ingest', body)).status).toBe(202)
  return (await call('GET', `/api/documents/${documentId}?scope_id=${scopeId}&wait=30`)).body.status
}

const rent = 'The keeper hands the northern gate over in spring.'
const deposit = 'The keeper stores the lamps in the old boathouse.'
const newRent = 'Instead of spring the northern gate is handed over in autumn.'
const newDeposit = 'The lamps no longer go to the boathouse but to the tower.'
const replaces = (a: string, b: string): SaidPair => ({
  ...{ a, b, subject: 'keeper', attribute: 'duty', verdict: 'replaces', newer: a, words: null, confidence: 0.9 },
  reason: 'The later paper changes it.',
})

/** A lease, and a letter of somebody else that would change two of its statements. */
async function proposed(scopeId: string): Promise<void> {
  place.behave = says()
  expect(await handIn(scopeId, 'lease', `Lease\n\n${rent}\n\n${deposit}`)).toBe('indexed')
  place.behave = says(replaces(newRent, rent), replaces(newDeposit, deposit))
  expect(await handIn(scopeId, 'letter', `Letter\n\n${newRent}\n\n${newDeposit}`)).toBe('indexed')
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const items = async (path: string): Promise<any[]> => (await call('GET', path)).body.items
const quotes = async (scopeId: string) => (await items(`/api/scopes/${scopeId}/claims`)).map(({ quote }) => quote)
const isTrue = async (scopeId: string) => {
  expect(await replayScope(service.database.db, { tenantId: tenant.tenant_id, scopeId })).toMatchObject({ ok: true, difference: null })
  expect((await verifyDatabase(service.database.db)).broken).toEqual([])
}

test('those of one document by another are one item, and say what accepting would do', async () => {
  await proposed('together')
  const [group, ...more] = await items('/api/scopes/together/replacements')
  expect(more).toEqual([])
  expect(group).toMatchObject({ document_id: 'lease', by_document_id: 'letter', count: 2, accepting: { retires: 2, closes: [] } })
  expect(group.items.map((each: { a: { quote: string } }) => each.a.quote).sort()).toEqual([rent, deposit].sort())

  const pair = { document_id: 'lease', by_document_id: 'letter', verdict: 'accept', ...by }
  const { body } = await call('POST', '/api/scopes/together/replacements', pair)
  expect(body).toMatchObject({ left: [] })
  expect(body.decided).toHaveLength(2)
  expect(await quotes('together')).not.toEqual(expect.arrayContaining([rent]))
  expect(await items('/api/scopes/together/replacements')).toEqual([])
  expect(await items('/api/scopes/together/supersessions')).toMatchObject([
    { status: 'standing', found_by: 'model:reader-1' },
    { status: 'standing', found_by: 'model:reader-1' },
  ])
  await isTrue('together')
})

test('one of them can be accepted alone, and taken back', async () => {
  await proposed('alone')
  const [group] = await items('/api/scopes/alone/replacements')
  const { possible_conflict_id: id } = group.items.find((each: { a: { quote: string } }) => each.a.quote === rent)
  const pair = { document_id: 'lease', by_document_id: 'letter', ...by }
  const chosen = await call('POST', '/api/scopes/alone/replacements', { ...pair, verdict: 'accept', possible_conflict_ids: [id, 'pcf_no'] })
  expect(chosen.body).toMatchObject({ decided: [{ possible_conflict_id: id }], left: [{ possible_conflict_id: 'pcf_no' }] })
  expect(await quotes('alone')).not.toContain(rent)
  expect(await quotes('alone')).toContain(deposit)
  const [accepted] = await items('/api/scopes/alone/possible-conflicts?status=accepted')
  expect(accepted).toMatchObject({ status: 'accepted', decision: { verdict: 'accept', by: 'ann', supersession_id: expect.any(String) } })
  expect(await items('/api/scopes/alone/possible-conflicts?status=dismissed')).toEqual([])
  await isTrue('alone')

  const withdrawn = `/api/possible-conflicts/${id}`
  expect((await call('DELETE', `${withdrawn}/dismissal?reason=no&by=ann`)).status).toBe(409)
  expect((await call('DELETE', `${withdrawn}/acceptance?reason=no&by=ann`)).body).toMatchObject({ status: 'open' })
  expect(await quotes('alone')).toContain(rent)
  expect((await items('/api/scopes/alone/replacements'))[0].count).toBe(2)
  await isTrue('alone')

  // Accepted again, and the document that replaced it erased: what it had replaced counts again.
  expect((await call('POST', `${withdrawn}/acceptance`, by)).body).toMatchObject({ status: 'accepted' })
  expect((await call('DELETE', '/api/documents/letter?scope_id=alone')).status).toBe(200)
  await call('GET', '/api/documents/lease?scope_id=alone&wait=30')
  expect(await quotes('alone')).toContain(rent)
  expect((await verifyDatabase(service.database.db)).broken).toEqual([])
})

test('a later state is proposed, never acts by itself, and where a model is not sure of it nobody is asked', async () => {
  place.behave = says()
  const letterhead = (day: number, text: string) => `Harbour Office\nDate: ${day} May 2024\n\n${text}`
  const [pending, closed] = ['Whether the northern gate stays open is pending.', 'The matter of the northern gate is now closed.']
  await handIn('states', 'first', letterhead(2, pending))
  place.behave = says({ ...replaces(closed, pending), verdict: 'updates', words: closed, confidence: 0.5 })
  await handIn('states', 'unsure', letterhead(8, closed))
  expect(await items('/api/scopes/states/possible-conflicts')).toEqual([])
  place.behave = says({ ...replaces(closed, pending), verdict: 'updates', words: closed })
  await handIn('states', 'second', letterhead(9, closed))
  expect(await items('/api/scopes/states/replacements')).toMatchObject([{ document_id: 'first', by_document_id: 'second', count: 1 }])
  expect(await quotes('states')).toContain(pending)
  await isTrue('states')
})

test('what was replaced is not said anew by a paper that is compared with it later', async () => {
  await proposed('again')
  await call('POST', '/api/scopes/again/replacements', { document_id: 'lease', by_document_id: 'letter', verdict: 'accept', ...by })
  const third = 'The northern gate is never handed over.'
  place.behave = says({ a: third, b: rent, subject: 'keeper', attribute: 'duty' })
  await handIn('again', 'third', `Note\n\n${third}`)
  expect(await quotes('again')).not.toContain(rent)
  expect(await items('/api/scopes/again/contradictions')).toEqual([])
  await isTrue('again')
})

test('what proposes no replacement cannot be accepted', async () => {
  place.behave = says()
  await handIn('unsure', 'lease', `Lease\n\n${rent}`)
  place.behave = says({ ...replaces(newRent, rent), verdict: 'contradicts', confidence: 0.4 })
  await handIn('unsure', 'letter', `Letter\n\n${newRent}`)
  const [possible] = await items('/api/scopes/unsure/possible-conflicts')
  expect(possible.proposes).toBe(null)
  expect((await call('POST', `/api/possible-conflicts/${possible.possible_conflict_id}/acceptance`, by)).status).toBe(409)
})

test('what a model is not sure of is asked once more with more of both documents, and where that is not answered stays as it was', async () => {
  const paragraphs = Array.from({ length: 12 }, (_, n) => `In paragraph ${n} there is nothing but the weather of the harbour.`)
  const unsure: SaidPair = { ...replaces(newRent, rent), verdict: 'contradicts', confidence: 0.5 }
  const seen = (scope: string) => place.model.requests.filter(each => isConfirming(each) && put(each).includes(scope))
  const ask = async (scope: string, later: SaidPair | null) => {
    place.behave = says()
    await handIn(scope, 'lease', `Lease\n\nSigned at Farholm.\n\n${paragraphs.join('\n\n')}\n\n${rent}`)
    place.behave = (response, request) =>
      (isSettling(request) && later === null ? status(400) : says(isSettling(request) ? later! : unsure))(response, request)
    await handIn(scope, `letter-${scope}`, `Letter\n\n${newRent}`)
    const questions = seen(`letter-${scope}.txt`)
    expect(questions.map(isSettling)).toEqual([false, true])
    expect(questions.map(each => put(each).includes('Farholm'))).toEqual([false, true])
    expect((await call('GET', `/api/documents/letter-${scope}?scope_id=${scope}`)).body.compared_by.model.complete).toBe(true)
    await isTrue(scope)
    return [(await items(`/api/scopes/${scope}/contradictions`)).length, (await items(`/api/scopes/${scope}/possible-conflicts`)).length]
  }
  expect(await ask('settled', { ...unsure, confidence: 0.8 })).toEqual([1, 0])
  expect(await ask('compatible', { ...unsure, verdict: 'compatible' })).toEqual([0, 0])
  expect(await ask('refused', null)).toEqual([0, 1])
})

test('a replacement by a model that acted by itself is counted where its findings hold a case', async () => {
  place.behave = says()
  const changed = 'This corrects what was said before: the gate is handed over in autumn.'
  expect(await handIn('held', 'lease', `Lease\n\n${rent}\n\n${changed}`)).toBe('indexed')
  place.behave = says({ ...replaces(changed, rent), words: 'This corrects what was said before' })
  expect(await handIn('held', 'lease', `Lease\n\n${rent}\n\n${changed}\n\nSigned.`)).toBe('indexed')
  const { rows } = await service.database.owner.query(
    `select s.aggregates from scope_states s join scopes c on c.scope_no = s.scope_no where c.scope_id = 'held'`,
  )
  expect(rows[0].aggregates).toMatchObject({ replacementsByModel: 1 })
})
