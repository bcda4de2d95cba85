/**
 * Erasing a document leaves a scope as if it had never been handed in: what it had replaced counts again, and is compared with
 * everything that came while it did not count.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import type { ScopesDeps } from '../../src/scopes/deps.js'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { objectToSupersession, restoreSupersession } from '../../src/scopes/findings/finding-act.js'
import { resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import type { Database, Statement } from '../../src/store/server/database.js'
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
const idle = `select queued + processing + rereads = 0 from scope_heads where tenant_id = $1`

async function newCase(...names: Name[]) {
  const scope = { tenantId: await world.newTenant(), scopeId: 'case' }
  await handIn(scope, ...names)
  return scope
}

async function handIn(scope: { tenantId: string; scopeId: string }, ...names: Name[]): Promise<void> {
  await world.ingest(names.map(documentId => ({ ...scope, documentId, text: documents[documentId] })))
  await work(scope.tenantId)
}

async function work(tenantId: string): Promise<void> {
  const worker = world.startWorker()
  await world.until(idle, [tenantId])
  await worker.stop()
}

const live = (tenantId: string) =>
  world.rows(
    `select document_id, start_at, end_at from claims where tenant_id = $1 and superseded_at is null order by document_id, start_at, end_at`,
    [tenantId],
  )
const supersessions = (tenantId: string) =>
  world.rows<{ id: string; status: string; by: string }>(
    `select p.supersession_id as id, p.status, b.document_id as by from supersessions p
     join claims b on b.tenant_id = p.tenant_id and b.scope_no = p.scope_no and b.claim_no = p.by_claim_no
     where p.tenant_id = $1 order by p.supersession_no`,
    [tenantId],
  )
const events = (tenantId: string, type: string) =>
  world.rows<{ data: Record<string, unknown> }>('select data from events where tenant_id = $1 and type = $2 order by seq', [tenantId, type])

async function expectSound(scope: { tenantId: string; scopeId: string }): Promise<void> {
  expect(await replayScope(world.db, scope)).toMatchObject({ ok: true, difference: null })
}

test('what an erased document had corrected counts again, and contradicts what comes later', async () => {
  const scope = await newCase('minutes', 'corrected')
  const { tenantId } = scope
  const [found] = await supersessions(tenantId)
  expect(found).toMatchObject({ status: 'standing', by: 'corrected' })
  await eraseDocument(deps, { ...scope, documentId: 'corrected' })
  const plain = await newCase('minutes')
  expect(await live(tenantId)).toEqual(await live(plain.tenantId))
  expect(await supersessions(tenantId)).toEqual([{ ...found, status: 'withdrawn' }])
  expect(await events(tenantId, 'supersession.withdrawn')).toMatchObject([{ data: { supersession_id: found?.id } }])
  const objection = objectToSupersession(deps, { tenantId, findingId: found?.id ?? '', reason: 'I was there.', by: 'Ada' })
  await expect(objection).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
  await expectSound(scope)
  await handIn(scope, 'survey')
  await handIn(plain, 'survey')
  const expected = await findings(world, plain.tenantId)
  expect(expected.filter(line => line.startsWith('contradiction'))).toHaveLength(1)
  expect(await findings(world, tenantId)).toEqual(expected)
  await expectSound(scope)
})

test('what counts again is compared with what came while it did not', async () => {
  const scope = await newCase('minutes', 'corrected', 'survey')
  await eraseDocument(deps, { ...scope, documentId: 'corrected' })
  await work(scope.tenantId)
  const plain = await newCase('minutes', 'survey')
  expect(await findings(world, scope.tenantId)).toEqual(await findings(world, plain.tenantId))
  await expectSound(scope)
})

test('other scopes of the tenant become due while the words of a document are being erased', async () => {
  const scope = await newCase('minutes', 'corrected', 'survey')
  const { tenantId } = scope
  // Nothing of the tenant waits: what is queued changes its turn.
  await world.rows('update tenant_turns set due_at = null where tenant_id = $1', [tenantId])
  let looks = 0
  const lookWhile = async ({ text }: Statement): Promise<void> => {
    if (!text.startsWith('delete from file_chunks')) return
    looks++
    await world.rows('select from tenant_turns where tenant_id = $1 for no key update nowait', [tenantId])
  }
  const db: Database = {
    ...world.db,
    inTenant: (of, work, options) =>
      world.db.inTenant(of, tx => work({ ...tx, query: async statement => lookWhile(statement).then(() => tx.query(statement)) }), options),
  }
  await eraseDocument({ ...deps, db }, { ...scope, documentId: 'corrected' })
  expect(looks).toBe(1)
  expect(await world.rows('select document_id from backlog where tenant_id = $1', [tenantId])).toEqual([{ document_id: 'minutes' }])
  await work(tenantId)
  await expectSound(scope)
})

test.each(Object.keys(documents) as Name[])('a scope from which %s was erased has the findings of one that never had it', async erased => {
  const names = Object.keys(documents) as Name[]
  const scope = await newCase(...names)
  await eraseDocument(deps, { ...scope, documentId: erased })
  await work(scope.tenantId)
  const plain = await newCase(...names.filter(name => name !== erased))
  const pairs = (lines: string[]) => lines.flatMap(pairsIn).filter(pair => !pair.includes(`${erased}:`))
  expect(new Set(pairs(await findings(world, scope.tenantId)))).toEqual(new Set(pairs(await findings(world, plain.tenantId))))
  await expectSound(scope)
})

test.each([
  ['corrected', 'that counted'],
  ['corrected', 'that did not count'],
  ['again', 'that counted'],
])('taking an objection back restores no supersession by %s, %s, once that was erased', async (erased, how) => {
  const scope = await newCase('minutes', 'corrected')
  const { tenantId } = scope
  const text = documents.corrected.replace('205', '206')
  await world.ingest([{ ...scope, documentId: 'again', text }])
  await work(tenantId)
  await handIn(scope, 'survey')
  const ofMinutes = async () => {
    const rows = await world.rows<{ id: string }>(
      `select p.supersession_id as id from supersessions p join claims c using (tenant_id, scope_no, generation, claim_no)
       where p.tenant_id = $1 and c.document_id = 'minutes'`,
      [tenantId],
    )
    return (await supersessions(tenantId)).filter(each => rows.some(({ id }) => id === each.id))
  }
  const pairs = await ofMinutes()
  expect(pairs).toMatchObject([{ status: 'standing' }, { status: 'standing' }])
  const said = { tenantId, reason: 'I was there.', by: 'Ada' }
  const idBy = (by: string) => pairs.find(each => each.by === by)?.id ?? ''
  if (how === 'that did not count') {
    const [found] = await world.rows<{ id: string; side: 'a' | 'b' }>(
      `select x.contradiction_id as id, m.side from contradictions x join contradiction_sides m using (tenant_id, scope_no, generation, contradiction_no)
       join claims c using (tenant_id, scope_no, generation, claim_no) where tenant_id = $1 and c.document_id = 'corrected'`,
      [tenantId],
    )
    const verdict = found?.side === 'a' ? 'b' : 'a'
    await resolveContradiction(deps, { ...said, contradictionId: found?.id ?? '', verdict })
  }
  await objectToSupersession(deps, { ...said, findingId: idBy('again') })
  await eraseDocument(deps, { ...scope, documentId: erased })
  await work(tenantId)
  await expect(restoreSupersession(deps, { ...said, findingId: idBy(erased) })).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
  const left = erased === 'again' ? 'corrected' : 'again'
  await restoreSupersession(deps, { ...said, findingId: idBy(left) })
  const states = new Map((await ofMinutes()).map(each => [each.by, each.status]))
  expect(states).toEqual(
    new Map([
      ['corrected', erased === 'corrected' ? 'objected' : 'standing'],
      ['again', erased === 'again' ? 'objected' : 'standing'],
    ]),
  )
  await expectSound(scope)
})
