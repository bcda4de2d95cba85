import { describe, expect, it } from 'vitest'
import { comparedBy } from '../../models/model-read.js'
import { createModelReader } from '../../models/model-reader.js'
import { cutDocument } from '../../models/passages.js'
import type { Question } from '../../models/question.js'
import { createLogger } from '../../platform/logger.js'
import { remarksHeading } from '../../reading/normalize/remarks.js'
import type { Database, Transaction } from '../../store/server/database.js'
import { fitting, type ShownCase, showMore } from './model-case.js'
import { createModelPlaces } from './model-places.js'
import { createModelStage, type ModelStageDeps, type ModelStageInput } from './model-stage.js'

it('gives as many places as there are, and one that was left again', () => {
  const places = createModelPlaces(2)
  expect([places.take(), places.take(), places.take()]).toEqual([true, true, false])
  places.leave()
  expect([places.take(), places.take()]).toEqual([true, false])
})

it('shows what has room beside a document that has none', () => {
  const documents = [5, 60, 30, 20].map(bytes => ({ bytes }))
  expect(fitting(documents, 50).map(each => each.bytes)).toEqual([5, 30])
})

interface World {
  /** Of all documents. */
  type?: string
  /** Of the case, by document. */
  texts: Record<string, string>
  own: string
  /** What it answers with, by the question. */
  pairs?: (question: Question) => object[]
  budgets?: Partial<ModelStageDeps['budgets']>
  mostPassages?: number
  /** A statement with these words fails. */
  failing?: string
  /** What each question costs at the server. */
  usage?: { promptTokens: number; completionTokens: number }
  /** Asked instead. */
  reader?: ModelStageDeps['model']
  /** Which times a question is to be written down, from the first, somebody holds the lock of the scope. */
  busy?: readonly number[]
}

/** Asks about a document beside a case that is in memory; `turns` is how often the event loop came round before each question. */
async function read({
  type = 'txt',
  texts,
  own,
  pairs = () => [],
  budgets,
  mostPassages,
  failing,
  usage = { promptTokens: 7, completionTokens: 0 },
  reader,
  busy = [],
}: World) {
  const cut = (text: string) => cutDocument({ text, type, name: '' }, mostPassages)
  const kept = Object.entries(texts).map(([documentId, text]) => {
    const { passages, terms } = cut(text)
    const facts = { documentId, revision: 1, name: documentId, type, issuer: null, issuedOn: null }
    return { ...facts, bytes: Buffer.byteLength(text), text, passages, terms: new Map(terms) }
  })
  const rows = async (sql: string, values: readonly unknown[]): Promise<object[]> => {
    if (failing !== undefined && sql.includes(failing)) throw new Error('on purpose')
    if (!sql.includes('from passage_terms')) return /(?:from|join) documents/.test(sql) && !sql.includes('join claims') ? kept : []
    const found = (term: string) => kept.filter(({ terms }) => terms.has(term))
    return (values[3] as string[]).flatMap(term =>
      found(term).map(({ documentId, terms }) => ({ documents: found(term).length, documentId, passages: terms.get(term) })),
    )
  }
  let [turns, turnsInTransaction, open, locked] = [0, 0, 0, 0]
  const run = async (sql: string): Promise<void> => {
    if (sql.includes('concord_lock_soon') && busy.includes(++locked)) throw Object.assign(new Error('taken'), { code: '55P03' })
  }
  const db = {
    inTenant: async (_tenant: string, work: (tx: unknown) => Promise<unknown>) => {
      open++
      return work({ rows, row: async () => null, column: async () => [], value: async () => null, run }).finally(() => open--)
    },
  } as unknown as Database
  const questions: { content: string; turns: number }[] = []
  const model =
    reader ??
    ({
      foundBy: 'model:m',
      ask: async (question: Question) => {
        questions.push({ content: question.messages.at(-1)?.content ?? '', turns })
        return { answer: { pairs: pairs(question), malformed: 0 }, usage }
      },
    } as unknown as ModelStageDeps['model'])
  const stage = createModelStage({
    ...{ db, model, thresholds: { contradicts: 0.6, replaces: 0.6, compatible: 0.6 }, leases: 1 },
    logger: createLogger({ level: 'fatal' }),
    budgets: { tokensPerDocument: 1_000_000, tokensPerDay: 0, whenSpent: 'wait', maxTokens: 0, contextTokens: 12_000, ...budgets },
  })
  const planned = { content: {}, result: { applied: true }, profile: {}, claims: [], sides: [], possible: [] }
  const input = {
    ...{ tenantId: 't', document: { documentId: 'own', revision: 1, name: 'own', type, text: own }, cut: cut(own) },
    ...{
      plan: { before: { kept: { settings: {} } }, planned: [planned] },
      mayGoOn: async () => true,
      signal: new AbortController().signal,
    },
  } as unknown as ModelStageInput
  let isOver = false
  const turn = () => {
    turns++
    if (open > 0) turnsInTransaction++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const answered = await stage.read(input).finally(() => {
    isOver = true
  })
  return { answered, questions, turnsInTransaction }
}

it('a question has its attempts in all, however often it waits for its scope between them', async () => {
  let sent = 0
  const reader = createModelReader({
    ...{ url: 'http://model.test/v1', preset: 'openai', name: 'm', apiKey: null, timeoutMs: 1000, maxTokens: 0, concurrency: 1 },
    ...{ retries: 1, retryBaseMs: 0 },
    fetch: async () => {
      sent++
      return new Response('', { status: 503 })
    },
  })
  const { answered } = await read({ texts: {}, own: 'The gate was open.', reader, busy: [2, 3, 5] })
  expect([answered?.outcome, sent]).toEqual(['server_error', 2])
})

/** Those of one word share none with those of another. */
const sentences = (word: string, count: number) =>
  Array.from({ length: count }, (_, n) => `The ${word} of ${word}bay${n} was before the ${word}crew${n} and all ${word}rounds${n}.`).join(
    ' ',
  )

describe('a document longer than one question', () => {
  const own = ['crane', 'hatch', 'winch'].map(word => sentences(word, 340)).join('\n\n')
  const texts = { cranes: sentences('crane', 60), hatches: sentences('hatch', 60), winches: sentences('winch', 60) }

  it('has each part laid beside what is nearest when it is reached, with no transaction open and others in between', async () => {
    const { answered, questions, turnsInTransaction } = await read({ texts, own })
    expect(answered).toMatchObject({ outcome: 'answered', wholeCase: false, shown: ['cranes', 'hatches', 'winches'] })
    expect(questions.length).toBeGreaterThan(2)
    const turns = questions.map(each => each.turns)
    expect(turns[0]).toBeGreaterThan(0)
    for (const [n, before] of turns.slice(0, -1).entries()) expect(turns[n + 1]).toBeGreaterThan(before)
    expect(turnsInTransaction).toBe(0)
  })

  it('is kept as shown beside those documents alone that a question was put about', async () => {
    const { answered, questions } = await read({ texts, own, budgets: { tokensPerDocument: 15_000 } })
    expect([questions.length, answered?.outcome]).toEqual([1, 'over_document_budget'])
    expect(questions[0]?.content).not.toContain('winch')
    expect(answered?.shown).not.toContain('winches')
  })
})

describe('what was deleted and commented', () => {
  const remarked = (said: string, line: string) => `${said}\n\n${remarksHeading}\n${line}`
  const deleted = 'Paragraph 1, deleted by Ana Berg on 2026-03-01: EUR 12,500 (it read: “The rent is EUR 12,500.”)'
  const comment = 'Paragraph 1, comment by Ben Roth on 2026-03-02: This replaces the lease.'
  const texts = { lease: remarked('The rent is EUR 12,900.', deleted) }
  const own = remarked('The rent is EUR 9,000.', comment)
  const pairs = (question: Question) =>
    question.form.name === 'proposal'
      ? [{ a: 'D1', b: 'S1', a_words: null, b_words: null, subject: 'the rent', attribute: 'amount' }]
      : [{ pair: 'P1', verdict: 'contradicts', newer: null, words: null, confidence: 0.5, reason: 'Both.' }]

  it.each([['docx'], ['odt']])('is in no question about %s, though it stands right behind both passages', async type => {
    for (const contextTokens of [12_000, 1_060]) {
      const { answered, questions } = await read({ type, texts, own, pairs, budgets: { contextTokens } })
      expect([answered?.wholeCase, questions.length]).toEqual([contextTokens > 2_000, 3])
      for (const { content } of questions) {
        expect(content).toContain('EUR 12,900')
        expect(content).not.toMatch(/Tracked|Ana Berg|12,500|Ben Roth|replaces/)
      }
    }
  })

  it('has no words of change by which a replacement could act alone', async () => {
    const replaces = (question: Question) =>
      question.form.name === 'proposal'
        ? pairs(question)
        : [{ pair: 'P1', verdict: 'replaces', newer: 'B', words: 'replaces the lease', confidence: 0.9, reason: 'Both.' }]
    const says = async (own: string) =>
      (await read({ type: 'docx', texts, own, pairs: replaces })).answered?.reading?.links.map(link => link.says)
    expect(await says(own)).toEqual([false])
    expect(await says('The rent is EUR 9,000.\n\nThis replaces the lease.')).toEqual([true])
  })

  it('is none of the text of a document that the rules alone named', async () => {
    const facts = { documentId: 'lease', revision: 1, name: 'lease', type: 'docx', issuer: null, issuedOn: null }
    const tx = { rows: async () => [{ ...facts, text: texts.lease, passages: null, bytes: 1 }] } as unknown as Transaction
    const shown = { texts: new Map(), documents: new Map() } as unknown as ShownCase
    await showMore(tx, { tenantId: 't', scopeNo: 1, generation: 1 }, shown, ['lease'])
    expect(shown.texts.get('lease')?.(0, 1_000)).toBe('The rent is EUR 12,900.')
  })
})

describe('the outcome', () => {
  const proposes = (count: number) => (question: Question) =>
    question.form.name === 'proposal'
      ? Array.from({ length: count }, (_, n) => ({
          ...{ a: `D${n + 1}`, b: 'S1', a_words: null, b_words: null, subject: 'it', attribute: 'state' },
        }))
      : [...(question.messages.at(-1)?.content ?? '').matchAll(/^P\d+$/gm)].map(([pair]) => ({
          ...{ pair, verdict: 'compatible', newer: null, words: null, confidence: 0.9, reason: 'Both can be true.' },
        }))
  const texts = { earlier: 'The gate was shut all night.' }
  /** A server that proposes so, and finds the first pair compatible. */
  const answering = (proposal: object) =>
    createModelReader({
      ...{
        url: 'http://model.test/v1',
        preset: 'openai',
        name: 'm',
        apiKey: null,
        timeoutMs: 1000,
        maxTokens: 0,
        concurrency: 1,
        retries: 0,
      },
      fetch: async (_url, init) => {
        const verdicts = { pairs: [{ pair: 'P1', verdict: 'compatible', newer: null, words: null, confidence: 0.9, reason: 'Both.' }] }
        const content = JSON.stringify(String(init?.body).includes('"verdicts"') ? verdicts : proposal)
        return Response.json({ choices: [{ message: { content }, finish_reason: 'stop' }] })
      },
    })

  describe('of a document whose tokens do not suffice for all of it', () => {
    const long = sentences('crane', 1020)
    const confirmed = async (world: Partial<World>) => {
      const { answered, questions } = await read({ texts, own: long, pairs: proposes(1), ...world })
      return { outcome: answered?.outcome, asked: questions.map(({ content }) => content.slice(0, 4)) }
    }

    it('has what was found confirmed, though a part was refused', async () => {
      const { outcome, asked } = await confirmed({ budgets: { tokensPerDocument: 32_000 } })
      expect({ outcome, asked }).toEqual({ outcome: 'over_document_budget', asked: ['CASE', 'CASE', 'PAIR'] })
    })

    it('holds back what a confirmation takes before another part is asked about', async () => {
      const { asked } = await confirmed({ budgets: { tokensPerDocument: 20_000 } })
      expect(asked).toEqual(['CASE', 'PAIR'])
    })

    it('has as many pairs confirmed as the tokens pay for', async () => {
      const { answered, questions } = await read({ texts, own: long, pairs: proposes(30), budgets: { tokensPerDocument: 16_000 } })
      expect(answered?.outcome).toBe('over_document_budget')
      expect(questions.at(-1)?.content.match(/^P\d+$/gm)).toHaveLength(15)
    })

    it('is over what the server says it cost, where that is more than was estimated', async () => {
      const usage = { promptTokens: 20_000, completionTokens: 0 }
      expect((await confirmed({ budgets: { tokensPerDocument: 32_000 }, usage })).asked).toEqual(['CASE', 'PAIR'])
    })
  })

  it('says that pairs were left unconfirmed where there were too many of them', async () => {
    const own = sentences('crane', 130)
    const outcomes = await Promise.all([120, 121].map(async count => (await read({ texts, own, pairs: proposes(count) })).answered))
    expect(outcomes.map(each => [each?.outcome, each?.dropped])).toEqual([
      ['answered', {}],
      ['unconfirmed', { too_many: 1 }],
    ])
  })

  it.each([
    ['not named as pairs', ['D1 and S1 contradict each other'], { malformed: 1 }],
    ['named by other members', [{ first: 'D1', second: 'S1', why: 'they differ' }], { malformed: 1 }],
    ['named without a subject', [{ a: 'D1', b: 'S1', a_words: null, b_words: null, subject: '', attribute: '' }], { malformed: 1 }],
    [
      'not of its question',
      [{ a: 'D7', b: 'S9', a_words: null, b_words: null, subject: 'gate', attribute: 'state' }],
      { passage_not_listed: 1 },
    ],
  ])('says that pairs were left unconfirmed that were %s', async (_, named, dropped) => {
    for (const rest of [[], proposes(1)({ form: { name: 'proposal' } } as Question)]) {
      const { answered } = await read({ texts, own: 'The gate was open.', reader: answering({ pairs: [...named, ...rest] }) })
      expect(answered).toMatchObject({ outcome: 'unconfirmed', dropped })
      expect(comparedBy(answered!)).toBeNull()
    }
  })

  it('takes words that are longer than an answer may hold for the whole passage', async () => {
    const [pair] = proposes(1)({ form: { name: 'proposal' } } as Question)
    const { answered } = await read({
      texts,
      own: 'The gate was open.',
      reader: answering({ pairs: [{ ...pair, a_words: 'gate '.repeat(99) }] }),
    })
    expect([answered?.outcome, answered?.dropped]).toEqual(['answered', {}])
  })

  it('says that asking failed, with what had been spent and shown by then', async () => {
    const { answered } = await read({ texts, own: 'The gate was open.', pairs: proposes(1), failing: 'join claims' })
    expect(answered).toMatchObject({ outcome: 'failed', reading: null, shown: ['earlier'], usage: { promptTokens: 14 } })
  })

  it('says that a document has more passages than are kept', async () => {
    const own = 'Box 1 is shut. Box 2 is open. Box 3 is gone.'
    const [whole, less] = [await read({ texts, own, mostPassages: 3 }), await read({ texts, own, mostPassages: 2 })]
    expect([whole.answered?.outcome, less.answered?.outcome]).toEqual(['answered', 'too_long'])
    expect(less.questions[0]?.content).not.toContain('Box 3')
  })
})
