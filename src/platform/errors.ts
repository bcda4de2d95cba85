/**
 * Failures a client can meet (`AppError`, by code; the status is chosen in the HTTP error handler alone) and
 * broken assumptions (`invariant`). Transport-free: nothing here knows about HTTP.
 */

/** Every code the service can answer with. The contract gives each its status and text; the error handler's types hold the two lists together. */
export type ErrorCode =
  | 'VALIDATION_FAILED'
  | 'JSON_INVALID'
  | 'CURSOR_INVALID'
  | 'POLICY_INVALID'
  | 'TENANT_ID_MISSING'
  | 'TENANT_KEY_MISSING'
  | 'TENANT_UNKNOWN'
  | 'TENANT_KEY_INVALID'
  | 'AUTH_MISSING'
  | 'AUTH_INVALID'
  | 'SESSION_INVALID'
  | 'SIGN_IN_FAILED'
  | 'TENANT_MISMATCH'
  | 'TIER_INSUFFICIENT'
  | 'RIGHTS_INSUFFICIENT'
  | 'CSRF_INVALID'
  | 'SIGN_IN_REFUSED'
  | 'ORIGIN_NOT_ALLOWED'
  | 'QUOTA_EXCEEDED'
  | 'ROUTE_NOT_FOUND'
  | 'TENANT_NOT_FOUND'
  | 'KEY_NOT_FOUND'
  | 'SESSION_NOT_FOUND'
  | 'SIGN_IN_DISABLED'
  | 'SCOPE_NOT_FOUND'
  | 'DOCUMENT_NOT_FOUND'
  | 'CONTRADICTION_NOT_FOUND'
  | 'POSSIBLE_CONFLICT_NOT_FOUND'
  | 'SUPERSESSION_NOT_FOUND'
  | 'DECISION_NOT_FOUND'
  | 'CERTIFICATE_NOT_FOUND'
  | 'ORIGINAL_NOT_FOUND'
  | 'WEBHOOK_NOT_FOUND'
  | 'DELIVERY_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'SCOPE_EXISTS'
  | 'RUNTIME_CONFLICT'
  | 'STATE_CONFLICT'
  | 'PAYLOAD_TOO_LARGE'
  | 'URI_TOO_LONG'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'EXPECTATION_FAILED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'RATE_LIMITED'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL'
  | 'OVERLOADED'
  | 'STORAGE_UNAVAILABLE'
  | 'ISSUER_UNAVAILABLE'
  | 'TIER_DISABLED'

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
  readonly code: ErrorCode
  readonly detail: string | undefined
  readonly errors: readonly FieldFault[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
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

export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
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

/** The service cannot start or go on as it is set up; `message` says what to do. Printed without a stack trace. */
export class StartupError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'StartupError'
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
