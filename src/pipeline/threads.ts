/**
 * The threads in which documents are read and planned, one task to a thread at a time and none longer than its time.
 * Ending a task ends its thread: nothing else stops code that does not return. Who is next: `fair-turns.ts`.
 */

import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Piscina } from 'piscina'
import { messageOf } from '../platform/errors.js'
import { readTableFile } from '../reading/words/table-file.js'
import { type Account, FairTurns } from './fair-turns.js'
import type { FailureKind } from './retry-policy.js'

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

/** Every task carries it; set to 1 when the thread takes the task up. */
export interface Begun {
  begun: Int32Array
}

export interface Job<T> {
  name: 'read' | 'place' | 'plan' | 'warm'
  task: Omit<T, keyof Begun>
  account: Account
  /** Characters to work through: what the time of the task grows with. */
  size: number
  signal: AbortSignal
  /** Begins with the thread, not with the wait for it. */
  timeoutMs: number
  /** Asked once a thread is free; null is the answer when it says no. */
  mayBegin?: () => Promise<boolean>
  /** A thread to take when it is free: it may have kept something of an earlier task. */
  preferred?: number
}

export interface Threads {
  readonly count: number
  /**
   * Rejects with a `ReadError` when the thread died or the time was over, with the signal's reason when it ended the work,
   * otherwise with what the task threw.
   */
  run<T extends Begun, R>(job: Job<T>): Promise<{ answer: R; thread: number } | null>
  close(): Promise<void>
}

export interface ThreadsOptions {
  /**
   * Unset: one less than the cores, but two where there are two; the process itself only hands work on. One more takes
   * short tasks while these are busy.
   */
  threads?: number
  /** Heap of one thread; what grows beyond it loses the thread and not, as a rule, the process. */
  maxHeapMb?: number
}

const longestStartMs = 60_000
/** A task of so many characters is short: tens of milliseconds. */
const shortSize = 32_768

export function createThreads(options: ThreadsOptions): Threads {
  const cores = availableParallelism()
  const count = options.threads ?? Math.max(Math.min(2, cores), cores - 1)
  const own = import.meta.url
  const file = new URL(own.endsWith('.ts') ? './thread-tasks.ts' : './thread-tasks.js', own)
  // Read once, looked at by all.
  const wordTable = readTableFile()
  const pools = Array.from(
    { length: count + 1 },
    () =>
      new Piscina({
        filename: fileURLToPath(file),
        minThreads: 0,
        maxThreads: 1,
        concurrentTasksPerWorker: 1,
        idleTimeout: 30_000,
        workerData: { wordTable },
        execArgv: own.endsWith('.ts') ? fromSources() : [],
        resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb ?? 512 },
      }),
  )
  const turns = new FairTurns(count)
  return {
    count,
    run: async <T extends Begun, R>(job: Job<T>) => {
      const { account, signal, preferred } = job
      const turn = { account, signal, preferred, isPlanning: job.name !== 'read', isShort: job.size <= shortSize }
      const { thread, leave } = await turns.take(turn)
      try {
        if (job.mayBegin !== undefined && !(await job.mayBegin())) return null
        return { answer: (await runOne(pools[thread] as Piscina, job)) as R, thread }
      } finally {
        leave()
      }
    },
    close: async () => {
      await Promise.all(pools.map(pool => pool.close({ force: true })))
    },
  }
}

/** In tests and measurements, which run without a build, a thread needs the loader of its process. */
function fromSources(): string[] {
  const loader = pathToFileURL(
    createRequire(import.meta.url)
      .resolve('tsx/esm/api')
      .replace(/\.cjs$/, '.mjs'),
  )
  return ['--import', `data:text/javascript,import { register } from ${JSON.stringify(loader.href)};register()`]
}

async function runOne<T extends Begun>(pool: Piscina, { name, task, signal, timeoutMs }: Job<T>): Promise<unknown> {
  signal.throwIfAborted()
  const ending = new AbortController()
  const begun = new Int32Array(new SharedArrayBuffer(4))
  const disarm = endAfter(ending, begun, timeoutMs)
  const stop = () => ending.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await pool.run({ ...task, begun }, { name, signal: ending.signal })
  } catch (error) {
    if (ending.signal.aborted) throw ending.signal.reason
    throw threadFault(error) ?? error
  } finally {
    disarm()
    signal.removeEventListener('abort', stop)
  }
}

/** The time of a task begins when its thread takes it up: a thread that has to be started first costs it nothing. */
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

function threadFault(error: unknown): ReadError | undefined {
  const code = (error as { code?: unknown } | null)?.code
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new ReadError('out_of_memory', 'transient', 'Reading needed more memory than a thread may use.', error)
  }
  if (/worker.*exit|exited|terminat/i.test(messageOf(error)) && !(error instanceof SyntaxError)) {
    return new ReadError('thread_death', 'transient', 'The reading thread died.', error)
  }
  return undefined
}
