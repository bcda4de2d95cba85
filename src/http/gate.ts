/** Who may pass: the credential first, then the limits. Calls back in the same turn when nothing has to be asked. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../contract/operation.js'
import type { Clock } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import { AppError, isAppError } from '../platform/errors.js'
import { networkOf } from '../platform/network.js'
import { tooManyFailures } from '../tenancy/directory.js'
import type { Authenticator, Caller } from './auth.js'
import { createRateLimit } from './rate-limit.js'

interface GateDeps {
  clock: Clock
  config: Pick<Config, 'rateLimitPerSecond' | 'authFailuresPerSecond'>
  authenticate: Authenticator
  /** Nodes that serve requests: each allows its share of a limit, so that all together allow the limit. */
  servingNodes?: () => number
}

export function createGate(deps: GateDeps) {
  const limit = createRateLimit(deps.clock)
  const failures = createRateLimit(deps.clock)
  const { rateLimitPerSecond, authFailuresPerSecond } = deps.config
  const policy = `"requests";q=${rateLimitPerSecond};w=1`
  const shareOf = (allowed: number): number => Math.ceil(allowed / (deps.servingNodes?.() ?? 1))

  const refuse = (request: FastifyRequest, error: unknown): unknown => {
    const guessing = isAppError(error) && isAuthFailure(error)
    return guessing && failures.take(networkOf(request.ip), authFailuresPerSecond) < 0 ? tooManyFailures() : error
  }
  const letIn = (request: FastifyRequest, reply: FastifyReply, caller: Caller): AppError | undefined => {
    request.caller = caller
    const allowed = allowedTo(caller)
    reply.header('ratelimit-policy', allowed === rateLimitPerSecond ? policy : `"requests";q=${allowed};w=1`)
    const left = count(caller, allowed)
    reply.header('ratelimit', `"requests";r=${Math.max(0, left)};t=1`)
    return left < 0 ? tooMany(allowed) : undefined
  }
  const allowedTo = ({ requestsPerSecond: own }: Caller): number => (own !== null && own < rateLimitPerSecond ? own : rateLimitPerSecond)
  /** A tenant's own limit holds for all its keys together, not for callers who act for other tenants as well. */
  const count = (caller: Caller, allowed: number): number => {
    const left = limit.take(caller.credential, shareOf(rateLimitPerSecond))
    return allowed === rateLimitPerSecond ? left : Math.min(limit.take(`tenant ${caller.tenantId}`, shareOf(allowed)), left)
  }
  const admit = (operation: Operation, request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    let caller: Caller | Promise<Caller>
    // An address that has guessed too often costs no more queries, except for keys that were found before.
    const admitted = failures.left(networkOf(request.ip), authFailuresPerSecond) > 0 ? 'all' : 'known'
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
  /** Counts one more of a request that stands for several. Gives why it cannot be taken. */
  const countAgain = (caller: Caller): AppError | undefined => {
    const allowed = allowedTo(caller)
    return count(caller, allowed) < 0 ? tooMany(allowed) : undefined
  }
  return { admit, countAgain }
}

function tooMany(allowed: number): AppError {
  return new AppError('RATE_LIMITED', { detail: `At most ${allowed} requests a second are allowed (requests_per_second).` })
}

function isAuthFailure(error: AppError): boolean {
  return [
    'AUTH_INVALID',
    'AUTH_MISSING',
    'TENANT_KEY_INVALID',
    'SESSION_INVALID',
    'TENANT_UNKNOWN',
    'TENANT_MISMATCH',
    'TIER_INSUFFICIENT',
  ].includes(error.code)
}
