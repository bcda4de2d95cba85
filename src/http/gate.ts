/** Who may pass: the credential first, then the limits. Calls back in the same turn when nothing has to be asked. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../contract/operation.js'
import type { Clock } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import { AppError, isAppError } from '../platform/errors.js'
import { tooManyFailures } from '../tenancy/directory.js'
import type { Authenticator, Caller } from './auth.js'
import { createRateLimit } from './rate-limit.js'

interface GateDeps {
  clock: Clock
  config: Pick<Config, 'rateLimitPerSecond' | 'authFailuresPerSecond'>
  authenticate: Authenticator
}

export function createGate(deps: GateDeps) {
  const limit = createRateLimit(deps.clock)
  const failures = createRateLimit(deps.clock)
  const { rateLimitPerSecond, authFailuresPerSecond } = deps.config
  const policy = `"requests";q=${rateLimitPerSecond};w=1`

  const refuse = (request: FastifyRequest, error: unknown): unknown => {
    const guessing = isAppError(error) && isAuthFailure(error)
    return guessing && failures.take(request.ip, authFailuresPerSecond) < 0 ? tooManyFailures() : error
  }
  const letIn = (request: FastifyRequest, reply: FastifyReply, caller: Caller): AppError | undefined => {
    request.caller = caller
    const left = limit.take(caller.credential, rateLimitPerSecond)
    if (caller.requestsPerSecond !== null && caller.requestsPerSecond < rateLimitPerSecond) return letInTenant(reply, caller, left)
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"requests";r=${Math.max(0, left)};t=1`)
    return left < 0 ? tooMany(rateLimitPerSecond) : undefined
  }
  /** A tenant's own limit holds for all its keys together, and for nobody else who acts for other tenants as well. */
  const letInTenant = (reply: FastifyReply, caller: Caller, leftOfCredential: number): AppError | undefined => {
    const own = caller.requestsPerSecond as number
    const left = Math.min(limit.take(`tenant ${caller.tenantId}`, own), leftOfCredential)
    reply.header('ratelimit-policy', `"requests";q=${own};w=1`)
    reply.header('ratelimit', `"requests";r=${Math.max(0, left)};t=1`)
    return left < 0 ? tooMany(own) : undefined
  }
  return (operation: Operation, request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    let caller: Caller | Promise<Caller>
    // An address that has guessed too often costs no more queries, except for keys that were found before.
    const admitted = failures.left(request.ip, authFailuresPerSecond) > 0 ? 'all' : 'known'
    try {
      caller = deps.authenticate(operation, request, admitted)
    } catch (error) {
      done(refuse(request, error) as Error)
      return
    }
    if (caller instanceof Promise) {
      caller.then(
        known => done(letIn(request, reply, known)),
        (error: unknown) => done(refuse(request, error) as Error),
      )
    } else done(letIn(request, reply, caller))
  }
}

function tooMany(allowed: number): AppError {
  return new AppError('RATE_LIMITED', { detail: `At most ${allowed} requests a second are allowed (requests_per_second).` })
}

function isAuthFailure(error: AppError): boolean {
  return ['AUTH_INVALID', 'AUTH_MISSING', 'TENANT_KEY_INVALID', 'TENANT_UNKNOWN', 'TENANT_MISMATCH', 'TIER_INSUFFICIENT'].includes(
    error.code,
  )
}
