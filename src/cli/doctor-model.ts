/** Whether a model that is set up answers, and what it can do: here, or on the server, which keeps its score for certificates. */

import type { Client } from '../client/client.js'
import { ProblemError } from '../client/problem-error.js'
import type { Config } from '../platform/config.js'
import { examine, type Finding } from './doctor-finding.js'

export async function examineModel(config: Config): Promise<Finding[]> {
  const { modelUrl: url } = config
  if (url === undefined) return []
  return [await examine('model', () => tryHere(config, url))]
}

async function tryHere(config: Config, url: string): Promise<Omit<Finding, 'check'>> {
  // Loaded here: no other command asks a model.
  const [{ createModelReader }, { tryModel }] = await Promise.all([import('../models/model-reader.js'), import('../models/trial.js')])
  const { modelName: name = '', modelPreset: preset, modelApiKey, modelTimeoutMs: timeoutMs, modelMaxTokens: maxTokens } = config
  const model = createModelReader({ url, preset, name, apiKey: modelApiKey ?? null, timeoutMs, retries: 0, concurrency: 1, maxTokens })
  const trial = await tryModel(model, () => performance.now())
  if (trial.reason !== null) return fault(name, trial.reason)
  const { promptTokens, completionTokens, ...score } = trial
  return scored({ ...score, model: name, prompt_tokens: promptTokens, completion_tokens: completionTokens })
}

/** Asks the server to try its model: certificates name the score from then on. */
export async function examineServerModel(client: Client): Promise<Finding> {
  return examine('model of the server', async () => {
    try {
      const { reason, score, model } = await client.internals.tryModel()
      if (score === null) return fault(model, reason ?? 'network')
      const { status, detail, next } = scored({ ...score, model })
      return { status, detail: `${detail}; kept for certificates`, ...(next !== undefined && { next }) }
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'STATE_CONFLICT') throw error
      return { status: 'skipped', detail: 'none is set up', next: 'set MODEL_URL and MODEL_NAME' }
    }
  })
}

interface Scored {
  model: string
  planted: number
  named: number
  judged: number
  ms: number
  strict: boolean
  prompt_tokens: number
  completion_tokens: number
}

function scored({ model, planted, named, judged, ms, strict, prompt_tokens: asked, completion_tokens: answered }: Scored) {
  const can = strict ? 'by a strict schema' : 'without a strict schema'
  const detail = `${model} answers ${can} in ${(ms / 1000).toFixed(1)} s for both questions, ${asked} tokens asked, ${answered} answered; named ${named} of ${planted} planted pairs and judged ${judged} right`
  const result: Omit<Finding, 'check'> =
    named >= 2 && judged >= 2
      ? { status: 'ok', detail }
      : { status: 'warning', detail: `${detail}; it misses plain contradictions`, next: 'try a larger model' }
  return result
}

function fault(name: string, reason: string): Omit<Finding, 'check'> {
  return { status: 'fault', detail: `${name} gave no answer: ${reason}`, next: nextOf[reason] ?? "look at the log of the model's server" }
}

const nextOf: Readonly<Record<string, string>> = {
  network: "start the model's server, or correct MODEL_URL",
  timeout: 'raise MODEL_TIMEOUT_MS, or take a smaller model',
  question_refused: 'correct MODEL_NAME, MODEL_API_KEY or MODEL_PRESET',
  refused: 'correct MODEL_NAME, MODEL_API_KEY or MODEL_PRESET',
  quota: 'the account of MODEL_API_KEY has no credit',
  context_too_long: 'give the model a longer context, or lower MODEL_CONTEXT_TOKENS',
  truncated: 'raise MODEL_MAX_TOKENS',
  invalid_answer: 'the model does not keep to the form asked for: try a larger one',
}
