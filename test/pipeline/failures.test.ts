import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createModelPlaces } from '../../src/pipeline/asking/model-places.js'
import type { ModelStage } from '../../src/pipeline/asking/model-stage.js'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { ReadError } from '../../src/pipeline/threads/threads.js'
import { createLogger } from '../../src/platform/logger.js'
import { getCertificate, listCertificates } from '../../src/scopes/certificates/certificate-view.js'
import { listQuarantine, retryQuarantined } from '../../src/store/documents/quarantine.js'
import { takeLease } from '../../src/store/leases/leases.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { sharedReader } from '../support/shared-reader.js'
import { openWorld, type PipelineWorld, reportText, sampleText } from './support.js'

let world: PipelineWorld

beforeAll(async () => {
  world = await openWorld()
})

afterAll(async () => {
  await world.close()
})

const allSettled = `select count(*) = 0 from documents where tenant_id = $1 and status in ('queued', 'processing')`

test('documents that throw, exhaust memory or kill their thread end in quarantine, and harm no other', async () => {
  const tenantId = await world.newTenant()
  const worker = world.startWorker({ faults: 'poison', retryMaxAttempts: 2, batch: 8 })
  const poison = ['throw', 'exit', 'memory']
  await world.ingest(
    Array.from({ length: 9 }, (_, n) => ({
      tenantId,
      scopeId: 'mixed',
      documentId: `doc-${n}`,
      text: n % 3 === 0 ? `poison:${poison[n / 3]} on purpose` : sampleText(n),
    })),
  )
  await world.until(allSettled, [tenantId])
  const rows = await world.rows<{
    document_id: string
    status: string
    error_class: string
    attempts: number
    stage: string
    diagnosis: unknown[]
  }>('select document_id, status, error_class, attempts, stage, diagnosis from documents where tenant_id = $1 order by seq', [tenantId])
  const poisoned = rows.filter((_, n) => n % 3 === 0)
  expect(rows.filter((_, n) => n % 3 !== 0).every(row => row.status === 'indexed')).toBe(true)
  expect(poisoned.map(row => [row.status, row.stage, row.error_class, row.attempts])).toEqual([
    ['quarantined', 'extract', 'extractor_error', 1],
    ['quarantined', 'extract', 'thread_death', 2],
    ['quarantined', 'extract', 'out_of_memory', 2],
  ])
  expect(poisoned.map(row => row.diagnosis.length)).toEqual([1, 2, 2])
  await worker.stop()

  const [head] = await world.rows('select quarantined, indexed, has_backlog from scope_heads where tenant_id = $1', [tenantId])
  expect(head).toEqual({ quarantined: 3, indexed: 6, has_backlog: false })
  const page = await listQuarantine(world.db, { tenantId, scopeId: null, after: null, limit: 2 })
  expect(page.map(row => row.document_id)).toEqual(['doc-0', 'doc-3'])
  const last = page[1]!
  const rest = await listQuarantine(world.db, {
    tenantId,
    scopeId: 'mixed',
    after: { tenantId, scopeNo: last.scope_no, documentId: last.document_id },
    limit: 3,
  })
  expect(rest.map(row => row.document_id)).toEqual(['doc-6'])

  // Without the fault, as after a fix, the same documents go through; what was wrong before is still told.
  expect(
    await retryQuarantined(
      world.db,
      tenantId,
      [...page, ...rest].map(row => ({ scopeNo: row.scope_no, documentId: row.document_id })),
    ),
  ).toBe(3)
  const healed = world.startWorker()
  await world.until(allSettled, [tenantId])
  await healed.stop()
  const after = await world.rows<{ status: string; diagnosis: unknown[] | null }>(
    'select status, diagnosis from documents where tenant_id = $1 order by seq',
    [tenantId],
  )
  expect(after.every(row => row.status === 'indexed')).toBe(true)
  expect(after.filter((_, n) => n % 3 === 0).map(row => row.diagnosis?.length)).toEqual([1, 2, 2])
  const requeued = await world.rows(
    `select from events where tenant_id = $1 and type = 'document.requeued' and data ->> 'reason' = 'retry_requested'`,
    [tenantId],
  )
  expect(requeued).toHaveLength(3)
  expect(await retryQuarantined(world.db, tenantId, [{ scopeNo: last.scope_no, documentId: 'doc-0' }])).toBe(0)
})

test('a scope is settled when the last document that waited ends in quarantine', async () => {
  const tenantId = await world.newTenant()
  const finality = (scopeId: string) =>
    world.rows(
      `select t.finality, t.round, count(c.round) as certificates from scopes s join scope_states t using (tenant_id, scope_no)
       left join certificates c on c.tenant_id = s.tenant_id and c.scope_no = s.scope_no
       where s.tenant_id = $1 and s.scope_id = $2 group by t.finality, t.round`,
      [tenantId, scopeId],
    )
  const figures = { agreed: ['EUR 41.2M', 'EUR 41.2M'], disputed: ['EUR 41.2M', 'EUR 38.9M'] }
  const documents = Object.entries(figures).flatMap(([scopeId, revenues]) =>
    revenues.map((Revenue, n) => ({
      ...{ tenantId, scopeId, documentId: `report-${n}` },
      text: reportText({ issuer: 'Finance', period: 'FY2025', figures: { Revenue, Headcount: '120' } }),
    })),
  )
  const poison = (scopeId: string) => ({ tenantId, scopeId, documentId: 'broken', text: 'poison:throw on purpose' })
  await world.ingest([...documents, poison('agreed'), poison('disputed')])
  const worker = world.startWorker({ faults: 'poison', batch: 1 })
  await world.until(allSettled, [tenantId])
  expect(await finality('agreed')).toEqual([{ finality: 'resolved', round: 3, certificates: 1 }])
  expect(await finality('disputed')).toEqual([{ finality: 'review', round: 3, certificates: 0 }])
  // What is settled is so again.
  await world.ingest([{ ...poison('agreed'), documentId: 'broken-too' }])
  await world.until(allSettled, [tenantId])
  await worker.stop()
  expect(await finality('agreed')).toEqual([{ finality: 'resolved', round: 4, certificates: 2 }])
  expect(await replayScope(world.db, { tenantId, scopeId: 'agreed' })).toMatchObject({ ok: true })
  expect(await verifyDatabase(world.db)).toMatchObject({ broken: [] })
})

test.each([
  ['alone', []],
  ['before another', ['agreed']],
  ['before another that cannot be read', ['poison:throw again']],
])('a certificate stays superseded since the first paper came, which came %s and could not be read', async (_, behind) => {
  const tenantId = await world.newTenant()
  const scope = { tenantId, scopeId: 'case' }
  const paper = (issuer: string) => reportText({ issuer, period: 'FY2025', figures: { Revenue: 'EUR 41.2M', Headcount: '120' } })
  const handIn = (documentId: string, text: string) => world.ingest([{ ...scope, documentId, text }])
  const work = async () => {
    const worker = world.startWorker({ faults: 'poison', batch: 1 })
    await world.until(allSettled, [tenantId])
    await worker.stop()
  }
  const times = async () => (await listCertificates(world.scopes, scope)).items.map(each => each.superseded_at)
  for (const issuer of ['Finance', 'Bank Nord', 'Tax Office']) await handIn(issuer, paper(issuer))
  await work()
  expect(await times()).toEqual([null])
  await handIn('broken', 'poison:throw on purpose')
  const [told] = await times()
  expect(told).toEqual(expect.any(String))
  for (const [index, text] of behind.entries()) await handIn(`later-${index}`, text === 'agreed' ? paper('Audit') : text)
  expect(await times()).toEqual([told])
  await work()
  const after = await times()
  expect(after[0]).toBe(told)
  expect(after.at(-1)).toBeNull()
  expect(after.length).toBeGreaterThan(1)
  expect((await getCertificate(world.scopes, scope)).status).toBe('current')
  expect(await world.rows('select finality from scope_states where tenant_id = $1', [tenantId])).toEqual([{ finality: 'resolved' }])
  expect(await replayScope(world.db, scope)).toMatchObject({ ok: true })
})

test('a document that never comes to an end is ended each time, and quarantined after its attempts', async () => {
  const tenantId = await world.newTenant()
  // Nothing else is read here: on a busy machine an innocent document could take as long.
  const worker = world.startWorker({ faults: 'poison', documentTimeoutMs: 1000, retryMaxAttempts: 2 })
  await world.ingest([{ tenantId, scopeId: 'endless', documentId: 'doc', text: 'poison:hang on purpose' }])
  await world.until(allSettled, [tenantId])
  await worker.stop()
  const rows = await world.rows('select status, stage, error_class, attempts from documents where tenant_id = $1', [tenantId])
  expect(rows).toEqual([{ status: 'quarantined', stage: 'extract', error_class: 'timeout', attempts: 2 }])
})

test('a document whose process keeps dying over it is found, blamed alone and quarantined', async () => {
  const tenantId = await world.newTenant()
  await world.ingest([0, 1, 2, 3].map(n => ({ tenantId, scopeId: 'deadly', documentId: `doc-${n}`, text: sampleText(n) })))
  const candidate = { tenantId, scopeNo: await world.scopeNo(tenantId, 'deadly') }
  const die = () =>
    world.rows(`update scope_leases set leased_until = clock_timestamp() - interval '1 second' where tenant_id = $1`, [tenantId])
  const take = async () => (await takeLease(world.db, candidate, { owner: 'dying', leaseMs: 60_000, batch: 8 }))!
  expect((await take()).documents.map(each => [each.documentId, each.attempts])).toEqual([
    ['doc-0', 0],
    ['doc-1', 0],
    ['doc-2', 0],
    ['doc-3', 0],
  ])
  await die()
  for (const attempts of [0, 1]) {
    const lease = await take()
    expect([lease.tookOver, lease.documents.map(each => [each.documentId, each.attempts])]).toEqual([true, [['doc-0', attempts]]])
    await die()
  }
  const worker = world.startWorker({ retryMaxAttempts: 2 })
  await world.until(allSettled, [tenantId])
  await worker.stop()
  const rows = await world.rows('select status, error_class, attempts, reason from documents where tenant_id = $1 order by seq', [tenantId])
  const reason = 'The process died while it worked on the document, and its attempts are used up.'
  expect(rows[0]).toEqual({ status: 'quarantined', error_class: 'process_death', attempts: 2, reason })
  expect(rows.slice(1).every(row => row['status'] === 'indexed')).toBe(true)
})

// As something nobody foresaw, and as a limit of the server, which is storage's fault where a document can be tried again.
test.each(['P0001', '53400'])(
  'a scope whose failures cannot be written (%s) is backed off from, and costs its documents no attempt',
  async code => {
    const tenantId = await world.newTenant()
    await world.rows(`create or replace function refuse_failures() returns trigger language plpgsql as $$
    begin
      if new.tenant_id = '${tenantId}' and new.type = 'document.quarantined' then raise exception 'refused' using errcode = '${code}'; end if;
      return new;
    end $$`)
    await world.rows('create trigger refuse_failures before insert on events for each row execute function refuse_failures()')
    await world.ingest([{ tenantId, scopeId: 'refused', documentId: 'doc', text: 'poison:throw on purpose' }])
    const failures: unknown[] = []
    const write = (line: string) => {
      const entry = JSON.parse(line) as Record<string, unknown>
      if (entry['msg'] === 'scope failed, backing off') failures.push(entry['failures'])
    }
    const logger = createLogger({ level: 'error', destination: { write } })
    const worker = world.startWorker({ faults: 'poison', logger })
    await vi.waitFor(() => expect(failures).toEqual([1, 2]), { timeout: 20_000 })
    const leases = await world.rows(`select from events where tenant_id = $1 and type = 'document.processing'`, [tenantId])
    expect(leases).toHaveLength(2)
    await world.rows('drop trigger refuse_failures on events')
    await world.until(allSettled, [tenantId])
    await worker.stop()
    expect(await world.rows('select status, attempts from documents where tenant_id = $1', [tenantId])).toEqual([
      { status: 'quarantined', attempts: 1 },
    ])
  },
)

test('a document whose planning fails before the model is asked is tried again, and not let through unasked', async () => {
  const tenantId = await world.newTenant()
  const asked: string[] = []
  const model: ModelStage = {
    places: createModelPlaces(1),
    read: async ({ document: { documentId } }) => {
      asked.push(documentId)
      const usage = { promptTokens: 1, completionTokens: 1 }
      const said = { foundBy: 'model:m', promptVersion: '6', outcome: 'answered', wholeCase: true, shown: [] }
      return { ...said, reading: null, dropped: {}, usage }
    },
    stats: () => {
      throw new Error('not asked for')
    },
  }
  const shared = sharedReader()
  let placings = 0
  const reader: typeof shared = {
    ...shared,
    place: (task, how) => {
      if (++placings === 1) return Promise.reject(new ReadError('thread_death', 'transient', 'The thread died.'))
      return shared.place(task, how)
    },
  }
  await world.ingest([{ tenantId, scopeId: 'asked', documentId: 'doc', text: sampleText(1) }])
  const worker = world.startWorker({ reader, model })
  await world.until(allSettled, [tenantId])
  await worker.stop()
  expect(asked).toEqual(['doc'])
  expect(await world.rows('select status, attempts, model_outcome from documents where tenant_id = $1', [tenantId])).toEqual([
    { status: 'indexed', attempts: 1, model_outcome: 'answered' },
  ])
})
