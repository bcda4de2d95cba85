/**
 * An additional extractor behind any OpenAI-compatible endpoint. It never stands in the way: whatever the model does, slow, wrong,
 * absent, the answer is an extraction, the model's claims if they hold up in the text, else the deterministic one.
 */
import { createHash } from 'node:crypto'
import type { DocumentInput, Extraction } from '../analysis/types.js'
import { askModel, type ChatFailure, type ChatOptions, type ChatOutcome, parse, type TokenUsage } from './chat-client.js'
import { type BreakerState, type CircuitBreaker, circuitBreaker } from './circuit-breaker.js'
import { readAnswer } from './claims-schema.js'
import { type Limiter, limiter } from './limiter.js'
import { mergeClaims } from './merge-claims.js'
import { claimsRequest, promptVersion } from './prompt.js'

export interface ModelExtractorOptions {
  /** The endpoint's base (`https://host/v1`) or its chat completions address. */
  url: string
  name: string
  apiKey: string | null
  /** Longest one attempt may take, body included. */
  timeoutMs: number
  /** Further attempts after the first. */
  retries: number
  concurrency: number
  maxOutputTokens: number
  /** Documents that may wait for a turn; more than that are read without the model. */
  queueLimit?: number
  /** Longer texts are read without the model. */
  maxInputCharacters?: number
  retryBaseMs?: number
  retryMaxMs?: number
  breakerFailures?: number
  breakerOpenMs?: number
  fetch?: typeof fetch
  now?: () => number
  random?: () => number
  /** Told of every answer that cost tokens, used or not. */
  onUsage?: (usage: TokenUsage) => void
}

export type FallbackReason = ChatFailure | 'breaker_open' | 'queue_full' | 'input_too_long' | 'invalid_answer' | 'nothing_grounded'

export interface ModelExtraction {
  extraction: Extraction
  usage: TokenUsage
  source: 'model' | 'fallback'
  /** Claims of the model that were not used: not of the agreed form, or not in the text. */
  dropped: number
  /** Why the model was not used; null when it was. */
  reason: FallbackReason | null
}

export interface ModelStats extends TokenUsage {
  extractions: number
  fromModel: number
  fallbacks: Partial<Record<FallbackReason, number>>
  retries: number
  dropped: number
  running: number
  waiting: number
  breaker: BreakerState
}

export interface ModelExtractor {
  readonly id: string
  readonly version: string
  /** Rejects only when `signal` ends it or `fallback` fails. */
  extract(input: DocumentInput, fallback: () => Extraction | Promise<Extraction>, signal?: AbortSignal): Promise<ModelExtraction>
  /** Names what `extract` gives for a document; `deterministic` is the extractor and version that the rest comes from. Results with source `fallback` are not to be kept under it. */
  cacheKey(input: DocumentInput, deterministic: string): string
  stats(): ModelStats
}

type Answer =
  | { reason: null; extraction: Extraction; dropped: number; usage: TokenUsage }
  | { reason: FallbackReason; dropped: number; usage: TokenUsage }

/** Failures that say something about one document, not about the endpoint. */
const harmless: ReadonlySet<FallbackReason> = new Set([
  'truncated',
  'too_large',
  'nothing_grounded',
  'queue_full',
  'breaker_open',
  'input_too_long',
])

export function createModelExtractor(options: ModelExtractorOptions): ModelExtractor {
  return new ChatModelExtractor(options)
}

class ChatModelExtractor implements ModelExtractor {
  readonly id: string
  readonly version = promptVersion
  private readonly options: ModelExtractorOptions
  private readonly chat: ChatOptions
  private readonly breaker: CircuitBreaker
  private readonly turns: Limiter
  private readonly counts = { extractions: 0, fromModel: 0, retries: 0, dropped: 0, promptTokens: 0, completionTokens: 0 }
  private readonly fallbacks: ModelStats['fallbacks'] = {}

  constructor(options: ModelExtractorOptions) {
    const now = options.now ?? Date.now
    this.id = `model:${options.name}`
    this.options = options
    this.breaker = circuitBreaker({ failures: options.breakerFailures ?? 5, openMs: options.breakerOpenMs ?? 30_000, now })
    this.turns = limiter({ concurrency: options.concurrency, queueLimit: options.queueLimit ?? options.concurrency * 16 })
    this.chat = {
      url: chatUrl(options.url),
      apiKey: options.apiKey === '' ? null : options.apiKey,
      timeoutMs: options.timeoutMs,
      retries: options.retries,
      retryBaseMs: options.retryBaseMs ?? 500,
      retryMaxMs: options.retryMaxMs ?? 30_000,
      // A token is rarely more than eight bytes of JSON, escaped once more inside the answer.
      maxResponseBytes: 64 * 1024 + options.maxOutputTokens * 16,
      fetch: options.fetch ?? fetch,
      now,
      random: options.random ?? Math.random,
      onRetry: () => {
        this.counts.retries++
      },
    }
  }

  async extract(input: DocumentInput, fallback: () => Extraction | Promise<Extraction>, signal?: AbortSignal): Promise<ModelExtraction> {
    signal?.throwIfAborted()
    const deterministic = await fallback()
    const isTooLong = input.text.length > (this.options.maxInputCharacters ?? 100_000)
    const answer = isTooLong
      ? unasked('input_too_long')
      : ((await this.turns.run(() => this.consult(input, deterministic, signal), signal)) ?? unasked('queue_full'))
    signal?.throwIfAborted()
    return this.settle(answer, deterministic)
  }

  cacheKey(input: DocumentInput, deterministic: string): string {
    const parts = [this.id, this.version, deterministic, input.type, input.name, input.source, input.text]
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  }

  stats(): ModelStats {
    const now = { running: this.turns.running(), waiting: this.turns.waiting(), breaker: this.breaker.state() }
    return { ...this.counts, fallbacks: { ...this.fallbacks }, ...now }
  }

  /** Asks if it may, and tells the breaker how it went. */
  private async consult(input: DocumentInput, deterministic: Extraction, signal?: AbortSignal): Promise<Answer> {
    if (!this.breaker.admits()) return unasked('breaker_open')
    try {
      const outcome = await askModel(claimsRequest(input, this.options), this.chat, signal)
      if (outcome.usage.promptTokens + outcome.usage.completionTokens > 0) this.options.onUsage?.(outcome.usage)
      const answer = this.judge(outcome, input, deterministic)
      if (answer.reason === null) this.breaker.succeeded()
      else if (harmless.has(answer.reason)) this.breaker.withdrawn()
      else this.breaker.failed()
      return answer
    } catch (error) {
      this.breaker.withdrawn()
      throw error
    }
  }

  private judge(outcome: ChatOutcome, { text }: DocumentInput, deterministic: Extraction): Answer {
    const { usage } = outcome
    if (!outcome.ok) return { reason: outcome.failure, dropped: 0, usage }
    const answer = readAnswer(parse(outcome.content))
    if (answer === null || (answer.claims.length === 0 && answer.refused > 0)) {
      return { reason: 'invalid_answer', dropped: answer?.refused ?? 0, usage }
    }
    const version = `${this.version}+${deterministic.extractor}@${deterministic.version}`
    const merged = mergeClaims({ text, claims: answer.claims, deterministic, extractor: this.id, version })
    const dropped = answer.refused + merged.dropped
    if (merged.extraction.claims.length === 0 && dropped > 0) return { reason: 'nothing_grounded', dropped, usage }
    return { reason: null, extraction: merged.extraction, dropped, usage }
  }

  private settle(answer: Answer, deterministic: Extraction): ModelExtraction {
    const { usage, dropped, reason } = answer
    this.counts.extractions++
    this.counts.dropped += dropped
    this.counts.promptTokens += usage.promptTokens
    this.counts.completionTokens += usage.completionTokens
    if (answer.reason === null) {
      this.counts.fromModel++
      return { extraction: answer.extraction, usage, source: 'model', dropped, reason }
    }
    this.fallbacks[answer.reason] = (this.fallbacks[answer.reason] ?? 0) + 1
    return { extraction: deterministic, usage, source: 'fallback', dropped, reason }
  }
}

function unasked(reason: FallbackReason): Answer {
  return { reason, dropped: 0, usage: { promptTokens: 0, completionTokens: 0 } }
}

function chatUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new TypeError('The model needs an http or https address')
  if (url.username !== '' || url.password !== '') throw new TypeError('The address of the model must not hold a user or password')
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`
  return url.href
}
