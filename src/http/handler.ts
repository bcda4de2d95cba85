/** What a route's code receives and gives back: everything checked, nothing of Fastify but the raw pair for streams. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { AppError } from '../platform/errors.js'
import type { NewIds } from '../tenancy/tenants.js'
import type { Caller } from './auth.js'

export interface Call<Body = unknown, Query = unknown, Params = unknown> {
  caller: Caller
  /** The tenant acted for; empty where the operation needs none and none was given. */
  tenantId: string
  params: Params
  query: Query
  body: Body
  headers: Record<string, string | undefined>
  requestId: string
  /** What the audit log calls that which the act makes. */
  newIds: NewIds
  trace: string | null
  /** Counts one more against the caller's rate, where a request stands for several. Gives why it cannot be taken. */
  countAgain(): AppError | undefined
  /** Throws when the credential has ended since: for what comes in over a long time. */
  confirmCaller(): Promise<void>
  /** Aborted when the client goes away. */
  signal: AbortSignal
  request: FastifyRequest
  reply: FastifyReply
}

export interface Answer {
  status?: number
  body?: unknown
  headers?: Record<string, string>
  /** The reply was taken over, as streams do. */
  taken?: boolean
}

type BodyOf<O> = O extends { body: { schema: infer S extends TSchema; required: true } }
  ? Static<S>
  : O extends { body: { schema: infer S extends TSchema } }
    ? Static<S> | undefined
    : undefined
type QueryOf<O> = O extends { query: infer S extends TSchema } ? Static<S> : Record<string, never>
type ParamsOf<O> = O extends { params: infer S extends TSchema } ? Static<S> : Record<string, never>

export type HandlerOf<O> = (call: Call<BodyOf<O>, QueryOf<O>, ParamsOf<O>>) => Answer | Promise<Answer>

/** One handler for each operation: a missing one does not compile. */
export type HandlersOf<Operations> = { [K in keyof Operations]: HandlerOf<Operations[K]> }

export type AnyHandler = (call: Call) => Answer | Promise<Answer>
