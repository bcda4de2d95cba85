/** Whatever fails on the way, the claims that are live are those of the newest revision that was admitted. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { control } from '../../src/hatchery/control.js'
import { listClaims } from '../../src/scopes/claims.js'
import { readTerms } from '../../src/store/claims/claim-terms.js'
import { findCandidates } from '../../src/store/leases/leases.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import type { Database } from '../../src/store/server/database.js'
import { withFailingStatements } from '../support/failing-statements.js'
import { withChangedRows } from '../support/sabotaged-database.js'
import { openWorld, type PipelineWorld, reportText } from './support.js'

let world: PipelineWorld

beforeAll(async () => {
  world = await openWorld()
})

afterAll(async () => {
  await world.close()
})

const report = (revenue: string) => reportText({ issuer: 'Finance', period: 'FY2025', figures: { Revenue: revenue } })
const settled = `select count(*) = 0 from documents where tenant_id = $1 and status in ('queued', 'processing')`

/** Of the statement that asks whether documents may be processed. */
const processing = 'select d.document_id as "documentId", d.revision, d.current, exists'

/** The second of three revisions fails once, and is tried again when the third has been read. */
async function overtake(db: Database, { second = 'EUR 10.0M', tenantId = '' } = {}): Promise<string> {
  if (tenantId === '') return overtake(db, { second, tenantId: await world.newTenant() })
  const revise = (revenue: string) => world.ingest([{ tenantId, scopeId: 'case', documentId: 'report', text: report(revenue) }])
  let failures = 0
  const secondFails = withFailingStatements(db, ({ text, values }) => {
    const ofSecond = text.includes(processing) && (values as unknown[][])[4]?.includes(2)
    return ofSecond && ++failures <= 1 ? '57014' : null
  })
  // One document a lease, and a wait before a document is tried again that is over when we say so.
  const worker = world.startWorker({ db: secondFails, batch: 1, retryBaseMs: 3_600_000, random: () => 0.999 })
  await revise('EUR 9.0M')
  await world.until(settled, [tenantId])
  await revise(second)
  await revise('EUR 41.2M')
  await world.until(`select status = 'indexed' from documents where tenant_id = $1 and revision = 3`, [tenantId])
  expect(await world.rows(`select status from documents where tenant_id = $1 and revision = 2`, [tenantId])).toEqual([{ status: 'queued' }])
  await control(world, 'restart', { level: 'scope', tenantId, scopeId: 'case' })
  await world.until(settled, [tenantId])
  await worker.stop()
  return tenantId
}

const liveRevisions = (tenantId: string) =>
  world.rows(`select distinct revision from claims where tenant_id = $1 and document_id = 'report' and superseded_at is null`, [tenantId])

test('an older revision that is tried again after a newer one was read changes nothing', async () => {
  const tenantId = await overtake(world.db)
  expect(await liveRevisions(tenantId)).toEqual([{ revision: 3 }])
  const rows = await world.rows('select revision, status, error_class, current from documents where tenant_id = $1 order by revision', [
    tenantId,
  ])
  expect(rows).toEqual([
    { revision: 1, status: 'indexed', error_class: null, current: false },
    { revision: 2, status: 'quarantined', error_class: 'stale_revision', current: false },
    { revision: 3, status: 'indexed', error_class: null, current: true },
  ])
  const [head] = await world.rows('select queued, processing, indexed, quarantined, has_backlog from scope_heads where tenant_id = $1', [
    tenantId,
  ])
  expect(head).toEqual({ queued: 0, processing: 0, indexed: 1, quarantined: 0, has_backlog: false })
  expect(await verifyDatabase(world.db)).toMatchObject({ broken: [] })
})

test('a revision that repeats one that failed is read, and ends the claims of the one before', async () => {
  const tenantId = await world.newTenant()
  // What counts is settled behind a revision where there is a finding.
  const other = reportText({ issuer: 'Brandt Audit', period: 'FY2025', figures: { Revenue: 'EUR 7.0M' } })
  await world.ingest([{ tenantId, scopeId: 'case', documentId: 'audit', text: other }])
  await overtake(world.db, { second: 'EUR 41.2M', tenantId })
  expect(await liveRevisions(tenantId)).toEqual([{ revision: 3 }])
  expect(
    await world.rows(`select revision, unchanged from documents where tenant_id = $1 and document_id = 'report' order by 1`, [tenantId]),
  ).toEqual([1, 2, 3].map(revision => ({ revision, unchanged: false })))
  const claims = await listClaims(world.scopes, { tenantId, scopeId: 'case', documentId: 'report' })
  expect(claims.items.map(each => each.quote)).toEqual(['Revenue | EUR 41.2M'])
  expect(await verifyDatabase(world.db)).toMatchObject({ broken: [] })
})

test('a worker that may ask no model begins with a repetition, and not with one of what was not admitted', async () => {
  const tenantId = await world.newTenant()
  const revise = (revenue: string) => world.ingest([{ tenantId, scopeId: 'case', documentId: 'report', text: report(revenue) }])
  const unasked = async () => (await findCandidates(world.db, 32, [], { unasked: true })).some(each => each.tenantId === tenantId)
  const worker = world.startWorker()
  await revise('EUR 9.0M')
  await world.until(settled, [tenantId])
  await worker.stop()
  await revise('EUR 9.0M')
  expect(await unasked()).toBe(true)
  await revise('EUR 10.0M')
  await revise('EUR 10.0M')
  // As if the second and third had failed, and are tried again later.
  await world.rows(`update backlog set not_before = now() + interval '1 hour' where tenant_id = $1 and revision in (2, 3)`, [tenantId])
  expect(await world.rows(`select unchanged from documents where tenant_id = $1 and revision = 4`, [tenantId])).toEqual([
    { unchanged: true },
  ])
  expect(await unasked()).toBe(false)
  expect((await findCandidates(world.db, 32)).some(each => each.tenantId === tenantId)).toBe(true)
})

test('would be noticed if the order of revisions did not count', async () => {
  const blind = withChangedRows(world.db, processing, row => ({ ...row, stale: false }))
  const tenantId = await overtake(blind)
  // What counts is settled behind it all the same.
  expect(await liveRevisions(tenantId)).toEqual([{ revision: 3 }])
  expect(await world.rows('select status from documents where tenant_id = $1 and revision = 2', [tenantId])).toEqual([
    { status: 'indexed' },
  ])
})

test.each([
  ['of another type', { type: 'html' }],
  ['by another source', { source: 'Keller & Partner' }],
  ['under another name', { name: 'Minutes of Pump 7' }],
])('the same text %s is read anew, as if it had been handed in so at first', async (_, changed) => {
  const text = '<p>Flow of the pump</p><table><tr><td>Revenue</td><td>EUR 9.0M</td></tr></table>'
  const worker = world.startWorker()
  const read = async (revisions: object[]) => {
    const tenantId = await world.newTenant()
    for (const revision of revisions) {
      await world.ingest([{ tenantId, scopeId: 'case', documentId: 'paper', text, ...revision }])
      await world.until(settled, [tenantId])
    }
    const { items } = await listClaims(world.scopes, { tenantId, scopeId: 'case' })
    const [paper] = await world.rows<{ unchanged: boolean; profile: object }>(
      'select unchanged, profile from documents where tenant_id = $1 and current',
      [tenantId],
    )
    return { claims: items.map(({ quote, subject, attribute, period }) => ({ quote, subject, attribute, period })), ...paper }
  }
  const revised = await read([{}, changed])
  expect(revised).toEqual(await read([changed]))
  expect(revised).not.toEqual(await read([{}]))
  expect(await read([changed, changed])).toMatchObject({ unchanged: true, claims: revised.claims })
  await worker.stop()
})

/** Hands revisions in one after the other, and answers by which of the words claims are found. */
async function termsAfter(tenantId: string, revisions: readonly (readonly [documentId: string, text: string])[], terms: string[]) {
  const worker = world.startWorker()
  for (const [documentId, text] of revisions) {
    await world.ingest([{ tenantId, scopeId: 'case', documentId, text }])
    await world.until(settled, [tenantId])
  }
  await worker.stop()
  const [scope] = await world.rows<{ scope_no: number; generation: number }>(
    'select scope_no, generation from scopes where tenant_id = $1',
    [tenantId],
  )
  const place = { tenantId, scopeNo: scope!.scope_no, generation: scope!.generation }
  return world.db.inTenant(tenantId, tx => readTerms(tx, place, terms))
}

test('claims are found by the words of the revision in force', async () => {
  const tenantId = await world.newTenant()
  const revisions = [
    ['survey', 'The lighthouse was repaired in May 2024.'],
    ['survey', 'The windmills were repaired in May 2024.'],
  ] as const
  const found = await termsAfter(tenantId, revisions, ['lighthous', 'windmill', 'repair'])
  const live = await world.rows<{ claim_no: number }>('select claim_no from claims where tenant_id = $1 and superseded_at is null', [
    tenantId,
  ])
  expect(found.map(row => row.term).sort()).toEqual(['repair', 'windmill'])
  const claimNos = live.map(row => row.claim_no).sort()
  for (const row of found) expect(row).toMatchObject({ firstClaimNo: claimNos[0], claimNos })
})

test('revising a document that said nothing takes no words from another', async () => {
  const tenantId = await world.newTenant()
  const revisions = [
    ['survey', 'The lighthouse was repaired in May 2024.'],
    ['note', 'Hello.'],
    ['note', 'The windmills were repaired in May 2024.'],
  ] as const
  const found = await termsAfter(tenantId, revisions, ['lighthous', 'windmill'])
  expect(await world.rows('select claim_count from documents where tenant_id = $1 order by seq', [tenantId])).toMatchObject([
    {},
    { claim_count: 0 },
    {},
  ])
  expect(found.map(row => row.term).sort()).toEqual(['lighthous', 'windmill'])
})
