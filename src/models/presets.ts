/**
 * How the servers people run are asked and what they answer: the address, the key, the body, where the text, the reason it ended
 * and the tokens stand. What a server does not take (a strict schema, a temperature, a name for the limit on tokens) is left out
 * once it has said so.
 */
import { estimatedTokens, type Question } from './question.js'

export type PresetName = 'auto' | 'openai' | 'vllm' | 'llamacpp' | 'ollama' | 'anthropic' | 'google'

export interface AskOptions {
  model: string
  maxTokens: number
}

/** What a server may refuse to take. */
export type Feature = 'schema' | 'temperature' | 'max_tokens'

export interface Completion {
  content: string
  /** How the answer ended. */
  end: 'complete' | 'truncated' | 'declined'
  promptTokens: number
  completionTokens: number
}

type Put = Pick<Question, 'messages' | 'form' | 'fixed'>
type Body = (question: Put, ask: AskOptions, without: ReadonlySet<Feature>) => unknown

export interface Preset {
  url(model: string): string
  headers(apiKey: string | null): Record<string, string>
  body: Body
  /** Of what was sent as `asked`. Null when it is not an answer of this server at all. */
  completion(body: unknown, asked: unknown): Completion | null
}

export function presetFor(name: PresetName, base: string): Preset {
  const url = baseUrl(base)
  const named = name === 'auto' ? guess(url) : name
  const bearer = (apiKey: string | null): Record<string, string> => (apiKey === null ? {} : { authorization: `Bearer ${apiKey}` })
  const at = (path: string) => () => addressOf(url, path)
  if (named === 'ollama') return { url: at('/api/chat'), headers: bearer, body: ollamaBody, completion: ollamaCompletion }
  if (named === 'anthropic') {
    const headers = (apiKey: string | null) => ({ ...(apiKey !== null && { 'x-api-key': apiKey }), 'anthropic-version': '2023-06-01' })
    return { url: at('/v1/messages'), headers, body: anthropicBody, completion: anthropicCompletion }
  }
  if (named === 'google') {
    const headers = (apiKey: string | null): Record<string, string> => (apiKey === null ? {} : { 'x-goog-api-key': apiKey })
    const address = (model: string) => addressOf(url, `/v1beta/models/${encodeURIComponent(model)}:generateContent`)
    return { url: address, headers, body: googleBody, completion: googleCompletion }
  }
  const body = named === 'openai' ? openaiBody : compatibleBody
  return { url: at('/chat/completions'), headers: bearer, body, completion: chatCompletion }
}

function guess(url: URL): Exclude<PresetName, 'auto'> {
  if (url.port === '11434' && !url.pathname.includes('/v1')) return 'ollama'
  if (url.hostname === 'api.anthropic.com') return 'anthropic'
  if (url.hostname === 'generativelanguage.googleapis.com' && !url.pathname.includes('/openai')) return 'google'
  return url.hostname === 'api.openai.com' ? 'openai' : 'vllm'
}

function baseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new TypeError('The model needs an http or https address')
  if (url.username !== '' || url.password !== '') throw new TypeError('The address of the model must not hold a user or password')
  return url
}

function addressOf(base: URL, path: string): string {
  const url = new URL(base)
  const given = url.pathname.replace(/\/+$/, '')
  // Interfaces of their own stand beside the compatible one.
  const root = path === '/chat/completions' ? given : given.replace(/\/v1(?:beta)?$/, '')
  url.pathname = root.endsWith(path) ? root : `${root}${path}`
  return url.href
}

/** vLLM, llama.cpp and what else speaks this protocol. */
function compatibleBody({ messages, form }: Put, { model, maxTokens }: AskOptions, without: ReadonlySet<Feature>): unknown {
  const strict = { type: 'json_schema', json_schema: { name: form.name, strict: true, schema: form.schema() } }
  return {
    model,
    messages,
    stream: false,
    ...(without.has('max_tokens') ? {} : { max_tokens: maxTokens }),
    ...(without.has('temperature') ? {} : { temperature: 0 }),
    response_format: without.has('schema') ? { type: 'json_object' } : strict,
  }
}

/** OpenAI counts thoughts too and calls the limit by another name. */
function openaiBody(question: Put, ask: AskOptions, without: ReadonlySet<Feature>): unknown {
  const { max_tokens: limit, ...body } = compatibleBody(question, ask, without) as Record<string, unknown>
  return { ...body, ...(limit === undefined ? {} : { max_completion_tokens: limit }) }
}

/**
 * The question with room for the answer. Without it Ollama cuts long questions off and says nothing; and where the model has less room
 * than that, or figures and letters of rare scripts take more, it is told to refuse instead.
 */
function ollamaBody({ messages, form }: Put, { model, maxTokens }: AskOptions, without: ReadonlySet<Feature>): unknown {
  const context = Math.ceil((estimatedTokens({ messages }) + maxTokens) / 1024) * 1024
  const options = { num_ctx: context, num_predict: maxTokens, ...(without.has('temperature') ? {} : { temperature: 0 }) }
  const format = without.has('schema') ? 'json' : form.schema()
  return { model, messages, stream: false, truncate: false, shift: false, format, options }
}

/** The answer is the input of the one tool there is. What stays the same from document to document is marked to be remembered. */
function anthropicBody({ messages, form, fixed }: Put, { model, maxTokens }: AskOptions, without: ReadonlySet<Feature>): unknown {
  const [system, asked] = [messages[0]?.content ?? '', messages[1]?.content ?? '']
  const kept = { cache_control: { type: 'ephemeral' } }
  const parts = [...(fixed > 0 ? [{ type: 'text', text: asked.slice(0, fixed), ...kept }] : []), { type: 'text', text: asked.slice(fixed) }]
  const tool = { name: form.name, description: 'Takes the answer.', input_schema: form.schema() }
  return {
    model,
    max_tokens: maxTokens,
    ...(without.has('temperature') ? {} : { temperature: 0 }),
    system: [{ type: 'text', text: system, ...kept }],
    messages: [{ role: 'user', content: parts }],
    ...(without.has('schema') ? {} : { tools: [tool], tool_choice: { type: 'tool', name: form.name } }),
  }
}

/** Where it is not said, nothing else is known of it. */
const finished = new Set<unknown>(['end_turn', 'tool_use', 'stop_sequence', null, undefined])

function anthropicCompletion(body: unknown): Completion | null {
  const content = field(body, 'content')
  if (!Array.isArray(content)) return null
  const used = content.find(part => field(part, 'type') === 'tool_use')
  const reason = field(body, 'stop_reason')
  const usage = field(body, 'usage')
  const asked = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']
  return {
    content: used === undefined ? textOf(content) : JSON.stringify(field(used, 'input')),
    end: reason === 'refusal' ? 'declined' : finished.has(reason) ? 'complete' : 'truncated',
    promptTokens: asked.reduce((sum, name) => sum + count(field(usage, name)), 0),
    completionTokens: count(field(usage, 'output_tokens')),
  }
}

function googleBody({ messages, form }: Put, { maxTokens }: AskOptions, without: ReadonlySet<Feature>): unknown {
  const [system, asked] = [messages[0]?.content ?? '', messages[1]?.content ?? '']
  return {
    systemInstruction: { parts: [{ text: system }] },
    contents: [{ role: 'user', parts: [{ text: asked }] }],
    generationConfig: {
      maxOutputTokens: maxTokens,
      ...(without.has('temperature') ? {} : { temperature: 0 }),
      responseMimeType: 'application/json',
      ...(without.has('schema') ? {} : { responseJsonSchema: form.schema() }),
    },
  }
}

const withheld = new Set(['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'])

function googleCompletion(body: unknown): Completion | null {
  const candidates = field(body, 'candidates')
  const candidate: unknown = Array.isArray(candidates) ? candidates[0] : undefined
  const isBlocked = field(field(body, 'promptFeedback'), 'blockReason') !== undefined
  if (candidate === undefined && !isBlocked) return null
  const reason = String(field(candidate, 'finishReason'))
  const usage = field(body, 'usageMetadata')
  return {
    content: textOf(field(field(candidate, 'content'), 'parts')),
    end: isBlocked || withheld.has(reason) ? 'declined' : reason === 'MAX_TOKENS' ? 'truncated' : 'complete',
    promptTokens: count(field(usage, 'promptTokenCount')),
    completionTokens: count(field(usage, 'candidatesTokenCount')) + count(field(usage, 'thoughtsTokenCount')),
  }
}

function chatCompletion(body: unknown): Completion | null {
  const choices = field(body, 'choices')
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  if (choice === undefined) return null
  const message = field(choice, 'message')
  const reason = field(choice, 'finish_reason')
  const refusal = field(message, 'refusal')
  const usage = field(body, 'usage')
  const isDeclined = reason === 'content_filter' || (typeof refusal === 'string' && refusal !== '')
  return {
    content: textOf(field(message, 'content')),
    end: isDeclined ? 'declined' : reason === 'length' ? 'truncated' : 'complete',
    promptTokens: count(field(usage, 'prompt_tokens')),
    completionTokens: count(field(usage, 'completion_tokens')),
  }
}

/** Versions that do not know how to refuse: one that fills all it was given may be about a question whose beginning was cut off. */
function ollamaCompletion(body: unknown, asked: unknown): Completion | null {
  const message = field(body, 'message')
  if (message === undefined) return null
  const [promptTokens, completionTokens] = [count(field(body, 'prompt_eval_count')), count(field(body, 'eval_count'))]
  const context = count(field(field(asked, 'options'), 'num_ctx'))
  const isFull = context > 0 && promptTokens + completionTokens >= context
  const isWhole = field(body, 'done') === true && field(body, 'done_reason') !== 'length' && !isFull
  return { content: textOf(field(message, 'content')), end: isWhole ? 'complete' : 'truncated', promptTokens, completionTokens }
}

/** A text, or a list of parts of which some are text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(part => (typeof field(part, 'text') === 'string' ? String(field(part, 'text')) : '')).join('')
}

/** More than any question or answer has. A figure beyond says nothing, and would not fit where figures are kept: then it is estimated. */
const mostTokens = 10_000_000

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= mostTokens ? value : 0
}

export interface ServerError {
  message: string
  type: string
  code: string
  param: string
}

/** `{error:{message,type,code,param}}` of most, `{error:"…"}` of Ollama, `{object:"error",message,…}` of older vLLM. */
export function serverError(body: unknown): ServerError {
  const error = field(body, 'error')
  const from = typeof error === 'object' && error !== null ? error : body
  const text = (name: string): string => {
    const value = field(from, name)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  return { message: typeof error === 'string' ? error : text('message'), type: text('type'), code: text('code'), param: text('param') }
}

/** What a server says it does not take; null when the refusal is about something else. */
export function refusedFeature({ message, param }: ServerError): Feature | null {
  const about = `${param} ${message}`
  if (/response_format|responseJsonSchema|json_schema|input_schema|guided|grammar|\bformat\b|structured output/i.test(about))
    return 'schema'
  if (/\btemperature\b/i.test(about)) return 'temperature'
  return /\bmax_(?:completion_)?tokens\b/i.test(about) && /unsupported|not supported|unrecognized|unknown|extra/i.test(about)
    ? 'max_tokens'
    : null
}

export function isTooLong({ message, type, code }: ServerError): boolean {
  return /context[_ ]?(?:length|size|window)|maximum context|prompt is too long|too many tokens|token count.{0,40}exceeds|exceed\w*.{0,20}context/i.test(
    `${message} ${type} ${code}`,
  )
}

/** Answered as an error by servers that look at a question before the model does. */
export function isFiltered({ message, type, code }: ServerError): boolean {
  return /content[_ ](?:filter|policy)|safety/i.test(`${message} ${type} ${code}`)
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
