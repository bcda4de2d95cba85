/**
 * What a stream reads from. Readers pull: nothing is made for a reader that does not read, so a stalled one holds a page
 * at most, and what it has missed waits in the database.
 */

export interface Feed {
  /** The next frames, about `maxBytes` at most, as soon as there are any. Empty: the feed is over. */
  read(maxBytes: number): Promise<string>
  close(): void
}

/** Frames of one page, handed out in portions. */
export interface Page {
  frames: readonly string[]
}

/** Portions of a page: at least one frame each, so that a frame larger than the portion still travels. */
export class PageReader {
  private page: Page | undefined
  private next = 0

  start(page: Page): void {
    this.page = page.frames.length === 0 ? undefined : page
    this.next = 0
  }

  /** Empty when the page is used up. */
  take(maxBytes: number): string {
    let out = ''
    while (this.page !== undefined && (out === '' || out.length < maxBytes)) {
      out += this.page.frames[this.next++]
      if (this.next === this.page.frames.length) this.page = undefined
    }
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
