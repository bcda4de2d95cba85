/** Whatever fails on the way, the claims that are live are those of the newest revision that was admitted. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyDatabase } from '../../src/store/verify.js'
import { withFailingStatements } from '../support/failing-statements.js'
import { openWorld, type PipelineWorld, reportText } from './support.js'

let world: PipelineWorld

beforeAll(async () => {
  world = await openWorld()
})

afterAll(async () => {
  await world.close()
})

const report = (revenue: string) => reportText({ issuer: 'Finance', period: 'FY2025', figures: { Revenue: revenue } })

test('an older revision that is tried again after a newer one was read changes nothing', async () => {
  const tenantId = await world.newTenant()
  const revise = (revenue: string) => world.ingest([{ tenantId, scopeId: 'case', documentId: 'report', text: report(revenue) }])
  await revise('EUR 9.0M')
  let failures = 0
  const olderFails = withFailingStatements(world.db, ({ name, values }) => {
    const ofSecond = name === 'claims-documents-processing' && (values?.[4] as number[]).includes(2)
    return ofSecond && ++failures <= 1 ? '57014' : null
  })
  // One document a lease, and the longest wait before a document is tried again.
  const worker = world.startWorker({ db: olderFails, batch: 1, retryBaseMs: 1000, random: () => 0.999 })
  await world.until(`select count(*) = 1 from documents where tenant_id = $1 and status = 'indexed'`, [tenantId])
  await revise('EUR 10.0M')
  await revise('EUR 41.2M')
  await world.until(`select status = 'indexed' from documents where tenant_id = $1 and revision = 3`, [tenantId])
  expect(await world.rows(`select status from documents where tenant_id = $1 and revision = 2`, [tenantId])).toEqual([{ status: 'queued' }])
  await world.until(`select count(*) = 0 from documents where tenant_id = $1 and status in ('queued', 'processing')`, [tenantId])
  await worker.stop()

  const live = await world.rows(`select distinct revision from claims where tenant_id = $1 and superseded_at is null`, [tenantId])
  expect(live).toEqual([{ revision: 3 }])
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
