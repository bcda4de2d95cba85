/**
 * Rows that wait at the same moment are flushed together. Bounded everywhere: rows in a flush, flushes under way, rows
 * and bytes waiting (`OVERLOADED` beyond), and the time until an answer (`STORAGE_UNAVAILABLE` after it, whatever the
 * flush still does: an outcome that is not known in time is never reported as done).
 *
 * A row waits → is taken into a flush → is answered. Whatever happens, each row is answered once.
 */

import type { Clock } from '../platform/clock.js'
import { AppError } from '../platform/errors.js'

export interface GroupCommitOptions<Row, Answer> {
  /** Answers for every row, in order. May throw: then every row of the flush fails with it. */
  flush(rows: readonly Row[]): Promise<(Answer | Error)[]>
  /** Rows with equal keys are never flushed together, because the second must see what the first left. */
  keyOf(row: Row): string | null
  /** Of rows with equal keys, whether the second asks for the very same: then it shares the answer of the first. */
  isRepetition(first: Row, second: Row): boolean
  /** The answer of a row, as a repetition of it gets it. */
  repeatedAnswer(answer: Answer): Answer
  bytesOf(row: Row): number
  rowsPerFlush: number
  flushesInFlight: number
  queueLimit: number
  queueBytes: number
  deadlineMs: number
  clock: Clock
}

export interface GroupCommitStats {
  waiting: number
  waitingBytes: number
  flushesInFlight: number
  flushes: number
  rows: number
  refused: number
  expired: number
}

interface Entry<Row, Answer> {
  row: Row | undefined
  bytes: number
  expiresAt: number
  resolve(answer: Answer): void
  reject(error: unknown): void
  answered: boolean
  series: object | undefined
  repetitions: Entry<Row, Answer>[] | undefined
}

export class GroupCommit<Row, Answer> {
  private readonly options: GroupCommitOptions<Row, Answer>
  private waiting: Entry<Row, Answer>[] = []
  private waitingBytes = 0
  /** Every entry not known to be answered, oldest first: all wait equally long, so the first to expire is in front. */
  private unanswered: Entry<Row, Answer>[] = []
  private inFlight = 0
  private readonly seriesInFlight = new Set<object>()
  private scheduled = false
  private closed = false
  private expiry: NodeJS.Timeout | undefined
  private whenIdle: (() => void)[] = []
  private readonly counts = { flushes: 0, rows: 0, refused: 0, expired: 0 }

  constructor(options: GroupCommitOptions<Row, Answer>) {
    this.options = options
  }

  /** Rows of one series are written in the order in which they were added, also when one flush does not hold them all. */
  add(row: Row, series?: object): Promise<Answer> {
    const bytes = this.options.bytesOf(row)
    if (this.closed || this.waiting.length >= this.options.queueLimit || this.waitingBytes + bytes > this.options.queueBytes) {
      this.counts.refused++
      return Promise.reject(
        new AppError('OVERLOADED', {
          detail: this.closed ? 'The service is stopping.' : 'Too many documents are waiting.',
          retryAfterSeconds: 1,
        }),
      )
    }
    return new Promise((resolve, reject) => {
      const expiresAt = this.options.clock.monotonicMs() + this.options.deadlineMs
      const entry: Entry<Row, Answer> = { row, bytes, expiresAt, resolve, reject, answered: false, series, repetitions: undefined }
      this.waiting.push(entry)
      this.waitingBytes += bytes
      this.unanswered.push(entry)
      this.watchDeadlines()
      this.schedule()
    })
  }

  stats(): GroupCommitStats {
    return { ...this.counts, waiting: this.waiting.length, waitingBytes: this.waitingBytes, flushesInFlight: this.inFlight }
  }

  /** Whether one more row would be refused. */
  isFull(): boolean {
    return this.waiting.length >= this.options.queueLimit || this.waitingBytes >= this.options.queueBytes
  }

  /** Takes no more rows, and resolves when those taken before are answered. */
  close(): Promise<void> {
    this.closed = true
    if (this.isIdle()) return Promise.resolve()
    return new Promise(resolve => this.whenIdle.push(resolve))
  }

  /** After the current turn of the event loop, so that requests read in the same turn travel together. */
  private schedule(): void {
    if (this.scheduled || this.waiting.length === 0 || this.inFlight >= this.options.flushesInFlight) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      const entries = this.take()
      // Nothing to take though some wait: their series are in flight, and the end of that flush comes back here.
      if (entries.length === 0) return
      void this.runFlush(entries)
      this.schedule()
    })
  }

  private async runFlush(entries: Entry<Row, Answer>[]): Promise<void> {
    const series = entries.flatMap(entry => entry.series ?? [])
    for (const each of series) this.seriesInFlight.add(each)
    this.inFlight++
    this.counts.flushes++
    this.counts.rows += entries.length
    try {
      const answers = await this.options.flush(entries.map(entry => entry.row as Row))
      for (const [index, entry] of entries.entries()) this.answer(entry, answers[index] as Answer | Error)
    } catch (error) {
      for (const entry of entries) this.answer(entry, error instanceof Error ? error : new Error(String(error)))
    } finally {
      for (const each of series) this.seriesInFlight.delete(each)
      this.inFlight--
      this.schedule()
      if (this.isIdle()) this.becomeIdle()
    }
  }

  /** The oldest rows, at most a flush full, each key once. Rows left behind keep their order. */
  private take(): Entry<Row, Answer>[] {
    const taken: Entry<Row, Answer>[] = []
    const left: Entry<Row, Answer>[] = []
    const firsts = new Map<string, Entry<Row, Answer>>()
    const heldSeries = new Set(this.seriesInFlight)
    let next = 0
    for (; next < this.waiting.length && taken.length < this.options.rowsPerFlush; next++) {
      const entry = this.waiting[next]!
      if (entry.answered) continue
      if (entry.series !== undefined && heldSeries.has(entry.series)) {
        left.push(entry)
        continue
      }
      const key = this.options.keyOf(entry.row as Row)
      const first = key === null ? undefined : firsts.get(key)
      if (first !== undefined && !this.options.isRepetition(first.row as Row, entry.row as Row)) {
        left.push(entry)
        if (entry.series !== undefined) heldSeries.add(entry.series)
        continue
      }
      this.waitingBytes -= entry.bytes
      if (first !== undefined) {
        first.repetitions = [...(first.repetitions ?? []), entry]
        continue
      }
      taken.push(entry)
      if (key !== null) firsts.set(key, entry)
    }
    this.waiting = left.length === 0 ? this.waiting.slice(next) : left.concat(this.waiting.slice(next))
    return taken
  }

  private answer(entry: Entry<Row, Answer>, answer: Answer | Error): void {
    if (entry.repetitions !== undefined) {
      const repeated = answer instanceof Error ? answer : this.options.repeatedAnswer(answer)
      for (const repetition of entry.repetitions.splice(0)) this.answer(repetition, repeated)
    }
    if (entry.answered) return
    entry.answered = true
    entry.row = undefined
    if (answer instanceof Error) entry.reject(answer)
    else entry.resolve(answer)
  }

  private watchDeadlines(): void {
    this.expiry ??= setTimeout(() => this.expire(), Math.max(10, Math.min(250, this.options.deadlineMs / 10)))
  }

  private expire(): void {
    this.expiry = undefined
    const now = this.options.clock.monotonicMs()
    const firstAlive = this.unanswered.findIndex(entry => !entry.answered && entry.expiresAt > now)
    const over = firstAlive < 0 ? this.unanswered : this.unanswered.slice(0, firstAlive)
    this.unanswered = firstAlive < 0 ? [] : this.unanswered.slice(firstAlive)
    let expired = 0
    for (const entry of over) {
      if (entry.answered) continue
      expired++
      this.answer(entry, tooLate())
    }
    if (expired > 0) this.forgetExpired(expired)
    if (this.unanswered.length > 0) this.watchDeadlines()
  }

  private forgetExpired(expired: number): void {
    this.counts.expired += expired
    this.waiting = this.waiting.filter(entry => !entry.answered)
    this.waitingBytes = this.waiting.reduce((sum, entry) => sum + entry.bytes, 0)
    if (this.isIdle()) this.becomeIdle()
  }

  private isIdle(): boolean {
    return this.inFlight === 0 && this.waiting.length === 0
  }

  private becomeIdle(): void {
    for (const resolve of this.whenIdle.splice(0)) resolve()
  }
}

function tooLate(): AppError {
  return new AppError('STORAGE_UNAVAILABLE', {
    detail: 'The document could not be stored in time; it may still have been.',
    retryAfterSeconds: 2,
  })
}
