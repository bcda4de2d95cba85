/** A command that cannot go on: one line that says what is wrong, and what to do next. */

export const exitCodes = {
  done: 0,
  /** Refused by the service, or a fault was found. */
  failed: 1,
  usage: 2,
  /** The service did not answer. */
  unreachable: 3,
} as const

export class CommandError extends Error {
  readonly next: string | undefined
  readonly exitCode: number

  constructor(message: string, options: { next?: string; exitCode?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'CommandError'
    this.next = options.next
    this.exitCode = options.exitCode ?? exitCodes.failed
  }
}
