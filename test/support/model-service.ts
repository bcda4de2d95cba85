/** The whole service with a model whose behaviour a test sets, and changes as it goes. */

import { type Behaviour, type ModelServer, startModelServer } from '../models/model-server.js'
import { says } from '../models/scripted-model.js'
import { startTestService, type TestService, type TestServiceOptions } from './service.js'

export interface ModelService {
  model: ModelServer
  service: TestService
  /** Finds nothing until it is told otherwise. */
  behave: Behaviour
  stop(): Promise<void>
}

export async function startModelService(env: Record<string, string> = {}, options: TestServiceOptions = {}): Promise<ModelService> {
  const model = await startModelServer([(response, request) => made.behave(response, request)])
  const service = await startTestService({ MODEL_URL: model.url, MODEL_NAME: 'reader-1', ...env }, options)
  const stop = async () => {
    await service.stop()
    await model.close()
  }
  const made: ModelService = { model, service, behave: says(), stop }
  return made
}

/** What is kept of what a model was asked about a scope, in the order of the questions. */
export async function readingsOf(service: TestService, scopeId: string) {
  const { rows } = await service.database.owner.query(
    `select m.document_id, m.outcome, m.model, m.reading, m.dropped, m.erased_links, m.shown, m.whole_case from model_readings m
     join scopes s on s.scope_no = m.scope_no where s.scope_id = $1 order by m.asked_at`,
    [scopeId],
  )
  return rows
}

/** Until no document of the scope waits to be read again. */
export async function untilReread(service: TestService, scopeId: string): Promise<void> {
  const waiting = 'select sum(h.rereads) as waiting from scope_heads h join scopes s using (tenant_id, scope_no) where s.scope_id = $1'
  while (Number((await service.database.owner.query(waiting, [scopeId])).rows[0].waiting) > 0) {
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
