import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { logStart } from '../../src/events/cursor.js'
import { appendEvents, lockScopes } from '../../src/store/events/events.js'
import { readKernelEvents } from '../../src/store/events/events-reading.js'
import { type Statement, shorthands, type Transaction } from '../../src/store/server/database.js'
import { connectAsOwner } from '../../src/store/server/migrate.js'
import { documentFor, makeTenant, openIngest, range } from '../ingest/support.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { testLimits } from '../support/limits.js'

let test: TestDatabase
let slow: pg.Client
beforeAll(async () => {
  test = await cloneDatabase({ enginePool: 8 })
  slow = await connectAsOwner(test.address, testLimits)
})
afterAll(async () => {
  await slow.end()
  await test.close()
})

interface Tail {
  poll(): Promise<string[]>
}

/** What seems to be enough: remember the last id. */
function naiveTail(): Tail {
  let last = 0
  return {
    async poll() {
      const { rows } = await test.owner.query('select id::int, subject from events where id > $1 order by id', [last])
      last = rows.at(-1)?.id ?? last
      return rows.map(row => row.subject)
    },
  }
}

function ourTail(): Tail {
  let last = logStart
  return {
    async poll() {
      const events = await readKernelEvents(test.db, last, 1000)
      last = events.at(-1) ?? last
      return events.map(event => event.subject as string)
    },
  }
}

async function makeScopes(names: string[]): Promise<{ tenantId: string; scopeNos: number[] }> {
  const tenantId = await makeTenant(test.db)
  const ingest = openIngest(test)
  for (const name of names) await ingest.accept(documentFor(tenantId, name, { document_id: `first-of-${name}` }))
  const { rows } = await test.owner.query('select scope_no::int from scopes where tenant_id = $1 order by scope_id', [tenantId])
  return { tenantId, scopeNos: rows.map(row => row.scope_no) }
}

/** The first transaction writes first and commits last. */
async function commitOutOfOrder(seen: () => Promise<void>): Promise<void> {
  const { tenantId, scopeNos } = await makeScopes(['a', 'b'])
  const [a, b] = scopeNos as [number, number]
  const late: Transaction = {
    ...shorthands,
    query: async <T>(statement: Statement) => {
      const { rows, rowCount } = await slow.query(statement as pg.QueryConfig)
      return { rows: rows as T[], rowCount: rowCount ?? 0 }
    },
  }
  await slow.query('begin')
  await lockScopes(late, [a])
  await appendEvents(late, { tenantId, scopeNo: a }, [{ type: 'document.queued', subject: 'late', data: {} }])
  await test.db.inTenant(tenantId, async tx => {
    await lockScopes(tx, [b])
    await appendEvents(tx, { tenantId, scopeNo: b }, [{ type: 'document.queued', subject: 'early', data: {} }])
  })
  await seen()
  await slow.query('commit')
  await seen()
}

describe('a tail of the log of everything', () => {
  it('that goes by id alone loses what commits late, which is why ours does not', async () => {
    const [naive, ours] = [naiveTail(), ourTail()]
    const got = { naive: [] as string[], ours: [] as string[] }
    await commitOutOfOrder(async () => {
      got.naive.push(...(await naive.poll()))
      got.ours.push(...(await ours.poll()))
    })
    expect(got.naive.filter(subject => subject === 'early' || subject === 'late')).toEqual(['early'])
    // An open write in any database of the server holds the horizon back, and other tests share the server.
    await vi.waitFor(async () => {
      got.ours.push(...(await ours.poll()))
      expect(got.ours.filter(subject => subject === 'early' || subject === 'late')).toEqual(['late', 'early'])
    }, 20_000)
  })

  it('sees every event once and each scope in order, under writers that overlap', async () => {
    const tail = ourTail()
    await tail.poll()
    const tenantId = await makeTenant(test.db)
    const ingests = range(3).map(() => openIngest(test, { ingestFlushRows: 5, ingestFlushesInFlight: 3 }))
    const seen: string[] = []
    const documentsSeen = () => seen.filter(subject => subject?.startsWith('case-'))
    const watching = (async () => {
      while (documentsSeen().length < 900) seen.push(...(await tail.poll()))
    })()
    const accepted = await Promise.all(
      range(900).map(n => ingests[n % 3]!.accept(documentFor(tenantId, `case-${n % 7}`, { document_id: `case-${n % 7} ${n}` }))),
    )
    await watching
    const documents = documentsSeen()
    expect(new Set(documents).size).toBe(900)
    expect(documents).toHaveLength(900)
    const seqOf = new Map(accepted.map(({ response }) => [response.document_id, response.seq]))
    for (const n of range(7)) {
      const seqs = documents.filter(id => id.startsWith(`case-${n} `)).map(id => seqOf.get(id))
      expect(seqs).toEqual(range(seqs.length))
    }
  })
})

describe('appending under the lock of the scope', () => {
  it('gives the order of seq to two writers, the second of which began to write elsewhere', async () => {
    const { tenantId, scopeNos } = await makeScopes(['c'])
    const scope = { tenantId, scopeNo: scopeNos[0] as number }
    const append = (subject: string) =>
      test.db.inTenant(tenantId, async tx => {
        await lockScopes(tx, [scope.scopeNo])
        return appendEvents(tx, scope, [
          { type: 'document.attached', subject, data: {} },
          { type: 'document.attached', subject, data: {} },
        ])
      })
    const firsts = await Promise.all(range(20).map(n => append(`n${n}`)))
    expect(firsts.map(({ firstSeq }) => firstSeq).sort((x, y) => x - y)).toEqual(range(20).map(n => 1 + 2 * n))
    const { rows } = await test.owner.query('select seq::int from events where tenant_id = $1 and scope_no = $2 order by xid, id', [
      tenantId,
      scope.scopeNo,
    ])
    expect(rows.map(row => row.seq)).toEqual(range(41))
  })
})
