/** A model that answers questions by a script: pairs of passages, each by words of theirs, and what it says about them. */
import { type Behaviour, completion, type SeenRequest } from './model-server.js'

export interface SaidPair {
  /** Words of a passage of the document, and of the passage it goes against. */
  a: string
  b: string
  a_words?: string | null
  b_words?: string | null
  subject?: string
  attribute?: string
  verdict?: 'contradicts' | 'replaces' | 'updates' | 'compatible'
  /** Words of the side that holds now. */
  newer?: string
  words?: string | null
  confidence?: number
  reason?: string
}

export const asked = (request: SeenRequest | undefined): string =>
  (request?.body['messages'] as { content: string }[] | undefined)?.map(({ content }) => content).join('\n') ?? ''

/** What was put to it, without the instructions. */
export const put = (request: SeenRequest | undefined): string =>
  (request?.body['messages'] as { content: string }[] | undefined)?.at(-1)?.content ?? ''

export const isConfirming = (request: SeenRequest | undefined): boolean => put(request).startsWith('PAIRS')

/** The third question: pairs that were answered without being sure. */
export const isSettling = (request: SeenRequest | undefined): boolean => asked(request).includes('looked at once with little of the text')

/** Pairs it does not know it is not sure about, so that nothing becomes of them. */
export function says(...pairs: readonly SaidPair[]): Behaviour {
  return (response, request) => completion(JSON.stringify(answerTo(request, pairs)))(response, request)
}

export function answerTo(request: SeenRequest, pairs: readonly SaidPair[]): { pairs: object[] } {
  return { pairs: isConfirming(request) ? verdicts(put(request), pairs) : proposals(put(request), pairs) }
}

function proposals(content: string, pairs: readonly SaidPair[]): object[] {
  const lines = [...content.matchAll(/^([SD]\d+) (".*?")(?: about ".*")?$/gm)].map(([, id = '', text = '""']) => ({
    id,
    text: JSON.parse(text) as string,
  }))
  const idOf = (words: string, letter: string) => lines.find(({ id, text }) => id.startsWith(letter) && text.includes(words))?.id
  return pairs.flatMap(pair => {
    const a = idOf(pair.a, 'D')
    const b = idOf(pair.b, 'S') ?? idOf(pair.b, 'D')
    if (a === undefined || b === undefined) return []
    const { a_words = null, b_words = null, subject = 'it', attribute = 'state' } = pair
    return [{ a, b, a_words, b_words, subject, attribute }]
  })
}

function verdicts(content: string, pairs: readonly SaidPair[]): object[] {
  return content
    .split(/^(?=P\d+$)/m)
    .slice(1)
    .map(block => {
      const [pair = ''] = block.split('\n', 1)
      const [a = '', b = ''] = [...block.matchAll(/^ {2}passage (".*")$/gm)].map(([, text = '""']) => JSON.parse(text) as string)
      const said = pairs.find(each => (a.includes(each.a) && b.includes(each.b)) || (a.includes(each.b) && b.includes(each.a)))
      if (said === undefined) return { pair, verdict: 'compatible', newer: null, words: null, confidence: 0.5, reason: 'not sure' }
      const newer = said.newer === undefined ? null : a.includes(said.newer) ? 'A' : 'B'
      const { verdict = 'contradicts', words = null, confidence = 0.9, reason = 'they do not go together' } = said
      return { pair, verdict, newer, words, confidence, reason }
    })
}
