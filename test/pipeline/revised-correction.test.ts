/**
 * A revision that no longer says what the one before it replaced leaves a scope as if that one had never been handed in, however the
 * documents are batched.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import type { ScopesDeps } from '../../src/scopes/deps.js'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { lockScope } from '../../src/scopes/idempotent.js'
import { listComparable, queueRereads } from '../../src/store/documents/rereads.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { documents, findings, pairsIn } from './harbour.js'
import { openWorld, type PipelineWorld } from './support.js'

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

type Name = keyof typeof documents
const names = Object.keys(documents) as Name[]
const idle = `select queued + processing + rereads = 0 from scope_heads where tenant_id = $1`
const valuer = 'Valuation by Roth\nIssuer: Roth\nDate: 2022-06-09\n\nThe Corran pier is 205 m long.\n'

interface Handed {
  documentId: string
  text: string
}
const given = (...ids: Name[]): Handed[] => ids.map(documentId => ({ documentId, text: documents[documentId] }))
const revised = (text: string): Handed => ({ documentId: 'corrected', text })

/** Each list of documents is read before the next one comes. */
async function read(batch: number, ...lists: Handed[][]): Promise<{ tenantId: string; scopeId: string }> {
  const scope = { tenantId: await world.newTenant(), scopeId: 'case' }
  for (const list of lists) await handIn(scope, batch, list)
  return scope
}

async function handIn(scope: { tenantId: string; scopeId: string }, batch: number, list: Handed[]): Promise<void> {
  await world.ingest(list.map(each => ({ ...scope, ...each })))
  const worker = world.startWorker({ batch })
  await world.until(idle, [scope.tenantId])
  await worker.stop()
}

const pairs = async ({ tenantId }: { tenantId: string }) => {
  const found = (await findings(world, tenantId)).filter(line => !line.startsWith('supersession revision'))
  return [...new Set(found.flatMap(pairsIn).map(withoutPlace))].sort()
}
/** The words of a revision stand elsewhere. */
const withoutPlace = (pair: string) => pair.replace(/corrected:\d+-\d+/g, 'corrected')

async function expectSound(scope: { tenantId: string; scopeId: string }): Promise<void> {
  expect(await replayScope(world.db, scope)).toMatchObject({ ok: true, difference: null })
}

test.each([
  ['each by itself', 1],
  ['in one batch', 200],
])('what a revision no longer corrects counts again: %s', async (_, batch) => {
  const expected = await pairs(await read(1, [...given('minutes', 'survey'), revised(valuer)]))
  expect(expected.filter(line => line.includes('minutes') && line.includes('corrected'))).toHaveLength(1)
  const first = given('minutes', 'corrected', 'survey')
  const scope = await read(batch, ...(batch === 1 ? [first, [revised(valuer)]] : [[...first, revised(valuer)]]))
  expect(await pairs(scope)).toEqual(expected)
  const states = `select p.status from supersessions p where p.tenant_id = $1 and p.kind <> 'revision'`
  expect(await world.rows(states, [scope.tenantId])).toEqual([{ status: 'withdrawn' }])
  await expectSound(scope)
})

test.each([1, 2, 200])('so it does where it came behind what corrected it: %i in a batch', async batch => {
  const scope = await read(batch, [...given('corrected', 'minutes'), silent('corrected')])
  expect(await live(scope)).toEqual(await live(await read(1, given('minutes'))))
  await expectSound(scope)
})

test('a revision that corrects again leaves what it corrects as it is', async () => {
  const scope = await read(1, given('minutes', 'corrected'), [revised(documents.corrected.replace('205', '206'))])
  expect(await world.rows(`select from events where tenant_id = $1 and type = 'document.reread_queued'`, [scope.tenantId])).toEqual([])
  expect(await world.rows('select from claims where tenant_id = $1 and superseded_at is null', [scope.tenantId])).toHaveLength(3)
  const last = await read(1, given('minutes', 'corrected'), [revised(documents.corrected.replace('205', '206'))], [revised(valuer)])
  expect(await pairs(last)).toEqual(await pairs(await read(1, [...given('minutes'), revised(valuer)])))
  await expectSound(last)
})

const again = { documentId: 'again', text: 'Harbour board\nCorrected minutes of 7 June 2022\nThe Corran pier is 206 m long.\n' }
const silent = (documentId: string): Handed => ({ documentId, text: 'Nothing is said here.\n' })

test.each([
  ['revised', 'corrected', 'again'],
  ['revised', 'again', 'corrected'],
  ['revised in one batch', 'corrected', 'again'],
  ['revised in one batch', 'again', 'corrected'],
  ['erased', 'corrected', 'again'],
  ['erased', 'again', 'corrected'],
])('what two documents corrected counts again when both are gone: %s, %s first', async (how, first, last) => {
  const scope = await read(1, given('minutes'), given('corrected'), [again], given('survey'))
  const standing = `select from supersessions p join claims c using (tenant_id, scope_no, generation, claim_no)
    where p.tenant_id = $1 and p.status = 'standing' and c.document_id = 'minutes'`
  expect(await world.rows(standing, [scope.tenantId])).toHaveLength(2)
  if (how === 'revised in one batch') await handIn(scope, 200, [silent(first), silent(last)])
  else {
    await handIn(scope, 1, [silent(first)])
    if (how === 'erased') await eraseDocument(deps, { ...scope, documentId: last })
    await handIn(scope, 1, how === 'erased' ? [] : [silent(last)])
  }
  expect(await live(scope)).toEqual(await live(await read(1, given('minutes', 'survey'))))
  expect(await pairs(scope)).toEqual(await pairs(await read(1, given('minutes', 'survey'))))
  await expectSound(scope)
})

test('what a reading that is replaced had corrected counts again when the other correction was revised away before', async () => {
  const other = { documentId: 'valuer', text: valuer.replace('205', '206') }
  const scope = await read(1, given('minutes', 'corrected'), [other])
  const { tenantId } = scope
  // As a version before may have found it.
  await world.rows(
    `insert into supersessions (tenant_id, scope_no, generation, supersession_no, supersession_id, status, kind, claim_no, by_claim_no, reason,
       detected_at, detected_round)
     select p.tenant_id, p.scope_no, p.generation, s.next_supersession_no, 'found-before', 'standing', p.kind, p.claim_no, c.claim_no, p.reason,
       p.detected_at, p.detected_round
     from supersessions p join scope_states s using (tenant_id, scope_no, generation) join claims c using (tenant_id, scope_no, generation)
     join claims b using (tenant_id, scope_no, generation)
     where p.tenant_id = $1 and b.claim_no = p.claim_no and b.document_id = 'minutes' and c.document_id = 'valuer'`,
    [tenantId],
  )
  await world.rows('update scope_states set next_supersession_no = next_supersession_no + 1 where tenant_id = $1', [tenantId])
  await handIn(scope, 1, [silent('corrected')])
  const ended = `select bool_and(superseded_at is not null) as ended from claims where tenant_id = $1 and document_id = 'minutes' and quote like '%212 m%'`
  expect(await world.rows(ended, [tenantId])).toEqual([{ ended: true }])
  await world.db.inTenant(tenantId, async tx => {
    const place = await lockScope(tx, scope.scopeId)
    const rows = await listComparable(tx, place, ['valuer'])
    await queueRereads(tx, place, rows, { model: false, by: null, reason: null })
  })
  await handIn(scope, 1, [])
  expect(await world.rows(ended, [tenantId])).toEqual([{ ended: false }])
})

const live = ({ tenantId }: { tenantId: string }) =>
  world.rows('select document_id, start_at, end_at from claims where tenant_id = $1 and superseded_at is null order by 1, 2, 3', [tenantId])

test.each(names)('a scope in which %s was revised to say nothing has the findings of one that never had it', async name => {
  const scope = await read(200, given(...names), [{ documentId: name, text: 'Nothing is said here.\n' }])
  const plain = await read(200, given(...names.filter(each => each !== name)))
  const ofOthers = (found: string[]) => found.filter(pair => !pair.includes(name))
  expect(ofOthers(await pairs(scope))).toEqual(await pairs(plain))
  await expectSound(scope)
})

test('no certificate is signed before what counts again was compared', async () => {
  const scope = await read(1, given('minutes', 'corrected'))
  const certificates = () =>
    world.rows<{ round: number }>('select round::int as round from certificates where tenant_id = $1 order by round', [scope.tenantId])
  const before = await certificates()
  await world.ingest([{ ...scope, ...revised('Nothing is said here.\n') }])
  const worker = world.startWorker({ batch: 1 })
  await world.until(idle, [scope.tenantId])
  await worker.stop()
  const rounds = await world.rows<{ round: number; kind: string; waiting: string }>(
    `select round::int as round, kind, input->'workload'->>'queued' as waiting from rounds where tenant_id = $1 order by round desc limit 3`,
    [scope.tenantId],
  )
  expect(rounds).toMatchObject([
    { kind: 'reread', waiting: '0' },
    { kind: 'settling', waiting: '1' },
    { kind: 'document', waiting: '0' },
  ])
  const since = (await certificates()).slice(before.length).map(each => each.round)
  expect(since).not.toContain(rounds[1]?.round)
  expect(since).not.toContain(rounds[2]?.round)
})
