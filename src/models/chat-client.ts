/**
 * One question to an OpenAI-compatible endpoint, with everything bounded: time per attempt (headers and body), size of the answer,
 * number of attempts, waits between them. Failures are values; they name what happened and never carry the key, the address or the answer.
 */
import { DeadlineError, pause, withDeadline } from '../platform/deadline.js'
import type { ChatRequest } from './prompt.js'

export interface TokenUsage {
  promptTokens: number
  completionTokens: number
}

export type ChatFailure =
  | 'timeout'
  | 'network'
  | 'rate_limited'
  | 'server_error'
  | 'refused'
  | 'too_large'
  | 'not_json'
  | 'truncated'
  | 'empty'

export type ChatOutcome =
  | { ok: true; content: string; usage: TokenUsage }
  | { ok: false; failure: ChatFailure; status: number | null; usage: TokenUsage }

export interface ChatOptions {
  url: string
  apiKey: string | null
  timeoutMs: number
  /** Further attempts after the first. */
  retries: number
  retryBaseMs: number
  /** Longest wait between attempts; an endpoint that asks for longer is not waited for. */
  retryMaxMs: number
  maxResponseBytes: number
  fetch: typeof fetch
  /** The time of day, for waits given as a date. */
  now: () => number
  random: () => number
  onRetry: () => void
}

type Attempt = ChatOutcome & { retryAfterMs?: number | null }

const noUsage: TokenUsage = { promptTokens: 0, completionTokens: 0 }
const retryable: ReadonlySet<ChatFailure> = new Set(['timeout', 'network', 'rate_limited', 'server_error'])

/** Rejects only when `signal` ends it. */
export async function askModel(request: ChatRequest, options: ChatOptions, signal?: AbortSignal): Promise<ChatOutcome> {
  const body = JSON.stringify(request)
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted()
    const outcome = await attemptOnce(body, options, signal)
    if (outcome.ok || !retryable.has(outcome.failure) || attempt >= options.retries) return outcome
    const waitMs = retryDelayMs(attempt, outcome.retryAfterMs ?? null, options)
    if (waitMs === null) return outcome
    options.onRetry()
    await pause(waitMs, signal)
  }
}

/** Full jitter below a doubling ceiling, and never sooner than the endpoint asked for; null when that is later than we wait. */
export function retryDelayMs(
  attempt: number,
  retryAfterMs: number | null,
  options: Pick<ChatOptions, 'retryBaseMs' | 'retryMaxMs' | 'random'>,
): number | null {
  if (retryAfterMs !== null && retryAfterMs > options.retryMaxMs) return null
  const ceiling = Math.min(options.retryMaxMs, options.retryBaseMs * 2 ** Math.min(attempt, 30))
  return Math.max(retryAfterMs ?? 0, options.random() * ceiling)
}

async function attemptOnce(body: string, options: ChatOptions, signal: AbortSignal | undefined): Promise<Attempt> {
  try {
    return await withDeadline(ending => exchange(body, options, ending), { ms: options.timeoutMs, what: 'The model', signal })
  } catch (error) {
    signal?.throwIfAborted()
    return failed(error instanceof DeadlineError ? 'timeout' : 'network', null)
  }
}

async function exchange(body: string, options: ChatOptions, signal: AbortSignal): Promise<Attempt> {
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' }
  if (options.apiKey !== null) headers['authorization'] = `Bearer ${options.apiKey}`
  // A redirect could carry the key to another host.
  const response = await options.fetch(options.url, { method: 'POST', headers, body, signal, redirect: 'error' })
  if (!response.ok) {
    await response.body?.cancel()
    const { status } = response
    const failure = status === 429 ? 'rate_limited' : status >= 500 || status === 408 ? 'server_error' : 'refused'
    return { ...failed(failure, status), retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), options.now()) }
  }
  const text = await readBounded(response, options.maxResponseBytes)
  return text === null ? failed('too_large', response.status) : readCompletion(text, response.status)
}

function failed(failure: ChatFailure, status: number | null, usage = noUsage): Attempt & { ok: false } {
  return { ok: false, failure, status, usage }
}

async function readBounded(response: Response, maxBytes: number): Promise<string | null> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) {
      await reader.cancel()
      return null
    }
    text += decoder.decode(value, { stream: true })
  }
}

function readCompletion(text: string, status: number): ChatOutcome {
  const body = parse(text)
  if (body === undefined) return failed('not_json', status)
  const usage = usageOf(field(body, 'usage'))
  const choices = field(body, 'choices')
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  // An answer cut off by the limit on tokens is not half an answer: its claims would be a biased sample.
  if (field(choice, 'finish_reason') === 'length') return failed('truncated', status, usage)
  const content = field(field(choice, 'message'), 'content')
  return typeof content === 'string' && content !== '' ? { ok: true, content, usage } : failed('empty', status, usage)
}

/** The value of a JSON text; undefined, which JSON cannot say, when it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function usageOf(usage: unknown): TokenUsage {
  const count = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0)
  return { promptTokens: count(field(usage, 'prompt_tokens')), completionTokens: count(field(usage, 'completion_tokens')) }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** Seconds or a date; null when absent or meaningless. */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(header.trim())) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs)
}
