/**
 * Rows that wait at the same moment are flushed together. Bounded everywhere: rows and bytes in a flush, flushes under way, rows
 * and bytes waiting, shared between holders (`OVERLOADED` beyond), and the time until an answer (`STORAGE_UNAVAILABLE` after it,
 * whatever the flush still does: an outcome that is not known in time is never reported as done).
 *
 * A row waits → is taken into a flush → is answered. Whatever happens, each row is answered once. Rows of one place, the scope they
 * are for, are written in the order in which they were added. A flush finds a place busy when somebody else works there for longer:
 * its rows alone wait on, in a patient flush of their own, the place that was found busy first before others. Until there is one to be
 * had, its oldest row alone asks now and then whether it still is: many or large ones would keep everybody else's waiting.
 */

import type { Clock } from '../platform/clock.js'
import { AppError, BusyCase } from '../platform/errors.js'
import { createShares, type Holder, type Shares } from '../platform/shares.js'

export interface GroupCommitOptions<Row, Answer> {
  /** Answers for every row, in order. May throw: then every row of the flush fails with it. A patient one has rows of one place, and waits for it. */
  flush(rows: readonly Row[], how: { patient: boolean }): Promise<(Answer | Error)[]>
  placeOf(row: Row): string
  /** Whose place it is: nobody's places take more than half of the patient flushes. */
  holderOf(row: Row): string
  /** Nothing was written: somebody else works at the row's place. */
  isBusy(answer: Answer): boolean
  /** Rows with equal keys are never flushed together, because the second must see what the first left. */
  keyOf(row: Row): string | null
  /** Of rows with equal keys, whether the second asks for the very same: then it shares the answer of the first. */
  isRepetition(first: Row, second: Row): boolean
  /** The answer of a row, as a repetition of it gets it. */
  repeatedAnswer(answer: Answer): Answer
  bytesOf(row: Row): number
  rowsPerFlush: number
  /** A single row may be larger. */
  bytesPerFlush: number
  flushesInFlight: number
  /** Beside those in flight. */
  patientFlushes: number
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
  holder: Holder
  place: string
  bytes: number
  expiresAt: number
  resolve(answer: Answer): void
  reject(error: unknown): void
  answered: boolean
  /** A flush has it. */
  isTaken: boolean
  repetitions: Entry<Row, Answer>[] | undefined
}

/** The backoff of a busy place that no patient flush is to be had for: most are so for a moment, and each time it is twice as long. */
const firstBackoffMs = 5
const longestBackoffMs = 100

interface BusyPlace {
  holder: string
  state: 'backoff' | 'patient' | 'tried'
  backoffMs: number
}

export class GroupCommit<Row, Answer> {
  private readonly options: GroupCommitOptions<Row, Answer>
  private waiting: Entry<Row, Answer>[] = []
  /** Of the rows that wait, and of their bytes, who has how much. */
  private readonly rowShares: Shares
  private readonly byteShares: Shares
  /** Every entry not known to be answered, oldest first: all wait equally long, so the first to expire is in front. */
  private unanswered: Entry<Row, Answer>[] = []
  private inFlight = 0
  /** Places no flush may take rows of now: in flight, waited for patiently, or in backoff. */
  private readonly closedPlaces = new Set<string>()
  /** Places that were busy when last tried, the one found so first in front, and those that were waited for in vain behind. */
  private readonly busyPlaces = new Map<string, BusyPlace>()
  /** Of patient flushes, whose place each waits for. */
  private readonly patient: string[] = []
  private scheduled = false
  private closed = false
  private expiry: NodeJS.Timeout | undefined
  private whenIdle: (() => void)[] = []
  private readonly counts = { flushes: 0, rows: 0, refused: 0, expired: 0 }

  constructor(options: GroupCommitOptions<Row, Answer>) {
    this.options = options
    this.rowShares = createShares(options.queueLimit)
    this.byteShares = createShares(options.queueBytes)
  }

  add(row: Row): Promise<Answer> {
    const bytes = this.options.bytesOf(row)
    const place = this.options.placeOf(row)
    const holder = { tenant: this.options.holderOf(row), key: '' }
    const refusal = this.refusalOf(holder, place, bytes)
    if (refusal !== undefined) {
      this.counts.refused++
      return Promise.reject(new AppError('OVERLOADED', { detail: refusal, retryAfterSeconds: 1 }))
    }
    return new Promise((resolve, reject) => {
      const expiresAt = this.options.clock.monotonicMs() + this.options.deadlineMs
      const state = { answered: false, isTaken: false, repetitions: undefined }
      const entry: Entry<Row, Answer> = { row, holder, place, bytes, expiresAt, resolve, reject, ...state }
      this.waiting.push(entry)
      this.count(entry, 1)
      this.unanswered.push(entry)
      this.watchDeadlines()
      // Otherwise whoever opens the place again does.
      if (!this.closedPlaces.has(place)) this.schedule()
    })
  }

  private refusalOf(holder: Holder, place: string, bytes: number): string | undefined {
    const { queueLimit, queueBytes } = this.options
    if (this.closed) return 'The service is stopping.'
    const room = [this.rowShares.ask(holder, 1), this.byteShares.ask(holder, bytes)]
    if (room.includes('full')) return 'Too many documents are waiting.'
    if (room.includes('over')) return 'Too many documents of this tenant are waiting.'
    if (!this.busyPlaces.has(place)) return undefined
    const held = this.waiting.filter(entry => entry.holder.tenant === holder.tenant && this.busyPlaces.has(entry.place))
    // They may wait for long: the rest of the queue is for everything else.
    if (held.length >= queueLimit / 4 || held.reduce((sum, entry) => sum + entry.bytes, bytes) > queueBytes / 4)
      return 'Too many documents wait for cases in which something takes long.'
    return undefined
  }

  /** A row begins to wait, or ends it. */
  private count({ holder, bytes }: Entry<Row, Answer>, way: 1 | -1): void {
    this.rowShares.take(holder, way)
    this.byteShares.take(holder, way * bytes)
  }

  stats(): GroupCommitStats {
    return { ...this.counts, waiting: this.waiting.length, waitingBytes: this.byteShares.used(), flushesInFlight: this.inFlight }
  }

  /** Whether one more row would be refused. */
  isFull(): boolean {
    return this.waiting.length >= this.options.queueLimit || this.byteShares.used() >= this.options.queueBytes
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
      // Nothing to take though some wait: their places are closed, and whoever opens one comes back here.
      if (entries.length === 0) return
      void this.runFlush(entries)
      this.schedule()
    })
  }

  private async runFlush(entries: Entry<Row, Answer>[]): Promise<void> {
    const places = new Set(entries.map(entry => entry.place))
    for (const place of places) this.closedPlaces.add(place)
    this.inFlight++
    const busy = await this.write(entries, false)
    this.inFlight--
    for (const place of places) this.reopen(place, busy)
    this.goOn()
  }

  private reopen(place: string, busy: readonly Entry<Row, Answer>[]): void {
    const [first, ...rest] = busy.filter(entry => entry.place === place && !entry.answered)
    if (first === undefined) this.open(place)
    else this.backOff(place, [first, ...rest])
  }

  /** Answers what was written, and gives the rows whose places are busy. */
  private async write(entries: readonly Entry<Row, Answer>[], patient: boolean): Promise<Entry<Row, Answer>[]> {
    this.counts.flushes++
    const busy: Entry<Row, Answer>[] = []
    try {
      const rows = entries.map(entry => entry.row as Row)
      const answers = await this.options.flush(rows, { patient })
      for (const [index, entry] of entries.entries()) {
        const answer = answers[index] as Answer | Error
        if (!(answer instanceof Error) && this.options.isBusy(answer)) busy.push(entry)
        else this.answer(entry, answer)
      }
    } catch (error) {
      for (const entry of entries) this.answer(entry, error instanceof Error ? error : new Error(String(error)))
    }
    this.counts.rows += entries.length - busy.length
    return busy
  }

  /** Backoff of a busy place, until it is tried again or a patient flush is to be had. */
  private backOff(place: string, held: [Entry<Row, Answer>, ...Entry<Row, Answer>[]]): void {
    // In front: whatever else waits for the place came later.
    this.waiting = [...held, ...this.waiting]
    for (const entry of held) {
      entry.isTaken = false
      this.count(entry, 1)
    }
    const before = this.busyPlaces.get(place)
    // What was waited for in vain goes behind the others, or two that stay busy for long would have all patience for as long.
    if (before?.state === 'patient') this.busyPlaces.delete(place)
    const backoffMs = before === undefined ? firstBackoffMs : Math.min(longestBackoffMs, 2 * before.backoffMs)
    this.busyPlaces.set(place, { holder: held[0].holder.tenant, state: 'backoff', backoffMs })
    setTimeout(() => this.tryAgain(place), backoffMs)
  }

  private tryAgain(place: string): void {
    const busy = this.busyPlaces.get(place)
    if (busy?.state !== 'backoff') return
    if (this.waiting.some(entry => entry.place === place)) {
      busy.state = 'tried'
      this.closedPlaces.delete(place)
    } else this.open(place)
    // No patient flush has ended by it: they are not looked for here, which with many busy places would be for each of them at once.
    this.schedule()
    if (this.isIdle()) this.becomeIdle()
  }

  /** For those found busy first; nobody's places take more than half of the patient flushes. */
  private waitPatiently(): void {
    const { patientFlushes } = this.options
    for (const [place, busy] of this.busyPlaces) {
      if (this.patient.length >= patientFlushes) return
      const ofHolder = this.patient.filter(each => each === busy.holder).length
      if (busy.state === 'backoff' && ofHolder < Math.max(1, Math.floor(patientFlushes / 2))) void this.runPatientFlush(place, busy)
    }
  }

  private async runPatientFlush(place: string, busy: BusyPlace): Promise<void> {
    busy.state = 'patient'
    this.patient.push(busy.holder)
    const entries = this.take(place)
    const stillBusy = await (entries.length > 0 ? this.write(entries, true) : [])
    this.patient.splice(this.patient.indexOf(busy.holder), 1)
    this.reopen(place, stillBusy)
    this.goOn()
  }

  private open(place: string): void {
    this.busyPlaces.delete(place)
    this.closedPlaces.delete(place)
  }

  private goOn(): void {
    this.waitPatiently()
    this.schedule()
    if (this.isIdle()) this.becomeIdle()
  }

  /** The oldest rows, of one place or of all that are open, at most a flush full, each key once. Rows left behind keep their order. */
  private take(only?: string): Entry<Row, Answer>[] {
    const { rowsPerFlush, bytesPerFlush, keyOf, isRepetition } = this.options
    const taken: Entry<Row, Answer>[] = []
    let bytes = 0
    const gone = new Set<Entry<Row, Answer>>()
    const firsts = new Map<string, Entry<Row, Answer>>()
    const closedPlaces = new Set(this.closedPlaces)
    if (only !== undefined) closedPlaces.delete(only)
    for (const entry of only === undefined ? this.openRows() : this.waiting) {
      if (taken.length === rowsPerFlush || (taken.length > 0 && bytes + entry.bytes > bytesPerFlush)) break
      if (entry.answered || closedPlaces.has(entry.place) || (only ?? entry.place) !== entry.place) continue
      const key = keyOf(entry.row as Row)
      const first = key === null ? undefined : firsts.get(key)
      if (first !== undefined && !isRepetition(first.row as Row, entry.row as Row)) {
        closedPlaces.add(entry.place)
        continue
      }
      gone.add(entry)
      entry.isTaken = true
      this.count(entry, -1)
      if (first !== undefined) {
        first.repetitions = [...(first.repetitions ?? []), entry]
        continue
      }
      taken.push(entry)
      bytes += entry.bytes
      if (key !== null) firsts.set(key, entry)
      if (only === undefined && this.busyPlaces.has(entry.place)) closedPlaces.add(entry.place)
    }
    if (gone.size > 0) this.waiting = gone.size === this.waiting.length ? [] : this.waiting.filter(entry => !gone.has(entry))
    return taken
  }

  /** Oldest first; where one flush does not hold them all, place by place: another flush can then have the other places meanwhile. */
  private openRows(): Entry<Row, Answer>[] {
    const open = this.waiting.filter(entry => !this.closedPlaces.has(entry.place))
    if (open.length <= this.options.rowsPerFlush) return open
    const places = new Map<string, Entry<Row, Answer>[]>()
    for (const entry of open) {
      const same = places.get(entry.place)
      if (same === undefined) places.set(entry.place, [entry])
      else same.push(entry)
    }
    return [...places.values()].flat()
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
      this.answer(entry, this.tooLate(entry))
    }
    if (expired > 0) this.forgetExpired(expired)
    if (this.unanswered.length > 0) this.watchDeadlines()
  }

  private forgetExpired(expired: number): void {
    this.counts.expired += expired
    for (const entry of this.waiting) if (entry.answered) this.count(entry, -1)
    this.waiting = this.waiting.filter(entry => !entry.answered)
    const left = new Set(this.waiting.map(entry => entry.place))
    for (const [place, { state }] of this.busyPlaces)
      if (state === 'tried' && !left.has(place) && !this.closedPlaces.has(place)) this.busyPlaces.delete(place)
    if (this.isIdle()) this.becomeIdle()
  }

  private tooLate({ place, isTaken }: Entry<Row, Answer>): AppError {
    const isBusy = this.busyPlaces.has(place)
    if (isBusy && !isTaken) return new AppError('OVERLOADED', { detail: 'Something takes long in this case.', retryAfterSeconds: 2 })
    return new AppError('STORAGE_UNAVAILABLE', {
      detail: 'The document could not be stored in time; it may still have been.',
      retryAfterSeconds: 2,
      cause: isBusy ? new BusyCase('something takes long in the case of this document') : undefined,
    })
  }

  private isIdle(): boolean {
    return this.inFlight === 0 && this.patient.length === 0 && this.waiting.length === 0
  }

  private becomeIdle(): void {
    for (const resolve of this.whenIdle.splice(0)) resolve()
  }
}
