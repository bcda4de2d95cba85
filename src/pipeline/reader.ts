/**
 * Reads and plans documents in threads (`threads.ts`). What goes wrong is told by kind, and concerns one document, or the
 * documents of one plan, alone.
 */

import type { DocumentInput } from '../analysis/types.js'
import type { PlaceAnswer, PlaceTask, PlanAnswer, PlanTask } from './plan-task.js'
import type { Planner } from './planner.js'
import type { ReadAnswer, ReadTask } from './read-task.js'
import { type Begun, createThreads, ReadError } from './threads.js'

export interface Reader extends Planner {
  /**
   * Waits for a thread, then asks `mayBegin`; null when it says no. Rejects with a `ReadError`, or with the signal's
   * reason when it ends the work. The time limit begins with the thread, not with the wait for it.
   */
  read(document: DocumentInput, how: ReadHow): Promise<ReadAnswer | null>
  readonly threads: number
  /** Has a thread ready for the first document; until it is asked there is none. Never fails: the document will. */
  warm(): Promise<void>
  close(): Promise<void>
}

export interface ReadHow {
  mayBegin: () => Promise<boolean>
  signal: AbortSignal
}

export interface ReaderOptions {
  threads?: number
  timeoutMs: number
  faults?: string
  maxHeapMb?: number
}

/** Of the threads that placed something not long ago. */
const rememberedPlacings = 256

export function createReader(options: ReaderOptions): Reader {
  const threads = createThreads(options)
  const faults = options.faults ?? ''
  const placedBy = new Map<number, number>()
  let placings = 0
  const timeoutOf = (documents: number) => options.timeoutMs * Math.max(1, documents)
  return {
    threads: threads.count,
    warm: async () => {
      const { signal } = new AbortController()
      await threads.run<Begun, void>({ name: 'warm', task: {}, signal, timeoutMs: options.timeoutMs }).catch(() => undefined)
    },
    read: async (document, { mayBegin, signal }) => {
      try {
        const ran = await threads.run<ReadTask, ReadAnswer>({
          name: 'read',
          task: { document, faults },
          signal,
          timeoutMs: options.timeoutMs,
          mayBegin,
        })
        return ran?.answer ?? null
      } catch (error) {
        throw signal.aborted ? error : toReadError(error)
      }
    },
    place: async (task, signal) => {
      const token = ++placings
      const timeoutMs = timeoutOf(task.reads.length)
      const ran = await threads.run<PlaceTask, PlaceAnswer>({ name: 'place', task: { ...task, token }, signal, timeoutMs })
      const { answer, thread } = ran as { answer: PlaceAnswer; thread: number }
      placedBy.set(token, thread)
      const oldest = placedBy.size > rememberedPlacings ? placedBy.keys().next().value : undefined
      if (oldest !== undefined) placedBy.delete(oldest)
      return { ...answer, token }
    },
    plan: async (task, signal) => {
      const preferred = placedBy.get(task.token)
      placedBy.delete(task.token)
      const ran = await threads.run<PlanTask, PlanAnswer>({
        name: 'plan',
        task,
        signal,
        timeoutMs: timeoutOf(task.reads.length),
        preferred,
      })
      return (ran as { answer: PlanAnswer }).answer
    },
    close: () => threads.close(),
  }
}

function toReadError(error: unknown): ReadError {
  if (error instanceof ReadError) return error
  // The message may quote the text, which must not travel into events; it stays in the cause, for the log.
  const name = error instanceof Error ? error.name : typeof error
  return new ReadError('extractor_error', 'permanent', `The extractor failed: ${name}.`, error)
}
