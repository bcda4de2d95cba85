/**
 * A commit that dies at any of its statements, or whose answer is lost after it was written, costs repeated work and
 * nothing else.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '../../src/platform/errors.js'
import type { Database, Statement, TenantTransaction } from '../../src/store/server/database.js'
import { nothingWaits, openWorld, type PipelineWorld, reportText, sampleText } from './support.js'

let world: PipelineWorld

beforeAll(async () => {
  world = await openWorld()
})

afterAll(async () => {
  await world.close()
})

const away = () => new AppError('STORAGE_UNAVAILABLE', { detail: 'on purpose' })

/** Fails each commit at its next statement, one further every time, until one gets through; then answers are lost `losses` times. */
function failingDatabase(db: Database, losses: number) {
  const seen = { commits: 0, reached: 0, lost: 0 }
  const inTenant: Database['inTenant'] = (tenantId, work, options = {}) => {
    if (options.readOnly) return db.inTenant(tenantId, work, options)
    const failAt = seen.commits++
    let statements = 0
    const failing = db.inTenant(
      tenantId,
      tx => {
        const query = <T>(statement: Statement) => {
          if (statements++ === failAt) {
            seen.reached = Math.max(seen.reached, failAt)
            return Promise.reject(away())
          }
          return tx.query<T>(statement)
        }
        return work({ ...tx, query } as TenantTransaction)
      },
      options,
    )
    return failing.then(result => {
      if (statements > failAt || seen.lost >= losses) return result
      seen.lost++
      throw away()
    })
  }
  return { db: { ...db, inTenant }, seen }
}

test('whatever statement of a commit fails, its effects happen once', async () => {
  const tenantId = await world.newTenant()
  const failing = failingDatabase(world.db, 2)
  const dispute = { issuer: 'Keller & Partner', period: 'FY2011', figures: { Revenue: 'EUR 99.9M' } }
  await world.ingest([
    { tenantId, scopeId: 'crashing', documentId: 'one', text: sampleText(1) },
    { tenantId, scopeId: 'crashing', documentId: 'two', text: reportText(dispute) },
    { tenantId, scopeId: 'crashing', documentId: 'one', text: sampleText(16) },
  ])
  const worker = world.startWorker({ db: failing.db, batch: 8, random: () => 0 })
  await world.until(nothingWaits)
  await worker.stop()
  expect(failing.seen.reached).toBeGreaterThan(8)
  expect(failing.seen.lost).toBeGreaterThan(0)
  const rounds = await world.rows<{ round: number }>('select round from rounds where tenant_id = $1 order by round', [tenantId])
  expect(rounds.map(row => row.round)).toEqual([1, 2, 3])
  const indexed = await world.rows(`select from events where tenant_id = $1 and type = 'document.indexed'`, [tenantId])
  expect(indexed).toHaveLength(3)
  const [counted] = await world.rows<{ claims: number; told: number }>(
    `select (select count(*) from claims where tenant_id = $1) as claims, (select sum(claim_count) from documents where tenant_id = $1) as told`,
    [tenantId],
  )
  expect(counted?.claims).toBe(Number(counted?.told))
  const [head] = await world.rows('select indexed, queued, processing, has_backlog from scope_heads where tenant_id = $1', [tenantId])
  expect(head).toEqual({ indexed: 2, queued: 0, processing: 0, has_backlog: false })
  const gaps = await world.rows(
    `select from (select seq, row_number() over (order by seq) - 1 as place from events where tenant_id = $1 and scope_no > 0) e where seq <> place`,
    [tenantId],
  )
  expect(gaps).toHaveLength(0)
})
