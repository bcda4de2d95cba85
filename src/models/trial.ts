/** What a model can do: a small case with known answers, asked about as documents are. */

import type { ModelReader } from './model-reader.js'
import { confirmQuestion, proposeQuestion } from './question.js'

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

/** Of the planted pairs, how many it named by itself, and how many of all it judged right when asked about them. */
interface TrialScore {
  planted: number
  named: number
  judged: number
}

export type Trial =
  | ({ reason: null; promptTokens: number; completionTokens: number; ms: number; strict: boolean } & TrialScore)
  | { reason: string }

export async function tryModel(model: ModelReader, now: () => number): Promise<Trial> {
  const started = now()
  const earlier = { document: paper('report.txt', '2024-05-04'), passages: passages('report.txt', report) }
  const document = paper('log.txt', '2024-05-06')
  const asked = proposeQuestion({ earlier: [earlier], whole: true, document, own: passages('log.txt', log) })
  const proposed = await model.ask(asked, { tenantId: '' })
  if (proposed.answer === null) return { reason: proposed.reason }
  const named = known.filter(({ own, earlier: at }) =>
    proposed.answer.pairs.some(({ a, b }) => isPair([a, b], [`D${own + 1}`, `S${at + 1}`])),
  )
  const side = (of: typeof document, texts: readonly string[], at: number) => ({
    ...{ document: of, passage: texts[at] ?? '', before: texts.slice(0, at).join(' '), behind: texts.slice(at + 1).join(' ') },
  })
  const pairs = known.map(({ own, earlier: at }) => ({ a: side(earlier.document, report, at), b: side(document, log, own) }))
  const confirmed = await model.ask(confirmQuestion(pairs), { tenantId: '' })
  if (confirmed.answer === null) return { reason: confirmed.reason }
  const right = known.filter(({ verdict }, at) =>
    confirmed.answer.pairs.some(each => each.pair === `P${at + 1}` && each.verdict === verdict),
  )
  return {
    reason: null,
    ...{ planted: known.length, named: named.length, judged: right.length, ms: now() - started },
    promptTokens: proposed.usage.promptTokens + confirmed.usage.promptTokens,
    completionTokens: proposed.usage.completionTokens + confirmed.usage.completionTokens,
    strict: !model.refuses().includes('schema'),
  }
}

function isPair(a: readonly string[], b: readonly string[]): boolean {
  return a.every(each => b.includes(each))
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
