import { describe, expect, it } from 'vitest'
import { proposalForm } from './answer-schema.js'
import { isTooLong, presetFor, refusedFeature, serverError } from './presets.js'
import type { Question } from './question.js'

const messages: Question['messages'] = [
  { role: 'system', content: 'Compare.' },
  { role: 'user', content: 'x'.repeat(9000) },
]
const question = { messages, form: proposalForm, fixed: 4000 }
const ask = { model: 'm', maxTokens: 1000 }

describe('where a server is asked', () => {
  it.each([
    ['auto', 'http://localhost:11434', 'http://localhost:11434/api/chat'],
    ['ollama', 'http://localhost:11434/v1', 'http://localhost:11434/api/chat'],
    ['auto', 'http://localhost:11434/v1', 'http://localhost:11434/v1/chat/completions'],
    ['auto', 'https://api.openai.com/v1', 'https://api.openai.com/v1/chat/completions'],
    ['vllm', 'http://gpu:8000/v1/', 'http://gpu:8000/v1/chat/completions'],
    ['auto', 'https://api.anthropic.com', 'https://api.anthropic.com/v1/messages'],
    ['anthropic', 'https://proxy/v1', 'https://proxy/v1/messages'],
    ['auto', 'https://generativelanguage.googleapis.com', 'https://generativelanguage.googleapis.com/v1beta/models/m%201:generateContent'],
    ['llamacpp', 'http://box:8080/v1/chat/completions', 'http://box:8080/v1/chat/completions'],
  ] as const)('%s at %s', (preset, base, url) => {
    expect(presetFor(preset, base).url('m 1')).toBe(url)
  })

  it('refuses an address with a password', () => {
    expect(() => presetFor('auto', 'http://a:b@host')).toThrow(/password/)
  })
})

describe('what a server is sent', () => {
  it('names the limit as OpenAI does, and leaves out what it has refused', () => {
    const preset = presetFor('openai', 'https://api.openai.com/v1')
    expect(preset.body(question, ask, new Set())).toMatchObject({ max_completion_tokens: 1000, response_format: { type: 'json_schema' } })
    const plain = preset.body(question, ask, new Set(['schema', 'temperature', 'max_tokens'])) as object
    expect(plain).toMatchObject({ response_format: { type: 'json_object' } })
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['temperature']))
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['max_completion_tokens']))
  })

  it('tells Ollama how long the question is, which it would else cut off', () => {
    const body = presetFor('ollama', 'http://localhost:11434').body(question, ask, new Set()) as {
      options: { num_ctx: number }
      format: unknown
    }
    expect(body.options.num_ctx).toBeGreaterThanOrEqual(4000)
    expect(body.format).toMatchObject({ type: 'object' })
    const chinese = { ...question, messages: [{ role: 'user' as const, content: '租'.repeat(9000) }] }
    expect(presetFor('ollama', 'http://localhost:11434').body(chinese, ask, new Set())).toMatchObject({ options: { num_ctx: 10_240 } })
  })
})

describe('what Anthropic and Google are sent', () => {
  it('has Anthropic answer by its one tool, and remember what does not change', () => {
    const preset = presetFor('anthropic', 'https://api.anthropic.com')
    expect(preset.headers('key')).toEqual({ 'x-api-key': 'key', 'anthropic-version': '2023-06-01' })
    const body = preset.body(question, ask, new Set()) as { messages: [{ content: { text: string; cache_control?: object }[] }] }
    expect(body).toMatchObject({ max_tokens: 1000, tool_choice: { type: 'tool', name: 'proposal' }, system: [{ text: 'Compare.' }] })
    expect(body.messages[0].content.map(part => [part.text.length, part.cache_control])).toEqual([
      [4000, { type: 'ephemeral' }],
      [5000, undefined],
    ])
  })

  it('names the schema as Google does', () => {
    const preset = presetFor('google', 'https://generativelanguage.googleapis.com')
    expect(preset.headers('key')).toEqual({ 'x-goog-api-key': 'key' })
    expect(preset.body(question, ask, new Set())).toMatchObject({
      systemInstruction: { parts: [{ text: 'Compare.' }] },
      generationConfig: { maxOutputTokens: 1000, responseMimeType: 'application/json', responseJsonSchema: { type: 'object' } },
    })
  })
})

describe('what servers answer', () => {
  const chat = presetFor('vllm', 'http://gpu:8000/v1')
  it.each([
    [
      'OpenAI',
      {
        choices: [{ message: { content: '{}', refusal: null }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 5, completion_tokens: 2 },
      },
      'complete',
    ],
    ['OpenAI that declines', { choices: [{ message: { content: null, refusal: 'I cannot.' }, finish_reason: 'stop' }] }, 'declined'],
    ['OpenAI with a filter', { choices: [{ message: { content: '' }, finish_reason: 'content_filter' }] }, 'declined'],
    ['vLLM with thoughts', { choices: [{ message: { content: '{}', reasoning_content: 'hm' }, finish_reason: 'stop' }] }, 'complete'],
    ['llama.cpp at its limit', { choices: [{ message: { content: '{"li' }, finish_reason: 'length' }], timings: {} }, 'truncated'],
    ['parts', { choices: [{ message: { content: [{ type: 'text', text: '{}' }] }, finish_reason: 'stop' }] }, 'complete'],
  ])('%s', (_, body, end) => {
    expect(chat.completion(body, {})).toMatchObject({ end })
  })

  it('Ollama, whole and cut off', () => {
    const ollama = presetFor('ollama', 'http://localhost:11434')
    const body = { message: { content: '{}' }, done: true, done_reason: 'stop', prompt_eval_count: 26, eval_count: 298 }
    expect(ollama.completion(body, {})).toEqual({ content: '{}', end: 'complete', promptTokens: 26, completionTokens: 298 })
    expect(ollama.completion({ ...body, done_reason: 'length' }, {})).toMatchObject({ end: 'truncated' })
    expect(ollama.completion({ error: 'model not found' }, {})).toBeNull()
  })

  it('Ollama is cut off where question and answer fill what was asked for', () => {
    const ollama = presetFor('ollama', 'http://localhost:11434')
    const sent = ollama.body(question, ask, new Set()) as { options: { num_ctx: number } }
    const answer = (tokens: number) => ({ message: { content: '{}' }, done: true, prompt_eval_count: tokens - 10, eval_count: 10 })
    const ends = [1, 0].map(less => ollama.completion(answer(sent.options.num_ctx - less), sent)?.end)
    expect(ends).toEqual(['complete', 'truncated'])
  })

  it('is nothing without a choice', () => {
    expect(chat.completion({ choices: [] }, {})).toBeNull()
    expect(chat.completion({ object: 'error', message: 'no' }, {})).toBeNull()
  })
})

describe('what servers refuse', () => {
  it.each([
    [{ error: { message: "Unsupported value: 'temperature' does not support 0", param: 'temperature' } }, 'temperature'],
    [{ error: { message: "Unsupported parameter: 'max_tokens' is not supported with this model.", param: 'max_tokens' } }, 'max_tokens'],
    [{ error: { message: "Invalid parameter: 'response_format' of type 'json_schema' is not supported" } }, 'schema'],
    [{ object: 'error', message: 'guided decoding is not available', code: 400 }, 'schema'],
    [{ error: { code: 400, message: 'failed to parse grammar', type: 'invalid_request_error' } }, 'schema'],
    [{ error: 'invalid format: expected "json" or a JSON schema' }, 'schema'],
    [{ error: { message: 'The model does not exist', code: 'model_not_found' } }, null],
  ])('%j', (body, feature) => {
    expect(refusedFeature(serverError(body))).toBe(feature)
  })

  it.each([
    { error: { message: "This model's maximum context length is 8192 tokens.", code: 'context_length_exceeded' } },
    { error: { code: 400, message: 'the request exceeds the available context size', type: 'exceed_context_size_error' } },
  ])('knows a question that is too long: %j', body => {
    expect(isTooLong(serverError(body))).toBe(true)
  })
})

describe('what servers say beyond belief', () => {
  it('takes no figure of tokens that no question can have', () => {
    const usage = { prompt_tokens: 3e9, completion_tokens: 5 }
    const said = { choices: [{ message: { content: '{}' }, finish_reason: 'stop' }], usage }
    expect(presetFor('openai', 'https://api.openai.com/v1').completion(said, {})).toMatchObject({ promptTokens: 0, completionTokens: 5 })
  })

  it.each([
    ['tool_use', 'complete'],
    ['max_tokens', 'truncated'],
    ['model_context_window_exceeded', 'truncated'],
    ['pause_turn', 'truncated'],
    ['refusal', 'declined'],
  ])('an answer of Anthropic that ended with %s is %s', (reason, end) => {
    const said = { content: [{ type: 'tool_use', input: { pairs: [] } }], stop_reason: reason, usage: {} }
    expect(presetFor('anthropic', 'https://api.anthropic.com').completion(said, {})?.end).toBe(end)
  })
})
