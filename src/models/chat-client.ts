/**
 * One question to a model's server, with everything bounded: time per attempt (headers and body), size of the answer, number
 * of attempts, waits between them. Failures are values; they name what happened and never carry the key, the address or the
 * answer.
 */
import { DeadlineError, pause, withDeadline } from '../platform/deadline.js'
import { parse } from './answer-text.js'
import { type AskOptions, type Feature, isFiltered, isTooLong, type Preset, refusedFeature, serverError } from './presets.js'
import type { Question } from './question.js'

export interface TokenUsage {
  promptTokens: number
  completionTokens: number
}

export type ChatFailure =
  | 'timeout'
  | 'network'
  | 'rate_limited'
  | 'quota'
  | 'server_error'
  | 'refused'
  | 'question_refused'
  | 'declined'
  | 'context_too_long'
  | 'too_large'
  | 'not_json'
  | 'truncated'
  | 'empty'
  | 'withdrawn'

export type ChatOutcome = { ok: true; content: string; usage: TokenUsage } | { ok: false; failure: ChatFailure; usage: TokenUsage }

export interface ChatOptions extends AskOptions {
  preset: Preset
  apiKey: string | null
  timeoutMs: number
  /** Further attempts after the first. */
  retries: number
  retryBaseMs: number
  /** Longest wait between attempts; a server that asks for longer is not waited for. */
  retryMaxMs: number
  maxResponseBytes: number
  /** What the server was found not to take so far; grows. */
  without: Set<Feature>
  fetch: typeof fetch
  /** The time of day, for waits given as a date. */
  now: () => number
  random: () => number
  /** Asked before each further attempt. */
  mayRetry(failure: ChatFailure): boolean
  /** Asked before each attempt, right before it sends anything: minutes lie between the first and the last. */
  mayShow(): Promise<boolean>
  /** Changes with each. */
  attempts: Attempts
}

/** What has become of a question so far. Whoever puts it again, because whether it may be shown could not be found out, goes on with that. */
export interface Attempts {
  /** After which another was due. */
  failed: number
  /** What the server was found not to take in them. */
  without: ReadonlySet<Feature>
}

export function noAttempts(): Attempts {
  return { failed: 0, without: new Set() }
}

type Attempt = ChatOutcome & { retryAfterMs?: number | null; refuses?: Feature }

const noUsage: TokenUsage = { promptTokens: 0, completionTokens: 0 }
const retryable: ReadonlySet<ChatFailure> = new Set(['timeout', 'network', 'rate_limited', 'server_error'])
/** An error's text is read so far; it decides nothing but its kind. */
const errorBytes = 16 * 1024

/** Rejects only when `signal` ends it, or when whether it may be shown cannot be found out. */
export async function askModel(question: Question, options: ChatOptions, signal?: AbortSignal): Promise<ChatOutcome> {
  const { attempts } = options
  const without = new Set([...options.without, ...attempts.without])
  attempts.without = without
  for (;;) {
    signal?.throwIfAborted()
    if (!(await options.mayShow())) return failed('withdrawn')
    const outcome = await attemptOnce(options.preset.body(question, options, without), options, signal)
    if (outcome.ok) {
      // Left out for everybody once that has helped: what a server says of one question may only sound like it.
      for (const feature of without) options.without.add(feature)
      return outcome
    }
    // Each can be refused once, so this ends.
    if (outcome.refuses !== undefined && !without.has(outcome.refuses)) {
      without.add(outcome.refuses)
      continue
    }
    if (!retryable.has(outcome.failure) || attempts.failed >= options.retries) return outcome
    const waitMs = retryDelayMs(attempts.failed, outcome.retryAfterMs ?? null, options)
    if (waitMs === null || !options.mayRetry(outcome.failure)) return outcome
    attempts.failed++
    await pause(waitMs, signal)
  }
}

/** Full jitter below a doubling ceiling, and never sooner than the server asked for; null when that is later than we wait. */
export function retryDelayMs(
  attempt: number,
  retryAfterMs: number | null,
  options: Pick<ChatOptions, 'retryBaseMs' | 'retryMaxMs' | 'random'>,
): number | null {
  if (retryAfterMs !== null && retryAfterMs > options.retryMaxMs) return null
  const ceiling = Math.min(options.retryMaxMs, options.retryBaseMs * 2 ** Math.min(attempt, 30))
  return Math.max(retryAfterMs ?? 0, options.random() * ceiling)
}

async function attemptOnce(asked: unknown, options: ChatOptions, signal: AbortSignal | undefined): Promise<Attempt> {
  try {
    return await withDeadline(ending => exchange(asked, options, ending), { ms: options.timeoutMs, what: 'The model', signal })
  } catch (error) {
    signal?.throwIfAborted()
    return failed(error instanceof DeadlineError ? 'timeout' : 'network')
  }
}

async function exchange(asked: unknown, options: ChatOptions, signal: AbortSignal): Promise<Attempt> {
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...options.preset.headers(options.apiKey) }
  // A redirect could carry the key to another host.
  const body = JSON.stringify(asked)
  const response = await options.fetch(options.preset.url(options.model), { method: 'POST', headers, body, signal, redirect: 'error' })
  if (!response.ok) return refusal(response, options)
  const text = await readBounded(response, options.maxResponseBytes)
  return text === null ? failed('too_large') : readCompletion(text, options.preset, asked)
}

async function refusal(response: Response, options: ChatOptions): Promise<Attempt> {
  const { status } = response
  const error = serverError(parse((await readBounded(response, errorBytes)) ?? ''))
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), options.now())
  if (status === 429) return { ...failed(/quota|billing/i.test(`${error.code} ${error.type}`) ? 'quota' : 'rate_limited'), retryAfterMs }
  if (status === 408 || (status >= 500 && status !== 501)) {
    // Some answer what they cannot do with 500.
    return { ...failed(isTooLong(error) ? 'context_too_long' : 'server_error'), retryAfterMs }
  }
  if (isTooLong(error) || status === 413) return failed('context_too_long')
  const refuses = refusedFeature(error)
  // What is wrong with a key, a model's name or an address is told by other codes than what is wrong with one question.
  const failure = isFiltered(error) ? 'declined' : status === 400 || status === 422 ? 'question_refused' : 'refused'
  return { ...failed(failure), ...(refuses === null ? {} : { refuses }) }
}

function failed(failure: ChatFailure, usage = noUsage): Attempt & { ok: false } {
  return { ok: false, failure, usage }
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

function readCompletion(text: string, preset: Preset, asked: unknown): ChatOutcome {
  const body = parse(text)
  const completion = body === undefined ? null : preset.completion(body, asked)
  if (completion === null) return failed('not_json')
  const { content, end, promptTokens, completionTokens } = completion
  const usage = { promptTokens, completionTokens }
  // An answer cut off by the limit on tokens is not half an answer: its findings would be a biased sample.
  if (end !== 'complete') return failed(end, usage)
  return content.trim() === '' ? failed('empty', usage) : { ok: true, content, usage }
}

/** Seconds or a date; null when absent or meaningless. */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(header.trim())) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs)
}
