import { expect, it } from 'vitest'
import { findLocalModels, useLocalModel } from './local-servers.js'

const answering =
  (answers: Record<string, unknown>): typeof fetch =>
  address => {
    const body = answers[String(address)]
    return body === undefined ? Promise.reject(new TypeError('refused')) : Promise.resolve(Response.json(body))
  }

it('finds the servers that have a model, by a look at their lists', async () => {
  const found = await findLocalModels(
    answering({
      'http://127.0.0.1:11434/api/tags': { models: [{ name: 'qwen2.5:14b' }, { name: 'other' }] },
      'http://127.0.0.1:1234/v1/models': { object: 'list', data: [] },
      'http://127.0.0.1:8000/v1/models': { object: 'list', data: [{ id: 'Qwen/Qwen2.5-32B' }] },
    }),
  )
  expect(found).toEqual([
    { server: 'Ollama', url: 'http://127.0.0.1:11434', name: 'qwen2.5:14b' },
    { server: 'vLLM', url: 'http://127.0.0.1:8000/v1', name: 'Qwen/Qwen2.5-32B' },
  ])
  expect(useLocalModel(found[0]!)).toContain('MODEL_URL=http://127.0.0.1:11434 MODEL_NAME=qwen2.5:14b npm start')
})

it('does not wait for whoever does not answer, and believes no name that is none', async () => {
  const silent: typeof fetch = (_address, init) =>
    new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
  expect(await findLocalModels(silent, 5)).toEqual([])
  expect(await findLocalModels(answering({ 'http://127.0.0.1:8080/v1/models': { data: [{ id: 'x; rm -rf ~' }] } }))).toEqual([])
})
