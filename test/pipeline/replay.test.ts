import { afterAll, beforeAll, expect, test } from 'vitest'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { systemClock } from '../../src/platform/clock.js'
import type { ScopesDeps } from '../../src/scopes/deps.js'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { putGlossary } from '../../src/scopes/glossary.js'
import { withChangedRows } from '../support/sabotaged-database.js'
import { nothingWaits, openWorld, type PipelineWorld, reportText, sampleText } from './support.js'

let world: PipelineWorld
let deps: ScopesDeps
let tenantId: string
const scope = () => ({ tenantId, scopeId: 'case' })

beforeAll(async () => {
  world = await openWorld()
  deps = {
    db: world.db,
    hints: world.hints,
    clock: systemClock,
    config: { scopeAutocreate: true },
    logger: world.logger,
    certify: world.certify,
  } as ScopesDeps
  tenantId = await world.newTenant()
  const document = (documentId: string, text: string) => ({ ...scope(), documentId, text })
  const worker = world.startWorker({ batch: 4 })
  await world.ingest(Array.from({ length: 20 }, (_, n) => document(`doc-${n}`, sampleText(n % 9))))
  await world.ingest([
    document(
      'audit',
      reportText({ issuer: 'Keller & Partner', period: 'FY2012', figures: { Revenue: 'EUR 99.9M', 'Gross margin': '71%' } }),
    ),
    document('doc-2', sampleText(30)),
    document('doc-3', sampleText(3)),
  ])
  await world.until(nothingWaits)
  const [open] = await world.rows<{ contradiction_id: string }>(
    `select contradiction_id from contradictions where status = 'open' order by contradiction_no`,
  )
  if (open === undefined) throw new Error('no contradiction to resolve')
  await resolveContradiction(deps, {
    tenantId,
    contradictionId: open.contradiction_id,
    verdict: 'b',
    reason: 'The audit is right.',
    by: 'Ada',
  })
  await putGlossary(deps, scope(), { terms: { turnover: ['revenue'] }, entities: {} })
  await world.ingest([document('later', sampleText(2)), document('doc-4', sampleText(44))])
  await world.until(nothingWaits)
  await worker.stop()
})

afterAll(async () => {
  await world.close()
})

test('a scope runs again to the same decisions and numbers, acts of people included', async () => {
  const report = await replayScope(world.db, scope())
  expect(report?.difference).toBeNull()
  expect(report).toMatchObject({ ok: true, rounds: 27, documents: { reconciled: 25, read: 24, notRead: { unchanged: 1, erased: 0 } } })
  expect(report?.decisions).toBeGreaterThanOrEqual(27)
})

test('what a document is about is known in a later batch as in its own, and when it runs again', async () => {
  const report = (name: string, revenue: string) =>
    `${name}\nAnnual report\n\n${name} sells goods. The revenue of ${name} grew.\n\nRevenue: ${revenue}\n`
  const place = { tenantId: await world.newTenant(), scopeId: 'two' }
  const worker = world.startWorker({ batch: 1 })
  await world.ingest([{ ...place, documentId: 'north', text: report('Northfield Energy Ltd', 'EUR 41.2M') }])
  await world.until(nothingWaits)
  await world.ingest([{ ...place, documentId: 'south', text: report('Southgate Foods Ltd', 'EUR 88.9M') }])
  await world.until(nothingWaits)
  await worker.stop()
  const kept = await world.rows<{ named: string[] }>(
    `select profile->'named' as named from documents where tenant_id = $1 order by document_id`,
    [place.tenantId],
  )
  expect(kept.map(each => each.named)).toEqual([expect.arrayContaining(['northfield']), expect.arrayContaining(['southgat'])])
  expect(await world.rows('select from contradictions where tenant_id = $1', [place.tenantId])).toEqual([])
  expect(await replayScope(world.db, place)).toMatchObject({ ok: true, difference: null })
})

test('what a document says of itself is known after the same text came again', async () => {
  const place = { tenantId: await world.newTenant(), scopeId: 'again' }
  const report = (issuer: string, date: string, revenue: string) =>
    `${date === '2026-03-01' ? 'Restated annual report' : 'Annual report'} of Meridian Foods\n\nIssuer: ${issuer}\nDate: ${date}\n\nRevenue for FY2025: EUR ${revenue}M\n`
  const worker = world.startWorker({ batch: 1 })
  const earlier = { ...place, documentId: 'earlier', text: report('Meridian Foods', '2026-02-01', '41.2') }
  for (const document of [earlier, earlier, { ...place, documentId: 'later', text: report('Meridian Foods', '2026-03-01', '33.9') }]) {
    await world.ingest([document])
    await world.until(nothingWaits)
  }
  await worker.stop()
  const replaced = await world.rows(
    `select c.document_id from claims c join claims b on b.tenant_id = c.tenant_id and b.claim_id = c.superseded_by where c.tenant_id = $1`,
    [place.tenantId],
  )
  expect(replaced).toEqual([{ document_id: 'earlier' }])
  expect(await replayScope(world.db, place)).toMatchObject({ ok: true, difference: null })
})

test('a contradiction that opened again by a decision about another one is joined again when it runs again', async () => {
  const place = { tenantId: await world.newTenant(), scopeId: 'piers' }
  const handIn = async (issuer: string, metres: number) => {
    const text = `Harbour works at Corran\nIssuer: ${issuer}\nDate: 2022-05-09\n\nThe Corran pier is ${metres} m long.\n`
    await world.ingest([{ ...place, documentId: issuer, text }])
    const worker = world.startWorker()
    await world.until(nothingWaits)
    await worker.stop()
  }
  await handIn('Lund Surveyors', 212)
  await handIn('Port Office', 198)
  await handIn('Roth Valuers', 150)
  const [found] = await world.rows<{ id: string; side: 'a' | 'b' }>(
    `select x.contradiction_id as id, m.side from contradictions x
     join contradiction_sides m using (tenant_id, scope_no, generation, contradiction_no)
     join claims c using (tenant_id, scope_no, generation, claim_no)
     join contradiction_sides o using (tenant_id, scope_no, generation, contradiction_no)
     join claims d on d.tenant_id = o.tenant_id and d.scope_no = o.scope_no and d.generation = o.generation and d.claim_no = o.claim_no
     where x.tenant_id = $1 and c.document_id = 'Roth Valuers' and d.document_id = 'Lund Surveyors'`,
    [place.tenantId],
  )
  const act = { tenantId: place.tenantId, contradictionId: found?.id ?? '', reason: 'Measured.', by: 'Ada' }
  // What Lund says ends, and with it what stood against Port Office; then both are right.
  await resolveContradiction(deps, { ...act, verdict: found?.side ?? 'a' })
  await resolveContradiction(deps, { ...act, verdict: 'both' })
  expect(await world.rows(`select from events where tenant_id = $1 and type = 'contradiction.reopened'`, [place.tenantId])).toHaveLength(1)
  await handIn('Berg Divers', 198)
  expect(await replayScope(world.db, place)).toMatchObject({ ok: true, difference: null, complete: true })
})

test('what another version of the reader read is not reconciled again, and the report says so', async () => {
  const older = withChangedRows(world.db, 'select name, type, source, text, erased_at', row => ({
    ...row,
    profile: row['profile'] === null ? null : { ...(row['profile'] as object), reader: '0' },
  }))
  const report = await replayScope(older, scope())
  expect(report).toMatchObject({ ok: true, complete: false, difference: null, rounds: 27, documents: { reconciled: 0, read: 0 } })
  expect(report?.documents.notRead).toMatchObject({ otherReader: 1, afterLoss: 24 })
})

test('an unknown scope is not found', async () => {
  expect(await replayScope(world.db, { tenantId, scopeId: 'nothing' })).toBeUndefined()
})

test.each([
  ['a decision', `update decisions set outcome = 'hold' where seq = 3`, 4, 'decision.outcome'],
  [
    'a proposal',
    `update decisions set proposal = jsonb_set(proposal::jsonb, '{claims,total}', '99')::json where seq = 3`,
    4,
    'decision.proposal_digest',
  ],
  ['a point', `update rounds set point = jsonb_set(point::jsonb, '{v}', '0.5')::json where round = 5`, 5, 'point'],
  [
    'kept figures',
    `update rounds set input = jsonb_set(input::jsonb, '{aggregates,claimsLive}', '1')::json where round = 6`,
    6,
    'aggregates',
  ],
  [
    'a text',
    `update documents set text = replace(text, 'Revenue', 'Turnover') where document_id = 'doc-7' and revision = 1`,
    8,
    'claims_digest',
  ],
  [
    'a contradiction',
    `update contradictions set severity = case severity when 'low' then 'high' else 'low' end where contradiction_no = 0`,
    null,
    'contradictions',
  ],
])('%s that was changed afterwards is found', async (_what, change, round, member) => {
  await world.owner.query('begin')
  const found = []
  try {
    await world.owner.query(change)
    await world.owner.query('commit')
    const report = await replayScope(world.db, scope())
    found.push(report?.difference)
  } finally {
    await restore()
  }
  expect(found[0]).toMatchObject({ member, ...(round === null ? {} : { round }) })
})

/** Puts back what a test changed. */
const kept = new Map<string, Record<string, unknown>[]>()
beforeAll(async () => {
  for (const table of ['decisions', 'rounds', 'documents', 'contradictions'])
    kept.set(table, await world.rows(`select ctid, * from ${table}`))
})
async function restore(): Promise<void> {
  const put = async (table: string, columns: string[], keys: string[]) => {
    for (const row of kept.get(table) ?? []) {
      const set = columns.map((column, index) => `${column} = $${index + 1}`).join(', ')
      const where = keys.map((key, index) => `${key} = $${columns.length + index + 1}`).join(' and ')
      const value = (column: string) =>
        typeof row[column] === 'object' && row[column] !== null ? JSON.stringify(row[column]) : row[column]
      await world.owner.query(`update ${table} set ${set} where ${where}`, [...columns.map(value), ...keys.map(key => row[key])])
    }
  }
  await put('decisions', ['outcome', 'proposal'], ['tenant_id', 'scope_no', 'seq'])
  await put('rounds', ['point', 'input'], ['tenant_id', 'scope_no', 'round'])
  await put('documents', ['text'], ['tenant_id', 'scope_no', 'document_id', 'revision'])
  await put('contradictions', ['severity'], ['tenant_id', 'scope_no', 'contradiction_no'])
}

test('texts that are past their time are replayed from their claims, and what follows too', async () => {
  try {
    await world.rows(`update documents set text = null where tenant_id = $1 and document_id in ('doc-1', 'doc-5')`, [tenantId])
    const report = await replayScope(world.db, scope())
    expect(report?.difference).toBeNull()
    expect(report).toMatchObject({ ok: true, complete: true, rounds: 27, documents: { reconciled: 25, read: 22 } })
    expect(report?.documents.notRead).toEqual({
      erased: 0,
      otherReader: 0,
      readAgain: 0,
      afterLoss: 0,
      textRemoved: 2,
      otherExtractor: 0,
      unchanged: 1,
    })
    const stopping = withChangedRows(world.db, 'select name, type, source, text, erased_at', row => ({
      ...row,
      erased: row['text'] === null,
    }))
    expect(await replayScope(stopping, scope()), 'sabotaged').toMatchObject({ ok: true, complete: false, documents: { reconciled: 1 } })
    // What comes behind them is held to what was recorded.
    await world.rows(`update contradictions set severity = case severity when 'low' then 'high' else 'low' end where contradiction_no = 0`)
    expect(await replayScope(world.db, scope())).toMatchObject({ ok: false, complete: false, difference: { member: 'contradictions' } })
  } finally {
    await restore()
  }
})

test('after an erasure the kernel is still replayed, and the report says what could not be', async () => {
  expect((await replayScope(world.db, scope()))?.ok).toBe(true)
  await eraseDocument(deps, { ...scope(), documentId: 'doc-5' })
  const report = await replayScope(world.db, scope())
  expect(report?.difference).toBeNull()
  expect(report).toMatchObject({ ok: true, complete: false, rounds: 28, documents: { reconciled: 5, notRead: { erased: 1 } } })
})
