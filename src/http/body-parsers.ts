/** What bodies are read: JSON as a value that can be stored, forms by the operation itself, and nothing else. */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.js'
import { findUnstorable, parseJson, readBody } from './json-body.js'
import type { RequestsInProgress } from './requests-in-progress.js'
import { validationFailed } from './validation.js'

/** The sender is not authenticated, and a code of an issuer is short. */
const anonymousBytes = 32 * 1024

interface BodyReading {
  inProgress: RequestsInProgress
  /** `Expect: 100-continue` is answered only now, after every check has passed. */
  sendContinue(message: FastifyRequest['raw']): void
}

export function acceptKnownBodies(app: FastifyInstance, limitBytes: number, { inProgress, sendContinue }: BodyReading): void {
  app.removeAllContentTypeParsers()
  // Read by the operation itself, as it comes.
  app.addContentTypeParser(/^multipart\/form-data(?:\s*;|$)/i, async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    if (request.operation?.upload === undefined) return nothingElse(request)
    sendContinue(payload)
    return undefined
  })
  app.addContentTypeParser(/^application\/json(?:\s*;|$)/i, async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    if (request.operation?.upload !== undefined) return nothingElse(request)
    refuseEncoded(request)
    sendContinue(payload)
    const { outer, limitBytes: ownLimit = 0 } = request.operation?.body ?? {}
    const most = request.operation?.credential === 'none' ? anonymousBytes : Math.max(limitBytes, ownLimit)
    const limits = { limitBytes: most, arrive: (length: number) => inProgress.arrive(request, length) }
    const bytes = await readBody(payload, limits)
    if (bytes.length === 0) return undefined
    const value = parseJson(bytes)
    // Both faults can only be written as escapes, so most bodies are not searched.
    if (outer === undefined && bytes.includes('\\u')) {
      const faults = findUnstorable(value)
      if (faults.length > 0) throw validationFailed(faults)
    }
    return value
  })
  app.addContentTypeParser('*', async (request: FastifyRequest) => nothingElse(request))
}

/** Of another type only a body without bytes passes: it is none, whatever type a client puts on it. */
function nothingElse({ headers, operation }: FastifyRequest): undefined {
  if (headers['content-length'] === '0' && headers['transfer-encoding'] === undefined) return undefined
  const type = operation?.upload === undefined ? 'application/json' : 'multipart/form-data'
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: `Send ${type}.` })
}

function refuseEncoded({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: 'Send the body without Content-Encoding.' })
  }
  const charset = /charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: 'Send application/json in UTF-8.' })
}
