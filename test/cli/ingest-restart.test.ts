/** `concord ingest` of many files with the server killed in the middle: it finishes after the restart, nothing twice, and says the truth. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '../../src/client/index.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { type ConcordProcess, processKeys, startConcord } from '../support/concord-process.js'
import { freePort } from '../support/free-port.js'

const files = 600
const folder = mkdtempSync(join(tmpdir(), 'concord-cli-'))
/** Storage that takes its time, so that the kill comes in the middle on any machine. */
const slow = { FAULTS: 'seed=1,rate=1,kinds=delay', INGEST_FLUSH_ROWS: '8', INGEST_FLUSHES_IN_FLIGHT: '1', LOG_LEVEL: 'fatal' }
let database: TestDatabase
let service: ConcordProcess

beforeAll(async () => {
  database = await cloneDatabase()
  service = await startConcord({ address: database.address, role: 'api', env: { PORT: String(await freePort()), ...slow } })
  for (let number = 0; number < files; number++) {
    const below = join(folder, 'files', `part-${number % 20}`)
    mkdirSync(below, { recursive: true })
    writeFileSync(join(below, `${number}.txt`), `Unit ${number}: the flow was ${number % 97} litres.\n`)
  }
}, 120_000)
afterAll(async () => {
  await service.end('SIGKILL')
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

it('finishes after a kill and a restart, with nothing twice', { timeout: 240_000 }, async () => {
  const { tenant_id: tenantId, api_key: tenantKey } = await createClient({
    url: service.url,
    adminKey: processKeys.admin,
  }).admin.createTenant({
    name: 'cli',
  })
  const command = () => {
    const program = fileURLToPath(new URL('../../bin/concord.mjs', import.meta.url))
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      CONCORD_URL: service.url,
      CONCORD_TENANT_ID: tenantId,
      CONCORD_TENANT_KEY: tenantKey,
    }
    return spawn(process.execPath, [program, 'ingest', join(folder, 'files'), '--scope', 'case', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }
  const run = command()
  const [output, exited] = [text(run.stdout), once(run, 'exit')]
  await until(async () => (await counts(tenantId)).documents >= 100)
  await service.end('SIGKILL')
  expect((await counts(tenantId)).documents).toBeLessThan(files)
  service = await startConcord({ address: database.address, role: 'api', env: { PORT: new URL(service.url).port } })
  expect(await exited).toEqual([0, null])
  const report = JSON.parse(await output) as { accepted: number; known: number; failed: number; left: number; documents: { seq: number }[] }
  expect({ sum: report.accepted + report.known, failed: report.failed, left: report.left }).toEqual({ sum: files, failed: 0, left: 0 })
  expect(new Set(report.documents.map(document => document.seq)).size).toBe(files)
  expect(await counts(tenantId)).toEqual({ documents: files, revisions: files, queued: files })

  const again = command()
  const [second] = await Promise.all([text(again.stdout), once(again, 'exit')])
  expect(JSON.parse(second)).toMatchObject({ accepted: 0, known: files, failed: 0 })
  expect(await counts(tenantId)).toEqual({ documents: files, revisions: files, queued: files })
})

async function counts(tenantId: string): Promise<{ documents: number; revisions: number; queued: number }> {
  const { rows } = await database.db.engineQuery<{ documents: number; revisions: number; queued: number }>(
    `select count(distinct document_id)::int as documents, count(*)::int as revisions,
       (select count(*)::int from events where tenant_id = $1 and type = 'document.queued') as queued from documents where tenant_id = $1`,
    [tenantId],
  )
  return rows[0] as { documents: number; revisions: number; queued: number }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(resolve => setTimeout(resolve, 20))
}
