/**
 * A statement counts again while its document waits to be read again by the rules alone, or is being read: the model that had compared it is
 * shown it all the same.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createModelReader } from '../../src/models/model-reader.js'
import { createModelStage, type ModelStage } from '../../src/pipeline/asking/model-stage.js'
import type { Reader } from '../../src/pipeline/threads/reader.js'
import { rereadScope } from '../../src/scopes/documents/reread.js'
import { reopenContradiction, resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { type Behaviour, type ModelServer, startModelServer } from '../models/model-server.js'
import { says } from '../models/scripted-model.js'
import { sharedReader } from '../support/shared-reader.js'
import { idle, said } from './started-rereads.js'
import { openWorld, type PipelineWorld } from './support.js'

let world: PipelineWorld
let server: ModelServer
let behave: Behaviour
let model: ModelStage
beforeAll(async () => {
  world = await openWorld()
  server = await startModelServer([(response, request) => behave(response, request)])
  model = createModelStage({
    ...{ db: world.db, logger: world.logger, leases: 2, thresholds: { contradicts: 0.6, replaces: 0.6, compatible: 0.6 } },
    budgets: { tokensPerDocument: 100_000, tokensPerDay: 0, whenSpent: 'wait', maxTokens: 100, contextTokens: 32_000 },
    model: createModelReader({
      ...{ url: server.url, preset: 'openai', name: 'm', apiKey: null, timeoutMs: 60_000, maxTokens: 100 },
      ...{ retries: 0, concurrency: 1 },
    }),
  })
})
afterAll(async () => {
  expect(await verifyDatabase(world.db)).toMatchObject({ broken: [] })
  await world.close()
  await server.close()
})

interface Case {
  tenantId: string
  scopeId: string
  /** What the letter and the diary say against each other, decided for the letter. */
  contradictionId: string
}

async function handIn(scope: Omit<Case, 'contradictionId'>, documentId: string, text: string, ...pairs: [string, string][]): Promise<void> {
  behave = says(...pairs.map(([a, b]) => ({ a, b })))
  await world.ingest([{ ...scope, documentId, text }])
  await world.until(idle, [scope.tenantId])
}

/** What the model finds between the note and the diary is kept by nobody, since the diary's statement was decided against. */
async function decidedCase(): Promise<Case> {
  const scope = { tenantId: await world.newTenant(), scopeId: 'case' }
  const worker = world.startWorker({ model })
  await handIn(scope, 'diary', 'Diary\n\nWhat a voyage!\n\nThe vessel carried 26 containers of squid on the voyage.')
  await handIn(scope, 'letter', 'Letter\n\nHow dull it was!', ['How dull it was!', 'What a voyage!'])
  const [found] = await world.rows<{ id: string; a: string }>(
    `select x.contradiction_id as id, c.document_id as a from contradictions x
     join contradiction_sides s using (tenant_id, scope_no, generation, contradiction_no) join claims c using (tenant_id, scope_no, generation, claim_no)
     where x.tenant_id = $1 and s.side = 'a'`,
    [scope.tenantId],
  )
  const contradictionId = found?.id ?? ''
  await resolveContradiction(world.scopes, { ...scope, contradictionId, verdict: found?.a === 'letter' ? 'a' : 'b', ...said })
  await handIn(scope, 'note', 'Note\n\nNever so bored!', ['Never so bored!', 'What a voyage!'])
  await worker.stop()
  expect(await open(scope)).toEqual([])
  behave = says({ a: 'What a voyage!', b: 'Never so bored!' })
  return { ...scope, contradictionId }
}

const open = ({ tenantId }: { tenantId: string }) =>
  world.rows(
    `select distinct c.quote from contradictions x join contradiction_sides s using (tenant_id, scope_no, generation, contradiction_no)
     join claims c using (tenant_id, scope_no, generation, claim_no)
     where x.tenant_id = $1 and x.status = 'open' order by 1`,
    [tenantId],
  )
const quotes = ['How dull it was!', 'Never so bored!', 'What a voyage!'].map(quote => ({ quote }))
const waiting = ({ tenantId }: { tenantId: string }) =>
  world.rows(`select document_id, reread from backlog where tenant_id = $1 order by document_id`, [tenantId])
/** Documents a model was asked about, as their rounds of reading again have it. */
const askedAgain = ({ tenantId }: { tenantId: string }) =>
  world.rows(
    `select document_id, input->>'by' as by from rounds where tenant_id = $1 and kind = 'reread' and (input->>'model')::boolean order by round`,
    [tenantId],
  )

const byRules = { model: false, by: 'Ada', reason: 'To be sure.' }
const raised = { ...byRules, model: true, depth: 1 }

test('a document that waits for the rules alone is asked about too', async () => {
  const scope = await decidedCase()
  await rereadScope(world.scopes, scope, byRules)
  await reopenContradiction(world.scopes, { ...scope, ...said })
  expect(await waiting(scope)).toEqual([
    { document_id: 'diary', reread: raised },
    { document_id: 'letter', reread: byRules },
    { document_id: 'note', reread: byRules },
  ])
  const worker = world.startWorker({ model })
  await world.until(idle, [scope.tenantId])
  await worker.stop()
  expect(await askedAgain(scope)).toEqual([{ document_id: 'diary', by: 'Ada' }])
  expect(await open(scope)).toEqual(quotes)
})

test('a document that a worker reads by the rules alone is left in its place, and asked about then', async () => {
  const scope = await decidedCase()
  await rereadScope(world.scopes, scope, byRules)
  let reach: () => void = () => undefined
  let goOn: () => void = () => undefined
  const reached = new Promise<void>(resolve => {
    reach = resolve
  })
  const mayGoOn = new Promise<void>(resolve => {
    goOn = resolve
  })
  const reader: Reader = {
    ...sharedReader(),
    place: async (task, how) => {
      reach()
      await mayGoOn
      return sharedReader().place(task, how)
    },
  }
  const worker = world.startWorker({ model, reader })
  await reached
  await reopenContradiction(world.scopes, { ...scope, ...said })
  const [first] = await waiting(scope)
  goOn()
  await world.until(idle, [scope.tenantId])
  await worker.stop()
  expect(first).toEqual({ document_id: 'diary', reread: raised })
  expect(await askedAgain(scope)).toEqual([{ document_id: 'diary', by: 'Ada' }])
  expect(await open(scope)).toEqual(quotes)
})

test('a worker without a model reads by the rules what one is to be asked about', async () => {
  const scope = await decidedCase()
  await rereadScope(world.scopes, scope, byRules)
  await reopenContradiction(world.scopes, { ...scope, ...said })
  const worker = world.startWorker()
  await world.until(idle, [scope.tenantId])
  await worker.stop()
  expect(await askedAgain(scope)).toEqual([])
  const compared = 'select bool_and(compared_model is not null) as compared from documents where tenant_id = $1'
  expect(await world.rows(compared, [scope.tenantId])).toEqual([{ compared: true }])
})
