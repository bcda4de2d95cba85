/**
 * The threads in which documents are read and planned, one task to a thread at a time and none longer than its time limit.
 * Ending a task ends its thread: nothing else stops code that does not return. Who is next: `fair-turns.ts`.
 */

import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { FailureKind } from '../leasing/retry-policy.js'
import { type Account, FairTurns } from './fair-turns.js'

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

export interface Job<T> {
  name: 'read' | 'place' | 'plan' | 'warm'
  task: T
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
  run<T, R>(job: Job<T>): Promise<{ answer: R; thread: number } | null>
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
  /** How long a thread without a task is kept; the first always is. Unset: half a minute. */
  idleMs?: number
  /** Unset: threads that do what `thread-tasks.ts` says. */
  start?: () => Worker
}

const longestStartMs = 60_000
const longestIdleMs = 30_000
/** A task of so many characters is short: tens of milliseconds. */
const shortSize = 32_768

export function createThreads(options: ThreadsOptions): Threads {
  const cores = availableParallelism()
  const count = options.threads ?? Math.max(Math.min(2, cores), cores - 1)
  const { start = startTasks(options.maxHeapMb ?? 512), idleMs = longestIdleMs } = options
  // Starting a thread takes longer than reading a document: whoever hands one in after a quiet hour does not wait for it.
  const threads = Array.from({ length: count + 1 }, (_, n) => new Thread(start, n === 0 ? null : idleMs))
  const turns = new FairTurns(count)
  return {
    count,
    run: async <T, R>(job: Job<T>) => {
      const { account, signal, preferred } = job
      const turn = { account, signal, preferred, isPlanning: job.name !== 'read', isShort: job.size <= shortSize }
      const { thread, leave } = await turns.take(turn)
      try {
        if (job.mayBegin !== undefined && !(await job.mayBegin())) return null
        return { answer: (await (threads[thread] as Thread).run(job)) as R, thread }
      } finally {
        leave()
      }
    },
    close: async () => {
      await Promise.all(threads.map(thread => thread.end()))
    },
  }
}

function startTasks(maxHeapMb: number): () => Worker {
  const isSource = import.meta.url.endsWith('.ts')
  const file = new URL(isSource ? './thread-tasks.ts' : './thread-tasks.js', import.meta.url)
  const how = { execArgv: isSource ? fromSources() : [], resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } }
  return () => new Worker(file, how)
}

/** In tests, which run without a build, a thread needs the loader of its process. */
function fromSources(): string[] {
  const loader = pathToFileURL(
    createRequire(import.meta.url)
      .resolve('tsx/esm/api')
      .replace(/\.cjs$/, '.mjs'),
  )
  return ['--import', `data:text/javascript,import { register } from ${JSON.stringify(loader.href)};register()`]
}

/** What a thread says after each task; its first message is that it is ready. */
export type TaskMessage = { answer: unknown } | { error: unknown }

/** Started by its first task; ended with a task that is ended, and after some time without one unless it is kept. */
class Thread {
  private readonly start: () => Worker
  private readonly idleMs: number | null
  private worker: Worker | undefined
  private isReady = false
  private idle: NodeJS.Timeout | undefined

  /** `idleMs` is null for one that is kept. */
  constructor(start: () => Worker, idleMs: number | null) {
    this.start = start
    this.idleMs = idleMs
  }

  async run(job: Job<unknown>): Promise<unknown> {
    job.signal.throwIfAborted()
    clearTimeout(this.idle)
    const worker = this.worker ?? this.begin()
    worker.ref()
    const said = await this.ask(worker, job)
    worker.unref()
    if (this.idleMs !== null) this.idle = setTimeout(() => void this.end(), this.idleMs).unref()
    if ('error' in said) throw said.error
    return said.answer
  }

  async end(): Promise<void> {
    const { worker } = this
    clearTimeout(this.idle)
    this.worker = undefined
    await worker?.terminate()
  }

  private begin(): Worker {
    const worker = this.start()
    this.worker = worker
    this.isReady = false
    worker.once('exit', () => {
      if (this.worker === worker) this.worker = undefined
    })
    // The exit event follows and the waiting task listens for it; without a listener an error would end the process.
    worker.on('error', () => worker.unref())
    return worker
  }

  /** The time of a task begins when its thread is ready: a thread that has to be started first costs it nothing. */
  private async ask(worker: Worker, { name, task, signal, timeoutMs }: Job<unknown>): Promise<TaskMessage> {
    const late = (errorClass: string, message: string) => () => new ReadError(errorClass, 'transient', message)
    try {
      if (!this.isReady) await nextMessage(worker, signal, longestStartMs, late('thread_start', 'No reading thread could be started.'))
      this.isReady = true
      worker.postMessage({ name, task })
      return (await nextMessage(worker, signal, timeoutMs, late('timeout', `Reading took longer than ${timeoutMs} ms.`))) as TaskMessage
    } catch (error) {
      void this.end()
      throw error
    }
  }
}

/** Rejects when the thread dies, with the signal's reason, or with what `late` makes when the time is over: an error costs its stack. */
function nextMessage(worker: Worker, signal: AbortSignal, limitMs: number, late: () => ReadError): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => settle(() => resolve(message))
    const onError = (error: unknown) => settle(() => reject(deathOf(error)))
    const onExit = () => settle(() => reject(deathOf(undefined)))
    const onAbort = () => settle(() => reject(signal.reason))
    const timer = setTimeout(() => settle(() => reject(late())), limitMs)
    const settle = (how: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      how()
    }
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    signal.addEventListener('abort', onAbort)
  })
}

function deathOf(error: unknown): ReadError {
  return (error as { code?: unknown } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new ReadError('out_of_memory', 'transient', 'Reading needed more memory than a thread may use.', error)
    : new ReadError('thread_death', 'transient', 'The reading thread died.', error)
}
