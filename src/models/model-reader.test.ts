import { describe, expect, it } from 'vitest'
import { proposalForm } from './answer-schema.js'
import { noAttempts } from './chat-client.js'
import { createModelReader } from './model-reader.js'
import type { Question } from './question.js'

it('gives a model that hangs up within two questions, each attempt counted', async () => {
  let attempts = 0
  const reader = createModelReader({
    url: 'http://model.test/v1',
    preset: 'openai',
    name: 'm',
    apiKey: null,
    timeoutMs: 5,
    retries: 2,
    retryBaseMs: 0,
    concurrency: 1,
    maxTokens: 100,
    fetch: (_url, init) => {
      attempts++
      return new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    },
  })
  const question: Question = { messages: [], form: proposalForm, fixed: 0, hash: '' }
  for (const reason of ['timeout', 'timeout', 'breaker_open'])
    expect(await reader.ask(question, { tenantId: 't1' })).toMatchObject({ answer: null, reason })
  expect(attempts).toBe(5)
  expect(reader.stats()).toMatchObject({ breakers: { open: 1, 'half-open': 0 }, retries: 3 })
})

function readerAnsweredWith(answer: (about: string) => Response) {
  const fetched: typeof fetch = (_url, init) => Promise.resolve(answer(String(init?.body)))
  const options = { url: 'http://model.test/v1', preset: 'openai' as const, name: 'm', apiKey: null, timeoutMs: 1000, retries: 0 }
  return createModelReader({ ...options, concurrency: 1, maxTokens: 100, breakerFailures: 2, fetch: fetched })
}

const about = (text: string): Question => ({ messages: [{ role: 'user', content: text }], form: proposalForm, fixed: 0, hash: '' })
const said = (message: object, finish: string) => Response.json({ choices: [{ message, finish_reason: finish }] })
const fine = () => said({ content: '{"pairs":[]}' }, 'stop')

it.each<[string, () => Response, string]>([
  ['filtered by the model', () => said({ content: '' }, 'content_filter'), 'declined'],
  ['filtered before it', () => Response.json({ error: { code: 'content_filter' } }, { status: 400 }), 'declined'],
  ['refused with 400', () => Response.json({ error: { message: 'no' } }, { status: 400 }), 'question_refused'],
  ['too large', () => Response.json({}, { status: 413 }), 'context_too_long'],
])("a question %s is that document's matter, however often", async (_, refusal, reason) => {
  const reader = readerAnsweredWith(body => (body.includes('poison') ? refusal() : fine()))
  for (let times = 0; times < 6; times++) expect(await reader.ask(about('poison'), { tenantId: 't1' })).toMatchObject({ reason })
  expect((await reader.ask(about('plain'), { tenantId: 't1' })).answer).not.toBeNull()
  expect(reader.stats().breakers).toEqual({ open: 0, 'half-open': 0 })
})

it('a question whose documents may be shown no more is not sent, and says nothing about the server', async () => {
  const bodies: string[] = []
  const reader = readerAnsweredWith(body => {
    bodies.push(body)
    return fine()
  })
  const mayShow = async () => false
  for (let times = 0; times < 3; times++)
    expect(await reader.ask(about('poison'), { tenantId: 't1', mayShow })).toMatchObject({ answer: null, reason: 'withdrawn' })
  expect([bodies, reader.stats().breakers]).toEqual([[], { open: 0, 'half-open': 0 }])
})

describe('a question that is ended before its second attempt, and put again', () => {
  /** Whether what it shows may be shown cannot be found out at its second attempt. */
  const putTwice = async (answer: () => Response) => {
    let [sent, looked] = [0, 0]
    const reader = createModelReader({
      ...{ url: 'http://model.test/v1', preset: 'openai', name: 'm', apiKey: null, timeoutMs: 1000, maxTokens: 100, concurrency: 1 },
      ...{ retries: 1, retryBaseMs: 0, breakerFailures: 2 },
      fetch: async () => {
        sent++
        return answer()
      },
    })
    const mayShow = async () => {
      if (++looked === 2) throw new Error('busy')
      return true
    }
    const asker = { tenantId: 't1', mayShow, attempts: noAttempts() }
    await expect(reader.ask(about('plain'), asker)).rejects.toThrow('busy')
    const asked = await reader.ask(about('plain'), asker)
    return { sent, asked, breakers: reader.stats().breakers }
  }

  it('has as many attempts as any other, and each end of it after one that failed counts', async () => {
    const { sent, asked, breakers } = await putTwice(() => new Response('', { status: 500 }))
    expect([sent, asked, breakers]).toMatchObject([2, { answer: null, reason: 'server_error' }, { open: 1 }])
  })

  it('is put as the server takes it, which it had said before', async () => {
    const refusal = { error: { message: 'Unsupported parameter: response_format json_schema' } }
    const { sent } = await putTwice(() => Response.json(refusal, { status: 400 }))
    expect(sent).toBe(2)
  })
})

it('questions of one tenant that keep failing stop those of no other', async () => {
  const reader = readerAnsweredWith(body => (body.includes('poison') ? new Response('', { status: 500 }) : fine()))
  for (const reason of ['server_error', 'server_error', 'breaker_open']) {
    expect(await reader.ask(about('poison'), { tenantId: 't1' })).toMatchObject({ reason })
  }
  expect((await reader.ask(about('plain'), { tenantId: 't2' })).answer).not.toBeNull()
  expect(await reader.ask(about('plain'), { tenantId: 't1' })).toMatchObject({ reason: 'breaker_open' })
})

it('a refusal that only sounds like one of strict schemas takes them from nobody else', async () => {
  const refusal = () => Response.json({ error: { message: 'The date is in an invalid format.' } }, { status: 400 })
  const bodies: string[] = []
  const reader = readerAnsweredWith(body => {
    bodies.push(body)
    return body.includes('poison') ? refusal() : fine()
  })
  expect(await reader.ask(about('poison'), { tenantId: 't1' })).toMatchObject({ reason: 'question_refused' })
  expect((await reader.ask(about('plain'), { tenantId: 't2' })).answer).not.toBeNull()
  expect(bodies.map(body => body.includes('json_schema'))).toEqual([true, false, true])
  expect(reader.refuses()).toEqual([])
})

it('is not answered by Ollama about a question that it would cut off', async () => {
  // As 0.34 does: half of what there is room for, and no word of it.
  const refusal = { error: 'the prompt is longer than the context length currently available to the model' }
  const fetched: typeof fetch = async (_url, init) => {
    const { truncate, shift } = JSON.parse(String(init?.body))
    if (truncate === false && shift === false) return Response.json(refusal, { status: 400 })
    return Response.json({ message: { content: '{"pairs":[]}' }, done: true, done_reason: 'stop', prompt_eval_count: 2050, eval_count: 9 })
  }
  const options = { url: 'http://model.test:11434', preset: 'ollama' as const, name: 'm', apiKey: null, timeoutMs: 1000, retries: 0 }
  const reader = createModelReader({ ...options, concurrency: 1, maxTokens: 100, fetch: fetched })
  expect(await reader.ask(about('1,204.55 '.repeat(2000)), { tenantId: 't1' })).toMatchObject({ answer: null, reason: 'context_too_long' })
})
