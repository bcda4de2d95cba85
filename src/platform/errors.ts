/**
 * Failures a client can meet (`AppError`, by code; the status is chosen in the HTTP error handler alone) and
 * broken assumptions (`invariant`). Transport-free: nothing here knows about HTTP.
 */

import type { ProblemCode } from '../contract/problems.js'

/** One fault of a request: where it is (JSON pointer) and what is wrong with it. */
export interface FieldFault {
  pointer: string
  detail: string
}

export interface AppErrorOptions {
  /** One sentence for the client. Never SQL, addresses or stack traces. */
  detail?: string
  errors?: FieldFault[]
  retryAfterSeconds?: number
  cause?: unknown
}

export class AppError extends Error {
  readonly code: ProblemCode
  readonly detail: string | undefined
  readonly errors: readonly FieldFault[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ProblemCode, options: AppErrorOptions = {}) {
    super(
      options.detail === undefined ? code : `${code}: ${options.detail}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    this.name = 'AppError'
    this.code = code
    this.detail = options.detail
    this.errors = options.errors
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** A member of a request that does not fit, which the contract alone cannot say. */
export function invalidMember(pointer: string, detail: string): AppError {
  return new AppError('VALIDATION_FAILED', { detail: `${pointer}: ${detail}`, errors: [{ pointer, detail }] })
}

const limited = { documents: 'documents', bytes: 'bytes of texts and findings', scopes: 'cases' }

export type TenantLimit = keyof typeof limited

export function limitReached(limit: TenantLimit): AppError {
  return new AppError('QUOTA_EXCEEDED', { detail: `The tenant's limit for ${limited[limit]} is reached.` })
}

export function isAppError(error: unknown, code?: ProblemCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code)
}

/** A broken assumption of ours: the request or the worker is lost, never the data. */
export class InvariantError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InvariantError'
  }
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** The cause of an answer that was not known in time because somebody else works in the case: storage is well. */
export class BusyCase extends Error {}

/** The service cannot start or go on as it is set up; `message` says what to do. Printed without a stack trace. */
export class StartupError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'StartupError'
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
