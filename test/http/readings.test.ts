import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertReadings } from '../../src/store/tenants/audit.js'
import { chainAuditLog, shortenAuditLog, verifyAuditChain } from '../../src/tenancy/audit.js'
import { addPossible } from '../support/possible-conflict.js'
import { startTestService, type TestAnswer, type TestService } from '../support/service.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const keyOf = (tenant: { api_key: string }) => ({ 'x-tenant-api-key': tenant.api_key })

interface Case {
  tenantId: string
  key: Record<string, string>
  contradictionId: string
  /** A person at the desk. */
  session(person: string): Promise<(path: string, node?: TestService) => Promise<TestAnswer>>
}

async function openCase(at = service): Promise<Case> {
  const tenant = await at.createTenant()
  const key = keyOf(tenant)
  const ingest = (id: string, text: string) =>
    at.call('POST', '/api/ingest', { headers: key, body: { scope_id: 'case', document_id: id, name: id, text } })
  await ingest('first', 'Vela Ltd: net debt at 31 March 2025 was EUR 17.5M.')
  await ingest('second', 'Vela Ltd: net debt at 31 March 2025 was EUR 12.0M.')
  for (const id of ['first', 'second']) await at.call('GET', `/api/documents/${id}?scope_id=case&wait=30`, { headers: key })
  const found = await at.call('GET', '/api/scopes/case/contradictions', { headers: key })
  return {
    tenantId: tenant.tenant_id,
    key,
    contradictionId: found.body.items[0].contradiction_id,
    async session(person) {
      const wanted = { label: person, rights: ['read'], person, speak_for: false }
      const { api_key } = (await at.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, wanted)).body
      const answer = await at.call('POST', '/api/session/key', { headers: { 'x-tenant-api-key': api_key } })
      const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] as string
      return (path, node = at) => node.call('GET', path, { headers: { cookie } })
    },
  }
}

interface Row {
  action: string
  reader: string
  object: string
  detail: Record<string, unknown>
}

async function readingsOf({ tenantId }: Case, at = service): Promise<Row[]> {
  const { rows } = await at.database.owner.query(
    'select action, reader, object, detail, hash from audit_log where tenant_id = $1 and object is not null order by id',
    [tenantId],
  )
  return rows
}

describe('who saw what', () => {
  it('is kept of people who signed in: one row for a person, a thing and an hour, without a word of it', async () => {
    const opened = await openCase()
    const read = await opened.session('Ada')
    for (const path of [
      '/api/documents/first/text?scope_id=case',
      '/api/documents/first/text?scope_id=case',
      '/api/documents/-/text?scope_id=case&document_id=first',
      '/api/documents?scope_id=case&document_id=first',
    ])
      expect((await read(path)).status).toBe(200)
    await read('/api/scopes/case/contradictions')
    await read('/api/scopes/case/claims?q=debt')
    await read('/api/documents/none/text?scope_id=case')
    const rows = await readingsOf(opened)
    expect(rows.map(({ reader, object }) => [reader, object])).toEqual([
      ['Ada', 'document case first'],
      ['Ada', 'findings case '],
      ['Ada', 'statements case '],
    ])
    expect(rows[0]?.detail).toEqual({ document_id: 'first', person: 'Ada' })
    expect(JSON.stringify(rows)).not.toMatch(/Vela|debt/)
  })

  it('is one row also when another node answers', async () => {
    const opened = await openCase()
    const read = await opened.session('Ada')
    await read('/api/documents/first/text?scope_id=case')
    const other = await startTestService({}, { database: service.database })
    try {
      expect((await read('/api/documents/first/text?scope_id=case', other)).status).toBe(200)
      expect((await readingsOf(opened)).map(row => row.reader)).toEqual(['Ada'])
    } finally {
      await other.stop()
    }
  })

  it('is of an hour of the database, which says how much of it is left', async () => {
    const { tenantId } = await openCase()
    const { db, owner } = service.database
    const time = async () => Number((await owner.query('select extract(epoch from clock_timestamp()) * 1000 as ms')).rows[0].ms)
    const row = {
      tier: 'public',
      actor: 'key:1',
      action: 'read',
      outcome: 'allowed',
      status: 200,
      scopeId: 'case',
      requestId: 'r',
    } as const
    const before = await time()
    const leftMs = await insertReadings(db, [{ ...row, tenantId, address: null, detail: {}, object: 'document case x', reader: 'Ada' }])
    const after = await time()
    const { rows } = await owner.query('select hour from audit_log where tenant_id = $1 and object is not null', [tenantId])
    const end = Date.parse(rows[0].hour) + 3_600_000
    expect(leftMs).toBeLessThanOrEqual(end - before)
    expect(leftMs).toBeGreaterThanOrEqual(Math.floor(end - after))
  })

  it('is said on the finding', async () => {
    const opened = await openCase()
    const path = `/api/contradictions/${opened.contradictionId}`
    const [ada, grace] = [await opened.session('Ada'), await opened.session('Grace')]
    const first = await ada(path)
    expect(first.body).toMatchObject({ contradiction_id: opened.contradictionId, scope_id: 'case', status: 'open', seen_by: [] })
    const second = await grace(path)
    expect(second.body.seen_by).toEqual([{ by: 'Ada', first_at: expect.any(String), last_at: expect.any(String) }])
    expect((await ada(path)).body.seen_by.map((each: { by: string }) => each.by)).toEqual(['Grace', 'Ada'])
    const [{ first_at: at }] = (await ada(path)).body.seen_by.slice(-1)
    for (const [moment, people] of [
      [at, ['Ada']],
      [new Date().toISOString(), ['Ada', 'Grace']],
    ] as const) {
      const { contradictions } = (await ada(`/api/scopes/case/as-of?at=${moment}`)).body
      expect(contradictions.items[0].opened_by.map((each: { by: string }) => each.by)).toEqual(people)
    }
    const stranger = await service.createTenant()
    for (const id of [opened.contradictionId, 'ctr_none', 'a\u0000b'])
      expect((await service.call('GET', `/api/contradictions/${encodeURIComponent(id)}`, { headers: keyOf(stranger) })).body.code).toBe(
        'CONTRADICTION_NOT_FOUND',
      )
  })

  it('is said on a possible conflict too, and of what had been opened by then', async () => {
    const opened = await openCase()
    const id = await addPossible(service, opened.tenantId, 'case')
    const path = `/api/possible-conflicts/${id}`
    const [ada, grace] = [await opened.session('Ada'), await opened.session('Grace')]
    expect((await ada(path)).body).toMatchObject({ possible_conflict_id: id, scope_id: 'case', status: 'open', seen_by: [] })
    const seen = (await grace(path)).body.seen_by
    expect(seen).toEqual([{ by: 'Ada', first_at: expect.any(String), last_at: expect.any(String) }])
    const now = new Date().toISOString()
    const then = (await ada(`/api/scopes/case/as-of?at=${now}`)).body.possible_conflicts.items
    expect(then[0].opened_by).toMatchObject([{ by: 'Ada', first_at: seen[0].first_at }, { by: 'Grace' }])
    expect((await ada(`/api/scopes/case/as-of/page?at=${now}`)).text).toMatch(/<td>Ada, [^<]* UTC; Grace, [^<]* UTC<\/td>/)
    const stranger = keyOf(await service.createTenant())
    for (const other of [id, 'pcf_none', 'a\u0000b'])
      expect((await service.call('GET', `/api/possible-conflicts/${encodeURIComponent(other)}`, { headers: stranger })).body.code).toBe(
        'POSSIBLE_CONFLICT_NOT_FOUND',
      )
  })

  it('has a row for every way to read findings, statements, certificates and reports', async () => {
    const opened = await openCase()
    const read = await opened.session('Ada')
    const now = new Date().toISOString()
    for (const [object, path] of [
      ['findings', 'replacements'],
      ['findings', 'summary'],
      ['findings', 'possible-conflicts'],
      ['findings', 'supersessions'],
      ['statements', 'claims'],
      ['certificate', 'certificates'],
      ['report', 'schedule'],
      ['report', 'bundle'],
      ['report', `as-of?at=${now}`],
      ['report', `as-of/signed?at=${now}`],
      ['report', `as-of/page?at=${now}`],
    ] as const) {
      const by = await opened.session(path)
      expect((await by(`/api/scopes/case/${path}`)).status, path).toBe(200)
      const rows = (await readingsOf(opened)).filter(row => row.reader === path)
      expect(
        rows.map(row => row.object),
        path,
      ).toContain(`${object} case `)
    }
    expect((await read('/api/scopes/case/holds')).status).toBe(200)
    expect((await readingsOf(opened)).filter(row => row.reader === 'Ada')).toEqual([])
  })

  it('is not kept of a key unless everybody’s reads are, and of nobody if none are', async () => {
    const byKey = await openCase()
    expect(await readingsOf(byKey)).toEqual([])
    for (const [reads, expected] of [
      ['all', ['document case first', 'document case second', 'findings case ']],
      ['off', []],
    ] as const) {
      const other = await startTestService({ AUDIT_READS: reads })
      try {
        const opened = await openCase(other)
        const read = await opened.session('Ada')
        if (reads === 'off') await read('/api/documents/first/text?scope_id=case')
        const rows = await readingsOf(opened, other)
        expect(rows.map(row => row.object)).toEqual(expected)
        expect(rows.every(row => row.reader.startsWith('key:'))).toBe(true)
      } finally {
        await other.stop()
      }
    }
  })
})

describe('the chain of the log', () => {
  it('holds who read what, so that a reader who is renamed is found', async () => {
    const opened = await openCase()
    const read = await opened.session('Grace')
    expect((await read(`/api/contradictions/${opened.contradictionId}`)).status).toBe(200)
    await expect.poll(() => chainAuditLog(service.database.db).then(() => count(service, 'hash is null'))).toBe(0)
    const { owner, db } = service.database
    expect(await verifyAuditChain(db)).toMatchObject({ ok: true })
    const rename = (from: string, to: string) =>
      owner.query('update audit_log set reader = $3 where tenant_id = $1 and reader = $2 returning id', [opened.tenantId, from, to])
    const { rows } = await rename('Grace', 'Nobody')
    expect(rows.length).toBeGreaterThan(0)
    const found = await verifyAuditChain(db)
    await rename('Nobody', 'Grace')
    expect(found).toEqual({ ok: false, id: Number(rows[0].id) })
    expect(await verifyAuditChain(db)).toMatchObject({ ok: true })
  })
})

describe('the retention of the log', () => {
  it('takes the oldest rows, and what is left still verifies and is still guarded', async () => {
    const own = await startTestService()
    const { db } = own.database
    try {
      for (const name of ['one', 'two', 'three', 'four']) await own.createTenant(name)
      await expect.poll(() => chainAuditLog(db).then(() => count(own, 'hash is null'))).toBe(0)
      const before = await count(own, 'true')
      await own.database.owner.query("update audit_log set at = at - interval '40 days' where chain_no = 1")
      expect(await shortenAuditLog(db, undefined)).toBe(0)
      expect(await shortenAuditLog(db, 30)).toBe(1)
      expect(await shortenAuditLog(db, 30)).toBe(0)
      expect(await count(own, 'true')).toBe(before - 1)
      expect(await verifyAuditChain(db)).toEqual({ ok: true, rows: before - 1 })
      await own.database.owner.query('delete from audit_log where chain_no = 2')
      expect(await verifyAuditChain(db)).toMatchObject({ ok: false })
    } finally {
      await own.stop()
    }
  })
})

async function count(at: TestService, where: string): Promise<number> {
  return (await at.database.owner.query(`select count(*)::int as n from audit_log where ${where}`)).rows[0].n
}
