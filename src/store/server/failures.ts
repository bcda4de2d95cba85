/**
 * What a failure of the driver or the server means to us: worth repeating, storage away, or neither. Everything a
 * client could meet becomes `STORAGE_UNAVAILABLE`; the original stays as its cause.
 */

import { AppError, isAppError, messageOf } from '../../platform/errors.js'

const repeatableStates = new Set(['40001', '40P01'])
const unavailableClasses = ['08', '53', '57P', '58']
const unavailableStates = new Set(['25006', '57014', '55P03', '25P03', '3D000', '28P01', '28000'])
const overrunStates = new Set(['57014', '53200', '53400'])
/** Codes of the system for a line, of its name service and of an encrypted line; those of files are not among them. */
const networkCode =
  /^E(?:CONN(?:REFUSED|RESET|ABORTED)|PIPE|NOENT|ACCES|TIMEDOUT|AGAIN|PROTO|HOST(?:UNREACH|DOWN)|NET(?:UNREACH|DOWN|RESET)|NOTFOUND|NOTCONN|SHUTDOWN|NOBUFS|NOMEM|[MN]FILE|ADDRNOTAVAIL|AI_[A-Z]+)$|^ERR_(?:SSL|TLS|SOCKET)_|^(?:CERT|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)_/
/** The driver gives some losses of a connection no code, only these words. */
const lossWords =
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout|Cannot use a pool after calling end|Received unexpected \w+ message from backend|establishing an SSL connection|does not support SSL connections/

/** SQLSTATE of a server error, or the system's code of a network failure. */
export function failureCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/** A deadlock or a serialization failure: the transaction did nothing and may be run again. */
export function isRepeatable(error: unknown): boolean {
  return repeatableStates.has(failureCode(error) ?? '')
}

/** A lock could not be had within `lock_timeout`. */
export function isTableTaken(error: unknown): boolean {
  return failureCode(error) === '55P03'
}

/** The server is unavailable, full, stopping or too slow; the request was fine. */
export function isStorageUnavailable(error: unknown): boolean {
  const code = failureCode(error)
  if (code === undefined) return lossWords.test(messageOf(error))
  return networkCode.test(code) || unavailableStates.has(code) || unavailableClasses.some(start => code.startsWith(start))
}

/** The line failed, not the server on it: connections made before may be just as dead, and say nothing. */
export function isLineLost(error: unknown): boolean {
  const code = failureCode(error)
  return code === undefined ? lossWords.test(messageOf(error)) : networkCode.test(code)
}

/** A connection was not through in its time. The driver says so of nothing else, so that nothing was asked on it. */
export function isSlowLogin(error: unknown): boolean {
  return failureCode(error) === undefined && messageOf(error) === 'timeout expired'
}

/** The transaction had failed before: the reason is the first error in it, not this one. */
export function isConsequence(error: unknown): boolean {
  return failureCode(error) === '25P02'
}

/** One statement was more than the server lets one have, of time, memory or temporary space; others may go through meanwhile. */
export function isOverrun(error: unknown): boolean {
  return overrunStates.has(failureCode(causeOf(error)) ?? '')
}

/** The server went away under the statement: it crashed, was stopped, or the line was cut. */
export function isServerLost(error: unknown): boolean {
  const cause = causeOf(error)
  return isLineLost(cause) || failureCode(cause)?.startsWith('57P') === true
}

/** What the driver or the server said of a failure that was translated. */
export function causeOf(error: unknown): unknown {
  return isAppError(error, 'STORAGE_UNAVAILABLE') && error.cause !== undefined ? error.cause : error
}

/** Unique violation; `constraint` narrows it to one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return failureCode(error) === '23505' && (constraint === undefined || (error as { constraint?: unknown }).constraint === constraint)
}

/** The error to throw onwards. */
export function translateFailure(error: unknown): unknown {
  if (error instanceof AppError || !(isStorageUnavailable(error) || isRepeatable(error))) return error
  return new AppError('STORAGE_UNAVAILABLE', { detail: 'The database does not answer right now.', retryAfterSeconds: 1, cause: error })
}
