/** What bodies are read: JSON as a value that can be stored, forms by the operation itself, and nothing else. */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../platform/config.js'
import { AppError } from '../platform/errors.js'
import { discardBody, findUnstorable, parseJson, readBody, tooLarge } from './json-body.js'
import type { RequestsInProgress } from './requests-in-progress.js'
import { validationFailed } from './validation.js'

/** The sender is not authenticated, and a code of an issuer is short. */
const anonymousBytes = 32 * 1024

type Limits = Pick<Config, 'bodyLimitBytes' | 'maxFileBytes'>

interface BodyReading {
  inProgress: RequestsInProgress
  /** `Expect: 100-continue` is answered only now, after every check has passed. */
  sendContinue(message: FastifyRequest['raw']): void
}

export function acceptKnownBodies(app: FastifyInstance, limits: Limits, { inProgress, sendContinue }: BodyReading): void {
  app.removeAllContentTypeParsers()
  // Read by the operation itself, as it comes.
  app.addContentTypeParser(/^multipart\/form-data(?:\s*;|$)/i, async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    if (request.operation?.upload === undefined) return nothingElse(request, limits)
    sendContinue(payload)
    return undefined
  })
  app.addContentTypeParser(/^application\/json(?:\s*;|$)/i, async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    if (request.operation?.upload !== undefined) return nothingElse(request, limits)
    const { outer, limitBytes: ownLimit = 0 } = request.operation?.body ?? {}
    const most = request.operation?.credential === 'none' ? anonymousBytes : Math.max(limits.bodyLimitBytes, ownLimit)
    const refusal = refusalOfEncoded(request) ?? refusalOfLength(request, most)
    if (refusal !== undefined) return refuse(request, refusal, limits)
    sendContinue(payload)
    const bytes = await readBody(payload, { limitBytes: most, arrive: length => inProgress.arrive(request, length) })
    if (bytes.length === 0) return undefined
    const value = parseJson(bytes)
    // Both faults can only be written as escapes, so most bodies are not searched.
    if (outer === undefined && bytes.includes('\\u')) {
      const faults = findUnstorable(value)
      if (faults.length > 0) throw validationFailed(faults)
    }
    return value
  })
  app.addContentTypeParser('*', async (request: FastifyRequest) => nothingElse(request, limits))
}

/** Of another type only a body without bytes passes: it is none, whatever type a client puts on it. */
async function nothingElse(request: FastifyRequest, limits: Limits): Promise<undefined> {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
  if (length === '0' && encoding === undefined) return undefined
  const type = request.operation?.upload === undefined ? 'application/json' : 'multipart/form-data'
  return refuse(request, new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: `Send ${type}.` }), limits)
}

/**
 * The connection is closed with what is thrown here: a client that still sends would see it reset instead of the answer. One
 * that asked before sending is told at once.
 */
async function refuse({ raw, operation }: FastifyRequest, refusal: AppError, limits: Limits): Promise<never> {
  if (raw.headers.expect === undefined)
    await discardBody(raw, operation?.upload === undefined ? limits.bodyLimitBytes : limits.maxFileBytes)
  throw refusal
}

/** Known before anything of it has come: a client that asks first sends nothing. */
function refusalOfLength({ headers }: FastifyRequest, limitBytes: number): AppError | undefined {
  return Number(headers['content-length'] ?? 0) > limitBytes ? tooLarge(limitBytes) : undefined
}

function refusalOfEncoded({ headers }: FastifyRequest): AppError | undefined {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: 'Send the body without Content-Encoding.' })
  const charset = /charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1]
  return charset === undefined || /^utf-?8$/i.test(charset)
    ? undefined
    : new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: 'Send application/json in UTF-8.' })
}
