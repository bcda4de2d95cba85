/**
 * Requests to the issuer: each has a deadline and a bound for its answer. An issuer that does not answer, not in JSON, or
 * with a fault of its own is ISSUER_UNAVAILABLE for as long as it says; redirects are not followed.
 */

import { AppError } from '../platform/errors.js'
import type { Logger } from '../platform/logger.js'

export interface IssuerAnswer {
  status: number
  body: Record<string, unknown>
}

export type AskIssuer = (url: string, init?: { method?: string; headers?: Record<string, string>; body?: string }) => Promise<IssuerAnswer>

const answerBytes = 512 * 1024
const retrySeconds = { usual: 5, longest: 300 }

export function createIssuerRequests({ timeoutMs, logger }: { timeoutMs: number; logger: Logger }): AskIssuer {
  return async (url, init = {}) => {
    let response: Response | undefined
    try {
      const headers = { accept: 'application/json', ...init.headers }
      response = await fetch(url, { ...init, headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
      const body: unknown = JSON.parse(await boundedText(response))
      if (response.status >= 500 || response.status === 429) throw new Error(`answered ${response.status}`)
      if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Error('response is not a JSON object')
      return { status: response.status, body: body as Record<string, unknown> }
    } catch (error) {
      logger.warn({ err: error, url, status: response?.status }, 'request to OIDC issuer failed')
      throw unavailable(error, secondsIn(response?.headers.get('retry-after')))
    }
  }
}

export function unavailable(cause?: unknown, retryAfterSeconds = retrySeconds.usual): AppError {
  return new AppError('ISSUER_UNAVAILABLE', { retryAfterSeconds, cause })
}

/** What the issuer asks for, within reason. */
function secondsIn(retryAfter: string | null | undefined): number {
  const seconds = Number(retryAfter ?? '')
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, retrySeconds.longest) : retrySeconds.usual
}

async function boundedText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > answerBytes) throw new Error(`response exceeds ${answerBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
