/**
 * A document that kills every process that reads it, among others, with real worker processes that are started again as a
 * supervisor would: the document is found, blamed alone and quarantined; everything else is indexed once.
 */
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pause } from '../../src/platform/deadline.js'
import type { DatabaseAddress } from '../../src/store/server/connection.js'
import { connectAsOwner } from '../../src/store/server/migrate.js'
import { createMigratedDatabase, dropDatabase } from '../support/clone-database.js'
import { type ConcordProcess, processKeys, startConcord } from '../support/concord-process.js'
import { testLimits } from '../support/limits.js'
import { patientFetch } from '../support/patient-fetch.js'

const attempts = 2
const workerEnv = {
  FAULTS: 'poison',
  // Long enough that no innocent lease runs out because the machine stands still.
  LEASE_MS: '2500',
  WORKERS_MIN: '1',
  WORKERS_MAX: '1',
  WORKER_THREADS: '1',
  RETRY_MAX_ATTEMPTS: String(attempts),
  RETRY_BASE_MS: '10',
  // That faults are injected is said in the log.
  LOG_LEVEL: 'fatal',
}

let address: DatabaseAddress
let owner: pg.Client
let api: ConcordProcess
let worker: ConcordProcess | undefined
let tenantId: string

beforeAll(async () => {
  address = await createMigratedDatabase()
  api = await startConcord({ address, role: 'api' })
  owner = await connectAsOwner(address, testLimits)
  const answer = await post('/admin/tenants', { name: 'poisoned' }, { authorization: `Bearer ${processKeys.admin}` })
  tenantId = ((await answer.json()) as { tenant_id: string }).tenant_id
}, 120_000)

afterAll(async () => {
  await Promise.all([api, worker].map(each => each?.end('SIGKILL')))
  await owner?.end()
  await dropDatabase(address)
})

const post = (path: string, body: unknown, headers: Record<string, string>) =>
  patientFetch(api.url + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })

async function waiting(): Promise<number> {
  const { rows } = await owner.query('select coalesce(sum(queued + processing), 0)::int as waiting from scope_heads')
  return rows[0].waiting
}

it('is quarantined after its attempts, alone', async () => {
  for (let n = 0; n < 12; n++) {
    const text = n === 4 ? 'poison:kill the process' : `Minutes of meeting ${n}. The output of line ${n} in FY2024 was ${100 + n} t.`
    const body = { scope_id: `case-${n % 2}`, document_id: `doc-${n}`, name: `doc ${n}`, text }
    expect((await post('/api/ingest', body, { 'x-tenant-id': tenantId })).status).toBe(202)
  }
  let deaths = 0
  while ((await waiting()) > 0) {
    if (worker === undefined || worker.child.exitCode !== null || worker.child.signalCode !== null) {
      if (worker !== undefined) deaths++
      worker = await startConcord({ address, role: 'worker', env: workerEnv })
    }
    await pause(20)
  }
  const { rows } = await owner.query('select document_id, status, stage, error_class, attempts from documents order by seq, scope_no')
  const poison = rows.filter(row => row.document_id === 'doc-4')
  expect(poison).toEqual([{ document_id: 'doc-4', status: 'quarantined', stage: 'extract', error_class: 'process_death', attempts }])
  const others = rows.filter(row => row.document_id !== 'doc-4')
  expect(others.map(row => [row.status, row.attempts])).toEqual(others.map(() => ['indexed', 0]))
  const { rows: twice } = await owner.query(
    `select subject from events where type = 'document.indexed' group by subject having count(*) > 1`,
  )
  expect(twice).toEqual([])
  // Once with its neighbours, when nobody can be blamed, then alone until its attempts are used up.
  expect(deaths).toBeGreaterThanOrEqual(attempts)
  expect(deaths).toBeLessThanOrEqual(attempts + 1)
}, 60_000)
