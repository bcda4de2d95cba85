/**
 * A revision that no longer says what the one before it replaced leaves a scope as if that one had never been handed in, however the
 * documents are batched.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { replayScope } from '../../src/pipeline/replay.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { documents, findings, pairsIn } from './harbour.js'
import { openWorld, type PipelineWorld } from './support.js'

let world: PipelineWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

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
  for (const list of lists) {
    await world.ingest(list.map(each => ({ ...scope, ...each })))
    const worker = world.startWorker({ batch })
    await world.until(idle, [scope.tenantId])
    await worker.stop()
  }
  return scope
}

const pairs = async ({ tenantId }: { tenantId: string }) => {
  const found = (await findings(world, tenantId)).filter(line => !line.startsWith('supersession revision'))
  return [...new Set(found.flatMap(pairsIn).map(withoutPlace))].sort()
}
/** The words of a revision stand elsewhere. */
const withoutPlace = (pair: string) => pair.replace(/corrected:\d+-\d+/g, 'corrected')

async function expectSound(scope: { tenantId: string; scopeId: string }): Promise<void> {
  expect(await verifyDatabase(world.db)).toMatchObject({ broken: [] })
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

test('a revision that corrects again leaves what it corrects as it is', async () => {
  const scope = await read(1, given('minutes', 'corrected'), [revised(documents.corrected.replace('205', '206'))])
  expect(await world.rows(`select from events where tenant_id = $1 and type = 'document.reread_queued'`, [scope.tenantId])).toEqual([])
  expect(await world.rows('select from claims where tenant_id = $1 and superseded_at is null', [scope.tenantId])).toHaveLength(3)
  const last = await read(1, given('minutes', 'corrected'), [revised(documents.corrected.replace('205', '206'))], [revised(valuer)])
  expect(await pairs(last)).toEqual(await pairs(await read(1, [...given('minutes'), revised(valuer)])))
  await expectSound(last)
})

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
    `select round::int as round, kind, input->'workload'->>'queued' as waiting from rounds where tenant_id = $1 order by round desc limit 2`,
    [scope.tenantId],
  )
  expect(rounds).toMatchObject([
    { kind: 'reread', waiting: '0' },
    { kind: 'document', waiting: '1' },
  ])
  const since = (await certificates()).slice(before.length)
  expect(since.map(each => each.round)).not.toContain(rounds[1]?.round)
})
