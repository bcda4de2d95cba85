/**
 * Reads documents in threads, one document to a thread at a time and none longer than its time limit. Ending a document
 * ends its thread: nothing else stops code that does not return. What goes wrong is told by kind, and concerns one
 * document alone.
 */

import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { DocumentInput } from '../analysis/types.js'
import { messageOf } from '../platform/errors.js'
import type { ReadAnswer, ReadTask } from './read-task.js'
import type { FailureKind } from './retry-policy.js'

export interface Reader {
  /**
   * Waits for a thread, then asks `mayBegin`; null when it says no. Rejects with a `ReadError`, or with the signal's
   * reason when it ends the work. The time limit begins with the thread, not with the wait for it.
   */
  read(document: DocumentInput, how: ReadHow): Promise<ReadAnswer | null>
  readonly threads: number
  close(): Promise<void>
}

export interface ReadHow {
  mayBegin: () => Promise<boolean>
  signal: AbortSignal
}

export class ReadError extends Error {
  readonly kind: FailureKind
  readonly errorClass: string

  constructor(errorClass: string, kind: FailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ReadError'
    this.errorClass = errorClass
    this.kind = kind
  }
}

export interface ReaderOptions {
  /** Unset: one less than the cores, at least one. */
  threads?: number
  timeoutMs: number
  faults?: string
  /** Heap of one thread; what grows beyond it loses the thread and not, as a rule, the process. */
  maxHeapMb?: number
}

const longestStartMs = 60_000

export function createReader(options: ReaderOptions): Reader {
  const threads = options.threads ?? Math.max(1, availableParallelism() - 1)
  const own = import.meta.url
  const file = new URL(own.endsWith('.ts') ? './read-task.ts' : './read-task.js', own)
  const pool = new Piscina<ReadTask, ReadAnswer>({
    filename: fileURLToPath(file),
    name: 'read',
    minThreads: 1,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    idleTimeout: 30_000,
    // From sources, as in tests, a thread needs the loader its process was started with.
    execArgv: own.endsWith('.ts') ? ['--import', 'tsx'] : [],
    resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb ?? 512 },
  })
  const faults = options.faults ?? ''
  const turns = createTurns(threads)
  return {
    threads,
    read: async (document, { mayBegin, signal }) => {
      const leave = await turns.take(signal)
      try {
        if (!(await mayBegin())) return null
        return await readOne(pool, { document, faults }, { signal, timeoutMs: options.timeoutMs })
      } finally {
        leave()
      }
    },
    close: () => pool.close({ force: true }),
  }
}

async function readOne(
  pool: Piscina<ReadTask, ReadAnswer>,
  document: Omit<ReadTask, 'begun'>,
  limits: { signal: AbortSignal; timeoutMs: number },
): Promise<ReadAnswer> {
  limits.signal.throwIfAborted()
  const ending = new AbortController()
  const begun = new Int32Array(new SharedArrayBuffer(4))
  const disarm = endAfter(ending, begun, limits.timeoutMs)
  const stop = () => ending.abort(limits.signal.reason)
  limits.signal.addEventListener('abort', stop, { once: true })
  try {
    return await pool.run({ ...document, begun }, { name: 'read', signal: ending.signal })
  } catch (error) {
    if (ending.signal.aborted) throw ending.signal.reason
    throw toReadError(error)
  } finally {
    disarm()
    limits.signal.removeEventListener('abort', stop)
  }
}

/** The time of a document begins when its thread takes it up: a thread that has to be started first costs it nothing. */
function endAfter(ending: AbortController, begun: Int32Array, timeoutMs: number): () => void {
  const timer = { current: setTimeout(look, timeoutMs), starts: 0 }
  function look(): void {
    if (Atomics.load(begun, 0) === 1) {
      ending.abort(new ReadError('timeout', 'transient', `Reading took longer than ${timeoutMs} ms.`))
    } else if (++timer.starts * timeoutMs > longestStartMs) {
      ending.abort(new ReadError('thread_start', 'transient', 'No reading thread could be started.'))
    } else timer.current = setTimeout(look, timeoutMs)
  }
  return () => clearTimeout(timer.current)
}

function toReadError(error: unknown): ReadError {
  const code = (error as { code?: unknown } | null)?.code
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new ReadError('out_of_memory', 'transient', 'Reading needed more memory than a thread may use.', error)
  }
  if (/worker.*exit|exited|terminat/i.test(messageOf(error)) && !(error instanceof SyntaxError)) {
    return new ReadError('thread_death', 'transient', 'The reading thread died.', error)
  }
  // The message may quote the text, which must not travel into events; it stays in the cause, for the log.
  const name = error instanceof Error ? error.name : typeof error
  return new ReadError('extractor_error', 'permanent', `The extractor failed: ${name}.`, error)
}

/** As many at once as there are threads, the others in the order they came. */
function createTurns(places: number): { take(signal: AbortSignal): Promise<() => void> } {
  let free = places
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) free++
    else next()
  }
  return {
    take(signal) {
      signal.throwIfAborted()
      if (free > 0) {
        free--
        return Promise.resolve(leave)
      }
      return new Promise((resolve, reject) => {
        const begin = () => {
          signal.removeEventListener('abort', giveUp)
          resolve(leave)
        }
        const giveUp = () => {
          waiting.splice(waiting.indexOf(begin), 1)
          reject(signal.reason)
        }
        waiting.push(begin)
        signal.addEventListener('abort', giveUp, { once: true })
      })
    },
  }
}
