/** What a call can throw besides programming mistakes: a refusal the service explained, or no answer at all. */

import type { components } from './api-types.js'

type Problem = components['schemas']['Problem']
export type ProblemCode = Problem['code']

/** The service answered with a problem. `code` is stable and made for programs. */
export class ProblemError extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly detail: string
  /** Which values of the request are wrong, by JSON pointer. */
  readonly errors: readonly { pointer: string; detail: string }[]
  /** Names the request in the service's logs; undefined when a proxy answered in its place. */
  readonly requestId: string | undefined

  constructor(problem: Pick<Problem, 'code' | 'status' | 'detail' | 'errors'> & { request_id?: string | undefined }) {
    super(`${problem.code}: ${problem.detail}`)
    this.name = 'ProblemError'
    this.code = problem.code
    this.status = problem.status
    this.detail = problem.detail
    this.errors = problem.errors ?? []
    this.requestId = problem.request_id
  }
}

/** The service could not be reached, or the connection broke before it answered. */
export class ConnectionError extends Error {
  readonly url: string

  constructor(url: string, cause: unknown) {
    super(`no answer from ${url}: ${reasonOf(cause)}`, { cause })
    this.name = 'ConnectionError'
    this.url = url
  }
}

export function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'status' in body && 'detail' in body
}

/** Answers of proxies have no problem body; their status still says what happened. */
export function problemFrom(body: unknown, response: Response): ProblemError {
  if (isProblem(body)) return new ProblemError(body)
  const code: ProblemCode = response.status === 429 ? 'RATE_LIMITED' : response.status === 503 ? 'OVERLOADED' : 'INTERNAL'
  const detail = `The answer has status ${response.status} and is not from the service.`
  return new ProblemError({ code, status: response.status, detail, request_id: response.headers.get('x-request-id') ?? undefined })
}

/** What fetch throws says only that it failed; the reason is in its cause. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const inner: unknown = cause.cause
  if (!(inner instanceof Error)) return cause.message
  return inner.message || ('code' in inner ? String(inner.code) : cause.message)
}
