/** Whether a model that is set up answers, and what it can do: a small case with known answers, asked about as documents are. */

import type { Config } from '../platform/config.js'
import { examine, type Finding } from './doctor-finding.js'

const report = [
  'The north gate was closed all day on 3 May 2024.',
  'The repair of the crane will cost EUR 48,000.',
  'Der Vertrag endet am 30. Juni 2024.',
]
const log = [
  'On 3 May 2024 forty lorries drove in through the north gate before noon.',
  'This corrects our report of 4 May: the repair of the crane will cost EUR 61,500.',
  'Der Vertrag läuft bis Ende des Jahres 2024.',
  'The south gate was open on 3 May 2024.',
]
/** Of the log, by its passages: what goes against which passage of the report, and how. */
const known = [
  { own: 0, earlier: 0, verdict: 'contradicts' },
  { own: 1, earlier: 1, verdict: 'replaces' },
  { own: 2, earlier: 2, verdict: 'contradicts' },
] as const

export async function examineModel(config: Config): Promise<Finding[]> {
  const { modelUrl: url } = config
  if (url === undefined) return []
  return [await examine('model', () => tryModel(config, url))]
}

async function tryModel(config: Config, url: string): Promise<Omit<Finding, 'check'>> {
  // Loaded here: no other command asks a model.
  const [{ createModelReader }, { confirmQuestion, proposeQuestion }] = await Promise.all([
    import('../models/model-reader.js'),
    import('../models/question.js'),
  ])
  const { modelName: name = '', modelPreset: preset, modelApiKey, modelTimeoutMs: timeoutMs, modelMaxTokens: maxTokens } = config
  const model = createModelReader({ url, preset, name, apiKey: modelApiKey ?? null, timeoutMs, retries: 0, concurrency: 1, maxTokens })
  const started = performance.now()
  const earlier = { document: paper('report.txt', '2024-05-04'), passages: passages('report.txt', report) }
  const document = paper('log.txt', '2024-05-06')
  const proposed = await model.ask(proposeQuestion({ earlier: [earlier], whole: true, document, own: passages('log.txt', log) }), {
    tenantId: '',
  })
  if (proposed.answer === null) return fault(name, proposed.reason)
  const named = known.filter(({ own, earlier: at }) =>
    proposed.answer.pairs.some(({ a, b }) => isPair([a, b], [`D${own + 1}`, `S${at + 1}`])),
  )
  const side = (of: typeof document, texts: readonly string[], at: number) => ({
    ...{ document: of, passage: texts[at] ?? '', before: texts.slice(0, at).join(' '), behind: texts.slice(at + 1).join(' ') },
  })
  const pairs = known.map(({ own, earlier: at }) => ({ a: side(earlier.document, report, at), b: side(document, log, own) }))
  const confirmed = await model.ask(confirmQuestion(pairs), { tenantId: '' })
  if (confirmed.answer === null) return fault(name, confirmed.reason)
  const right = known.filter(({ verdict }, at) =>
    confirmed.answer.pairs.some(each => each.pair === `P${at + 1}` && each.verdict === verdict),
  )
  const tokens = proposed.usage.promptTokens + confirmed.usage.promptTokens
  const answered = proposed.usage.completionTokens + confirmed.usage.completionTokens
  const took = `${((performance.now() - started) / 1000).toFixed(1)} s`
  const can = model.refuses().includes('schema') ? 'without a strict schema' : 'by a strict schema'
  const detail = `${name} answers ${can} in ${took} for both questions, ${tokens} tokens asked, ${answered} answered; named ${named.length} of ${known.length} planted pairs and judged ${right.length} right`
  return named.length >= 2 && right.length >= 2
    ? { status: 'ok', detail }
    : { status: 'warning', detail: `${detail}; it misses plain contradictions`, next: 'try a larger model' }
}

function isPair(a: readonly string[], b: readonly string[]): boolean {
  return a.every(each => b.includes(each))
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

const paper = (name: string, issuedOn: string) => ({ documentId: name, revision: 1, name, issuer: 'Harbour Office', issuedOn })

function passages(documentId: string, texts: readonly string[]) {
  let end = -1
  return texts.map(text => {
    const start = end + 1
    end = start + text.length
    return { documentId, start, end, text, about: null }
  })
}
