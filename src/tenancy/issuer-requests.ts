/**
 * Requests to the issuer: each has a deadline, a bound for its answer, and few run at once. An issuer that does not
 * answer, or not in JSON, is ISSUER_UNAVAILABLE; redirects are not followed.
 */

import { AppError } from '../platform/errors.js'
import type { Logger } from '../platform/logger.js'

export interface IssuerAnswer {
  status: number
  body: Record<string, unknown>
}

export type AskIssuer = (url: string, init?: { method?: string; headers?: Record<string, string>; body?: string }) => Promise<IssuerAnswer>

const answerBytes = 512 * 1024
const requestsAtOnce = 32

export function createIssuerRequests({ timeoutMs, logger }: { timeoutMs: number; logger: Logger }): AskIssuer {
  let running = 0
  return async (url, init = {}) => {
    if (running >= requestsAtOnce) throw new AppError('OVERLOADED', { detail: 'Too many people sign in at once.' })
    running++
    try {
      const headers = { accept: 'application/json', ...init.headers }
      const response = await fetch(url, { ...init, headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
      const body: unknown = JSON.parse(await boundedText(response))
      if (response.status >= 500) throw new Error(`answered ${response.status}`)
      if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Error('answered with something else than an object')
      return { status: response.status, body: body as Record<string, unknown> }
    } catch (error) {
      logger.warn({ err: error, url }, 'the issuer failed')
      throw unavailable(error)
    } finally {
      running--
    }
  }
}

export function unavailable(cause?: unknown): AppError {
  return new AppError('ISSUER_UNAVAILABLE', { retryAfterSeconds: 5, cause })
}

async function boundedText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > answerBytes) throw new Error(`answered with more than ${answerBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
