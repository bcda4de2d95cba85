/**
 * Structured logs on standard output. Credentials and document text never reach them: fields that may hold either
 * are cut by name, and errors are written without the row values a database error carries.
 */

import { type DestinationStream, destination, type Logger as PinoLogger, pino } from 'pino'

export type Logger = PinoLogger

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

const hiddenFields = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-tenant-api-key',
  'api_key',
  'apiKey',
  'key',
  'password',
  'secret',
  'text',
  'quote',
]

export function createLogger(options: { level: LogLevel; destination?: DestinationStream }): Logger {
  const settings = {
    level: options.level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError, error: describeError },
    redact: { paths: hiddenPaths(), censor: '[hidden]' },
  }
  return pino(settings, options.destination ?? standardOutput())
}

/** A terminal that was closed takes nothing more: what it would have shown is lost, and the service ends in order all the same. */
function standardOutput(): DestinationStream {
  const output = destination(1)
  output.on('error', (error: NodeJS.ErrnoException) => {
    // Of a pipe that nobody reads any more, pino sees to it itself.
    if (error.code === 'EPIPE') return
    if (error.code !== 'EIO') throw error
    // It would write the line that failed again and again, at the very end without letting the process go.
    Object.assign(output, { write: () => true, end: nothing, flushSync: nothing, destroy: nothing })
  })
  return output
}

const nothing = (): undefined => undefined

/** Which failures in a row are logged: the first, second, fourth, eighth and so on, so that an outage of a day is two dozen lines. */
export function isLogged(failures: number): boolean {
  return Number.isInteger(Math.log2(failures))
}

/** Each field at the top and up to three levels down, which is as deep as anything we log. */
function hiddenPaths(): string[] {
  return hiddenFields.flatMap(field => ['', '*', '*.*', '*.*.*'].map(above => `${above}["${field}"]`))
}

interface DescribedError {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: DescribedError
}

/** An error for the log. `detail`, `where` and `parameters` of database errors hold row values and are left out. */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: cut(String(error)) }
  const code = (error as { code?: unknown }).code
  // The server quotes the value it could not read.
  const quoting = typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)
  if (quoting) return { type: error.name, message: error.message.replace(/"[^"]*"?/g, '"…"').slice(0, 200), code }
  const described: DescribedError = { type: error.name, message: cut(error.message) }
  if (typeof code === 'string') described.code = code
  if (error.stack !== undefined) described.stack = cut(error.stack, 4000)
  if (error.cause !== undefined && depth < 3) described.cause = describeError(error.cause, depth + 1)
  return described
}

/** An error by its kind and place alone, for code whose messages may quote what it was reading. */
export function withoutWords(error: unknown): Error {
  const bare = new Error('')
  bare.name = error instanceof Error ? error.name : typeof error
  const cause = error instanceof Error ? error.cause : undefined
  const frames = error instanceof Error ? (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line)) : []
  bare.stack = frames.join('\n')
  if (cause !== undefined) bare.cause = withoutWords(cause)
  return bare
}

function cut(value: string, limit = 500): string {
  return value.length <= limit ? value : `${value.slice(0, limit)}…`
}
