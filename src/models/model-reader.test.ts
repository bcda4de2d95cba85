import { expect, it } from 'vitest'
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
  const question = { messages: [] } as unknown as Question
  for (const reason of ['timeout', 'timeout', 'breaker_open']) expect(await reader.ask(question)).toMatchObject({ answer: null, reason })
  expect(attempts).toBe(5)
  expect(reader.stats()).toMatchObject({ breaker: 'open', retries: 3 })
})
