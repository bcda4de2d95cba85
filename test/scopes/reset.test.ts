import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getCertificate } from '../../src/scopes/certificates/certificate-view.js'
import { listClaims } from '../../src/scopes/claims.js'
import { listDecisions } from '../../src/scopes/decisions.js'
import { attachDocument } from '../../src/scopes/documents/attach.js'
import { discardDocument } from '../../src/scopes/documents/discard.js'
import { getDocument, listDocuments } from '../../src/scopes/documents/documents.js'
import { triggerIngest } from '../../src/scopes/documents/trigger.js'
import { listContradictions } from '../../src/scopes/findings/contradictions.js'
import { reportContradiction } from '../../src/scopes/findings/report.js'
import { resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { getScope } from '../../src/scopes/lifecycle.js'
import { resetScope } from '../../src/scopes/reset.js'
import { getSummary } from '../../src/scopes/summary.js'
import { lockScopes } from '../../src/store/events/events.js'
import { readKernelEvents } from '../../src/store/events/events-reading.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { removeDeletedTenants, removeOldGenerations } from '../../src/store/scopes/reset-removal.js'
import { dumpDatabase, tablesWith } from '../support/dump-database.js'
import { eventsOf, openWorld, readDocument, type World } from './support.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function filled(scopeId: string) {
  const scope = await world.newScope(await world.newTenant(), scopeId)
  const one = await readDocument(world, scope, { documentId: 'one', claims: [{ slot: 'revenue', value: '41.2' }] })
  const two = await readDocument(world, scope, {
    documentId: 'two',
    claims: [{ slot: 'revenue', value: '33.9' }],
    contradictions: [{ a: one.claimIds[0] ?? '', b: 0 }],
    goals: [{ what: 'file', done: false }],
    risks: [{ what: 'late', level: 'high' }],
  })
  return { scope, contradictionId: two.contradictionIds[0] ?? '' }
}

describe('resetting a scope', () => {
  it('empties it for every reader at once and starts the new chain from the head of the old', async () => {
    const { scope, contradictionId } = await filled('reset')
    await attachDocument(world.deps, scope, { name: 'k', text: 'k' }, 'key-1')
    const decisions = (await listDecisions(world.deps, scope)).items
    const last = decisions.at(-1)
    const before = await eventsOf(world, scope)
    const result = await resetScope(world.deps, scope)
    expect(result).toMatchObject({
      generation: 2,
      previous_generation: 1,
      seq: before.length,
      chain: { head: last?.hash, length: decisions.length },
      documents: 3,
    })
    expect((await listClaims(world.deps, { ...scope, state: 'all' })).items).toEqual([])
    expect((await listContradictions(world.deps, { ...scope, status: 'all' })).items).toEqual([])
    expect((await listDecisions(world.deps, scope)).items).toEqual([])
    expect((await listDocuments(world.deps, scope)).items).toEqual([])
    await expect(getDocument(world.deps, { ...scope, documentId: 'one' })).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' })
    const decided = resolveContradiction(world.deps, { tenantId: scope.tenantId, contradictionId, verdict: 'a', reason: 'r', by: 'p' })
    await expect(decided).rejects.toMatchObject({ code: 'CONTRADICTION_NOT_FOUND' })
    const detail = await getScope(world.deps, scope)
    expect(detail).toMatchObject({
      generation: 2,
      finality: 'active',
      counts: { documents: { total: 0 }, claims: 0, open_contradictions: 0 },
    })
    const { body } = await getSummary(world.deps, scope)
    expect(body).toMatchObject({
      round: 0,
      claims: { total: 0 },
      goals: { total: 0, items: [] },
      risks: { total: 0, items: [] },
      decisions: [],
    })

    const again = await attachDocument(world.deps, scope, { name: 'k', text: 'k' }, 'key-1')
    expect(again).toMatchObject({ replayed: false, body: { revision: 1 } })
    const next = await readDocument(world, scope, { documentId: 'one', claims: [{ slot: 'revenue', value: '5' }] })
    expect(next.result.round).toBe(1)
    expect(next.result.decisions[0]?.record).toMatchObject({ seq: 0, prev_hash: last?.hash })
    const log = await eventsOf(world, scope)
    expect(log.map(event => event.seq)).toEqual(log.map((_, index) => index))
    expect(log[before.length]).toMatchObject({ type: 'scope.reset', data: { chain_head: last?.hash, chain_length: decisions.length } })
  })

  it('takes the figures of its head along', async () => {
    const { scope } = await filled('old-node')
    const head = () =>
      world.owner.query(
        'select derived_bytes::int, finality, pressure from scope_heads h join scopes s using (tenant_id, scope_no) where s.tenant_id = $1',
        [scope.tenantId],
      )
    expect((await head()).rows).not.toEqual([{ derived_bytes: 0, finality: 'active', pressure: 0 }])
    await resetScope(world.deps, scope)
    expect((await head()).rows).toEqual([{ derived_bytes: 0, finality: 'active', pressure: 0 }])
  })

  it('takes the lease away from whoever holds it', async () => {
    const { scope } = await filled('fence')
    await world.owner.query(
      `update scope_leases set owner = 'w', fence = 7, leased_until = clock_timestamp() + interval '1 hour' where tenant_id = $1`,
      [scope.tenantId],
    )
    await resetScope(world.deps, scope)
    const { rows } = await world.owner.query('select fence::int, owner from scope_leases where tenant_id = $1', [scope.tenantId])
    expect(rows).toEqual([{ fence: 8, owner: null }])
  })

  it('keeps certificates readable, marked withdrawn', async () => {
    const { scope } = await filled('certified')
    const { rows } = await world.owner.query('select scope_no from scopes where tenant_id = $1', [scope.tenantId])
    await world.owner.query(
      `insert into certificates (tenant_id, scope_no, generation, round, certificate_id, kid, certificate, issued_at)
       values ($1, $2, 1, 2, 'crt_x', 'k', 'a.e30.c', clock_timestamp())`,
      [scope.tenantId, rows[0].scope_no],
    )
    expect(await getCertificate(world.deps, scope)).toMatchObject({ status: 'current', generation: 1 })
    expect(await resetScope(world.deps, scope)).toMatchObject({ certificates_withdrawn: 1 })
    expect(await getCertificate(world.deps, scope)).toMatchObject({ status: 'withdrawn', certificate: 'a.e30.c' })
    expect((await eventsOf(world, scope)).at(-1)).toMatchObject({ type: 'certificate.withdrawn', data: { certificate_id: 'crt_x' } })
  })

  it('is not there for another tenant', async () => {
    const { scope } = await filled('mine')
    const other = { ...scope, tenantId: await world.newTenant() }
    await expect(resetScope(world.deps, other)).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
    expect((await getScope(world.deps, scope)).generation).toBe(1)
  })
})

const tables = ['documents', 'claims', 'contradictions', 'contradiction_sides', 'goals', 'risks', 'rounds', 'decisions', 'scope_states']

async function rowsLeft(tenantId: string, generation?: number): Promise<number> {
  const where = generation === undefined ? '' : `and generation = ${generation}`
  const counts = await Promise.all(
    tables.map(table => world.owner.query(`select count(*)::int as n from ${table} where tenant_id = $1 ${where}`, [tenantId])),
  )
  return counts.reduce((sum, { rows }) => sum + rows[0].n, 0)
}

async function tablesByWord(words: readonly string[]): Promise<Record<string, string[]>> {
  const dump = await dumpDatabase(world.owner)
  return Object.fromEntries(words.map(word => [word, tablesWith(dump, [word])]))
}

describe('removing what nobody sees', () => {
  it('clears old generations in batches and touches nothing of the present one', async () => {
    const { scope } = await filled('clear')
    await resetScope(world.deps, scope)
    await readDocument(world, scope, { documentId: 'kept', claims: [{ slot: 'revenue', value: '1' }] })
    const kept = await rowsLeft(scope.tenantId, 2)
    expect(await rowsLeft(scope.tenantId, 1)).toBeGreaterThan(5)
    const first = await removeOldGenerations(world.db, { batchRows: 1, batches: 2 })
    expect(first.more).toBe(true)
    for (let call = 0; call < 200; call++) {
      const { more } = await removeOldGenerations(world.db, { batchRows: 3, batches: 10 })
      if (!more) break
    }
    expect(await rowsLeft(scope.tenantId, 1)).toBe(0)
    expect(await rowsLeft(scope.tenantId, 2)).toBe(kept)
    expect(await removeOldGenerations(world.db, { batchRows: 100, batches: 100 })).toEqual({ rows: 0, more: false })
    expect((await listClaims(world.deps, scope)).items).toHaveLength(1)
  })

  it('goes past events that came with a tenant and cannot be read', async () => {
    const [{ scope: broken }, { scope: behind }] = [await filled('broken'), await filled('behind')]
    for (const scope of [broken, behind]) await resetScope(world.deps, scope)
    const unreadable = [
      ['scope.reset', { generation: 'x' }],
      ['document.queued', { document_id: 'one', revision: '9999999999' }],
      ['document.held', null],
    ] as const
    for (const [n, [type, data]] of unreadable.entries()) {
      await world.owner.query(
        `insert into events (tenant_id, scope_no, seq, type, subject, data)
         select tenant_id, scope_no, $3, $4, 'one', $5 from scopes where tenant_id = $1 and scope_id = $2`,
        [broken.tenantId, broken.scopeId, 1000 + n, type, JSON.stringify(data)],
      )
    }
    expect(await removeOldGenerations(world.db, { batchRows: 1000, batches: 1000 })).toMatchObject({ more: false })
    for (const scope of [broken, behind]) expect(await rowsLeft(scope.tenantId, 1)).toBe(0)
    const events = await readKernelEvents(world.db, { xid: 0, id: 0 }, 1000)
    expect(events.filter(event => event.tenantId === broken.tenantId && event.seq >= 1000)).toHaveLength(unreadable.length)
    await verifyDatabase(world.db)
    await world.owner.query('delete from events where tenant_id = $1 and seq >= 1000', [broken.tenantId])
  })

  it('takes what people wrote in events and kept answers along, but nothing of the present generation', async () => {
    const scope = await world.newScope(await world.newTenant(), 'reasons')
    const cancel = async (documentId: string, word: string) => {
      await attachDocument(world.deps, scope, { name: word, text: word, document_id: documentId }, `key-${word}`)
      const report = { claim_a: word, claim_b: word, source_a: word, source_b: word, severity: 'low' as const, scope_id: scope.scopeId }
      await reportContradiction(world.deps, scope.tenantId, report, `report-${word}`)
      await triggerIngest(world.deps, scope, [documentId])
      await discardDocument(world.deps, { ...scope, documentId, from: 'queued', reason: word, by: 'j.doe' })
    }
    const wordsOf = () => tablesByWord(['zorvath', 'brixham', 'stays'])
    await cancel('a', 'zorvath')
    await resetScope(world.deps, scope)
    await cancel('a', 'brixham')
    expect((await wordsOf()).zorvath).toEqual(expect.arrayContaining(['events', 'idempotency_keys']))
    await resetScope(world.deps, scope)
    await cancel('a', 'stays')
    const log = await eventsOf(world, scope)
    while ((await removeOldGenerations(world.db, { batchRows: 5, batches: 2 })).more);
    const { zorvath, brixham, stays } = await wordsOf()
    expect({ zorvath, brixham }).toEqual({ zorvath: [], brixham: [] })
    expect(stays).toEqual(expect.arrayContaining(['events', 'idempotency_keys', 'documents']))
    const after = await eventsOf(world, scope)
    expect(after.map(event => [event.seq, event.type])).toEqual(log.map(event => [event.seq, event.type]))
    const { broken } = await verifyDatabase(world.db)
    expect(broken.filter(fault => fault.tenantId === scope.tenantId)).toEqual([])
  })

  it('removes everything of a deleted tenant but its tombstone, and nothing of another', async () => {
    const [{ scope: gone }, { scope: stays }] = [await filled('gone'), await filled('stays')]
    await world.owner.query(
      "insert into tenant_keys (tenant_id, key_id, key_hash, key_prefix) values ($1, 'k', decode(repeat('ab', 32), 'hex'), 'cnk_')",
      [gone.tenantId],
    )
    await world.owner.query("update tenants set deleted_at = clock_timestamp(), name = 'deleted' where tenant_id = $1", [gone.tenantId])
    const kept = await rowsLeft(stays.tenantId)
    for (let call = 0; call < 100; call++) {
      const { more } = await removeDeletedTenants(world.db, { batchRows: 50, batches: 40 })
      if (!more) break
    }
    expect(await rowsLeft(gone.tenantId)).toBe(0)
    for (const table of ['scopes', 'scope_heads', 'events', 'tenant_keys', 'backlog']) {
      const { rows } = await world.owner.query(`select count(*)::int as n from ${table} where tenant_id = $1`, [gone.tenantId])
      expect([table, rows[0].n]).toEqual([table, 0])
    }
    const { rows } = await world.owner.query('select name, removed_at is not null as removed from tenants where tenant_id = $1', [
      gone.tenantId,
    ])
    expect(rows).toEqual([{ name: 'deleted', removed: true }])
    const { rows: told } = await world.owner.query(
      "select data->>'tenant_id' as id from events where tenant_id = '-' and type = 'tenant.removed'",
    )
    expect(told).toContainEqual({ id: gone.tenantId })
    expect(told).not.toContainEqual({ id: stays.tenantId })
    expect(await rowsLeft(stays.tenantId)).toBe(kept)
  })

  it('waits for a commit under way, so that nothing is written behind the removal', async () => {
    const { scope } = await filled('under-way')
    const { rows: found } = await world.owner.query('select scope_no::int from scopes where tenant_id = $1', [scope.tenantId])
    const scopeNo: number = found[0].scope_no
    await world.owner.query('update tenants set deleted_at = clock_timestamp() where tenant_id = $1', [scope.tenantId])
    const removal = await world.db.inTenant(scope.tenantId, async tx => {
      await lockScopes(tx, [scopeNo])
      let over = false
      const running = removeDeletedTenants(world.db, { batchRows: 1000, batches: 1000 }).finally(() => {
        over = true
      })
      const isWaiting = `select exists (select from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and l.locktype = 'advisory' and not l.granted) as waiting`
      while (!over && !(await world.owner.query(isWaiting)).rows[0].waiting);
      await tx.query({
        text: `insert into goals (tenant_id, scope_no, generation, document_id, revision, ordinal, start_at, end_at, done, round)
          values ($1, $2, 1, 'late', 1, 1, 0, 1, false, 1)`,
        values: [scope.tenantId, scopeNo],
      })
      return { running }
    })
    await removal.running
    expect(await rowsLeft(scope.tenantId)).toBe(0)
  })
})
