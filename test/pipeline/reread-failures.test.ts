/** Reading a scope again where something fails on the way: every document is read again once, or keeps the reading it has. */

import { expect, test } from 'vitest'
import { AppError } from '../../src/platform/errors.js'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { rereadScope } from '../../src/scopes/documents/reread.js'
import type { Database } from '../../src/store/server/database.js'
import { withFailingStatements } from '../support/failing-statements.js'
import { documents, findings } from './harbour.js'
import { startRereads } from './started-rereads.js'
import { leaseNext } from './support.js'

const at = startRereads()
const { newCase, work, workOffEverything, figures, states, rereads, decideAll } = at

test('a process that dies over documents that it reads again costs nothing but time', async () => {
  const scope = await newCase()
  await workOffEverything()
  const { tenantId } = scope
  const before = await findings(at.world, tenantId)
  await rereadScope(at.deps, scope, {})
  const worker = at.world.startWorker({ batch: 2 })
  await at.world.until(`select count(*) > 1 from events where tenant_id = $1 and type = 'document.reread'`, [tenantId])
  await worker.stop()
  const dead = await leaseNext(at.world.db, { owner: 'dead', leaseMs: 1, batch: 8 })
  const next = await leaseNext(at.world.db, { owner: 'next', leaseMs: 1, batch: 8 })
  // Which of them it died over is found out one by one.
  if (dead !== undefined) expect(next?.documents).toHaveLength(1)
  await work(tenantId)
  const read = (await rereads(tenantId)).map(({ data }) => data['document_id'])
  expect(read.sort()).toEqual(Object.keys(documents).sort())
  expect(await findings(at.world, tenantId)).toEqual(before)
})

test('whatever statement of a new reading fails, it happens once', async () => {
  const scope = await newCase()
  const { tenantId } = scope
  await decideAll(scope)
  const before = { findings: await findings(at.world, tenantId), states: await states(tenantId), figures: await figures(tenantId) }
  await rereadScope(at.deps, scope, {})
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
  const onceEach = withFailingStatements(at.world.db, ({ text }) => {
    const written = writes.find(part => text.includes(part))
    if (written === undefined || failed.has(written)) return null
    failed.add(written)
    return '40001'
  })
  await work(tenantId, { db: onceEach, retryMaxAttempts: 20 })
  expect([...failed]).toEqual(expect.arrayContaining(writes.slice(0, 4)))
  expect({ findings: await findings(at.world, tenantId), states: await states(tenantId), figures: await figures(tenantId) }).toEqual(before)
  expect(await rereads(tenantId)).toHaveLength(Object.keys(documents).length)
})

test('a document that cannot be read again keeps the reading it has', async () => {
  const scope = await newCase(['survey', 'note'])
  const { tenantId } = scope
  const live = `select claim_id from claims where tenant_id = $1 and superseded_at is null order by claim_no`
  const before = await at.world.rows(live, [tenantId])
  await rereadScope(at.deps, scope, {})
  const failing = withFailingStatements(at.world.db, ({ text }) => (text.startsWith('update documents set reread_round') ? '23514' : null))
  await work(tenantId, { db: failing })
  expect(await at.world.rows(live, [tenantId])).toEqual(before)
  const failed = await at.world.rows(
    `select data->>'error_class' as class from events where tenant_id = $1 and type = 'document.reread_failed'`,
    [tenantId],
  )
  expect(failed).toEqual([{ class: '23514' }, { class: '23514' }])
})

test('a document is given up once, although the answer to the commit that did so was lost', async () => {
  const scope = await newCase(Object.keys(documents).slice(0, 3))
  const { tenantId } = scope
  await rereadScope(at.deps, scope, {})
  const seen = { finishes: 0, lost: 0 }
  const failing = withFailingStatements(at.world.db, ({ text }) =>
    text.startsWith('update documents set reread_round') && seen.finishes++ === 0 ? '23514' : null,
  )
  const inTenant: Database['inTenant'] = async (tenant, work, options) => {
    const result = await failing.inTenant(tenant, work, options)
    const [given] = await at.world.rows(`select from events where tenant_id = $1 and type = 'document.reread_failed'`, [tenantId])
    if (given === undefined || seen.lost++ > 0) return result
    throw new AppError('STORAGE_UNAVAILABLE', { detail: 'on purpose' })
  }
  await work(tenantId, { db: { ...failing, inTenant } })
  expect(seen.lost).toBeGreaterThan(1)
  expect(await at.world.rows(`select from events where tenant_id = $1 and type = 'document.reread_failed'`, [tenantId])).toHaveLength(1)
  expect(await rereads(tenantId)).toHaveLength(2)
})

test('a document whose new reading cannot be planned costs its attempts, and no other document', async () => {
  const scope = await newCase(['note', 'survey'])
  const { tenantId } = scope
  await rereadScope(at.deps, scope, {})
  // Looked up for documents that are read again, and for the first of them only.
  const failing = withFailingStatements(at.world.db, ({ text, values }) =>
    text.includes('m.reading is not null order by m.revision') && values?.includes('note') ? '22P02' : null,
  )
  await work(tenantId, { db: failing })
  const failed = await at.world.rows(
    `select subject, data->>'stage' as stage, data->>'error_class' as class, data->'attempts' as attempts from events
     where tenant_id = $1 and type = 'document.reread_failed'`,
    [tenantId],
  )
  expect(failed).toEqual([{ subject: 'note', stage: 'reconcile', class: 'reconcile_error', attempts: 3 }])
  expect((await rereads(tenantId)).map(({ data }) => data['document_id'])).toEqual(['survey'])
})

test.each(['once', 'twice'])('why a case is read again does not come back while another document is erased %s', async times => {
  const scope = await newCase(['note', 'survey'])
  const { tenantId } = scope
  if (times === 'twice') await eraseDocument(at.deps, { ...scope, documentId: 'survey' })
  await rereadScope(at.deps, scope, { by: 'Ada', reason: 'Zorvathword.' })
  const seen = { erased: false }
  // The first write of the worker is a commit, planned before.
  const inTenant: Database['inTenant'] = async (tenant, work, options) => {
    if (options?.readOnly !== true && !seen.erased) {
      seen.erased = true
      await eraseDocument(at.deps, { ...scope, documentId: 'survey' })
    }
    return at.world.db.inTenant(tenant, work, options)
  }
  await work(tenantId, { db: { ...at.world.db, inTenant } })
  const read = `select input->>'by' as by, input->>'reason' as reason from rounds where tenant_id = $1 and kind = 'reread'`
  expect(await at.world.rows(read, [tenantId])).toEqual([{ by: 'Ada', reason: null }])
})
