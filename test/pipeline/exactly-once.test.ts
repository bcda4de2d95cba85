import { afterAll, beforeAll, expect, test } from 'vitest'
import { commitBatch } from '../../src/pipeline/committing/commit.js'
import { takeLease } from '../../src/store/leases/leases.js'
import { leaseNext, nothingWaits, openWorld, type PipelineWorld, planOf, sampleText } from './support.js'

let world: PipelineWorld

beforeAll(async () => {
  world = await openWorld()
})

afterAll(async () => {
  await world.close()
})

test('two workers index every document once and in the order of each scope, while documents keep coming', async () => {
  const tenants = [await world.newTenant(), await world.newTenant(), await world.newTenant()]
  const workers = [world.startWorker({ batch: 5 }), world.startWorker({ batch: 7 })]
  const documents = Array.from({ length: 120 }, (_, n) => ({
    tenantId: tenants[n % 3]!,
    scopeId: `scope-${n % 8}`,
    documentId: `doc-${n}`,
    text: sampleText(n),
  }))
  for (let at = 0; at < documents.length; at += 20) await world.ingest(documents.slice(at, at + 20))
  await world.until(nothingWaits)
  for (const worker of workers) await worker.stop()
  const indexed = await world.rows<{ subject: string; times: number }>(
    `select tenant_id || subject as subject, count(*) as times from events
     where tenant_id = any($1) and type = 'document.indexed' group by 1`,
    [tenants],
  )
  expect(indexed).toHaveLength(120)
  expect(indexed.every(row => row.times === 1)).toBe(true)
  const order = await world.rows<{ scope_no: number; round: number; seq: number }>(
    `select r.scope_no, r.round, d.seq from rounds r join documents d
       on d.tenant_id = r.tenant_id and d.scope_no = r.scope_no and d.document_id = r.document_id and d.revision = r.revision
     where r.tenant_id = any($1) order by r.tenant_id, r.scope_no, r.round`,
    [tenants],
  )
  expect(order).toHaveLength(120)
  for (const [index, row] of order.entries()) {
    const before = order[index - 1]
    if (before?.scope_no === row.scope_no) expect([row.round, row.seq > before.seq]).toEqual([before.round + 1, true])
    else expect(row.round).toBe(1)
  }
  const gaps = await world.rows(
    `select from (select seq, row_number() over (partition by tenant_id, scope_no order by seq) - 1 as place from events where scope_no > 0) e where seq <> place`,
  )
  expect(gaps).toHaveLength(0)
  const [totals] = await world.rows<{ claims: number; counted: number }>(
    `select (select count(*) from claims) as claims, (select sum(claim_count) from documents) as counted`,
  )
  expect(totals?.claims).toBe(Number(totals?.counted))
})

test('of many that try to lease one scope at once, one gets it, and its documents only', async () => {
  const tenantId = await world.newTenant()
  await world.ingest([0, 1, 2].map(n => ({ tenantId, scopeId: 'wanted', documentId: `doc-${n}`, text: sampleText(n) })))
  const candidate = { tenantId, scopeNo: await world.scopeNo(tenantId, 'wanted') }
  for (let turn = 0; turn < 40; turn++) {
    const taken = await Promise.all(
      Array.from({ length: 6 }, (_, n) => takeLease(world.db, candidate, { owner: `racer-${n}`, leaseMs: 60_000, batch: 2 })),
    )
    const leases = taken.filter(lease => lease !== undefined)
    expect(leases).toHaveLength(1)
    // After a death the documents are taken one at a time.
    expect(leases[0]?.documents.map(document => document.documentId)).toEqual(turn === 0 ? ['doc-0', 'doc-1'] : ['doc-0'])
    await world.rows(
      `update scope_leases set leased_until = clock_timestamp() - interval '1 second', in_hand_seq = null where tenant_id = $1`,
      [tenantId],
    )
  }
})

test('a writer whose lease ran out writes nothing, whether or not somebody took the scope over', async () => {
  const tenantId = await world.newTenant()
  await world.ingest([0, 1].map(n => ({ tenantId, scopeId: 'frozen', documentId: `doc-${n}`, text: sampleText(n) })))
  const candidate = { tenantId, scopeNo: await world.scopeNo(tenantId, 'frozen') }
  const stale = await takeLease(world.db, candidate, { owner: 'frozen', leaseMs: 60_000, batch: 8 })
  if (stale === undefined) throw new Error('no lease')
  const plan = await planOf(world, stale)
  const commit = () =>
    commitBatch(world.db, { lease: stale, plan, failures: [], certify: world.certify, release: { giveBack: [], reason: 'not_begun' } })
  await world.rows(`update scope_leases set leased_until = clock_timestamp() - interval '1 ms' where tenant_id = $1`, [tenantId])
  expect(await commit()).toBe('lost')
  expect(await world.rows('select from rounds where tenant_id = $1', [tenantId])).toHaveLength(0)
  const worker = world.startWorker()
  await world.until('select count(*) = 2 from documents where tenant_id = $1 and status = $2', [tenantId, 'indexed'])
  await worker.stop()
  expect(await commit()).toBe('lost')
  expect(await world.rows('select from rounds where tenant_id = $1', [tenantId])).toHaveLength(2)
  const requeued = await world.rows(`select from events where tenant_id = $1 and type = 'document.requeued'`, [tenantId])
  expect(requeued).toHaveLength(2)
})

test('a plan made before a person acted is refused and made again', async () => {
  const tenantId = await world.newTenant()
  await world.ingest([{ tenantId, scopeId: 'moved', documentId: 'doc', text: sampleText(3) }])
  const candidate = { tenantId, scopeNo: await world.scopeNo(tenantId, 'moved') }
  const lease = await takeLease(world.db, candidate, { owner: 'planner', leaseMs: 60_000, batch: 8 })
  if (lease === undefined) throw new Error('no lease')
  const early = await planOf(world, lease)
  const input = { lease, failures: [], certify: world.certify, release: { giveBack: [], reason: 'not_begun' } }
  await world.rows('update scopes set version = version + 1 where tenant_id = $1', [tenantId])
  expect(await commitBatch(world.db, { ...input, plan: early })).toBe('changed')
  expect(await world.rows('select from rounds where tenant_id = $1', [tenantId])).toHaveLength(0)
  expect(await commitBatch(world.db, { ...input, plan: await planOf(world, lease) })).toBe('committed')
  expect(await world.rows('select from rounds where tenant_id = $1', [tenantId])).toHaveLength(1)
  expect(await commitBatch(world.db, { ...input, plan: early })).toBe('lost')
})

test('no certificate is signed beside a revision that came while the one before it was being read', async () => {
  const tenantId = await world.newTenant()
  const text = sampleText(5)
  await world.ingest(['other', 'doc'].map(documentId => ({ tenantId, scopeId: 'revised', documentId, text })))
  const candidate = { tenantId, scopeNo: await world.scopeNo(tenantId, 'revised') }
  const lease = await takeLease(world.db, candidate, { owner: 'planner', leaseMs: 60_000, batch: 8 })
  if (lease === undefined) throw new Error('no lease')
  const early = await planOf(world, lease)
  expect(early.planned.at(-1)?.result.finality.to).toBe('resolved')
  await world.ingest([{ tenantId, scopeId: 'revised', documentId: 'doc', text: `${text}Seen and filed.\n` }])
  const input = { lease, failures: [], certify: world.certify, release: { giveBack: [], reason: 'not_begun' } }
  expect(await commitBatch(world.db, { ...input, plan: early })).toBe('changed')
  expect(await world.rows('select from rounds where tenant_id = $1', [tenantId])).toHaveLength(0)
  const again = await planOf(world, lease)
  expect(again.planned.at(-1)?.result.finality.to).toBe('active')
  expect(await commitBatch(world.db, { ...input, plan: again })).toBe('committed')
  expect(await world.rows('select from certificates where tenant_id = $1', [tenantId])).toHaveLength(0)
  const worker = world.startWorker()
  await world.until('select count(*) = 1 from certificates where tenant_id = $1', [tenantId])
  await worker.stop()
})

test('a plan made under a policy set that was replaced is refused', async () => {
  const tenantId = await world.newTenant()
  await world.ingest([{ tenantId, scopeId: 'governed', documentId: 'doc', text: sampleText(4) }])
  const lease = await leaseNext(world.db, { owner: 'planner', leaseMs: 60_000, batch: 8 })
  if (lease === undefined) throw new Error('no lease')
  const plan = await planOf(world, lease)
  await world.rows(`insert into policy_sets (tenant_id, hash, policies) values ($1, 'x', 'permit(principal, action, resource);')`, [
    tenantId,
  ])
  await world.rows(`insert into policy_assignments (tenant_id, scope_no, hash) values ($1, 0, 'x')`, [tenantId])
  const outcome = await commitBatch(world.db, { lease, plan, failures: [], certify: world.certify, release: null })
  expect(outcome).toBe('changed')
})
