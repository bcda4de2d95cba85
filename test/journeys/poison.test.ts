/**
 * A document that kills every process that reads it, among others, with real worker processes that are started again as a
 * supervisor would: the document is found, blamed alone and quarantined; everything else is indexed once.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pause } from '../../src/platform/deadline.js'
import { type ConcordProcess, startConcord } from '../support/concord-process.js'
import { startTestService, type TestService } from '../support/service.js'

const attempts = 2
const workerEnv = {
  FAULTS: 'poison',
  // Long enough that no innocent lease runs out because the machine stands still.
  LEASE_MS: '2500',
  WORKERS: '1',
  WORKER_THREADS: '1',
  RETRY_MAX_ATTEMPTS: String(attempts),
  RETRY_BASE_MS: '10',
  // That faults are injected is said in the log.
  LOG_LEVEL: 'fatal',
}

let api: TestService
let worker: ConcordProcess | undefined

beforeAll(async () => {
  api = await startTestService({ ROLE: 'api' })
}, 120_000)

afterAll(async () => {
  await worker?.end('SIGKILL')
  await api.stop()
})

async function waiting(): Promise<number> {
  const { rows } = await api.database.owner.query('select coalesce(sum(queued + processing), 0)::int as waiting from scope_heads')
  return rows[0].waiting
}

it('is quarantined after its attempts, alone', async () => {
  const tenant = await api.createTenant()
  const { address, owner } = api.database
  for (let n = 0; n < 12; n++) {
    const text = n === 4 ? 'poison:kill the process' : `Minutes of meeting ${n}. The output of line ${n} in FY2024 was ${100 + n} t.`
    const body = { scope_id: `case-${n % 2}`, document_id: `doc-${n}`, name: `doc ${n}`, text }
    expect((await api.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })).status).toBe(202)
  }
  let deaths = 0
  while ((await waiting()) > 0) {
    if (worker === undefined || worker.child.exitCode !== null || worker.child.signalCode !== null) {
      if (worker !== undefined) deaths++
      worker = await startConcord({ address, role: 'worker', env: workerEnv })
    }
    await pause(20)
  }
  const { rows } = await owner.query(
    'select document_id, status, stage, error_class, attempts from documents where tenant_id = $1 order by seq, scope_no',
    [tenant.tenant_id],
  )
  const poison = rows.filter(row => row.document_id === 'doc-4')
  expect(poison).toEqual([{ document_id: 'doc-4', status: 'quarantined', stage: 'extract', error_class: 'process_death', attempts }])
  const others = rows.filter(row => row.document_id !== 'doc-4')
  expect(others.map(row => [row.status, row.attempts])).toEqual(others.map(() => ['indexed', 0]))
  const { rows: twice } = await owner.query(
    `select subject from events where tenant_id = $1 and type = 'document.indexed' group by subject having count(*) > 1`,
    [tenant.tenant_id],
  )
  expect(twice).toEqual([])
  // Once with its neighbours, when nobody can be blamed, then alone until its attempts are used up.
  expect(deaths).toBeGreaterThanOrEqual(attempts)
  expect(deaths).toBeLessThanOrEqual(attempts + 1)
}, 240_000)
