/** Reading a scope again: findings go on under their ids, and decisions of people stay with the statements they are about. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { READER_VERSION, RULES_VERSION } from '../../src/reading/version.js'
import { discardDocument } from '../../src/scopes/documents/discard.js'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { rereadScope } from '../../src/scopes/documents/reread.js'
import { objectToSupersession } from '../../src/scopes/findings/finding-act.js'
import { reopenContradiction, resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { listScopes } from '../../src/scopes/lifecycle.js'
import { resetScope } from '../../src/scopes/reset.js'
import { getSummary } from '../../src/scopes/summary.js'
import { removeOldTexts } from '../../src/store/maintenance/text-retention.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { documents, findings } from './harbour.js'
import { idle, said, startRereads } from './started-rereads.js'
import { leaseNext } from './support.js'

const at = startRereads()
const { newCase, work, workOffEverything, readBefore, figures, states, rereads, decideAll } = at

test('read again by the same reader, a scope has the findings, ids and figures it had', async () => {
  const scope = await newCase()
  const { tenantId } = scope
  const before = { findings: await findings(at.world, tenantId), states: await states(tenantId), figures: await figures(tenantId) }
  const answer = await rereadScope(at.deps, scope, { by: 'Ada', reason: 'To be sure.' })
  const count = Object.keys(documents).length
  expect(answer).toEqual({ scope_id: 'case', queued: count, waiting: count, model: false })
  expect(await rereadScope(at.deps, scope, {})).toMatchObject({ queued: 0, waiting: count })
  await work(tenantId)
  expect({ findings: await findings(at.world, tenantId), states: await states(tenantId), figures: await figures(tenantId) }).toEqual(before)
  const rows = await at.world.rows(
    'select distinct revision, status, reread_round is not null as again from documents where tenant_id = $1',
    [tenantId],
  )
  expect(rows).toEqual([{ revision: 1, status: 'indexed', again: true }])
  const [round] = await at.world.rows(
    `select input->>'by' as by, input->>'reason' as reason from rounds where tenant_id = $1 and kind = 'reread'`,
    [tenantId],
  )
  expect(round).toEqual({ by: 'Ada', reason: 'To be sure.' })
  const report = await replayScope(at.world.db, scope)
  expect(report).toMatchObject({ ok: true, complete: false })
  expect(report?.documents.notRead.readAgain).toBe(1)
})

test('read again by another reader, whatever the order, a scope has the findings of a new one', async () => {
  const names = Object.keys(documents)
  const expected = await findings(at.world, (await newCase()).tenantId)
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(names, { minLength: names.length }), async order => {
      const scope = await newCase(order)
      const ids = await states(scope.tenantId)
      await readBefore(scope)
      await rereadScope(at.deps, scope, {})
      await work(scope.tenantId)
      expect(await findings(at.world, scope.tenantId)).toEqual(expected)
      const open = (rows: readonly unknown[]) => rows.filter(row => ['open', 'standing'].includes((row as { status: string }).status))
      expect(open(await states(scope.tenantId))).toEqual(open(ids))
    }),
    { numRuns: 3, seed: 11 },
  )
})

test('a scope says that it needs reading again, and that it does not', async () => {
  const scope = await newCase()
  const needs = async () => {
    const [listed] = (await listScopes(at.deps, scope.tenantId, {})).items
    return [(await getSummary(at.deps, scope)).body?.reading, listed?.needs_reread]
  }
  const none = { outdated: 0, needs_reread: false, waiting: 0, without_model: 0 }
  expect(await needs()).toMatchObject([none, false])
  await readBefore(scope)
  const text = documents.survey.replaceAll('Corran pier', 'Corran pier').replace('198', '150')
  await at.world.ingest([{ ...scope, documentId: 'newcomer', text }])
  await work(scope.tenantId)
  const found = `select count(*) = 0 as none from contradiction_sides m join claims c using (tenant_id, scope_no, generation, claim_no)
    where c.tenant_id = $1 and c.document_id = 'newcomer'`
  expect(await at.world.rows(found, [scope.tenantId])).toEqual([{ none: true }])
  const count = Object.keys(documents).length
  expect(await needs()).toMatchObject([{ outdated: count, needs_reread: true }, true])
  await rereadScope(at.deps, scope, {})
  expect(await needs()).toMatchObject([{ waiting: count + 1 }, true])
  await work(scope.tenantId)
  expect(await needs()).toMatchObject([none, false])
  expect(await at.world.rows(found, [scope.tenantId])).toEqual([{ none: false }])
})

test.each(['the same', 'another'])('what people decided survives reading again by %s reader, and can be undone', async which => {
  const scope = await newCase()
  const { tenantId } = scope
  const { resolved } = await decideAll(scope)
  const before = { findings: await findings(at.world, tenantId), states: await states(tenantId), figures: await figures(tenantId) }
  if (which === 'another') await readBefore(scope)
  await rereadScope(at.deps, scope, {})
  await work(tenantId)
  expect({ findings: await findings(at.world, tenantId), states: await states(tenantId), figures: await figures(tenantId) }).toEqual(before)
  const told = (await rereads(tenantId)).map(({ data }) => [data['decisions_kept'], data['detached']])
  expect(told.every(([, detached]) => JSON.stringify(detached) === '[]')).toBe(true)
  expect(told.reduce((sum, [kept]) => sum + Number(kept), 0)).toBeGreaterThan(2)
  const reopened = await reopenContradiction(at.deps, { tenantId, contradictionId: resolved, ...said })
  expect(reopened.status).toBe('open')
  expect(reopened.claims_revived.length).toBeGreaterThan(0)
})

test.each(['the same', 'another'])('a claim that counts again by an objection counts after reading again by %s reader', async which => {
  const scope = await newCase()
  const { tenantId } = scope
  const [found] = await at.world.rows<{ id: string }>(`select supersession_id as id from supersessions where tenant_id = $1`, [tenantId])
  const objection = await objectToSupersession(at.deps, { tenantId, findingId: found?.id ?? '', ...said })
  if (which === 'another') await readBefore(scope)
  for (let turn = 0; turn < 2; turn++) {
    await rereadScope(at.deps, scope, {})
    await work(tenantId)
    const [row] = await at.world.rows(
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
  const [decided, left] = await at.world.rows<{ id: string }>(
    `select contradiction_id as id from contradictions where tenant_id = $1 and status = 'open' order by contradiction_no`,
    [tenantId],
  )
  await resolveContradiction(at.deps, { tenantId, contradictionId: decided?.id ?? '', verdict: 'dismiss', ...said })
  // The reader before saw other words there.
  await at.world.rows(`update claims set start_at = start_at + 100000, end_at = end_at + 100000 where tenant_id = $1`, [tenantId])
  await readBefore(scope)
  await rereadScope(at.deps, scope, {})
  await work(tenantId)
  const detached = (await rereads(tenantId)).flatMap(({ data }) => data['detached'] as string[])
  expect(detached).toContain(decided?.id)
  const [closed] = await at.world.rows<{ status: string; resolution: { by: string; reason: string } }>(
    `select status, resolution from contradictions where tenant_id = $1 and contradiction_id = $2`,
    [tenantId, left?.id],
  )
  expect(closed).toMatchObject({ status: 'resolved', resolution: { by: 'system' } })
  expect(closed?.resolution.reason).toContain('reread')
  const late = resolveContradiction(at.deps, { tenantId, contradictionId: left?.id ?? '', verdict: 'a', ...said })
  await expect(late).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
})

test('what comes in goes before what is read again, and a paused scope waits', async () => {
  const scope = await newCase()
  await workOffEverything()
  await rereadScope(at.deps, scope, {})
  await at.world.ingest([{ ...scope, documentId: 'urgent', text: documents.chart }])
  const lease = await leaseNext(at.world.db, { owner: 'first', leaseMs: 60_000, batch: 8 })
  expect(lease?.documents.map(({ documentId, reread }) => [documentId, reread])).toEqual([['urgent', null]])
  await at.world.rows(`update scope_leases set owner = null, leased_until = null where tenant_id = $1`, [scope.tenantId])
  const scopeNo = await at.world.scopeNo(scope.tenantId, 'case')
  await at.world.rows(`insert into runtime_states (tenant_id, scope_no, state) values ($1, $2, 'paused')`, [scope.tenantId, scopeNo])
  expect(await leaseNext(at.world.db, { owner: 'second', leaseMs: 60_000, batch: 8 })).toBeUndefined()
  await at.world.rows(`delete from runtime_states where tenant_id = $1`, [scope.tenantId])
  await work(scope.tenantId)
  expect(await rereads(scope.tenantId)).toHaveLength(Object.keys(documents).length)
})

test('a document whose issuer is cut before an emoji is read, and read again', async () => {
  const scope = { tenantId: await at.world.newTenant(), scopeId: 'case' }
  await at.world.ingest([{ ...scope, documentId: 'cut', source: `${'x'.repeat(119)}😀`, text: 'The pier is 40 m long.' }])
  await work(scope.tenantId)
  await rereadScope(at.deps, scope, {})
  await work(scope.tenantId)
  expect(await rereads(scope.tenantId)).toHaveLength(1)
  const profiles = await at.world.rows(`select profile->'issuer' as issuer from documents where tenant_id = $1`, [scope.tenantId])
  expect(profiles).toEqual([{ issuer: 'x'.repeat(119) }])
})

const quiescent = (tenantId: string) =>
  at.world.rows(`select g->'ok' as ok from scope_states, json_array_elements(gates) g where tenant_id = $1 and g->>'gate' = 'quiescent'`, [
    tenantId,
  ])

test('a scope is settled anew when the last document to be read again was overtaken by a later revision', async () => {
  const scope = await newCase(['note', 'survey'])
  const { tenantId } = scope
  await rereadScope(at.deps, scope, {})
  await at.world.ingest([{ ...scope, documentId: 'survey', text: 'The pier is 40 m long.' }])
  await work(tenantId)
  const dropped = `select data->>'error_class' as class from events where tenant_id = $1 and type = 'document.reread_failed'`
  expect(await at.world.rows(dropped, [tenantId])).toEqual([{ class: 'stale_revision' }])
  expect(await quiescent(tenantId)).toEqual([{ ok: true }])
  expect(await at.world.rows('select kind from rounds where tenant_id = $1 order by round desc limit 1', [tenantId])).toEqual([
    { kind: 'given_up' },
  ])
  expect(await replayScope(at.world.db, scope)).toMatchObject({ ok: true })
})

test('discarding a revision that waits leaves the one before it to be read again', async () => {
  const scope = await newCase(['note', 'survey'])
  const { tenantId } = scope
  await rereadScope(at.deps, scope, {})
  await at.world.ingest([{ ...scope, documentId: 'survey', text: 'The pier is 40 m long.' }])
  await discardDocument(at.deps, { ...scope, documentId: 'survey', from: 'queued', ...said })
  await work(tenantId)
  expect(await rereads(tenantId)).toHaveLength(2)
  expect(await quiescent(tenantId)).toEqual([{ ok: true }])
})

test('erasing a document erases what every reading of it said, and takes it out of the queue', async () => {
  const scope = await newCase()
  const { tenantId } = scope
  await rereadScope(at.deps, scope, {})
  await work(tenantId)
  await rereadScope(at.deps, scope, {})
  await eraseDocument(at.deps, { ...scope, documentId: 'survey' })
  const [words] = await at.world.rows(
    `select count(*) filter (where quote is not null or body::text <> '{}')::int as left, count(*)::int as claims from claims
     where tenant_id = $1 and document_id = 'survey'`,
    [tenantId],
  )
  expect(words).toMatchObject({ left: 0 })
  expect(Number((words as { claims: number }).claims)).toBeGreaterThan(0)
  await work(tenantId)
  expect(await verifyDatabase(at.world.db)).toMatchObject({ broken: [] })
  await rereadScope(at.deps, scope, {})
  await resetScope(at.deps, scope)
  expect(await at.world.rows(idle, [tenantId])).toEqual([{ '?column?': true }])
})

test('a scope is read again to its end after the document of a claim that another corrected was erased', async () => {
  const scope = await newCase()
  const { tenantId } = scope
  const corrected = `select from supersessions p join claims c using (tenant_id, scope_no, generation, claim_no)
    where p.tenant_id = $1 and p.status = 'standing' and c.document_id = 'minutes'`
  expect((await at.world.rows(corrected, [tenantId])).length).toBeGreaterThan(0)
  await eraseDocument(at.deps, { ...scope, documentId: 'minutes' })
  await readBefore(scope)
  await rereadScope(at.deps, scope, {})
  await work(tenantId)
  expect(await rereads(tenantId)).toHaveLength(Object.keys(documents).length - 1)
  expect(await at.world.rows(`select from events where tenant_id = $1 and type = 'document.reread_failed'`, [tenantId])).toEqual([])
  expect(await at.world.rows('select from claims where tenant_id = $1 and quote is null and superseded_at is null', [tenantId])).toEqual([])
})

/** As if the reader before had seen these words elsewhere: no claim of the new reading says what its claims say. */
const readElsewhere = ({ tenantId }: { tenantId: string }, documentId: string) =>
  at.world.rows('update claims set start_at = start_at + 100000, end_at = end_at + 100000 where tenant_id = $1 and document_id = $2', [
    tenantId,
    documentId,
  ])

test('what a replaced revision said does not count again when the claim that corrected it is no longer read', async () => {
  const scope = await newCase(['minutes', 'corrected'])
  const { tenantId } = scope
  await at.world.ingest([{ ...scope, documentId: 'minutes', text: 'Harbour board\nMinutes of 4 May 2022\nThe shed has 12 windows.\n' }])
  await work(tenantId)
  await readElsewhere(scope, 'corrected')
  await rereadScope(at.deps, scope, {})
  await work(tenantId)
  expect(await at.world.rows('select status from supersessions where tenant_id = $1', [tenantId])).toEqual([{ status: 'withdrawn' }])
  const counted = `select document_id, revision from claims where tenant_id = $1 and superseded_at is null order by claim_no`
  expect(await at.world.rows(counted, [tenantId])).toEqual([
    { document_id: 'corrected', revision: 1 },
    { document_id: 'minutes', revision: 2 },
  ])
})

test.each(['reopen', 'b', 'both'] as const)('what a replaced reading said does not count again by %s', async act => {
  const scope = await newCase(['ledger', 'chart'])
  const { tenantId } = scope
  const [found] = await at.world.rows<{ id: string }>(`select contradiction_id as id from contradictions where tenant_id = $1`, [tenantId])
  const decided = { tenantId, contradictionId: found?.id ?? '', ...said }
  const { claims_retired } = await resolveContradiction(at.deps, { ...decided, verdict: 'a' })
  expect(claims_retired).toHaveLength(1)
  await readElsewhere(scope, 'chart')
  await rereadScope(at.deps, scope, {})
  await work(tenantId)
  expect((await rereads(tenantId)).flatMap(({ data }) => data['detached'])).toEqual([found?.id])
  const answer = act === 'reopen' ? reopenContradiction(at.deps, decided) : resolveContradiction(at.deps, { ...decided, verdict: act })
  expect((await answer).claims_revived).not.toContain(claims_retired[0])
})

test('a claim of a replaced reading that counts is noticed, and ends when its document is erased', async () => {
  const scope = await newCase(['survey', 'note'])
  const { tenantId } = scope
  await rereadScope(at.deps, scope, {})
  await work(tenantId)
  const back = `update claims set superseded_at = null where (tenant_id, claim_id) in (
    select tenant_id, claim_id from claims where tenant_id = $1 and document_id = 'note' and superseded_at is not null limit 1)
    returning claim_id`
  const [claim] = await at.world.rows<{ claim_id: string }>(back, [tenantId])
  const counted = `jsonb_build_object('claimsLive', (aggregates->>'claimsLive')::integer + 1)`
  await at.world.rows(`update scope_states set aggregates = (aggregates::jsonb || ${counted})::json where tenant_id = $1`, [tenantId])
  const detail = `claim ${claim?.claim_id} of document note counts, and its document no longer says it`
  expect((await verifyDatabase(at.world.db)).broken).toMatchObject([
    { invariant: 'claim.current_reading', detail },
    { invariant: 'standing', detail: `claim ${claim?.claim_id} counts, and should not` },
  ])
  await eraseDocument(at.deps, { ...scope, documentId: 'note' })
  expect(await verifyDatabase(at.world.db)).toMatchObject({ broken: [] })
})

// Last, since it takes the texts of all the cases above.
test('a new comparer judges what is stored again, when the texts are gone', async () => {
  const scope = await newCase()
  const { tenantId } = scope
  await readBefore(scope)
  await at.world.ingest([{ ...scope, documentId: 'newcomer', text: documents.survey.replace('198', '150') }])
  await work(tenantId)
  const found = `select count(*) as sides from contradiction_sides m join claims c using (tenant_id, scope_no, generation, claim_no)
    where c.tenant_id = $1 and c.document_id = 'newcomer'`
  expect(await at.world.rows(found, [tenantId])).toEqual([{ sides: 0 }])
  const said = () =>
    at.world.rows(
      `select c.document_id, c.quote, c.start_at, c.body->>'valueText' as value from claims c where c.tenant_id = $1 and c.superseded_at is null
       order by 1, 3, 4`,
      [tenantId],
    )
  const before = await said()
  // Read by this reader after all, and compared by a comparer before.
  await at.world.rows(`update documents set profile = profile || $2::jsonb where tenant_id = $1 and extractor_version = '0'`, [
    tenantId,
    JSON.stringify({ reader: READER_VERSION, comparer: '0' }),
  ])
  for (let removed = 1; removed > 0; ) removed = await removeOldTexts(at.world.db, 0, 1000)
  expect((await getSummary(at.deps, scope)).body?.reading).toMatchObject({ needs_reread: true })
  await rereadScope(at.deps, scope, {})
  await work(tenantId)
  const [{ sides } = { sides: 0 }] = await at.world.rows<{ sides: number }>(found, [tenantId])
  expect(sides).toBeGreaterThan(0)
  expect(await said()).toEqual(before)
  expect((await getSummary(at.deps, scope)).body?.reading).toMatchObject({ needs_reread: false, reader: RULES_VERSION })
})
