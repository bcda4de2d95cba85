/** Whether a model that is set up answers, and what it can do: one small question, as documents are asked about. */

import type { Config } from '../platform/config.js'
import { examine, type Finding } from './doctor-finding.js'

/** A model that reads well finds this one, and nothing else. */
const claimed = 'The north gate was closed all day on 3 May 2024.'
const denied = 'Log of the porter\n\nOn 3 May 2024 forty lorries drove in through the north gate before noon.'

export async function examineModel(config: Config): Promise<Finding[]> {
  const { modelUrl: url } = config
  if (url === undefined) return []
  return [await examine('model', () => tryModel(config, url))]
}

async function tryModel(config: Config, url: string): Promise<Omit<Finding, 'check'>> {
  // Loaded here: no other command asks a model.
  const [{ createModelReader }, { askAbout }] = await Promise.all([import('../models/model-reader.js'), import('../models/question.js')])
  const { modelName: name = '', modelPreset: preset, modelApiKey, modelTimeoutMs: timeoutMs, modelMaxTokens: maxTokens } = config
  const model = createModelReader({ url, preset, name, apiKey: modelApiKey ?? null, timeoutMs, retries: 0, concurrency: 1, maxTokens })
  const started = performance.now()
  const asked = await model.ask(askAbout(probe()), { tenantId: '' })
  const took = `${((performance.now() - started) / 1000).toFixed(1)} s`
  if (asked.answer === null)
    return {
      status: 'fault',
      detail: `${name} gave no answer: ${asked.reason}`,
      next: nextOf[asked.reason] ?? "look at the log of the model's server",
    }
  const { promptTokens, completionTokens } = asked.usage
  const refused = model.refuses()
  const can = refused.includes('schema') ? 'without a strict schema' : 'by a strict schema'
  const detail = `${name} answers ${can} in ${took}, ${promptTokens} tokens asked, ${completionTokens} answered`
  const found = asked.answer.links.some(({ statement, relation }) => statement === 'S1' && relation === 'contradicts')
  return found
    ? { status: 'ok', detail }
    : { status: 'warning', detail: `${detail}; it missed a plain contradiction`, next: 'try a larger model' }
}

const nextOf: Readonly<Record<string, string>> = {
  network: "start the model's server, or correct MODEL_URL",
  timeout: 'raise MODEL_TIMEOUT_MS, or take a smaller model',
  question_refused: 'correct MODEL_NAME, MODEL_API_KEY or MODEL_PRESET',
  refused: 'correct MODEL_NAME, MODEL_API_KEY or MODEL_PRESET',
  quota: 'the account of MODEL_API_KEY has no credit',
  context_too_long: 'give the model a context of at least 16,000 tokens',
  truncated: 'raise MODEL_MAX_TOKENS',
  invalid_answer: 'the model does not keep to the form asked for: try a larger one',
}

function probe() {
  const earlier = {
    documentId: 'report',
    documentName: 'report.txt',
    issuer: null,
    issuedOn: '2024-05-04',
    start: 0,
    end: 48,
    quote: claimed,
    about: null,
  }
  const document = { name: 'log.txt', type: 'txt', issuer: null, issuedOn: '2024-05-03', text: denied }
  return { document, statements: [earlier], contradictions: [] }
}
