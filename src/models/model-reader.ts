/**
 * A model behind its bounds: so many questions at once, so many more in line, a breaker for each tenant whose questions keep
 * failing, a limit on tokens. It never stands in the way: whatever the model does, slow, wrong or absent, there is an outcome, and without
 * an answer the reading of the rules stands.
 */
import type { Answer } from './answer-schema.js'
import { jsonIn } from './answer-text.js'
import {
  type Attempts,
  askModel,
  type ChatFailure,
  type ChatOptions,
  type ChatOutcome,
  noAttempts,
  type TokenUsage,
} from './chat-client.js'
import { type BreakerState, tenantBreakers } from './circuit-breaker.js'
import { fetchWithoutLimit } from './fetch-without-limit.js'
import { limiter } from './limiter.js'
import { type PresetName, presetFor } from './presets.js'
import { estimatedTokens, type Question } from './question.js'

export interface ModelReaderOptions {
  /** The server's base address. */
  url: string
  preset: PresetName
  name: string
  apiKey: string | null
  /** Longest one attempt may take, body included. */
  timeoutMs: number
  /** Further attempts after the first. */
  retries: number
  concurrency: number
  /** Longest answer. */
  maxTokens: number
  retryBaseMs?: number
  breakerFailures?: number
  fetch?: typeof fetch
  now?: () => number
  random?: () => number
}

export type NoAnswer = ChatFailure | 'breaker_open' | 'queue_full' | 'invalid_answer'

export type Asked<Part = unknown> = { answer: Answer<Part>; usage: TokenUsage } | { answer: null; reason: NoAnswer; usage: TokenUsage }

export interface ModelStats extends TokenUsage {
  asked: number
  answered: number
  unanswered: Partial<Record<NoAnswer, number>>
  retries: number
  running: number
  waiting: number
  /** Tenants whose breaker is in this state. */
  breakers: Record<Exclude<BreakerState, 'closed'>, number>
  /** Whose questions are not asked because the model keeps failing, or failed a while ago, and since when. */
  down: { tenantIds: string[]; sinceMs: number } | null
}

/** Whose question it is: what goes wrong with it stops nobody else. */
export interface Asker {
  tenantId: string
  signal?: AbortSignal
  /** Whether what the question shows may still be shown: asked before each attempt. */
  mayShow?: () => Promise<boolean>
  /** Of a question that is put again after `mayShow` ended it: all its attempts together are bounded. */
  attempts?: Attempts
}

export interface ModelReader {
  /** `model:<name>`: who found what it found. */
  readonly foundBy: string
  /** Rejects only when `signal` ends it or `mayShow` does. */
  ask<Part>(question: Question<Part>, asker: Asker): Promise<Asked<Part>>
  /** What the server has refused to take so far. */
  refuses(): string[]
  stats(): ModelStats
}

/** Failures that say something about one question, not about the server. */
const harmless: ReadonlySet<NoAnswer> = new Set([
  ...(['truncated', 'too_large', 'declined', 'context_too_long', 'question_refused', 'withdrawn'] as const),
])

const always = async (): Promise<boolean> => true

export function createModelReader(options: ModelReaderOptions): ModelReader {
  const { concurrency, maxTokens, timeoutMs, retries, now = Date.now, random = Math.random } = options
  const breakers = tenantBreakers({ failures: options.breakerFailures ?? 5, openMs: 30_000, now })
  // Questions beyond those that may wait are not asked.
  const turns = limiter({ concurrency, queueLimit: concurrency * 64 })
  const counts = { asked: 0, answered: 0, retries: 0, promptTokens: 0, completionTokens: 0 }
  const unanswered: ModelStats['unanswered'] = {}
  const chat: Omit<ChatOptions, 'mayRetry' | 'mayShow' | 'attempts'> = {
    preset: presetFor(options.preset, options.url),
    model: options.name,
    maxTokens,
    apiKey: options.apiKey === '' ? null : options.apiKey,
    timeoutMs,
    retries,
    retryBaseMs: options.retryBaseMs ?? 500,
    retryMaxMs: 30_000,
    // A token is rarely more than eight bytes of JSON, escaped once more inside the answer.
    maxResponseBytes: 64 * 1024 + maxTokens * 16,
    without: new Set(),
    fetch: options.fetch ?? fetchWithoutLimit(),
    now,
    random,
  }

  /** Asks if the tenant's breaker admits it, and reports the outcome to that breaker. */
  const consult = async <Part>(question: Question<Part>, asker: Asker): Promise<Asked<Part>> => {
    const { tenantId, signal, mayShow = always, attempts = noAttempts() } = asker
    const breaker = breakers.of(tenantId)
    if (!breaker.admits()) return without('breaker_open')
    let isUntold = false
    const mayRetry = (failure: ChatFailure): boolean => {
      // One that hangs takes the whole time of each attempt: were only questions counted, it would be asked for half an hour.
      if (failure === 'timeout') breaker.failed()
      else isUntold = true
      if (breaker.state() === 'open') return false
      counts.retries++
      return true
    }
    try {
      const asked = read(await askModel(question, { ...chat, mayRetry, mayShow, attempts }, signal), question)
      if (asked.answer !== null) breaker.succeeded()
      else if (harmless.has(asked.reason)) breaker.withdrawn()
      else breaker.failed()
      return asked
    } catch (error) {
      // What ends it says nothing about the model; an attempt that failed before does.
      if (isUntold) breaker.failed()
      else breaker.withdrawn()
      throw error
    }
  }
  return {
    foundBy: `model:${options.name}`,
    async ask(question, asker) {
      const { signal } = asker
      signal?.throwIfAborted()
      const asked = (await turns.run(() => consult(question, asker), signal)) ?? without('queue_full')
      signal?.throwIfAborted()
      counts.asked++
      counts.promptTokens += asked.usage.promptTokens
      counts.completionTokens += asked.usage.completionTokens
      if (asked.answer === null) unanswered[asked.reason] = (unanswered[asked.reason] ?? 0) + 1
      else counts.answered++
      return asked
    },
    refuses: () => [...chat.without],
    stats: () => ({
      ...counts,
      unanswered: { ...unanswered },
      running: turns.running(),
      waiting: turns.waiting(),
      breakers: breakers.states(),
      down: breakers.down(),
    }),
  }
}

function read<Part>(outcome: ChatOutcome, question: Question<Part>): Asked<Part> {
  const usage = costOf(outcome, question)
  if (!outcome.ok) return { answer: null, reason: outcome.failure, usage }
  const answer = question.form.read(jsonIn(outcome.content))
  return answer === null ? { answer, reason: 'invalid_answer', usage } : { answer, usage }
}

/** Many servers do not say what an answer cost: limits would never be reached, and nobody would be told what was sent. Then it is estimated. */
function costOf(outcome: ChatOutcome, question: Question): TokenUsage {
  const { promptTokens, completionTokens } = outcome.usage
  const isAnswered = outcome.ok || outcome.failure === 'truncated' || outcome.failure === 'empty'
  if (!isAnswered || promptTokens > 0) return outcome.usage
  const answer = { role: 'user' as const, content: outcome.ok ? outcome.content : '' }
  return { promptTokens: estimatedTokens(question), completionTokens: completionTokens || estimatedTokens({ messages: [answer] }) }
}

function without(reason: NoAnswer): Asked<never> {
  return { answer: null, reason, usage: { promptTokens: 0, completionTokens: 0 } }
}
