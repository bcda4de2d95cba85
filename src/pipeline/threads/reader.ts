/**
 * Reads and plans documents in threads (`threads.ts`). Failures are classified by kind, and concerns one document, or the
 * documents of one plan, alone.
 */

import type { DocumentInput } from '../../reading/types.js'
import type { PackedRead, PlaceAnswer, PlaceTask, PlanAnswer, PlanTask } from '../planning/plan-task.js'
import type { PlanHow, Planner } from '../planning/planner.js'
import { accountOf } from './fair-turns.js'
import type { ReadAnswer, ReadTask } from './thread-tasks.js'
import { createThreads, ReadError } from './threads.js'

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

export interface ReadHow extends PlanHow {
  mayBegin: () => Promise<boolean>
  /** Whether it is cut into passages too. */
  passages?: boolean
}

export interface ReaderOptions {
  threads?: number
  timeoutMs: number
  faults?: string
  maxHeapMb?: number
}

/** Of the threads that placed something not long ago. */
const rememberedPlacings = 256
/** Characters of a stored claim, about. */
const claimSize = 500

export function createReader(options: ReaderOptions): Reader {
  const threads = createThreads(options)
  const faults = options.faults ?? ''
  const placedBy = new Map<number, number>()
  let placings = 0
  const { timeoutMs } = options
  return {
    threads: threads.count,
    warm: async () => {
      const account = accountOf({ tenantId: '-', weight: 1 })
      const { signal } = new AbortController()
      await threads.run<object, void>({ name: 'warm', task: {}, account, size: 0, signal, timeoutMs }).catch(() => undefined)
    },
    read: async (document, how) => {
      const task = { document, faults, passages: how.passages ?? false }
      try {
        const ran = await threads.run<ReadTask, ReadAnswer>({ ...how, name: 'read', task, size: document.text.length, timeoutMs })
        return ran?.answer ?? null
      } catch (error) {
        throw how.signal.aborted ? error : toReadError(error)
      }
    },
    place: async (given, how) => {
      const token = ++placings
      const task = { ...given, token }
      const ran = await threads.run<PlaceTask, PlaceAnswer>({ ...how, name: 'place', task, size: sizeOf(task.reads), timeoutMs })
      const { answer, thread } = ran as { answer: PlaceAnswer; thread: number }
      placedBy.set(token, thread)
      const oldest = placedBy.size > rememberedPlacings ? placedBy.keys().next().value : undefined
      if (oldest !== undefined) placedBy.delete(oldest)
      return { ...answer, token }
    },
    plan: async (task, how) => {
      const preferred = placedBy.get(task.token)
      placedBy.delete(task.token)
      const size = sizeOf(task.reads) + task.live.length * claimSize
      const ran = await threads.run<PlanTask, PlanAnswer>({ ...how, name: 'plan', task, size, timeoutMs, preferred })
      return (ran as { answer: PlanAnswer }).answer
    },
    close: () => threads.close(),
  }
}

function sizeOf(reads: readonly PackedRead[]): number {
  return reads.reduce((sum, { packed }) => sum + (packed?.length ?? 0), 0)
}

function toReadError(error: unknown): ReadError {
  if (error instanceof ReadError) return error
  // The message may quote the text, which must not travel into events; it stays in the cause, for the log.
  const name = error instanceof Error ? error.name : typeof error
  return new ReadError('extractor_error', 'permanent', `The extractor failed: ${name}.`, error)
}
