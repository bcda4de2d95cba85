import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Ingest } from '../../src/ingest/ingest.js'
import { appendEvents } from '../../src/store/events/events.js'
import { documentFor, makeTenant, openIngest, range } from '../ingest/support.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { eventsOf, openRaw, type StreamServer, startStreamServer } from './support.js'

let test: TestDatabase
let stream: StreamServer
let ingest: Ingest
beforeAll(async () => {
  test = await cloneDatabase({ enginePool: 8 })
  stream = await startStreamServer(test)
  ingest = openIngest(test, {}, { hints: stream.hints })
})
afterAll(async () => {
  await stream.close()
  await test.close()
})

async function scopeWith(documents: number): Promise<{ tenantId: string; path: string }> {
  const tenantId = await makeTenant(test.db)
  await Promise.all(range(documents).map(n => ingest.accept(documentFor(tenantId, 'case', { document_id: `d${n}` }))))
  return { tenantId, path: `/scopes/${tenantId}/case` }
}

const status = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(stream.url + path, { headers })
  return [response.status, ((await response.json()) as { code: string }).code]
}

describe('the stream of a scope', () => {
  it('shows every event from the beginning as CloudEvents, then live ones', async () => {
    const { tenantId, path } = await scopeWith(3)
    const reader = openRaw(stream.port, `${path}?after=-1`)
    await reader.until(frames => eventsOf(frames).length === 3)
    const { response } = await ingest.accept(documentFor(tenantId, 'case', { document_id: 'live' }))
    const [, , , last] = eventsOf(await reader.until(frames => eventsOf(frames).length === 4))
    expect(eventsOf(reader.frames).map(frame => frame.id)).toEqual(['0', '1', '2', '3'])
    expect(last).toMatchObject({
      id: String(response.seq),
      event: 'document.queued',
      retry: '1000',
      data: {
        specversion: '1.0',
        id: '3',
        source: '/scopes/case',
        type: 'document.queued',
        subject: 'live',
        datacontenttype: 'application/json',
        data: { scope_id: 'case', document_id: 'live', revision: 1, name: 'A report', status: 'queued' },
      },
    })
    reader.close()
  })

  it('starts after the newest event when no cursor is given, and Last-Event-ID wins over after', async () => {
    const { tenantId, path } = await scopeWith(5)
    const live = openRaw(stream.port, path)
    await live.until(frames => frames.length > 0)
    const resumed = openRaw(stream.port, `${path}?after=-1`, { 'last-event-id': '3' })
    await resumed.until(frames => eventsOf(frames).length === 1)
    await ingest.accept(documentFor(tenantId, 'case'))
    await Promise.all([live.until(frames => eventsOf(frames).length === 1), resumed.until(frames => eventsOf(frames).length === 2)])
    expect(eventsOf(live.frames).map(frame => frame.id)).toEqual(['5'])
    expect(eventsOf(resumed.frames).map(frame => frame.id)).toEqual(['4', '5'])
    live.close()
    resumed.close()
  })

  it('shows nobody a name that was read for others just before its document was erased', async () => {
    const { tenantId } = await scopeWith(2)
    const read = async () => {
      const feed = await stream.events.subscribeScope({ tenantId, scopeId: 'case', after: '-1' })
      onTestFinished(() => feed.close())
      return feed.read(1 << 20)
    }
    expect(await read()).toContain('A report')
    const { rows } = await test.owner.query("update documents set name = '', erased_at = now() where tenant_id = $1 returning scope_no", [
      tenantId,
    ])
    await test.db.inTenant(tenantId, tx =>
      appendEvents(tx, { tenantId, scopeNo: Number(rows[0].scope_no) }, [{ type: 'document.erased', subject: 'd0', data: {} }]),
    )
    expect(await read()).not.toContain('A report')
  })

  it('says so when a cursor is ahead of the log, and goes on live', async () => {
    const { tenantId, path } = await scopeWith(2)
    const reader = openRaw(stream.port, `${path}?after=99`)
    await reader.until(frames => eventsOf(frames).length === 1)
    await ingest.accept(documentFor(tenantId, 'case'))
    const [gap, next] = eventsOf(await reader.until(frames => eventsOf(frames).length === 2))
    expect(gap).toMatchObject({ event: 'stream.gap', data: { data: { requested: 99, oldest: 0, newest: 1 } } })
    expect(gap).not.toHaveProperty('id')
    expect(next).toMatchObject({ id: '2' })
    reader.close()
  })

  it('refuses garbage, and does not tell an unknown scope from one of another tenant', async () => {
    const { path } = await scopeWith(1)
    const stranger = await makeTenant(test.db)
    for (const cursor of ['x', '-2', '1.5', '99999999999999999999', '%00']) {
      expect(await status(`${path}?after=${cursor}`)).toEqual([400, 'CURSOR_INVALID'])
    }
    expect(await status(path, { 'last-event-id': 'garbage' })).toEqual([400, 'CURSOR_INVALID'])
    expect(await status(`/scopes/${stranger}/case`)).toEqual([404, 'SCOPE_NOT_FOUND'])
  })

  it('loses nothing while the horizon of transactions is held back elsewhere', async () => {
    const { tenantId, path } = await scopeWith(1)
    await test.owner.query('begin')
    await test.owner.query(`insert into tenants (tenant_id, name) values ('ten_held${tenantId.slice(-18)}', 'held')`)
    const reader = openRaw(stream.port, `${path}?after=-1`)
    await ingest.accept(documentFor(tenantId, 'case'))
    await reader.until(frames => eventsOf(frames).length === 2)
    await test.owner.query('rollback')
    reader.close()
  })
})

describe('the stream of a tenant', () => {
  it('shows what happens in the scopes that are reached, and gives no place in the log of all tenants', async () => {
    const { tenantId } = await scopeWith(1)
    const stranger = await makeTenant(test.db)
    const all = openRaw(stream.port, `/tenants/${tenantId}`)
    const some = openRaw(stream.port, `/tenants/${tenantId}?within=case`)
    await Promise.all([all.until(frames => frames.length > 0), some.until(frames => frames.length > 0)])
    await ingest.accept(documentFor(stranger, 'case', { document_id: 'foreign' }))
    await ingest.accept(documentFor(tenantId, 'other', { document_id: 'elsewhere' }))
    await ingest.accept(documentFor(tenantId, 'case', { document_id: 'here' }))
    await Promise.all([all.until(frames => eventsOf(frames).length === 3), some.until(frames => eventsOf(frames).length === 1)])
    const [created, elsewhere, here] = eventsOf(all.frames)
    expect(created).toMatchObject({ event: 'scope.created', data: { source: '/scopes/other' } })
    expect(elsewhere).toMatchObject({ event: 'document.queued', data: { sequence: '0', source: '/scopes/other', subject: 'elsewhere' } })
    expect(here).toMatchObject({ event: 'document.queued', data: { sequence: '1', source: '/scopes/case', subject: 'here' } })
    expect(eventsOf(some.frames)).toEqual([here])
    for (const frame of [created, elsewhere, here]) {
      expect(frame).not.toHaveProperty('id')
      expect(frame?.data).toMatchObject({ id: expect.stringMatching(/^evt_[0-9a-f]{32}$/) })
      expect(frame?.data).not.toHaveProperty('tenantid')
    }
    // Events of no scope's log are numbered across tenants.
    expect(created?.data).not.toHaveProperty('sequence')
    all.close()
    some.close()
  })

  it('goes on while others do more than the tail keeps, for each of its readers', async () => {
    const { tenantId } = await scopeWith(1)
    const readers = range(2).map(() => openRaw(stream.port, `/tenants/${tenantId}`))
    await Promise.all(readers.map(reader => reader.until(frames => frames.length > 0)))
    for (const part of range(3)) {
      await test.owner.query(
        `insert into events (tenant_id, scope_no, seq, type, data) select $1, 1, $2 + n, 'document.queued', '{}' from generate_series(1, 2000) n`,
        [`beside ${tenantId}`, part * 2000],
      )
      stream.hints.notify('events')
      await ingest.accept(documentFor(tenantId, 'case', { document_id: `own ${part}` }))
    }
    for (const reader of readers) {
      await reader.until(frames => eventsOf(frames).length === 3)
      expect(eventsOf(reader.frames).map(frame => frame.data?.subject)).toEqual(['own 0', 'own 1', 'own 2'])
      reader.close()
    }
  })
})

describe('the kernel stream', () => {
  it('shows all scopes in commit order with an opaque cursor that resumes exactly', async () => {
    const before = openRaw(stream.port, '/kernel')
    await before.until(frames => frames.length > 0)
    const tenantId = await makeTenant(test.db)
    await Promise.all(range(40).map(n => ingest.accept(documentFor(tenantId, `case-${n % 4}`))))
    const all = eventsOf(await before.until(frames => eventsOf(frames).length >= 44))
    expect(
      all
        .filter(frame => frame.event === 'scope.created')
        .map(frame => frame.data?.source)
        .sort(),
    ).toEqual(range(4).map(n => `/scopes/case-${n}`))
    const middle = all[20]?.id as string
    const resumed = openRaw(stream.port, '/kernel', { 'last-event-id': middle })
    const rest = eventsOf(await resumed.until(frames => eventsOf(frames).length === 23))
    expect(rest.map(frame => frame.id)).toEqual(all.slice(21).map(frame => frame.id))
    expect(new Set(all.map(frame => frame.id)).size).toBe(44)
    before.close()
    resumed.close()
  })

  it('filters by tenant, scope and type', async () => {
    const tenantId = await makeTenant(test.db)
    await ingest.accept(documentFor(tenantId, 'one'))
    await ingest.accept(documentFor(tenantId, 'two'))
    const reader = openRaw(stream.port, `/kernel?after=-1&tenant_id=${tenantId}&scope_id=two&type=scope.created`)
    const [only] = eventsOf(await reader.until(frames => eventsOf(frames).length === 1))
    expect(only).toMatchObject({ event: 'scope.created', data: { source: '/scopes/two', tenantid: tenantId } })
    await ingest.accept(documentFor(tenantId, 'two'))
    const queued = openRaw(stream.port, `/kernel?after=-1&tenant_id=${tenantId}&type=document.queued`)
    await queued.until(frames => eventsOf(frames).length === 3)
    expect(eventsOf(reader.frames)).toHaveLength(1)
    reader.close()
    queued.close()
  })

  it('refuses garbage and a cursor of a scope, and says when a cursor is ahead', async () => {
    expect(await status('/kernel?after=7')).toEqual([400, 'CURSOR_INVALID'])
    expect(await status('/kernel?after=AAAA')).toEqual([400, 'CURSOR_INVALID'])
    const { formatKernelCursor } = await import('../../src/events/cursor.js')
    const reader = openRaw(stream.port, `/kernel?after=${formatKernelCursor({ xid: 10 ** 12, id: 1 })}`)
    const [gap] = eventsOf(await reader.until(frames => eventsOf(frames).length === 1))
    expect(gap).toMatchObject({ event: 'stream.gap' })
    reader.close()
  })

  it('starts after what is committed, even when that is not yet below the horizon', async () => {
    const tenantId = await makeTenant(test.db)
    await ingest.accept(documentFor(tenantId, 'case', { document_id: 'warm-up' }))
    await test.owner.query('begin')
    await test.owner.query(`insert into tenants (tenant_id, name) values ('ten_late${tenantId.slice(-18)}', 'late')`)
    await ingest.accept(documentFor(tenantId, 'case', { document_id: 'before' }))
    const reader = openRaw(stream.port, `/kernel?tenant_id=${tenantId}`)
    await reader.until(frames => frames.length > 0)
    await ingest.accept(documentFor(tenantId, 'case', { document_id: 'after' }))
    await test.owner.query('commit')
    const events = eventsOf(await reader.until(frames => eventsOf(frames).length > 0))
    expect(events.map(frame => frame.data?.subject)).toEqual(['after'])
    reader.close()
  })
})
