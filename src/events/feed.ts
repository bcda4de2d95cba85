/**
 * What a stream reads from. Readers pull: nothing is made for a reader that does not read, so a stalled one holds a page
 * at most, and what it has missed waits in the database.
 */

import type { Clock } from '../platform/clock.js'
import { pause } from '../platform/deadline.js'
import { isAppError, messageOf } from '../platform/errors.js'
import type { Logger } from '../platform/logger.js'
import type { Database } from '../store/server/database.js'
import type { Hints } from './hints.js'

export interface Feed {
  /**
   * The next frames, about `maxBytes` at most, as soon as there are any. Empty: the feed is over. Rejects where they cannot be made;
   * storage that is away is waited for.
   */
  read(maxBytes: number): Promise<string>
  close(): void
}

export interface FeedDependencies {
  db: Database
  /** What ids of events are made with. */
  idKey: string
  hints: Hints
  clock: Clock
  logger: Logger
}

const failurePauseMs = 500

interface FeedOptions {
  /** For the log. */
  what: string
  /** A frame before all others. */
  first: string | null
  logger: Logger
  onClose(): void
}

/** A feed that reads page after page, and waits in between until it is woken. */
export abstract class PagedFeed implements Feed {
  protected readonly signal = new Signal()
  private readonly options: FeedOptions
  private frames: readonly string[]
  private next = 0
  private closed = false

  constructor(options: FeedOptions) {
    this.options = options
    this.frames = options.first === null ? [] : [options.first]
  }

  /** Gives the next frames to `show`, waits for some, or closes. */
  protected abstract turnPage(): Promise<void>

  async read(maxBytes: number): Promise<string> {
    while (!this.closed) {
      const ready = this.take(maxBytes)
      if (ready !== '') return ready
      try {
        await this.turnPage()
      } catch (error) {
        if (!isAppError(error, 'STORAGE_UNAVAILABLE')) throw error
        // Whoever polls logs that storage is unavailable; the stream survives it and resumes where it was.
        this.options.logger.debug({ error: messageOf(error) }, `${this.options.what} read failed`)
        await pause(failurePauseMs)
      }
    }
    return ''
  }

  wake(): void {
    this.signal.wake()
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.options.onClose()
    this.signal.wake()
  }

  protected show(frames: readonly string[]): void {
    this.frames = frames
    this.next = 0
  }

  /** At least one frame, so that a frame larger than the portion still travels. */
  private take(maxBytes: number): string {
    let out = ''
    while (this.next < this.frames.length && (out === '' || out.length < maxBytes)) out += this.frames[this.next++]
    if (this.next === this.frames.length) this.show([])
    return out
  }
}

/** A wait with a wake-up; one that comes while no reader waits is kept. */
export class Signal {
  private pending = false
  private waiter: (() => void) | undefined

  get isWaiting(): boolean {
    return this.waiter !== undefined
  }

  wake(): void {
    if (this.waiter === undefined) {
      this.pending = true
      return
    }
    const { waiter } = this
    this.waiter = undefined
    waiter()
  }

  wait(): Promise<void> {
    if (this.pending) {
      this.pending = false
      return Promise.resolve()
    }
    return new Promise(resolve => {
      this.waiter = resolve
    })
  }
}
