/** The same document handed in again under its idempotency key: queued once, answered as before, and refused with another body. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findIdempotent, rememberIdempotent } from '../../src/store/documents/idempotency.js'
import type { Database } from '../../src/store/server/database.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { documentFor, logOf, makeTenant, openIngest, range } from './support.js'

let test: TestDatabase
beforeAll(async () => {
  test = await cloneDatabase({ enginePool: 8 })
})
afterAll(() => test.close())

describe('an idempotency key', () => {
  it('answers the same request with the first response, and not before what was written then is kept where it must be', async () => {
    const tenantId = await makeTenant(test.db)
    const xids: (string | null)[] = []
    // A transaction that writes nothing is never given an id, and its commit waits for no second server.
    const engineQuery: Database['engineQuery'] = (text, values) =>
      test.db.engine(async tx => {
        const result = await tx.query({ text, values })
        const { rows } = await tx.query<{ xid: string | null }>({ text: 'select pg_current_xact_id_if_assigned()::text as xid' })
        xids.push(rows[0]?.xid ?? null)
        return result as never
      })
    const ingest = openIngest(test, { ingestDeadlineMs: 60_000 }, { db: { ...test.db, engineQuery } })
    await ingest.accept(documentFor(tenantId, 'case', { document_id: 'warm-up' }))
    xids.length = 0
    const request = documentFor(tenantId, 'case', { key: 'k' })
    const first = await ingest.accept(request)
    const second = await ingest.accept(request)
    expect(first.replayed).toBe(false)
    expect(second).toEqual({ replayed: true, response: first.response })
    expect(xids).toEqual([expect.any(String), expect.any(String)])
    expect(await logOf(test, tenantId, 'case')).toEqual([0, 1])
  })

  it('is answered like that for acts too', async () => {
    const tenantId = await makeTenant(test.db)
    const use = { tenantId, key: 'act', operation: 'attach', bodyHash: Buffer.alloc(32) }
    const assigned = (key: string) =>
      test.db.inTenant(tenantId, async tx => {
        const { found } = await findIdempotent(tx, { ...use, key })
        return [found, await tx.value<string | null>('select pg_current_xact_id_if_assigned()::text as xid')]
      })
    await openIngest(test).accept(documentFor(tenantId, 'case'))
    const { rows } = await test.owner.query('select scope_no::integer as "scopeNo", generation from scopes where tenant_id = $1', [
      tenantId,
    ])
    await test.db.inTenant(tenantId, tx => rememberIdempotent(tx, { ...use, ...rows[0], response: { seq: 0 } }))
    expect(await assigned('free')).toEqual([false, null])
    expect(await assigned('act')).toEqual([true, expect.any(String)])
  })

  it.each([1, 2, 10])('queues once when fifty equal requests arrive at once through %i processes', async processes => {
    const tenantId = await makeTenant(test.db)
    const ingests = range(processes).map(() => openIngest(test, { ingestFlushRows: 3 }))
    const request = documentFor(tenantId, 'case', { key: 'k' })
    const accepted = await Promise.all(range(50).map(n => ingests[n % processes]!.accept(request)))
    expect(accepted.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(new Set(accepted.map(({ response }) => JSON.stringify(response))).size).toBe(1)
    expect(await logOf(test, tenantId, 'case')).toEqual([0])
  })

  it('refuses another body, also when both arrive at once or name different scopes', async () => {
    const tenantId = await makeTenant(test.db)
    const ingests = [openIngest(test), openIngest(test)]
    await ingests[0]!.accept(documentFor(tenantId, 'a', { document_id: 'warm-up' }))
    await ingests[0]!.accept(documentFor(tenantId, 'b', { document_id: 'warm-up' }))
    const results = await Promise.allSettled(
      range(40).map(n => ingests[n % 2]!.accept(documentFor(tenantId, n % 2 === 0 ? 'a' : 'b', { key: `k${n >> 2}`, text: `${n % 4}` }))),
    )
    const codes = results.map(result => (result.status === 'fulfilled' ? 'accepted' : (result.reason as { code: string }).code))
    expect(codes.filter(code => code === 'accepted')).toHaveLength(10)
    expect(codes.filter(code => code === 'IDEMPOTENCY_KEY_REUSED')).toHaveLength(30)
    expect((await logOf(test, tenantId, 'a')).length + (await logOf(test, tenantId, 'b')).length).toBe(12)
  })

  it('belongs to one tenant', async () => {
    const [one, other] = [await makeTenant(test.db), await makeTenant(test.db)]
    const ingest = openIngest(test)
    await ingest.accept(documentFor(one, 'case', { key: 'k', text: 'one' }))
    const accepted = await ingest.accept(documentFor(other, 'case', { key: 'k', text: 'other' }))
    expect(accepted).toMatchObject({ replayed: false, response: { seq: 0 } })
  })

  it('is free again after its scope was reset, while the log keeps counting', async () => {
    const tenantId = await makeTenant(test.db)
    const ingest = openIngest(test)
    await ingest.accept(documentFor(tenantId, 'case', { key: 'k', document_id: 'd' }))
    await test.owner.query('update scopes set generation = generation + 1 where tenant_id = $1', [tenantId])
    const again = await ingest.accept(documentFor(tenantId, 'case', { key: 'k', document_id: 'd', text: 'other' }))
    expect(again).toMatchObject({ replayed: false, response: { seq: 1 } })
    const { rows } = await test.owner.query('select generation, revision from documents where tenant_id = $1 order by seq', [tenantId])
    expect(rows).toEqual([
      { generation: 1, revision: 1 },
      { generation: 2, revision: 1 },
    ])
  })
})
