/**
 * Reading a scope again: findings go on under their ids, decisions of people stay with the statements they are about, and
 * whatever happens on the way, every document is read again once.
 */

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { AppError } from '../../src/platform/errors.js'
import { READER_VERSION, RULES_VERSION } from '../../src/reading/version.js'
import type { ScopesDeps } from '../../src/scopes/deps.js'
import { discardDocument } from '../../src/scopes/documents/discard.js'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { rereadScope } from '../../src/scopes/documents/reread.js'
import { decidePossibleConflict, objectToSupersession } from '../../src/scopes/findings/finding-act.js'
import { reopenContradiction, resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { listScopes } from '../../src/scopes/lifecycle.js'
import { resetScope } from '../../src/scopes/reset.js'
import { getSummary } from '../../src/scopes/summary.js'
import { removeOldTexts } from '../../src/store/maintenance/text-retention.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import type { Database } from '../../src/store/server/database.js'
import { withFailingStatements } from '../support/failing-statements.js'
import { documents, findings } from './harbour.js'
import { leaseNext, openWorld, type PipelineWorld } from './support.js'

let world: PipelineWorld
let deps: ScopesDeps

beforeAll(async () => {
  world = await openWorld()
  deps = world.scopes
})
afterAll(async () => {
  // Once, of all that the tests left.
  expect(await verifyDatabase(world.db)).toMatchObject({ broken: [] })
  await world.close()
})

const said = { reason: 'I was there.', by: 'Ada' }
const idle = `select queued + processing + rereads = 0 from scope_heads where tenant_id = $1`

async function newCase(names: readonly string[] = Object.keys(documents)) {
  const tenantId = await world.newTenant()
  const scope = { tenantId, scopeId: 'case' }
  await world.ingest(names.map(documentId => ({ ...scope, documentId, text: documents[documentId as keyof typeof documents] })))
  await work(tenantId)
  return scope
}

async function work(tenantId: string, options: Parameters<PipelineWorld['startWorker']>[0] = {}): Promise<void> {
  const worker = world.startWorker(options)
  await world.until(idle, [tenantId])
  await worker.stop()
}

/** Nothing that earlier tests queued is left for whoever asks for a lease. */
async function workOffEverything(): Promise<void> {
  const worker = world.startWorker()
  await world.until('select sum(queued + processing + rereads) = 0 from scope_heads')
  await worker.stop()
}

/** As if a version of the reader before had read everything. */
async function readBefore({ tenantId }: { tenantId: string }): Promise<void> {
  await world.rows(`update documents set extractor_version = '0', profile = profile || '{"reader": "0"}' where tenant_id = $1`, [tenantId])
  await world.rows(
    `update scope_states set readers = json_build_object('0', (select count(*) from documents where tenant_id = $1)) where tenant_id = $1`,
    [tenantId],
  )
}

const figures = (tenantId: string) => world.rows('select aggregates, readers from scope_states where tenant_id = $1', [tenantId])
const states = (tenantId: string) =>
  world.rows(
    `select contradiction_id as id, status from contradictions where tenant_id = $1
     union all select possible_conflict_id, status from possible_conflicts where tenant_id = $1
     union all select supersession_id, status from supersessions where tenant_id = $1 order by 1`,
    [tenantId],
  )
const rereads = (tenantId: string) =>
  world.rows<{ data: Record<string, unknown> }>(`select data from events where tenant_id = $1 and type = 'document.reread' order by seq`, [
    tenantId,
  ])

test('read again by the same reader, a scope has the findings, ids and figures it had', async () => {
  const scope = await newCase()
  const { tenantId } = scope
  const before = { findings: await findings(world, tenantId), states: await states(tenantId), figures: await figures(tenantId) }
  const answer = await rereadScope(deps, scope, { by: 'Ada', reason: 'To be sure.' })
  const count = Object.keys(documents).length
  expect(answer).toEqual({ scope_id: 'case', queued: count, waiting: count, model: false })
  expect(await rereadScope(deps, scope, {})).toMatchObject({ queued: 0, waiting: count })
  await work(tenantId)
  expect({ findings: await findings(world, tenantId), states: await states(tenantId), figures: await figures(tenantId) }).toEqual(before)
  const rows = await world.rows('select distinct revision, status, reread_round is not null as again from documents where tenant_id = $1', [
    tenantId,
  ])
  expect(rows).toEqual([{ revision: 1, status: 'indexed', again: true }])
  const [round] = await world.rows(
    `select input->>'by' as by, input->>'reason' as reason from rounds where tenant_id = $1 and kind = 'reread'`,
    [tenantId],
  )
  expect(round).toEqual({ by: 'Ada', reason: 'To be sure.' })
  const report = await replayScope(world.db, scope)
  expect(report).toMatchObject({ ok: true, complete: false })
  expect(report?.documents.notRead.readAgain).toBe(1)
})

test('read again by another reader, whatever the order, a scope has the findings of a new one', async () => {
  const names = Object.keys(documents)
  const expected = await findings(world, (await newCase()).tenantId)
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(names, { minLength: names.length }), async order => {
      const scope = await newCase(order)
      const ids = await states(scope.tenantId)
      await readBefore(scope)
      await rereadScope(deps, scope, {})
      await work(scope.tenantId)
      expect(await findings(world, scope.tenantId)).toEqual(expected)
      const open = (rows: readonly unknown[]) => rows.filter(row => ['open', 'standing'].includes((row as { status: string }).status))
      expect(open(await states(scope.tenantId))).toEqual(open(ids))
    }),
    { numRuns: 3, seed: 11 },
  )
})

test('a scope says that it needs reading again, and that it does not', async () => {
  const scope = await newCase()
  const needs = async () => {
    const [listed] = (await listScopes(deps, scope.tenantId, {})).items
    return [(await getSummary(deps, scope)).body?.reading, listed?.needs_reread]
  }
  const none = { outdated: 0, needs_reread: false, waiting: 0, without_model: 0 }
  expect(await needs()).toMatchObject([none, false])
  await readBefore(scope)
  const text = documents.survey.replaceAll('Corran pier', 'Corran pier').replace('198', '150')
  await world.ingest([{ ...scope, documentId: 'newcomer', text }])
  await work(scope.tenantId)
  const found = `select count(*) = 0 as none from contradiction_sides m join claims c using (tenant_id, scope_no, generation, claim_no)
    where c.tenant_id = $1 and c.document_id = 'newcomer'`
  expect(await world.rows(found, [scope.tenantId])).toEqual([{ none: true }])
  const count = Object.keys(documents).length
  expect(await needs()).toMatchObject([{ outdated: count, needs_reread: true }, true])
  await rereadScope(deps, scope, {})
  expect(await needs()).toMatchObject([{ waiting: count + 1 }, true])
  await work(scope.tenantId)
  expect(await needs()).toMatchObject([none, false])
  expect(await world.rows(found, [scope.tenantId])).toEqual([{ none: false }])
})

async function decideAll(scope: { tenantId: string }) {
  const { tenantId } = scope
  const ids = async (sql: string) => (await world.rows<{ id: string }>(sql, [tenantId])).map(row => row.id)
  const [first, second] = await ids(
    `select contradiction_id as id from contradictions where tenant_id = $1 and status = 'open' order by contradiction_no`,
  )
  const [possible] = await ids(`select possible_conflict_id as id from possible_conflicts where tenant_id = $1 and status = 'open'`)
  if (first === undefined || second === undefined) throw new Error('nothing to decide')
  await resolveContradiction(deps, { tenantId, contradictionId: first, verdict: 'a', ...said })
  await resolveContradiction(deps, { tenantId, contradictionId: second, verdict: 'dismiss', ...said })
  if (possible !== undefined) await decidePossibleConflict(deps, { tenantId, findingId: possible, verdict: 'dismiss', ...said })
  return { resolved: first }
}

test.each(['the same', 'another'])('what people decided survives reading again by %s reader, and can be undone', async which => {
  const scope = await newCase()
  const { tenantId } = scope
  const { resolved } = await decideAll(scope)
  const before = { findings: await findings(world, tenantId), states: await states(tenantId), figures: await figures(tenantId) }
  if (which === 'another') await readBefore(scope)
  await rereadScope(deps, scope, {})
  await work(tenantId)
  expect({ findings: await findings(world, tenantId), states: await states(tenantId), figures: await figures(tenantId) }).toEqual(before)
  const told = (await rereads(tenantId)).map(({ data }) => [data['decisions_kept'], data['detached']])
  expect(told.every(([, detached]) => JSON.stringify(detached) === '[]')).toBe(true)
  expect(told.reduce((sum, [kept]) => sum + Number(kept), 0)).toBeGreaterThan(2)
  const reopened = await reopenContradiction(deps, { tenantId, contradictionId: resolved, ...said })
  expect(reopened.status).toBe('open')
  expect(reopened.claims_revived.length).toBeGreaterThan(0)
})

test.each(['the same', 'another'])('a claim that counts again by an objection counts after reading again by %s reader', async which => {
  const scope = await newCase()
  const { tenantId } = scope
  const [found] = await world.rows<{ id: string }>(`select supersession_id as id from supersessions where tenant_id = $1`, [tenantId])
  const objection = await objectToSupersession(deps, { tenantId, findingId: found?.id ?? '', ...said })
  if (which === 'another') await readBefore(scope)
  for (let turn = 0; turn < 2; turn++) {
    await rereadScope(deps, scope, {})
    await work(tenantId)
    const [row] = await world.rows(
      `select p.status, c.superseded_at is null as counts, b.superseded_at is null as "byCounts", x.contradiction_id, x.status as contradiction
       from supersessions p join contradictions x using (tenant_id, scope_no, generation, contradiction_no)
       join claims c on c.tenant_id = p.tenant_id and c.scope_no = p.scope_no and c.claim_no = p.claim_no
       join claims b on b.tenant_id = p.tenant_id and b.scope_no = p.scope_no and b.claim_no = p.by_claim_no
       where p.tenant_id = $1 and p.supersession_id = $2`,
      [tenantId, found?.id],
    )
    const contradiction_id = objection.contradiction_id
    expect(row).toEqual({ status: 'objected', counts: true, byCounts: true, contradiction_id, contradiction: 'open' })
  }
})

test('decisions about statements that are no longer read are named, and findings about them withdrawn', async () => {
  const scope = await newCase()
  const { tenantId } = scope
  const [decided, left] = await world.rows<{ id: string }>(
    `select contradiction_id as id from contradictions where tenant_id = $1 and status = 'open' order by contradiction_no`,
    [tenantId],
  )
  await resolveContradiction(deps, { tenantId, contradictionId: decided?.id ?? '', verdict: 'dismiss', ...said })
  // The reader before saw other words there.
  await world.rows(`update claims set start_at = start_at + 100000, end_at = end_at + 100000 where tenant_id = $1`, [tenantId])
  await readBefore(scope)
  await rereadScope(deps, scope, {})
  await work(tenantId)
  const detached = (await rereads(tenantId)).flatMap(({ data }) => data['detached'] as string[])
  expect(detached).toContain(decided?.id)
  const [closed] = await world.rows<{ status: string; resolution: { by: string; reason: string } }>(
    `select status, resolution from contradictions where tenant_id = $1 and contradiction_id = $2`,
    [tenantId, left?.id],
  )
  expect(closed).toMatchObject({ status: 'resolved', resolution: { by: 'system' } })
  expect(closed?.resolution.reason).toContain('reread')
  const late = resolveContradiction(deps, { tenantId, contradictionId: left?.id ?? '', verdict: 'a', ...said })
  await expect(late).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
})

test('what comes in goes before what is read again, and a paused scope waits', async () => {
  const scope = await newCase()
  await workOffEverything()
  await rereadScope(deps, scope, {})
  await world.ingest([{ ...scope, documentId: 'urgent', text: documents.chart }])
  const lease = await leaseNext(world.db, { owner: 'first', leaseMs: 60_000, batch: 8 })
  expect(lease?.documents.map(({ documentId, reread }) => [documentId, reread])).toEqual([['urgent', null]])
  await world.rows(`update scope_leases set owner = null, leased_until = null where tenant_id = $1`, [scope.tenantId])
  const scopeNo = await world.scopeNo(scope.tenantId, 'case')
  await world.rows(`insert into runtime_states (tenant_id, scope_no, state) values ($1, $2, 'paused')`, [scope.tenantId, scopeNo])
  expect(await leaseNext(world.db, { owner: 'second', leaseMs: 60_000, batch: 8 })).toBeUndefined()
  await world.rows(`delete from runtime_states where tenant_id = $1`, [scope.tenantId])
  await work(scope.tenantId)
  expect(await rereads(scope.tenantId)).toHaveLength(Object.keys(documents).length)
})

test('a process that dies over documents that it reads again costs nothing but time', async () => {
  const scope = await newCase()
  await workOffEverything()
  const { tenantId } = scope
  const before = await findings(world, tenantId)
  await rereadScope(deps, scope, {})
  const worker = world.startWorker({ batch: 2 })
  await world.until(`select count(*) > 1 from events where tenant_id = $1 and type = 'document.reread'`, [tenantId])
  await worker.stop()
  const dead = await leaseNext(world.db, { owner: 'dead', leaseMs: 1, batch: 8 })
  const next = await leaseNext(world.db, { owner: 'next', leaseMs: 1, batch: 8 })
  // Which of them it died over is found out one by one.
  if (dead !== undefined) expect(next?.documents).toHaveLength(1)
  await work(tenantId)
  const read = (await rereads(tenantId)).map(({ data }) => data['document_id'])
  expect(read.sort()).toEqual(Object.keys(documents).sort())
  expect(await findings(world, tenantId)).toEqual(before)
})

test('whatever statement of a new reading fails, it happens once', async () => {
  const scope = await newCase()
  const { tenantId } = scope
  await decideAll(scope)
  const before = { findings: await findings(world, tenantId), states: await states(tenantId), figures: await figures(tenantId) }
  await rereadScope(deps, scope, {})
  const writes = [
    'update documents set reread_round',
    'delete from contradiction_sides m using',
    'update supersessions p set claim_no',
    'insert into scope_states',
    'insert into claims (',
    'update claims c set superseded_at',
    'insert into contradiction_sides (',
    'insert into rounds (',
    'insert into events',
  ]
  const failed = new Set<string>()
  const onceEach = withFailingStatements(world.db, ({ text }) => {
    const written = writes.find(part => text.includes(part))
    if (written === undefined || failed.has(written)) return null
    failed.add(written)
    return '40001'
  })
  await work(tenantId, { db: onceEach, retryMaxAttempts: 20 })
  expect([...failed]).toEqual(expect.arrayContaining(writes.slice(0, 4)))
  expect({ findings: await findings(world, tenantId), states: await states(tenantId), figures: await figures(tenantId) }).toEqual(before)
  expect(await rereads(tenantId)).toHaveLength(Object.keys(documents).length)
})

test('a document whose issuer is cut before an emoji is read, and read again', async () => {
  const scope = { tenantId: await world.newTenant(), scopeId: 'case' }
  await world.ingest([{ ...scope, documentId: 'cut', source: `${'x'.repeat(119)}😀`, text: 'The pier is 40 m long.' }])
  await work(scope.tenantId)
  await rereadScope(deps, scope, {})
  await work(scope.tenantId)
  expect(await rereads(scope.tenantId)).toHaveLength(1)
  const profiles = await world.rows(`select profile->'issuer' as issuer from documents where tenant_id = $1`, [scope.tenantId])
  expect(profiles).toEqual([{ issuer: 'x'.repeat(119) }])
})

const quiescent = (tenantId: string) =>
  world.rows(`select g->'ok' as ok from scope_states, json_array_elements(gates) g where tenant_id = $1 and g->>'gate' = 'quiescent'`, [
    tenantId,
  ])

test('a scope is settled anew when the last document to be read again was overtaken by a later revision', async () => {
  const scope = await newCase(['note', 'survey'])
  const { tenantId } = scope
  await rereadScope(deps, scope, {})
  await world.ingest([{ ...scope, documentId: 'survey', text: 'The pier is 40 m long.' }])
  await work(tenantId)
  const dropped = `select data->>'error_class' as class from events where tenant_id = $1 and type = 'document.reread_failed'`
  expect(await world.rows(dropped, [tenantId])).toEqual([{ class: 'stale_revision' }])
  expect(await quiescent(tenantId)).toEqual([{ ok: true }])
  expect(await world.rows('select kind from rounds where tenant_id = $1 order by round desc limit 1', [tenantId])).toEqual([
    { kind: 'given_up' },
  ])
  expect(await replayScope(world.db, scope)).toMatchObject({ ok: true })
})

test('discarding a revision that waits leaves the one before it to be read again', async () => {
  const scope = await newCase(['note', 'survey'])
  const { tenantId } = scope
  await rereadScope(deps, scope, {})
  await world.ingest([{ ...scope, documentId: 'survey', text: 'The pier is 40 m long.' }])
  await discardDocument(deps, { ...scope, documentId: 'survey', from: 'queued', ...said })
  await work(tenantId)
  expect(await rereads(tenantId)).toHaveLength(2)
  expect(await quiescent(tenantId)).toEqual([{ ok: true }])
})

test('a document that cannot be read again keeps the reading it has', async () => {
  const scope = await newCase(['survey', 'note'])
  const { tenantId } = scope
  const live = `select claim_id from claims where tenant_id = $1 and superseded_at is null order by claim_no`
  const before = await world.rows(live, [tenantId])
  await rereadScope(deps, scope, {})
  const failing = withFailingStatements(world.db, ({ text }) => (text.startsWith('update documents set reread_round') ? '23514' : null))
  await work(tenantId, { db: failing })
  expect(await world.rows(live, [tenantId])).toEqual(before)
  const failed = await world.rows(
    `select data->>'error_class' as class from events where tenant_id = $1 and type = 'document.reread_failed'`,
    [tenantId],
  )
  expect(failed).toEqual([{ class: '23514' }, { class: '23514' }])
})

test('a document is given up once, although the answer to the commit that did so was lost', async () => {
  const scope = await newCase(Object.keys(documents).slice(0, 3))
  const { tenantId } = scope
  await rereadScope(deps, scope, {})
  const seen = { finishes: 0, lost: 0 }
  const failing = withFailingStatements(world.db, ({ text }) =>
    text.startsWith('update documents set reread_round') && seen.finishes++ === 0 ? '23514' : null,
  )
  const inTenant: Database['inTenant'] = async (tenant, work, options) => {
    const result = await failing.inTenant(tenant, work, options)
    const [given] = await world.rows(`select from events where tenant_id = $1 and type = 'document.reread_failed'`, [tenantId])
    if (given === undefined || seen.lost++ > 0) return result
    throw new AppError('STORAGE_UNAVAILABLE', { detail: 'on purpose' })
  }
  await work(tenantId, { db: { ...failing, inTenant } })
  expect(seen.lost).toBeGreaterThan(1)
  expect(await world.rows(`select from events where tenant_id = $1 and type = 'document.reread_failed'`, [tenantId])).toHaveLength(1)
  expect(await rereads(tenantId)).toHaveLength(2)
})

test('erasing a document erases what every reading of it said, and takes it out of the queue', async () => {
  const scope = await newCase()
  const { tenantId } = scope
  await rereadScope(deps, scope, {})
  await work(tenantId)
  await rereadScope(deps, scope, {})
  await eraseDocument(deps, { ...scope, documentId: 'survey' })
  const [words] = await world.rows(
    `select count(*) filter (where quote is not null or body::text <> '{}')::int as left, count(*)::int as claims from claims
     where tenant_id = $1 and document_id = 'survey'`,
    [tenantId],
  )
  expect(words).toMatchObject({ left: 0 })
  expect(Number((words as { claims: number }).claims)).toBeGreaterThan(0)
  await work(tenantId)
  expect(await verifyDatabase(world.db)).toMatchObject({ broken: [] })
  await rereadScope(deps, scope, {})
  await resetScope(deps, scope)
  expect(await world.rows(idle, [tenantId])).toEqual([{ '?column?': true }])
})

test('a scope is read again to its end after the document of a claim that another corrected was erased', async () => {
  const scope = await newCase()
  const { tenantId } = scope
  const corrected = `select from supersessions p join claims c using (tenant_id, scope_no, generation, claim_no)
    where p.tenant_id = $1 and p.status = 'standing' and c.document_id = 'minutes'`
  expect((await world.rows(corrected, [tenantId])).length).toBeGreaterThan(0)
  await eraseDocument(deps, { ...scope, documentId: 'minutes' })
  await readBefore(scope)
  await rereadScope(deps, scope, {})
  await work(tenantId)
  expect(await rereads(tenantId)).toHaveLength(Object.keys(documents).length - 1)
  expect(await world.rows(`select from events where tenant_id = $1 and type = 'document.reread_failed'`, [tenantId])).toEqual([])
  expect(await world.rows('select from claims where tenant_id = $1 and quote is null and superseded_at is null', [tenantId])).toEqual([])
})

test('a document whose new reading cannot be planned costs its attempts, and no other document', async () => {
  const scope = await newCase(['note', 'survey'])
  const { tenantId } = scope
  await rereadScope(deps, scope, {})
  // Looked up for documents that are read again, and for the first of them only.
  const failing = withFailingStatements(world.db, ({ text, values }) =>
    text.includes('m.reading is not null order by m.revision') && values?.includes('note') ? '22P02' : null,
  )
  await work(tenantId, { db: failing })
  const failed = await world.rows(
    `select subject, data->>'stage' as stage, data->>'error_class' as class, data->'attempts' as attempts from events
     where tenant_id = $1 and type = 'document.reread_failed'`,
    [tenantId],
  )
  expect(failed).toEqual([{ subject: 'note', stage: 'reconcile', class: 'reconcile_error', attempts: 3 }])
  expect((await rereads(tenantId)).map(({ data }) => data['document_id'])).toEqual(['survey'])
})

/** As if the reader before had seen these words elsewhere: no claim of the new reading says what its claims say. */
const readElsewhere = ({ tenantId }: { tenantId: string }, documentId: string) =>
  world.rows('update claims set start_at = start_at + 100000, end_at = end_at + 100000 where tenant_id = $1 and document_id = $2', [
    tenantId,
    documentId,
  ])

test('what a replaced revision said does not count again when the claim that corrected it is no longer read', async () => {
  const scope = await newCase(['minutes', 'corrected'])
  const { tenantId } = scope
  await world.ingest([{ ...scope, documentId: 'minutes', text: 'Harbour board\nMinutes of 4 May 2022\nThe shed has 12 windows.\n' }])
  await work(tenantId)
  await readElsewhere(scope, 'corrected')
  await rereadScope(deps, scope, {})
  await work(tenantId)
  expect(await world.rows('select status from supersessions where tenant_id = $1', [tenantId])).toEqual([{ status: 'withdrawn' }])
  const counted = `select document_id, revision from claims where tenant_id = $1 and superseded_at is null order by claim_no`
  expect(await world.rows(counted, [tenantId])).toEqual([
    { document_id: 'corrected', revision: 1 },
    { document_id: 'minutes', revision: 2 },
  ])
})

test.each(['reopen', 'b', 'both'] as const)('what a replaced reading said does not count again by %s', async act => {
  const scope = await newCase(['ledger', 'chart'])
  const { tenantId } = scope
  const [found] = await world.rows<{ id: string }>(`select contradiction_id as id from contradictions where tenant_id = $1`, [tenantId])
  const decided = { tenantId, contradictionId: found?.id ?? '', ...said }
  const { claims_retired } = await resolveContradiction(deps, { ...decided, verdict: 'a' })
  expect(claims_retired).toHaveLength(1)
  await readElsewhere(scope, 'chart')
  await rereadScope(deps, scope, {})
  await work(tenantId)
  expect((await rereads(tenantId)).flatMap(({ data }) => data['detached'])).toEqual([found?.id])
  const answer = act === 'reopen' ? reopenContradiction(deps, decided) : resolveContradiction(deps, { ...decided, verdict: act })
  expect((await answer).claims_revived).not.toContain(claims_retired[0])
})

test('a claim of a replaced reading that counts is noticed, and ends when its document is erased', async () => {
  const scope = await newCase(['survey', 'note'])
  const { tenantId } = scope
  await rereadScope(deps, scope, {})
  await work(tenantId)
  const back = `update claims set superseded_at = null where (tenant_id, claim_id) in (
    select tenant_id, claim_id from claims where tenant_id = $1 and document_id = 'note' and superseded_at is not null limit 1)
    returning claim_id`
  const [claim] = await world.rows<{ claim_id: string }>(back, [tenantId])
  const counted = `jsonb_build_object('claimsLive', (aggregates->>'claimsLive')::integer + 1)`
  await world.rows(`update scope_states set aggregates = (aggregates::jsonb || ${counted})::json where tenant_id = $1`, [tenantId])
  const detail = `claim ${claim?.claim_id} of document note counts, and its document no longer says it`
  expect((await verifyDatabase(world.db)).broken).toMatchObject([
    { invariant: 'claim.current_reading', detail },
    { invariant: 'standing', detail: `claim ${claim?.claim_id} counts, and should not` },
  ])
  await eraseDocument(deps, { ...scope, documentId: 'note' })
  expect(await verifyDatabase(world.db)).toMatchObject({ broken: [] })
})

// Last, since it takes the texts of all the cases above.
test('a new comparer judges what is stored again, when the texts are gone', async () => {
  const scope = await newCase()
  const { tenantId } = scope
  await readBefore(scope)
  await world.ingest([{ ...scope, documentId: 'newcomer', text: documents.survey.replace('198', '150') }])
  await work(tenantId)
  const found = `select count(*) as sides from contradiction_sides m join claims c using (tenant_id, scope_no, generation, claim_no)
    where c.tenant_id = $1 and c.document_id = 'newcomer'`
  expect(await world.rows(found, [tenantId])).toEqual([{ sides: 0 }])
  const said = () =>
    world.rows(
      `select c.document_id, c.quote, c.start_at, c.body->>'valueText' as value from claims c where c.tenant_id = $1 and c.superseded_at is null
       order by 1, 3, 4`,
      [tenantId],
    )
  const before = await said()
  // Read by this reader after all, and compared by a comparer before.
  await world.rows(`update documents set profile = profile || $2::jsonb where tenant_id = $1 and extractor_version = '0'`, [
    tenantId,
    JSON.stringify({ reader: READER_VERSION, comparer: '0' }),
  ])
  for (let removed = 1; removed > 0; ) removed = await removeOldTexts(world.db, 0, 1000)
  expect((await getSummary(deps, scope)).body?.reading).toMatchObject({ needs_reread: true })
  await rereadScope(deps, scope, {})
  await work(tenantId)
  const [{ sides } = { sides: 0 }] = await world.rows<{ sides: number }>(found, [tenantId])
  expect(sides).toBeGreaterThan(0)
  expect(await said()).toEqual(before)
  expect((await getSummary(deps, scope)).body?.reading).toMatchObject({ needs_reread: false, reader: RULES_VERSION })
})
