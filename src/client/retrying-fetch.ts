/**
 * Fetch that tries again. What certainly was not done (429, 503 `OVERLOADED`) is repeated always; what may have been done
 * (a broken connection, 502, 504, other 503) only where repeating changes nothing: reads, PUT and requests with an
 * idempotency key. `Retry-After` is honoured. Attempts and time are bounded. Event streams pass through untouched, and archives
 * once they have begun: they may be larger than memory and take longer than an answer may, and whoever asks goes on where one broke off.
 */

import { type Backoff, backoffMs, wait } from './backoff.js'
import { ConnectionError, isProblem } from './problem-error.js'

export interface RetryPolicy extends Backoff {
  /** Most attempts, the first one included. */
  attempts: number
  /** No attempt begins later than this after the first. */
  deadlineMs: number
  /** Longest one attempt may take, apart from what it takes to send and read bodies over a slow line. */
  timeoutMs: number
  /** Called before each wait, to show progress. */
  onRetry?: ((failure: { failures: number; status: number | undefined }) => void) | undefined
}

export const defaultRetries: RetryPolicy = { attempts: 5, baseMs: 200, maxMs: 5_000, deadlineMs: 60_000, timeoutMs: 60_000 }

export type Fetch = (input: string, init: RequestInit) => Promise<Response>

/** `text` of failures alone: what else is read may be a file. */
type Attempt = { answer: Response; text: string } | { failure: unknown }

export function retryingFetch(fetchOnce: Fetch, policy: RetryPolicy): (request: Request) => Promise<Response> {
  return async request => {
    const { url, method, headers, signal } = request
    if (headers.get('accept') === 'text/event-stream') return openStream(fetchOnce, request)
    const isRead = method === 'GET' || method === 'HEAD'
    const init = { method, headers, signal, body: isRead ? null : await bodyOf(request) }
    const repeatable = isRead || method === 'PUT' || headers.has('idempotency-key')
    const startedAt = performance.now()
    for (let failures = 1; ; failures++) {
      const attempt = await attemptOnce(fetchOnce, url, init, policy.timeoutMs)
      const waitMs = backoffMs(policy, failures) + retryAfterMs(attempt)
      const inTime = performance.now() - startedAt + waitMs <= policy.deadlineMs
      if (!inTime || failures >= policy.attempts || !shouldRepeat(attempt, repeatable)) return outcome(attempt, request)
      policy.onRetry?.({ failures, status: 'answer' in attempt ? attempt.answer.status : undefined })
      await wait(waitMs, signal)
      signal.throwIfAborted()
    }
  }
}

/** Forms carry files, which are bytes and no text. */
async function bodyOf(request: Request): Promise<string | ArrayBuffer | null> {
  if (request.headers.get('content-type')?.startsWith('multipart/')) return request.arrayBuffer()
  return (await request.text()) || null
}

async function openStream(fetchOnce: Fetch, { url, headers, signal }: Request): Promise<Response> {
  try {
    return await fetchOnce(url, { headers, signal })
  } catch (error) {
    throw new ConnectionError(new URL(url).origin, error)
  }
}

export const archiveType = 'application/zip'

/** Over a line as slow as the service puts up with, a body takes so long; whatever its size, an attempt ends after ten minutes. */
const leastBytesPerMs = 16
const longestAttemptMs = 10 * 60_000

function attemptMs(timeoutMs: number, bytes: number): number {
  return Math.max(timeoutMs, Math.min(longestAttemptMs, timeoutMs + bytes / leastBytesPerMs))
}

function sizeOf(body: RequestInit['body']): number {
  return typeof body === 'string' ? body.length : body instanceof ArrayBuffer ? body.byteLength : 0
}

/** The body is read here, so that a connection that breaks in the middle of it counts as broken; that of an archive is not. */
async function attemptOnce(
  fetchOnce: Fetch,
  url: string,
  init: RequestInit & { signal: AbortSignal; headers: Headers },
  timeoutMs: number,
): Promise<Attempt> {
  const controller = new AbortController()
  const abort = () => controller.abort(init.signal.reason)
  init.signal.addEventListener('abort', abort)
  if (init.signal.aborted) abort()
  let hasBegun = false
  const sent = sizeOf(init.body)
  const startedAt = performance.now()
  const endAfter = (ms: number) =>
    setTimeout(() => controller.abort(new Error(`no answer within ${Math.round(ms)} ms`)), ms - (performance.now() - startedAt))
  let timer = endAfter(attemptMs(timeoutMs, sent))
  try {
    const response = await fetchOnce(url, { ...init, signal: controller.signal })
    hasBegun = response.ok && init.headers.get('accept') === archiveType
    if (hasBegun) return { answer: response, text: '' }
    clearTimeout(timer)
    timer = endAfter(attemptMs(timeoutMs, sent + (Number(response.headers.get('content-length')) || 0)))
    const bytes = await response.arrayBuffer()
    const { status, statusText, headers } = response
    const text = status >= 500 ? new TextDecoder().decode(bytes) : ''
    return { answer: new Response(status === 204 || status === 304 ? null : bytes, { status, statusText, headers }), text }
  } catch (failure) {
    init.signal.throwIfAborted()
    return { failure }
  } finally {
    clearTimeout(timer)
    // Of what has begun the rest can still be called off.
    if (!hasBegun) init.signal.removeEventListener('abort', abort)
  }
}

function shouldRepeat(attempt: Attempt, repeatable: boolean): boolean {
  if ('failure' in attempt) return repeatable
  const { status } = attempt.answer
  if (status === 429) return true
  if (status === 502 || status === 504) return repeatable
  if (status !== 503) return false
  const code = codeOf(attempt.text)
  return code === 'OVERLOADED' || (repeatable && code !== 'TIER_DISABLED' && code !== 'health')
}

/** A health route that answers 503 with its own body has answered; a body that is no JSON comes from a proxy. */
function codeOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    return isProblem(body) ? body.code : 'health'
  } catch {
    return 'proxy'
  }
}

function retryAfterMs(attempt: Attempt): number {
  const header = 'answer' in attempt ? attempt.answer.headers.get('retry-after') : null
  if (header === null) return 0
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}

function outcome(attempt: Attempt, request: Request): Response {
  if ('answer' in attempt) return attempt.answer
  throw new ConnectionError(new URL(request.url).origin, attempt.failure)
}
