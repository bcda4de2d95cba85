/** A question to each kind of server, as it is put and answered over HTTP: whole answers, cut-off ones, refusals and errors in the shapes they have. */
import { describe, expect, it } from 'vitest'
import { createModelReader } from '../../src/models/model-reader.js'
import type { PresetName } from '../../src/models/presets.js'
import { proposeQuestion } from '../../src/models/question.js'
import { type Behaviour, completion, startModelServer } from './model-server.js'

const document = { documentId: 'log', revision: 1, name: 'log.txt', issuer: null, issuedOn: null }
const own = [{ documentId: 'log', start: 0, end: 34, text: 'The north gate was closed all day.', about: null }]
const question = proposeQuestion({ earlier: [], whole: true, document, own })
const nothing = JSON.stringify({ pairs: [] })

const json =
  (code: number, body: unknown): Behaviour =>
  response => {
    response.writeHead(code, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }

async function ask(preset: PresetName, behaviours: readonly Behaviour[]) {
  const server = await startModelServer(behaviours)
  const options = { url: server.url, preset, name: 'reader-1', apiKey: null, timeoutMs: 5000, retries: 0, concurrency: 1, maxTokens: 500 }
  try {
    const asked = await createModelReader(options).ask(question, { tenantId: 't1' })
    const { path, body } = server.requests.at(-1)!
    return { path, body, requests: server.requests.length, result: asked.answer === null ? asked.reason : 'answered', usage: asked.usage }
  } finally {
    await server.close()
  }
}

const chat = (message: object, finish: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  usage: { prompt_tokens: 400, completion_tokens: 30, total_tokens: 430 },
})
const ollama = (content: string, more: object) => ({
  model: 'reader-1',
  message: { role: 'assistant', content },
  prompt_eval_count: 400,
  eval_count: 30,
  ...more,
})

const anthropic = (content: object[], reason: string) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', content, stop_reason: reason },
  usage: { input_tokens: 100, cache_read_input_tokens: 300, output_tokens: 30 },
})
const google = (candidate: object) => ({
  candidates: [candidate],
  usageMetadata: { promptTokenCount: 400, candidatesTokenCount: 10, thoughtsTokenCount: 20 },
})
const paths: Partial<Record<PresetName, string>> = {
  ollama: '/api/chat',
  anthropic: '/v1/messages',
  google: '/v1beta/models/reader-1:generateContent',
}

describe('servers', () => {
  it.each<[string, PresetName, number, object, string]>([
    ['OpenAI answers', 'openai', 200, chat({ content: nothing, refusal: null }, 'stop'), 'answered'],
    ['OpenAI cuts off', 'openai', 200, chat({ content: '{"pairs":[{"a', refusal: null }, 'length'), 'truncated'],
    ['OpenAI declines', 'openai', 200, chat({ content: null, refusal: 'I cannot help with that.' }, 'stop'), 'declined'],
    ['OpenAI filters', 'openai', 200, chat({ content: '' }, 'content_filter'), 'declined'],
    [
      'OpenAI has no credit',
      'openai',
      429,
      { error: { message: 'quota', type: 'insufficient_quota', code: 'insufficient_quota' } },
      'quota',
    ],
    [
      'vLLM answers with thoughts',
      'vllm',
      200,
      chat({ reasoning_content: 'hm', content: `<think>hm</think>${nothing}` }, 'stop'),
      'answered',
    ],
    ['Azure filters a question', 'openai', 400, { error: { message: 'filtered', type: null, code: 'content_filter' } }, 'declined'],
    ['OpenAI refuses a question', 'openai', 400, { error: { message: 'bad input', code: 'invalid_value' } }, 'question_refused'],
    ['a proxy finds the question too large', 'openai', 413, {}, 'context_too_long'],
    ['OpenAI does not know the key', 'openai', 401, { error: { message: 'Incorrect API key', code: 'invalid_api_key' } }, 'refused'],
    ['vLLM cuts off', 'vllm', 200, chat({ content: '{"pairs":[' }, 'length'), 'truncated'],
    [
      'vLLM has too short a context',
      'vllm',
      400,
      { object: 'error', message: "This model's maximum context length is 4096 tokens.", type: 'BadRequestError', code: 400 },
      'context_too_long',
    ],
    ['llama.cpp answers', 'llamacpp', 200, { ...chat({ content: `\`\`\`json\n${nothing}\n\`\`\`` }, 'stop'), timings: {} }, 'answered'],
    [
      'llama.cpp is loading',
      'llamacpp',
      503,
      { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
      'server_error',
    ],
    [
      'llama.cpp has too short a context',
      'llamacpp',
      400,
      { error: { code: 400, message: 'the request exceeds the available context size', type: 'exceed_context_size_error' } },
      'context_too_long',
    ],
    [
      'Anthropic answers',
      'anthropic',
      200,
      anthropic([{ type: 'tool_use', id: 't1', name: 'proposal', input: { pairs: [] } }], 'tool_use'),
      'answered',
    ],
    ['Anthropic answers in words', 'anthropic', 200, anthropic([{ type: 'text', text: nothing }], 'end_turn'), 'answered'],
    ['Anthropic cuts off', 'anthropic', 200, anthropic([{ type: 'text', text: '{"pairs":[' }], 'max_tokens'), 'truncated'],
    ['Anthropic declines', 'anthropic', 200, anthropic([], 'refusal'), 'declined'],
    [
      'Anthropic finds it too long',
      'anthropic',
      400,
      { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' } },
      'context_too_long',
    ],
    [
      'Anthropic is overloaded',
      'anthropic',
      529,
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      'server_error',
    ],
    ['Google answers', 'google', 200, google({ content: { parts: [{ text: nothing }] }, finishReason: 'STOP' }), 'answered'],
    ['Google cuts off', 'google', 200, google({ content: { parts: [{ text: '{"pa' }] }, finishReason: 'MAX_TOKENS' }), 'truncated'],
    ['Google withholds', 'google', 200, google({ finishReason: 'SAFETY' }), 'declined'],
    [
      'Google blocks a question',
      'google',
      200,
      { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 400, candidatesTokenCount: 30 } },
      'declined',
    ],
    [
      'Google finds it too long',
      'google',
      400,
      {
        error: {
          code: 400,
          message: 'The input token count (2000000) exceeds the maximum number of tokens allowed',
          status: 'INVALID_ARGUMENT',
        },
      },
      'context_too_long',
    ],
    ['Ollama answers', 'ollama', 200, ollama(nothing, { done: true, done_reason: 'stop' }), 'answered'],
    ['Ollama cuts off', 'ollama', 200, ollama('{"pairs":[', { done: true, done_reason: 'length' }), 'truncated'],
    ['Ollama lacks the model', 'ollama', 404, { error: "model 'reader-1' not found" }, 'refused'],
    ['Ollama fails', 'ollama', 500, { error: 'llama runner process has terminated' }, 'server_error'],
  ])('%s', async (_, preset, code, body, result) => {
    const asked = await ask(preset, [json(code, body)])
    expect(asked).toMatchObject({ path: paths[preset] ?? '/v1/chat/completions', requests: 1, result })
    // Tokens are counted wherever they were spent.
    expect(asked.usage).toEqual(code === 200 ? { promptTokens: 400, completionTokens: 30 } : { promptTokens: 0, completionTokens: 0 })
  })

  it.each<[string, PresetName, number, object, object]>([
    ['vLLM', 'vllm', 400, { object: 'error', message: 'guided decoding is not available', code: 400 }, chat({ content: nothing }, 'stop')],
    ['llama.cpp', 'llamacpp', 400, { error: { code: 400, message: 'failed to parse grammar' } }, chat({ content: nothing }, 'stop')],
    [
      'Ollama',
      'ollama',
      400,
      { error: 'invalid format: expected "json" or a JSON schema' },
      ollama(nothing, { done: true, done_reason: 'stop' }),
    ],
  ])('%s without strict schemas is asked again without one', async (_, preset, code, refusal, answer) => {
    const asked = await ask(preset, [json(code, refusal), json(200, answer)])
    expect(asked).toMatchObject({ requests: 2, result: 'answered' })
    expect(asked.body['format'] ?? asked.body['response_format']).toEqual(preset === 'ollama' ? 'json' : { type: 'json_object' })
  })
})

it('waits for an answer as long as it is set to, however long Node waits', async () => {
  void Response
  const globals = globalThis as unknown as Record<symbol, object>
  const used = Symbol.for('undici.globalDispatcher.1')
  const before = globals[used] as object
  const Agent = before.constructor as new (limits: object) => object
  let answer = (): void => undefined
  const answered = new Promise<void>(resolve => {
    answer = resolve
  })
  const server = await startModelServer([(response, request) => void answered.then(() => completion(nothing)(response, request))])
  globals[used] = new Agent({ headersTimeout: 1 })
  try {
    const options = { url: server.url, preset: 'openai' as const, name: 'reader-1', apiKey: null, retries: 0, concurrency: 1 }
    const asked = createModelReader({ ...options, timeoutMs: 600_000, maxTokens: 500 }).ask(question, { tenantId: 't1' })
    await server.seen(1)
    await expect(fetch(server.url, { method: 'POST', body: '{}' })).rejects.toMatchObject({ cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } })
    answer()
    expect((await asked).answer).not.toBeNull()
  } finally {
    globals[used] = before
    await server.close()
  }
})
