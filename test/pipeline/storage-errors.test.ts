/**
 * What the storage does to a worker in the middle of its statements: an error at any of them costs no document anything
 * but time, unless it is the document itself the storage never gets through with.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createModelStage, type ModelStageDeps } from '../../src/pipeline/asking/model-stage.js'
import { retryFailedByStorage } from '../../src/scopes/documents/quarantine.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { type StatementPlace, withFailingStatements } from '../support/failing-statements.js'
import { openWorld, type PipelineWorld, sampleText } from './support.js'

let world: PipelineWorld

beforeAll(async () => {
  world = await openWorld()
})

afterAll(async () => {
  await world.close()
})

const allSettled = `select count(*) = 0 from documents where tenant_id = $1 and status in ('queued', 'processing')`

const documents = (tenantId: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ tenantId, scopeId: 'case', documentId: `doc-${n}`, text: sampleText(n) }))

const outcomes = (tenantId: string) =>
  world.rows<{ document_id: string; status: string; attempts: number; stage: string | null; error_class: string | null }>(
    'select document_id, status, attempts, stage, error_class from documents where tenant_id = $1 order by seq',
    [tenantId],
  )

/** Takes documents in, lets a worker on a failing database work them off, and gives how they ended. */
async function workOff(choose: (place: StatementPlace) => string | null, count = 5, model?: ModelStageDeps['model']) {
  const tenantId = await world.newTenant()
  await world.ingest(documents(tenantId, count))
  const db = withFailingStatements(world.db, choose)
  const worker = world.startWorker({
    ...{ db, retryMaxAttempts: 3, retryBaseMs: 1, random: () => 0 },
    ...(model !== undefined && { model: createModelStage({ db, model, ...asking, logger: world.logger }) }),
  })
  await world.until(allSettled, [tenantId])
  await worker.stop()
  return { tenantId, rows: await outcomes(tenantId) }
}

const asking = {
  budgets: { tokensPerDocument: 100_000, tokensPerDay: 0, whenSpent: 'wait' as const, maxTokens: 100, contextTokens: 32_000 },
  thresholds: { contradicts: 0.6, replaces: 0.6, compatible: 0.6 },
  leases: 1,
}

/** How the statement that writes what became of documents begins. */
const finish = 'with reported as'

test('a full disk in the middle of commits quarantines nothing', async () => {
  let failures = 0
  const { rows } = await workOff(({ text }) => (text.startsWith('insert into claims (') && ++failures <= 4 ? '53100' : null))
  expect(failures).toBeGreaterThan(4)
  expect(rows.map(row => [row.status, row.attempts])).toEqual(rows.map(() => ['indexed', 0]))
})

test.each([
  ['commit', finish],
  ['reconcile', 'select d.document_id as "documentId", d.revision, d.current, exists'],
])('a document the storage never gets through with costs its attempts, in %s, and nobody else anything', async (stage, statement) => {
  const isPoison = ({ text, values }: StatementPlace) =>
    text.startsWith(statement) && (values ?? []).some(value => JSON.stringify(value).includes('doc-1'))
  const { rows } = await workOff(place => (isPoison(place) ? '57014' : null))
  expect(rows.map(row => [row.status, row.attempts])).toEqual([
    ['indexed', 0],
    ['quarantined', 3],
    ['indexed', 0],
    ['indexed', 0],
    ['indexed', 0],
  ])
  expect(rows[1]).toMatchObject({ stage, error_class: '57014' })
})

test('a document whose case the storage never gathers for the model is read by the rules, asked about once at most, and holds up nobody', async () => {
  const states: Record<string, string> = { 'doc-1': '57014', 'doc-3': '22012' }
  let asked = 0
  const model = {
    foundBy: 'model:m',
    ask: async () => ({ answer: { pairs: [], malformed: 0 }, usage: { promptTokens: ++asked && 1, completionTokens: 0 } }),
  } as unknown as ModelStageDeps['model']
  const gathers = ({ text, values }: StatementPlace) =>
    text.includes('order by r.round, d.document_id') ? states[String(values?.[3])] : undefined
  const { tenantId, rows } = await workOff(place => gathers(place) ?? null, 5, model)
  expect(rows.map(row => [row.status, row.attempts])).toEqual(rows.map(() => ['indexed', 0]))
  const read = await world.rows<{ model_outcome: string }>('select model_outcome from documents where tenant_id = $1 order by seq', [
    tenantId,
  ])
  expect(read.map(row => row.model_outcome)).toEqual(['answered', 'failed', 'answered', 'failed', 'answered'])
  expect(asked).toBeLessThanOrEqual(2 * rows.length)
})

test('a document under whose commit the server goes away each time costs its attempts', async () => {
  const breaks = ({ text, values }: StatementPlace) =>
    text.startsWith(finish) && (values ?? []).some(value => JSON.stringify(value).includes('doc-0'))
  let killed = 0
  const { rows } = await workOff(place => (breaks(place) && ++killed > 0 ? '57P02' : null), 2)
  expect(killed).toBeGreaterThan(30)
  expect(rows.map(row => [row.status, row.attempts])).toEqual([
    ['quarantined', 3],
    ['indexed', 0],
  ])
}, 240_000)

test('documents that are in quarantine because of the storage go back into the queue by themselves, a number of times', async () => {
  const { tenantId } = await workOff(({ text }) => (text.startsWith(finish) ? '57014' : null), 3)
  expect((await outcomes(tenantId)).map(row => row.status)).toEqual(['quarantined', 'quarantined', 'quarantined'])
  const longAgo = `update documents set finished_at = clock_timestamp() - interval '1 hour' where tenant_id = $1 and document_id = any ($2)`
  await world.rows(longAgo, [tenantId, ['doc-1', 'doc-2']])
  const often = `update documents set diagnosis = (select jsonb_agg(n) from generate_series(1, 20) n) where tenant_id = $1 and document_id = 'doc-2'`
  await world.rows(often, [tenantId])
  expect(await retryFailedByStorage(world.db)).toBe(1)
  // The error behind which the reason was hidden says nothing about the document.
  await world.rows(`update documents set error_class = '25P02' where tenant_id = $1 and document_id = 'doc-0'`, [tenantId])
  expect(await retryFailedByStorage(world.db)).toBe(1)
  const worker = world.startWorker()
  await world.until(allSettled, [tenantId])
  await worker.stop()
  expect((await outcomes(tenantId)).map(row => row.status)).toEqual(['indexed', 'indexed', 'quarantined'])
  expect(await verifyDatabase(world.db)).toMatchObject({ broken: [] })
})
