import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertReadings, listReadsKept, noteReadsKept } from '../../src/store/tenants/audit.js'
import { chainAuditLog, shortenAuditLog, verifyAuditChain } from '../../src/tenancy/audit.js'
import { runConcord } from '../cli/run-concord.js'
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

  it('is noted by two nodes at once, whatever order each was asked in', async () => {
    const { owner, db } = service.database
    const { tenant_id: tenantId } = await service.createTenant()
    const row = {
      tier: 'public',
      actor: 'key:k',
      action: 'getDocument',
      outcome: 'allowed',
      status: 200,
      scopeId: 'case',
      requestId: 'r',
    } as const
    const reading = (object: string) => ({ ...row, tenantId, address: null, detail: {}, object, reader: 'Ada' })
    const noteElsewhere = (object: string) =>
      owner.query(
        `insert into audit_log (tier, actor, action, outcome, status, tenant_id, request_id, object, reader, hour)
         values ('public', 'key:k', 'getDocument', 'allowed', 200, $1, 'r', $2, 'Ada', date_trunc('hour', clock_timestamp(), 'UTC')) on conflict do nothing`,
        [tenantId, object],
      )
    const isWaiting = async () =>
      (await owner.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).rows.length > 0
    await owner.query('begin')
    await noteElsewhere('document case a')
    let isOver = false
    const noted = insertReadings(db, [reading('document case b'), reading('document case a')]).finally(() => {
      isOver = true
    })
    await expect.poll(async () => isOver || (await isWaiting())).toBe(true)
    await noteElsewhere('document case b')
    await owner.query('commit')
    expect(await noted).toBeGreaterThan(0)
  })

  it('is said on the finding', async () => {
    const opened = await openCase()
    const path = `/api/contradictions/${opened.contradictionId}`
    const [ada, grace] = [await opened.session('Ada'), await opened.session('Grace')]
    const first = await ada(path)
    expect(first.body).toMatchObject({
      contradiction_id: opened.contradictionId,
      scope_id: 'case',
      status: 'open',
      seen_by: [],
      reads_kept: 'people',
    })
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

  it('is of a finding also for those who read its comments, or the decision about it', async () => {
    const opened = await openCase()
    const path = `/api/contradictions/${opened.contradictionId}`
    const [ada, grace, eve] = [await opened.session('Ada'), await opened.session('Grace'), await opened.session('Eve')]
    const readers = async () => (await eve(path)).body.seen_by.map((each: { by: string }) => each.by)
    expect((await ada(`${path}/comments`)).status).toBe(200)
    expect(await readers()).toEqual([])
    const said = (place: string, body: object) => service.call('POST', `${path}/${place}`, { headers: opened.key, body })
    await said('comments', { by: 'abby', text: 'The surveyor was asked.' })
    await said('resolution', { verdict: 'both', by: 'abby', reason: 'Two dates of booking.' })
    expect((await ada(`${path}/comments`)).body.items).toHaveLength(1)
    expect((await grace('/api/scopes/case/decisions?by=person')).body).toMatchObject({ items: [{ said: { by: 'abby' } }] })
    expect(await readers()).toEqual(['Grace', 'Ada', 'Eve'])
    const rows = await readingsOf(opened)
    expect(rows.filter(row => row.reader === 'Grace').map(row => row.object)).toEqual([
      'findings case ',
      `finding case ${opened.contradictionId}`,
    ])
    expect(JSON.stringify(rows)).not.toMatch(/surveyor|booking/)
  })

  it('is told by the audit log by case, document and person, with what was read and in which hour', async () => {
    const opened = await openCase()
    const [ada, grace] = [await opened.session('Ada'), await opened.session('Grace')]
    await ada('/api/documents/first/text?scope_id=case')
    await grace('/api/documents/second/text?scope_id=case')
    await grace(`/api/contradictions/${opened.contradictionId}`)
    await service.call('DELETE', '/api/documents/second?scope_id=case', { headers: opened.key })
    const listed = async (query: string) =>
      (await service.admin('GET', `/admin/audit?tenant_id=${opened.tenantId}&${query}`)).body.items.map((entry: Row) => [
        entry.reader,
        entry.object ?? entry.action,
      ])
    const [first, second, finding] = [
      ['Ada', 'document case first'],
      ['Grace', 'document case second'],
      ['Grace', `finding case ${opened.contradictionId}`],
    ]
    const erased = [null, 'eraseDocument']
    expect(await listed('scope_id=case')).toEqual([erased, finding, second, first])
    expect(await listed('scope_id=other')).toEqual([])
    expect(await listed('document_id=second')).toEqual([erased, second])
    expect(await listed('person=Grace')).toEqual([finding, second, [null, 'createKeySession']])
    expect(await listed('person=Grace&document_id=first')).toEqual([])
    const page = await service.admin('GET', `/admin/audit?tenant_id=${opened.tenantId}&scope_id=case&person=Grace&limit=1`)
    const next = await service.admin(
      'GET',
      `/admin/audit?cursor=${page.body.next}&tenant_id=${opened.tenantId}&scope_id=case&person=Grace&limit=1`,
    )
    expect(next.body.items).toMatchObject([{ object: 'document case second', hour: expect.stringMatching(/:00:00/) }])
    const env = { CONCORD_URL: service.url, CONCORD_ADMIN_KEY: service.adminKey }
    const { out } = await runConcord(env, 'audit', '--tenant', opened.tenantId, '--document', 'second', '--person', 'Grace')
    expect(out).toMatch(/ case +Grace +document case second/)
    expect(out).not.toMatch(/eraseDocument/)
  })

  it('tells nobody from not known: reads that were not recorded are said', async () => {
    const opened = await openCase()
    const read = async (at = service) =>
      (await at.call('GET', `/api/contradictions/${opened.contradictionId}`, { headers: opened.key })).body
    expect(await read()).toMatchObject({ seen_by: [], reads_kept: 'people' })
    const before = new Date().toISOString()
    const other = await startTestService({ AUDIT_READS: 'off', ROLE: 'api' }, { database: service.database })
    try {
      expect(await read(other)).toMatchObject({ seen_by: [], reads_kept: 'part' })
      const ofThen = async (at: string) => (await service.call('GET', `/api/scopes/case/as-of?at=${at}`, { headers: opened.key })).body
      expect((await ofThen(before)).contradictions.items).toMatchObject([{ opened_by: [], reads_kept: 'people' }])
      expect((await ofThen(new Date().toISOString())).contradictions.items).toMatchObject([{ opened_by: [], reads_kept: 'part' }])
      const page = await service.call('GET', `/api/scopes/case/as-of/page?at=${new Date().toISOString()}`, { headers: opened.key })
      expect(page.text).toContain('<td>Whether anybody had opened it is not known: reads were recorded for a part of the time</td>')
      const later = await openCase()
      const found = await service.call('GET', `/api/contradictions/${later.contradictionId}`, { headers: later.key })
      expect(found.body).toMatchObject({ seen_by: [], reads_kept: 'none' })
    } finally {
      await other.stop()
      await noteReadsKept(service.database.db, 'people')
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
      // One went, and one says so.
      expect(await count(own, "action <> 'cutAuditLog'")).toBe(before - 1)
      expect(await count(own, "action = 'cutAuditLog'")).toBe(1)
      expect(await verifyAuditChain(db)).toMatchObject({ ok: true })
      // What was read before is not known any more.
      expect(await listReadsKept(db, 'ten_other')).toMatchObject([{ reads: 'people' }, { reads: null }])
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
