/** What people say of findings, over HTTP: passages that they report, with what becomes of them later, and verdicts other than for one side. */

import { beforeAll, describe, expect, it } from 'vitest'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { runConcord } from '../cli/run-concord.js'
import { dumpDatabase, tablesWith } from '../support/dump-database.js'
import { startJourney } from '../support/journey.js'
import { a, b, reporting, texts } from './reported-passages.js'

const at = startJourney()
const { call, get, handIn, live, certificate, replayed } = at
const { openCase, report } = reporting(at)

describe('two passages that a person says contradict each other', () => {
  it('are a contradiction between claims made of them, which stands in the way of a certificate', async () => {
    await openCase('seen')
    const before = await get('/api/scopes/seen/summary')
    const { status, body } = await report('seen')
    expect(status).toBe(201)
    expect(body).toMatchObject({
      status: 'open',
      kind: 'reported',
      severity: 'high',
      found_by: 'person:J. Doe',
      reason: 'Spring and winter.',
      a: { ...a, quote: 'finished when the swallows return' },
      b: { ...b, quote: 'before the first snow falls on Quillonby' },
      supporters: { a: 0, b: 0 },
    })
    const after = await get('/api/scopes/seen/summary')
    expect(after.contradictions.open).toBe(before.contradictions.open + 1)
    expect(after.claims.live).toBe(before.claims.live + 2)
    for (const query of ['', '?document_id=letter', '?found_by=person']) {
      const ids = (await get(`/api/scopes/seen/contradictions${query}`)).items.map(
        (each: { contradiction_id: string }) => each.contradiction_id,
      )
      expect([query, ids]).toEqual([query, [body.contradiction_id]])
    }
    expect((await get('/api/scopes/seen/contradictions?found_by=model')).items).toEqual([])
    const claims = (await get('/api/scopes/seen/claims?document_id=letter&limit=100')).items
    expect(claims.map((each: { claim_id: string }) => each.claim_id)).toContain(body.b.claim_id)
    const refused = await call('POST', '/api/scopes/seen/sign-off', { by: 'J. Doe', reason: 'All read.' })
    expect(refused.body).toMatchObject({ code: 'STATE_CONFLICT' })
    // Deciding retires what lost, as of any other.
    const resolution = { verdict: 'a', by: 'J. Doe', reason: 'The contract holds.' }
    const decided = await call('POST', `/api/contradictions/${body.contradiction_id}/resolution`, resolution)
    expect(decided.body).toMatchObject({ status: 'resolved', claims_retired: [body.b.claim_id] })
    expect((await call('POST', '/api/scopes/seen/sign-off', { by: 'J. Doe', reason: 'All read.' })).body.finality).toBe('resolved')
    expect(await replayed('seen')).toMatchObject({ ok: true, complete: true })
    expect((await verifyDatabase(at.service.database.db)).broken).toEqual([])
  })

  it('go on when a document is read again, and end with the revision that no longer says them', async () => {
    await openCase('later')
    const { contradiction_id: id } = (await report('later')).body
    for (let turn = 0; turn < 2; turn++) {
      await call('POST', '/api/scopes/later/reread', {})
      await expect.poll(async () => (await get('/api/scopes/later/summary')).reading.waiting).toBe(0)
      expect((await get('/api/scopes/later/contradictions')).items).toMatchObject([
        { contradiction_id: id, a: { quote: 'finished when the swallows return' }, b: { document_id: 'letter' } },
      ])
    }
    await handIn('later', 'third', 'The crane of Harbour Tower stands on the north side.')
    await handIn('later', 'letter', 'To the owner\n\nNothing to add.')
    expect((await get('/api/scopes/later/contradictions?status=all')).items).toMatchObject([
      { contradiction_id: id, status: 'resolved', resolution: { verdict: 'superseded', by: 'system' } },
    ])
    expect(await replayed('later')).toMatchObject({ ok: true })
    expect((await verifyDatabase(at.service.database.db)).broken).toEqual([])
  })

  it('are replayed with what comes after them', async () => {
    await openCase('replay')
    await report('replay')
    await handIn('replay', 'note', 'The contract sum of Harbour Tower is EUR 4.2M.')
    await handIn('replay', 'letter', 'To the owner\n\nThe contract sum of Harbour Tower is EUR 5.1M.')
    expect(await replayed('replay')).toMatchObject({ ok: true, complete: true })
  })

  it('belong to a document whose text came twice', async () => {
    await openCase('twice')
    await handIn('twice', 'letter', texts.letter)
    expect((await report('twice')).body.code).toBe('STATE_CONFLICT')
    const { body } = await report('twice', { b: { ...b, revision: 2 } })
    expect(body).toMatchObject({ b: { revision: 2, quote: 'before the first snow falls on Quillonby' } })
    const claims = (await get('/api/scopes/twice/claims?document_id=letter&limit=100')).items
    expect(claims.map((each: { claim_id: string }) => each.claim_id)).toContain(body.b.claim_id)
    await handIn('twice', 'letter', 'Nothing to add.')
    expect((await get('/api/scopes/twice/contradictions')).items).toEqual([])
    expect((await verifyDatabase(at.service.database.db)).broken).toEqual([])
  })

  it('lose their words with the document', async () => {
    await openCase('erased')
    const once = { ...at.key, 'idempotency-key': 'seen-1' }
    const { body } = await report('erased', { reason: 'Quillonby has no swallows.' }, once)
    expect((await report('erased', { reason: 'Quillonby has no swallows.' }, once)).body).toEqual(body)
    for (const scope of ['seen', 'later', 'replay', 'twice', 'erased']) await call('DELETE', `/api/documents/letter?scope_id=${scope}`)
    expect((await get('/api/scopes/erased/contradictions?status=all')).items).toMatchObject([
      { contradiction_id: body.contradiction_id, status: 'resolved', b: { quote: null } },
    ])
    expect(tablesWith(await dumpDatabase(at.service.database.owner), ['quillonby'])).toEqual([])
    expect((await verifyDatabase(at.service.database.db)).broken).toEqual([])
    expect(await replayed('erased')).toMatchObject({ ok: true })
  })
})

describe('a report of passages is refused', () => {
  beforeAll(() => openCase('refused'))

  it('where there is no such slice', async () => {
    const bad: [object, string][] = [
      [{ b: { ...b, end: 10_000_000 } }, '/b/end'],
      [{ b: { ...b, end: b.start } }, '/b/end'],
      [{ b: { ...b, start: 12, end: 14 } }, '/b'],
      [{ b: { ...a, start: a.start + 5 } }, '/b'],
      [{ b: { ...b, start: 0, end: 2001 } }, '/b/end'],
      [{ b: undefined }, '/b'],
      [{ by: undefined }, '/by'],
      [{ reason: undefined }, '/reason'],
      [{ claim_b: 'before the first rain' }, '/claim_b'],
    ]
    for (const [more, pointer] of bad) {
      const { status, body } = await report('refused', more)
      expect([more, status, body.errors?.[0]?.pointer]).toEqual([more, 400, pointer])
    }
    expect((await report('refused', { a: { ...a, start: -1 } })).status).toBe(400)
    expect((await report('refused', { by: 'system' })).status).toBe(400)
    expect((await report('refused', { a: undefined, b: undefined })).body.errors[0].pointer).toBe('/claim_a')
    expect((await get('/api/scopes/refused/contradictions?status=all')).items).toEqual([])
    expect((await report('refused', { claim_b: 'before the first snow falls on Quillonby', source_b: 'letter' })).status).toBe(201)
  })

  it('where another revision counts, or none', async () => {
    expect(await report('refused', { b: { ...b, revision: 2 } })).toMatchObject({ status: 409, body: { code: 'STATE_CONFLICT' } })
    await call('POST', '/api/documents', { scope_id: 'refused', name: 'elsewhere', type: 'pdf' })
    const registered = (await get('/api/scopes/refused/documents')).items.find((each: { status: string }) => each.status === 'registered')
    const other = { ...b, document_id: registered.document_id }
    expect(await report('refused', { b: other })).toMatchObject({ status: 409, body: { code: 'STATE_CONFLICT' } })
  })

  it('where the two were reported already, with the id of what there is, until one of them is no longer said', async () => {
    await openCase('again')
    const { contradiction_id: id } = (await report('again')).body
    const there = { status: 409, body: { code: 'STATE_CONFLICT', detail: expect.stringContaining(id) } }
    const [other, otherKey] = [
      { by: 'A. Weber', reason: 'Saw it too.' },
      { ...at.key, 'idempotency-key': 'again-2' },
    ]
    expect(await report('again', {}, otherKey)).toMatchObject(there)
    expect(await report('again', { ...other, a: b, b: a })).toMatchObject(there)
    await handIn('again', 'letter', texts.letter)
    const revised = { ...b, revision: 2 }
    expect(await report('again', { ...other, b: revised })).toMatchObject(there)
    await call('POST', '/api/scopes/again/reread', {})
    await expect.poll(async () => (await get('/api/scopes/again/summary')).reading.waiting).toBe(0)
    expect(await report('again', { ...other, b: revised })).toMatchObject(there)
    const dismissal = { verdict: 'dismiss', by: 'J. Doe', reason: 'Two different works.' }
    expect((await call('POST', `/api/contradictions/${id}/resolution`, dismissal)).body.status).toBe('dismissed')
    expect(await report('again', { ...other, b: revised })).toMatchObject(there)
    expect((await get('/api/scopes/again/contradictions?status=all')).items).toHaveLength(1)
    // Another passage of the same documents is another matter, and so are other words in the same place.
    expect((await report('again', { ...other, b: { ...revised, end: b.end - 1 } })).status).toBe(201)
    await handIn('again', 'letter', texts.letter.replace('snow', 'rain'))
    expect((await report('again', { ...other, b: { ...b, revision: 3 } })).status).toBe(201)
    expect((await verifyDatabase(at.service.database.db)).broken).toEqual([])
    expect(await replayed('again')).toMatchObject({ ok: true })
  })

  it('for a document or a case of somebody else, and makes no case', async () => {
    expect((await report('refused', { b: { ...b, document_id: 'none' } })).body.code).toBe('DOCUMENT_NOT_FOUND')
    const foreign = { 'x-tenant-api-key': (await at.service.createTenant()).api_key }
    expect((await report('refused', {}, foreign)).body.code).toBe('SCOPE_NOT_FOUND')
    expect((await call('GET', '/api/scopes', undefined, foreign)).body.items).toEqual([])
    await at.service.call('POST', '/api/ingest', {
      headers: foreign,
      body: { scope_id: 'refused', name: 'own', document_id: 'own', text: 'Own.' },
    })
    expect((await report('refused', {}, foreign)).body.code).toBe('DOCUMENT_NOT_FOUND')
  })

  it('without the right to decide, and for somebody else than the key vouches for', async () => {
    const made = async (body: object) => ({
      'x-tenant-api-key': (await at.service.admin('POST', `/admin/tenants/${at.tenant.tenant_id}/keys`, body)).body.api_key as string,
    })
    const writer = await made({ label: 'writer', rights: ['read', 'ingest'] })
    expect((await report('refused', {}, writer)).body).toMatchObject({
      code: 'RIGHTS_INSUFFICIENT',
      detail: expect.stringContaining('`decide`'),
    })
    const words = { scope_id: 'refused', claim_a: 'x', claim_b: 'y', source_a: 's', source_b: 't', severity: 'low' }
    const told = await call('POST', '/api/contradictions', { ...words, by: 'J. Doe', reason: 'Told on the phone.' }, writer)
    expect(told.body).toMatchObject({ found_by: 'person:J. Doe', reason: 'Told on the phone.', a: { quote: 'x', source: 's' } })
    expect((await call('POST', '/api/contradictions', words, writer)).body).toMatchObject({ found_by: 'person' })
    const own = await made({ label: 'own', person: 'a.weber', rights: ['read', 'decide'], speak_for: false })
    expect((await report('refused', {}, own)).body.code).toBe('RIGHTS_INSUFFICIENT')
    expect((await report('refused', { by: 'a.weber', b: { ...b, start: b.start + 7 } }, own)).status).toBe(201)
    const elsewhere = await made({ label: 'elsewhere', rights: ['read', 'decide'], scopes: ['seen'] })
    expect((await report('refused', {}, elsewhere)).body.code).toBe('RIGHTS_INSUFFICIENT')
  })
})

const paper = (issuer: string, date: string, revenue: string) =>
  `${issuer}\nNote on Aurelia Holding\nIssued by: ${issuer}\nDate: ${date}\n\n## Key figures FY2025 of Aurelia Holding\n\nRevenue: EUR ${revenue}M\n`
const judgement = { reason: 'Looked at both papers.', by: 'j.doe' }
const taken = `reason=${encodeURIComponent('Too early.')}&by=j.doe`

/** A report and an audit that contradict each other; answers the id and the path of its resolution. */
async function contradicting(scopeId: string): Promise<{ id: string; path: string; sideOf: (documentId: string) => 'a' | 'b' }> {
  await handIn(scopeId, 'report', paper('Aurelia Holding', '2026-02-01', '41.2'))
  await handIn(scopeId, 'audit', paper('Brandt Audit', '2026-03-01', '33.9'))
  const [{ contradiction_id: id, a }] = (await get(`/api/scopes/${scopeId}/contradictions`)).items
  return { id, path: `/api/contradictions/${id}/resolution`, sideOf: documentId => (a.document_id === documentId ? 'a' : 'b') }
}

it('leaves a contradiction disputed: both sides count, nothing waits, and the certificate names it', async () => {
  const { id, path } = await contradicting('disputed')
  const answer = await call('POST', path, { verdict: 'disputed', ...judgement })
  expect(answer.body).toMatchObject({ status: 'resolved', resolution: { verdict: 'disputed', by: 'j.doe' }, claims_retired: [] })
  expect(await live('disputed')).toEqual(['audit', 'report'])
  expect((await get('/api/scopes/disputed/summary')).contradictions.open).toBe(0)
  expect((await call('POST', '/api/scopes/disputed/sign-off', judgement)).body.finality).toBe('resolved')
  expect((await certificate('disputed')).disputed).toEqual({ count: 1, ids: [id] })
  // Whoever says the same later joins it, and asks nobody again.
  await handIn('disputed', 'bank', paper('Bank Nord', '2026-03-09', '33.9'))
  expect((await get('/api/scopes/disputed/contradictions')).items).toEqual([])
  // Where one side is no longer said there is nothing to dispute.
  for (const documentId of ['audit', 'bank']) await call('DELETE', `/api/documents/${documentId}?scope_id=disputed`)
  await handIn('disputed', 'crane', 'The crane of Harbour Tower stands on the north side.')
  expect((await call('POST', '/api/scopes/disputed/sign-off', judgement)).body.finality).toBe('resolved')
  expect((await certificate('disputed')).disputed).toEqual({ count: 0, ids: [] })
  expect(await replayed('disputed')).toMatchObject({ ok: true })
})

it('names no contradiction in words as disputed once a document of it is erased', async () => {
  const scope = 'disputed-words'
  await handIn(scope, 'contract', 'The contract sum of Harbour Tower is EUR 4.2M.')
  await handIn(scope, 'letter', 'The site manager of Harbour Tower is Anna Weber.')
  await handIn(scope, 'plan', 'The architect of Harbour Tower is Jan Novak.')
  expect((await at.settings(scope, { examination: 'none' })).status).toBe(200)
  const inWords = {
    scope_id: scope,
    claim_a: 'It was sold.',
    claim_b: 'It was kept.',
    source_a: 'press',
    source_b: 'letter',
    severity: 'high',
  }
  const { contradiction_id: id } = (await call('POST', '/api/contradictions', inWords)).body
  await call('POST', `/api/contradictions/${id}/resolution`, { verdict: 'disputed', ...judgement })
  expect((await certificate(scope)).disputed).toEqual({ count: 1, ids: [id] })
  await call('DELETE', `/api/documents/letter?scope_id=${scope}`)
  expect((await certificate(scope)).disputed).toEqual({ count: 0, ids: [] })
  await handIn(scope, 'crane', 'The crane of Harbour Tower stands on the north side.')
  expect((await certificate(scope)).disputed).toEqual({ count: 0, ids: [] })
})

it('takes a slip of the pen out, in favour of nothing, and back in', async () => {
  const { path, sideOf } = await contradicting('slip')
  const refused = await call('POST', path, { verdict: 'clerical_error', ...judgement })
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/side'])
  expect((await call('POST', path, { verdict: 'a', side: 'a', ...judgement })).body.errors[0].pointer).toBe('/side')
  const side = sideOf('report')
  const { body } = await call('POST', path, { verdict: 'clerical_error', side, ...judgement })
  expect(body).toMatchObject({ status: 'resolved', resolution: { verdict: 'clerical_error', side }, claims_retired: [expect.any(String)] })
  expect(body[side]).toMatchObject({ document_id: 'report', superseded_by: null, superseded_reason: expect.stringContaining('j.doe') })
  expect(await live('slip')).toEqual(['audit'])
  // It binds whoever says the same.
  await handIn('slip', 'bank', paper('Bank Nord', '2026-03-09', '41.2'))
  expect(await live('slip')).toEqual(['audit'])
  expect((await call('DELETE', `${path}?${taken}`)).body).toMatchObject({ status: 'open' })
  expect(await live('slip')).toEqual(['audit', 'bank', 'report'])
  expect(await replayed('slip')).toMatchObject({ ok: true })
})

it('lets two different things stand, at the command line too', async () => {
  const { id, sideOf } = await contradicting('two')
  const env = { CONCORD_URL: at.service.url, CONCORD_TENANT_KEY: at.tenant.api_key }
  const said = ['--reason', 'Group and company.', '--by', 'j.doe', '--json']
  const apart = await runConcord(env, 'resolve', id, 'not_the_same', ...said)
  expect(apart.json).toMatchObject({ status: 'dismissed', resolution: { verdict: 'not_the_same' } })
  expect(await live('two')).toEqual(['audit', 'report'])
  const slip = await runConcord(env, 'resolve', id, 'clerical_error', '--side', sideOf('audit'), ...said)
  expect(slip.json).toMatchObject({ status: 'resolved', resolution: { verdict: 'clerical_error', side: sideOf('audit') } })
  expect(await live('two')).toEqual(['report'])
})

it('holds a verdict against every claim made of the passage, through rereadings, until it is taken back', async () => {
  const { id } = await contradicting('one-passage')
  const passageOf = (documentId: string, issuer: string, date: string, revenue: string) => {
    const [text, quote] = [paper(issuer, date, revenue), `Revenue: EUR ${revenue}M`]
    return { document_id: documentId, revision: 1, start: text.indexOf(quote), end: text.indexOf(quote) + quote.length }
  }
  const sides = {
    a: passageOf('report', 'Aurelia Holding', '2026-02-01', '41.2'),
    b: passageOf('audit', 'Brandt Audit', '2026-03-01', '33.9'),
  }
  const seen = (await report('one-passage', sides)).body
  const own = `/api/contradictions/${seen.contradiction_id}/resolution`
  const { body } = await call('POST', own, { verdict: 'a', ...judgement })
  expect(body.claims_retired).toHaveLength(2)
  expect(await live('one-passage')).toEqual(['report', 'report'])
  expect((await get(`/api/contradictions/${id}`)).resolution.by).toBe('system')
  for (let turn = 0; turn < 2; turn++) {
    await call('POST', '/api/scopes/one-passage/reread', {})
    await at.settled('one-passage')
    expect(await live('one-passage')).toEqual(['report', 'report'])
  }
  expect((await get(`/api/contradictions/${seen.contradiction_id}`)).resolution).toMatchObject({ by: 'j.doe' })
  expect((await get(`/api/contradictions/${seen.contradiction_id}`)).resolution).not.toHaveProperty('effect')
  expect((await call('DELETE', `${own}?${taken}`)).body.claims_revived).toHaveLength(2)
  await at.settled('one-passage')
  expect(await live('one-passage')).toEqual(['audit', 'audit', 'report', 'report'])
  const open = (await get('/api/scopes/one-passage/contradictions')).items
  expect(open).toHaveLength(2)
  const read = open.find((each: { found_by: string }) => each.found_by === 'rules')
  // The other way round: what the rules read there is decided, and what was made of the passage ends with it.
  await call('POST', `/api/contradictions/${read.contradiction_id}/resolution`, {
    verdict: read.a.document_id === 'audit' ? 'a' : 'b',
    ...judgement,
  })
  expect(await live('one-passage')).toEqual(['audit', 'audit'])
  expect((await get('/api/scopes/one-passage/contradictions')).items).toEqual([])
  expect(await report('one-passage', sides)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('`a`') } })
  expect(await replayed('one-passage')).toMatchObject({ ok: true })
  expect((await verifyDatabase(at.service.database.db)).broken).toEqual([])
})
