/** Accepting documents: the place of each, its revisions, and several processes that write beside acts which hold a scope or a tenant for long. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toRow } from '../../src/ingest/ingest.js'
import { makeScopes, writeDocuments } from '../../src/store/documents/ingest.js'
import { type Database, openDatabase } from '../../src/store/server/database.js'
import { causeOf, isTableTaken } from '../../src/store/server/failures.js'
import { connectAsOwner } from '../../src/store/server/migrate.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { testLimits } from '../support/limits.js'
import { documentFor, logOf, makeTenant, openIngest, range } from './support.js'

let test: TestDatabase
beforeAll(async () => {
  test = await cloneDatabase({ enginePool: 8 })
})
afterAll(() => test.close())

/** Keeps a scope as somebody does who works in it for long; gives how to let it go. */
async function holdScope(tenantId: string, scopeId: string): Promise<() => Promise<void>> {
  const holder = await connectAsOwner(test.address, testLimits)
  await holder.query('begin')
  await holder.query('select pg_advisory_xact_lock(scope_no) from scopes where tenant_id = $1 and scope_id = $2', [tenantId, scopeId])
  return async () => {
    await holder.query('commit')
    await holder.end()
  }
}

/** How many wait for the lock of a scope. */
async function waitingForScopes(): Promise<number> {
  return countOf(
    `select count(*) from pg_locks
     where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`,
    [],
  )
}

async function countOf(sql: string, values: unknown[]): Promise<number> {
  const { rows } = await test.owner.query(sql, values)
  return Number(rows[0].count)
}

describe('accepting a document', () => {
  it('answers with the position of its event, its place in the queue and the id it made', async () => {
    const tenantId = await makeTenant(test.db)
    const ingest = openIngest(test)
    const first = await ingest.accept(documentFor(tenantId, 'case-1'))
    const second = await ingest.accept(documentFor(tenantId, 'case-1', { document_id: 'mine', source: 'mail' }))
    expect(first).toMatchObject({
      replayed: false,
      response: {
        scope_id: 'case-1',
        name: 'A report',
        type: 'txt',
        idempotency_key: null,
        queued: true,
        seq: 0,
        integration_version: 'v1',
      },
    })
    expect(first.response.document_id).toMatch(/^doc_[0-9A-Za-z]{22}$/)
    expect(second.response).toMatchObject({ seq: 1, document_id: 'mine' })
    const { rows } = await test.owner.query(
      `select d.seq, d.status, d.source, b.document_id as queued, e.type, e.subject, e.data
       from documents d join backlog b using (tenant_id, scope_no, seq) join events e using (tenant_id, scope_no, seq)
       where d.tenant_id = $1 order by d.seq`,
      [tenantId],
    )
    expect(rows).toHaveLength(2)
    expect(rows[1]).toMatchObject({
      status: 'queued',
      source: 'mail',
      queued: 'mine',
      type: 'document.queued',
      subject: 'mine',
      data: { scope_id: 'case-1', document_id: 'mine', status: 'queued', revision: 1, unchanged: false },
    })
  })

  it('makes a scope once when ten requests name it at once, and leaves no gap', async () => {
    const tenantId = await makeTenant(test.db)
    const ingests = range(10).map(() => openIngest(test))
    const accepted = await Promise.all(ingests.map(ingest => ingest.accept(documentFor(tenantId, 'fresh'))))
    expect(accepted.map(({ response }) => response.seq).sort((a, b) => a - b)).toEqual(range(10))
    expect(await countOf('select count(*) from scopes where tenant_id = $1', [tenantId])).toBe(1)
    expect(await countOf(`select count(*) from events where tenant_id = $1 and type = 'scope.created'`, [tenantId])).toBe(1)
    expect(await logOf(test, tenantId, 'fresh')).toEqual(range(10))
  })

  it('refuses an unknown scope when scopes are not made on first use, and an unknown tenant always', async () => {
    const tenantId = await makeTenant(test.db)
    const ingest = openIngest(test, { scopeAutocreate: false })
    await expect(ingest.accept(documentFor(tenantId, 'nowhere'))).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
    await expect(openIngest(test).accept(documentFor('ten_0000000000000000000000', 'nowhere'))).rejects.toMatchObject({
      code: 'TENANT_UNKNOWN',
    })
    expect(await countOf('select count(*) from scopes where tenant_id = $1', [tenantId])).toBe(0)
  })

  it('makes no scope for a tenant that is deleted and removed meanwhile', async () => {
    const tenantId = await makeTenant(test.db)
    const removal = await connectAsOwner(test.address, testLimits)
    await removal.query('begin')
    await removal.query('select concord_lock_quota($1)', [tenantId])
    let over = false
    const accepted = openIngest(test)
      .accept(documentFor(tenantId, 'case'))
      .catch((error: unknown) => error)
      .finally(() => {
        over = true
      })
    const isWaiting = `select exists (select from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and not l.granted) as waiting`
    while (!over && !(await test.owner.query(isWaiting)).rows[0].waiting);
    await test.owner.query('update tenants set deleted_at = clock_timestamp(), removed_at = clock_timestamp() where tenant_id = $1', [
      tenantId,
    ])
    await removal.query('commit')
    await removal.end()
    expect(await accepted).toMatchObject({ code: 'TENANT_UNKNOWN' })
    expect(await countOf('select count(*) from scopes where tenant_id = $1', [tenantId])).toBe(0)
  })

  it('gives every document of many scopes its own place when flushes overlap', async () => {
    const tenantId = await makeTenant(test.db)
    const ingest = openIngest(test, { ingestFlushRows: 7, ingestFlushesInFlight: 4 })
    await Promise.all(range(300).map(n => ingest.accept(documentFor(tenantId, `case-${n % 5}`))))
    for (const n of range(5)) expect(await logOf(test, tenantId, `case-${n}`)).toEqual(range(60))
  })
})

describe('a document that comes again', () => {
  it('is a new revision, and only the newest is current', async () => {
    const tenantId = await makeTenant(test.db)
    const ingest = openIngest(test)
    await Promise.all(['one', 'two', 'three'].map(text => ingest.accept(documentFor(tenantId, 'case', { document_id: 'd', text }))))
    await ingest.accept(documentFor(tenantId, 'case', { document_id: 'd', text: 'four' }))
    const { rows } = await test.owner.query('select revision, current, unchanged from documents where tenant_id = $1 order by revision', [
      tenantId,
    ])
    expect(rows.map(row => row.revision)).toEqual([1, 2, 3, 4])
    expect(rows.map(row => row.current)).toEqual([false, false, false, true])
    expect(rows.every(row => !row.unchanged)).toBe(true)
    expect(await countOf('select queued as count from scope_heads where tenant_id = $1', [tenantId])).toBe(1)
  })

  it('is recognised by its text, in the same flush and in a later one', async () => {
    const tenantId = await makeTenant(test.db)
    const ingest = openIngest(test)
    const same = documentFor(tenantId, 'case', { document_id: 'd', text: 'same' })
    await Promise.all([ingest.accept(same), ingest.accept(same)])
    await ingest.accept(same)
    await ingest.accept(documentFor(tenantId, 'case', { document_id: 'd', text: 'other' }))
    const { rows } = await test.owner.query('select unchanged from documents where tenant_id = $1 order by revision', [tenantId])
    expect(rows.map(row => row.unchanged)).toEqual([false, true, true, false])
  })

  it('takes a replaced revision out of the count of its state', async () => {
    const tenantId = await makeTenant(test.db)
    const ingest = openIngest(test)
    await ingest.accept(documentFor(tenantId, 'case', { document_id: 'd' }))
    await test.owner.query(`update documents set status = 'indexed' where tenant_id = $1`, [tenantId])
    await test.owner.query('update scope_heads set queued = 0, indexed = 1 where tenant_id = $1', [tenantId])
    await ingest.accept(documentFor(tenantId, 'case', { document_id: 'd', text: 'new' }))
    const { rows } = await test.owner.query('select queued::int, indexed::int from scope_heads where tenant_id = $1', [tenantId])
    expect(rows).toEqual([{ queued: 1, indexed: 0 }])
  })
})

describe('several processes on one database', () => {
  it('write into no scope whose lock they do not hold', async () => {
    const tenantId = await makeTenant(test.db)
    await openIngest(test).accept(documentFor(tenantId, 'busy'))
    const free = await holdScope(tenantId, 'busy')
    // The flush has read which scopes there are and waits for the lock of the first; the second is made meanwhile.
    const written = writeDocuments(
      test.db,
      ['busy', 'made-since'].map(scopeId => toRow(documentFor(tenantId, scopeId))),
      { patient: true },
    )
    await expect.poll(waitingForScopes).toBe(1)
    expect(await makeScopes(test.db, [{ tenantId, scopeId: 'made-since' }])).toEqual(['made'])
    await free()
    expect((await written).map(({ outcome }) => outcome)).toEqual(['queued', 'scope'])
  })

  it('wait for a scope that is busy with its own documents alone', async () => {
    const ingest = openIngest(test, { ingestDeadlineMs: 60_000 })
    const tenants = await Promise.all(range(3).map(() => makeTenant(test.db)))
    const [before, busy, behind] = tenants as [string, string, string]
    // One after the other, so that locks are taken in this order.
    for (const tenantId of tenants) await ingest.accept(documentFor(tenantId, 'case'))
    const free = await holdScope(busy, 'case')
    const answered: string[] = []
    const accept = (tenantId: string, id: string) =>
      ingest.accept(documentFor(tenantId, 'case', { document_id: id })).then(({ response }) => {
        answered.push(`${id} ${response.seq}`)
      })
    const held = [accept(busy, 'first')]
    await Promise.all([accept(before, 'x'), accept(behind, 'y')])
    await expect.poll(waitingForScopes).toBe(1)
    // More for the busy one neither takes a place of the others nor overtakes the first.
    held.push(accept(busy, 'second'), accept(busy, 'third'))
    for (const n of range(4)) await Promise.all([accept(before, `x${n}`), accept(behind, `y${n}`)])
    expect(answered.filter(each => each.startsWith('x'))).toEqual(['x 1', 'x0 2', 'x1 3', 'x2 4', 'x3 5'])
    expect(answered.filter(each => each.startsWith('y'))).toEqual(['y 1', 'y0 2', 'y1 3', 'y2 4', 'y3 5'])
    expect(answered).toHaveLength(10)
    await free()
    await Promise.all(held)
    expect(answered.slice(10)).toEqual(['first 1', 'second 2', 'third 3'])
  })

  it.each([
    ['its turn', 'update tenant_turns set due_at = due_at where tenant_id = $1', 'case'],
    ['its limits', 'select concord_lock_quota($1)', 'made-now'],
  ])('wait for a tenant of whom a long act holds %s with documents of this tenant alone', async (_what, hold, scope) => {
    const ingest = openIngest(test, { ingestDeadlineMs: 60_000 })
    const [busy, other] = (await Promise.all([makeTenant(test.db), makeTenant(test.db)])) as [string, string]
    for (const tenantId of [busy, other]) await ingest.accept(documentFor(tenantId, 'case'))
    // As when all it has was read: the next document makes it due.
    await test.owner.query('delete from backlog where tenant_id = $1', [busy])
    await test.owner.query('update scope_heads set turn_at = null where tenant_id = $1', [busy])
    await test.owner.query('update tenant_turns set due_at = null where tenant_id = $1', [busy])
    const holder = await connectAsOwner(test.address, testLimits)
    await holder.query('begin')
    await holder.query(hold, [busy])
    let isFree = false
    const held = ['first', 'second'].map(id =>
      ingest.accept(documentFor(busy, scope, { document_id: id })).then(({ response }) => ({ id, seq: response.seq, isFree })),
    )
    const beside = await Promise.all([ingest.accept(documentFor(other, 'case')), ingest.accept(documentFor(other, 'made-beside'))])
    expect(beside.map(({ response }) => response.seq)).toEqual([1, 0])
    isFree = true
    await holder.query('commit')
    await holder.end()
    const seq = scope === 'case' ? 1 : 0
    expect(await Promise.all(held)).toEqual([
      { id: 'first', seq, isFree: true },
      { id: 'second', seq: seq + 1, isFree: true },
    ])
  })

  it('ask for a tenant that a long act holds once, and not again with documents of others', async () => {
    const [busy, other] = (await Promise.all([makeTenant(test.db), makeTenant(test.db)])) as [string, string]
    let taken = 0
    const engineQuery = (text: string, values?: readonly unknown[]) =>
      test.db.engineQuery(text, values).catch((error: unknown) => {
        if (isTableTaken(causeOf(error))) taken++
        throw error
      })
    const db = { ...test.db, engineQuery: engineQuery as Database['engineQuery'] }
    const ingest = openIngest(test, { ingestDeadlineMs: 60_000 }, { db })
    const scopes = range(6).map(n => `case-${n}`)
    for (const scope of scopes) await ingest.accept(documentFor(busy, scope))
    await ingest.accept(documentFor(other, 'case'))
    await test.owner.query('update tenants set limits = $2 where tenant_id = $1', [busy, { documents: 100 }])
    const holder = await connectAsOwner(test.address, testLimits)
    await holder.query('begin')
    await holder.query('select concord_lock_quota($1)', [busy])
    const started = performance.now()
    const held: Promise<unknown>[] = []
    for (const scope of scopes) {
      held.push(ingest.accept(documentFor(busy, scope)))
      await ingest.accept(documentFor(other, 'case'))
    }
    // With the documents of others and then alone, and the same again every two seconds.
    expect(taken).toBeLessThanOrEqual(2 + 2 * Math.ceil((performance.now() - started) / 2000))
    await holder.query('commit')
    await holder.end()
    await Promise.all(held)
    for (const scope of scopes) expect(await logOf(test, busy, scope)).toEqual([0, 1])
  })

  it('keep the order of a scope that was made when a flush with a bad row was divided', async () => {
    const tenantId = await makeTenant(test.db)
    await openIngest(test).accept(documentFor(tenantId, 'other', { document_id: 'warm-up' }))
    let calls = 0
    const engineQuery = async (text: string, values?: readonly unknown[]) => {
      // All four; the first two; the first, whose case is missing; the second, which is bad; and what is left, when somebody made the case.
      if (text.includes('concord_ingest') && ++calls === 5) await makeScopes(test.db, [{ tenantId, scopeId: 'case' }])
      return test.db.engineQuery(text, values)
    }
    const ingest = openIngest(
      test,
      { ingestDeadlineMs: 60_000 },
      { db: { ...test.db, engineQuery: engineQuery as Database['engineQuery'] } },
    )
    const given = [
      ['case', 'd', 'first'],
      ['other', 'x', 'bad \u0000 row'],
      ['case', 'd', 'second'],
      ['other', 'y', 'good'],
    ] as const
    const answers = await Promise.allSettled(
      given.map(([scope, document_id, text]) => ingest.accept(documentFor(tenantId, scope, { document_id, text }))),
    )
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    const { rows } = await test.owner.query("select text from documents where tenant_id = $1 and document_id = 'd' order by revision", [
      tenantId,
    ])
    expect(rows).toEqual([{ text: 'first' }, { text: 'second' }])
  })

  it('give the room that a limit leaves to documents of a busy scope as to others', async () => {
    const tenantId = await makeTenant(test.db)
    const ingest = openIngest(test, { ingestDeadlineMs: 60_000 })
    await ingest.accept(documentFor(tenantId, 'case'))
    await test.owner.query('update tenants set limits = $2 where tenant_id = $1', [tenantId, { documents: 3 }])
    const free = await holdScope(tenantId, 'case')
    const held = ingest.accept(documentFor(tenantId, 'case'))
    const others = ['fresh', 'fresher'].map(scope => ingest.accept(documentFor(tenantId, scope)))
    expect((await Promise.allSettled(others)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    await expect.poll(waitingForScopes).toBe(1)
    await free()
    expect(await held).toMatchObject({ response: { seq: 1 } })
  })

  it('keep the order of a scope that was busy when a flush with a bad row was divided', async () => {
    const tenantId = await makeTenant(test.db)
    for (const scope of ['case', 'other']) await openIngest(test).accept(documentFor(tenantId, scope, { document_id: 'warm-up' }))
    const free = await holdScope(tenantId, 'case')
    let calls = 0
    const engineQuery = async (text: string, values?: readonly unknown[]) => {
      // All four; the first two; the first, which is busy; the second, which is bad; and what is left, when the case is free.
      if (text.includes('concord_ingest') && ++calls === 5) await free()
      return test.db.engineQuery(text, values)
    }
    const ingest = openIngest(
      test,
      { ingestDeadlineMs: 60_000 },
      { db: { ...test.db, engineQuery: engineQuery as Database['engineQuery'] } },
    )
    const given = [
      ['case', 'd', 'first'],
      ['other', 'x', 'bad \u0000 row'],
      ['case', 'd', 'second'],
      ['other', 'y', 'good'],
    ] as const
    const answers = await Promise.allSettled(
      given.map(([scope, document_id, text]) => ingest.accept(documentFor(tenantId, scope, { document_id, text }))),
    )
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(calls).toBeGreaterThan(5)
    const { rows } = await test.owner.query("select text from documents where tenant_id = $1 and document_id = 'd' order by revision", [
      tenantId,
    ])
    expect(rows).toEqual([{ text: 'first' }, { text: 'second' }])
  })

  it('share scopes in any order without a deadlock or a gap', async () => {
    const tenantId = await makeTenant(test.db)
    const databases = await Promise.all(
      range(2).map(() => openDatabase({ address: test.address, limits: testLimits, tenantPool: 1, enginePool: 4, logger: test.logger })),
    )
    // A flush that was a deadlock's victim is written again, so nobody but the server would know: it says who waited for whom.
    const deadlocks: unknown[] = []
    const watched = (db: Database): Database => ({
      ...db,
      engineQuery: (text, values) =>
        db.engineQuery(text, values).catch(error => {
          const cause = causeOf(error) as { code?: string; detail?: string; where?: string }
          if (cause.code === '40P01') deadlocks.push([text, cause.detail, cause.where])
          throw error
        }) as never,
    })
    const ingests = databases.map(db => openIngest(test, { ingestFlushRows: 16 }, { db: watched(db) }))
    const scopeOf = (n: number, process: number) => `case-${(process === 0 ? n : 400 - n) % 8}`
    await Promise.all(ingests.flatMap((ingest, process) => range(400).map(n => ingest.accept(documentFor(tenantId, scopeOf(n, process))))))
    expect(deadlocks).toEqual([])
    for (const n of range(8)) expect(await logOf(test, tenantId, `case-${n}`)).toEqual(range(100))
    await Promise.all(databases.map(db => db.close()))
  })
})
