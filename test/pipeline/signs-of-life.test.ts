/** A worker that waits for what comes by itself must not be taken for stuck, however long that takes. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fingerprint } from '../../src/hatchery/supervisor.js'
import { FairTurns } from '../../src/pipeline/threads/fair-turns.js'
import type { Reader } from '../../src/pipeline/threads/reader.js'
import { withFailingStatements } from '../support/failing-statements.js'
import { sharedReader } from '../support/shared-reader.js'
import { openWorld, type PipelineWorld, type RunningWorker, sampleText } from './support.js'

let world: PipelineWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

beforeEach(async () => {
  await world.ingest([{ tenantId: await world.newTenant(), scopeId: 'case', documentId: 'doc', text: sampleText(1) }])
})

async function seesSigns({ worker, stop }: RunningWorker): Promise<void> {
  for (let times = 0; times < 3; times++) {
    const seen = fingerprint(worker)
    await expect.poll(() => fingerprint(worker)).not.toBe(seen)
  }
  expect(worker.state().state).toBe('busy')
  await stop()
}

test('a worker that waits for a reading thread gives signs of life', async () => {
  const busy = new FairTurns(0)
  let asked = false
  const read: Reader['read'] = async (_document, { account, signal }) => {
    asked = true
    await busy.take({ account, isPlanning: false, isShort: false, signal })
    return null
  }
  const running = world.startWorker({ reader: { ...sharedReader(), read } })
  await expect.poll(() => asked).toBe(true)
  await seesSigns(running)
})

test('a worker that waits for storage to come back gives signs of life', async () => {
  let failures = 0
  const db = withFailingStatements(world.db, ({ text }) => {
    if (!text.startsWith('select d.document_id as "documentId", d.revision, d.current, exists')) return null
    failures++
    return '57P03'
  })
  const running = world.startWorker({ db })
  await expect.poll(() => failures).toBeGreaterThan(1)
  await seesSigns(running)
})
