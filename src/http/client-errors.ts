/** Requests that are not HTTP, or do not arrive: answered on the bare socket, in the shape of every other problem. */

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ProblemCode, problems } from '../contract/problems.js'
import { AppError } from '../platform/errors.js'
import { problemBody } from './problem.js'

const byNodeCode: Record<string, ProblemCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
}

export function answerClientError(requestId: (given: undefined) => string) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    // Closed, or in the middle of an answer: no response is possible. A connection that has answered before can still get one.
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || isAnswering(socket)) {
      socket.destroy()
      return
    }
    const code = byNodeCode[error.code ?? ''] ?? 'VALIDATION_FAILED'
    const detail = code === 'VALIDATION_FAILED' ? 'The request is not valid HTTP.' : undefined
    socket.end(bareAnswer(new AppError(code, { detail }), requestId(undefined)))
  }
}

/** A whole answer as bytes, for sockets that carry no request of ours. */
export function bareAnswer(error: AppError, id: string, headers: Record<string, string> = {}): string {
  const body = JSON.stringify(problemBody(error, id))
  const { status } = problems[error.code]
  const more = Object.entries(status === 503 ? { 'Retry-After': '1', ...headers } : headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${id}\r\n${more.join('')}` +
    `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  )
}

interface HttpSocket extends Socket {
  /** The response in progress; without a handler Node itself decides by it. */
  _httpMessage?: { headersSent: boolean } | null
  parser?: { incoming?: { complete: boolean } | null } | null
}

/** Also when the answer went out before the body had come: a second one would be taken for that of the next request. */
function isAnswering({ _httpMessage: answer, parser }: HttpSocket): boolean {
  const inBody = parser?.incoming?.complete === false
  return answer ? answer.headersSent : inBody
}
