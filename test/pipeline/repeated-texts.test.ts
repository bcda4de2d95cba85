/** The same text that comes once more changes nothing: not what waits to be compared, nor what was made of its passages. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { reportContradiction } from '../../src/scopes/findings/report.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { documents, findings } from './harbour.js'
import { openWorld, type PipelineWorld } from './support.js'

let world: PipelineWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  await world.close()
})

async function newCase(papers: Record<string, string>) {
  const scope = { tenantId: await world.newTenant(), scopeId: 'case' }
  await world.ingest(Object.entries(papers).map(([documentId, text]) => ({ ...scope, documentId, text })))
  await work(scope.tenantId)
  return scope
}

async function work(tenantId: string): Promise<void> {
  const worker = world.startWorker()
  await world.until('select queued + processing + rereads = 0 from scope_heads where tenant_id = $1', [tenantId])
  await worker.stop()
}

test('what counts again is compared, although its text came once more before that', async () => {
  const { minutes, corrected, survey } = documents
  const scope = await newCase({ minutes, corrected, survey })
  await eraseDocument(world.scopes, { ...scope, documentId: 'corrected' })
  await world.ingest([{ ...scope, documentId: 'minutes', text: minutes }])
  await work(scope.tenantId)
  const plain = await newCase({ minutes, survey })
  const found = await findings(world, plain.tenantId)
  expect(found).not.toEqual([])
  expect(await findings(world, scope.tenantId)).toEqual(found)
  expect((await verifyDatabase(world.db)).broken).toEqual([])
})

const voyage = 'The vessel carried 26 containers of squid on the voyage.'
const diary = `Diary\n\nWhat a voyage!\n\n${voyage}`
const letter = 'Letter\n\nHow dull it was!\n'

test.each([1, 2])('a reported passage ends with its document, whose text came %i times more at once', async times => {
  const scope = await newCase({ diary, letter })
  const at = (documentId: string, text: string, words: string) => {
    const start = text.indexOf(words)
    return { document_id: documentId, revision: 1, start, end: start + words.length }
  }
  await reportContradiction(world.scopes, scope.tenantId, {
    scope_id: 'case',
    severity: 'high',
    by: 'Ada',
    reason: 'They do not go together.',
    a: at('diary', diary, 'What a voyage!'),
    b: at('letter', letter, 'How dull it was!'),
  })
  await world.ingest(Array.from({ length: times }, () => ({ ...scope, documentId: 'diary', text: diary })))
  await work(scope.tenantId)
  await world.ingest([{ ...scope, documentId: 'diary', text: `Diary\n\n${voyage}` }])
  await work(scope.tenantId)
  expect((await verifyDatabase(world.db)).broken).toEqual([])
  expect(await world.rows(`select status from contradictions where tenant_id = $1 and status = 'open'`, [scope.tenantId])).toEqual([])
})
