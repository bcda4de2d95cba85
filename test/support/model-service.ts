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
