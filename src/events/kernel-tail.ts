/**
 * The newest events of everything, in commit order, kept for the readers of the kernel stream. Bounded in events and
 * bytes: what has been dropped is read from the database by those who still need it. So is what was blanked because words
 * in it may have been erased since; it keeps its place, so that readers with other interests go past it.
 */

import { type KernelEvent, type LogPosition, readKernelEvents } from '../store/events/events-reading.js'
import { comparePositions } from './cursor.js'
import type { FeedDependencies } from './feed.js'
import { kernelFrame, tenantFrame } from './frame.js'
import { type Poller, startPoller } from './poller.js'

export interface TailedEvent extends KernelEvent {
  /** As the kernel stream has it. */
  frame: string
  /** As the stream of its tenant has it, once somebody reads that. */
  tenantFrame?: string
  /** Frame and data are empty: whoever wants the event reads it from the database. */
  isBlank?: true
}

export interface KernelTailOptions extends Pick<FeedDependencies, 'db' | 'idKey' | 'hints' | 'logger'> {
  /** There are more events, of these tenants. */
  onAdvance(tenants: ReadonlySet<string>): void
}

const batchEvents = 500
const keptEvents = 4000
const keptBytes = 4 * 1024 * 1024
const pollEveryMs = 250
const pollPauseMs = 10
/** These take words out of events that came before them, or whole events. */
const erasing: ReadonlySet<string> = new Set(['document.erased', 'scope.reset', 'scope.deleted', 'tenant.removed'])

export class KernelTail {
  private readonly options: KernelTailOptions
  private readonly unsubscribe: () => void
  private poller: Poller | undefined
  /** Counts the beginnings, so that a read begun before a rest is not taken for one after it. */
  private runs = 0
  private stopping: Promise<void> = Promise.resolve()
  private kept: TailedEvent[] = []
  private bytes = 0
  /** Everything after this place and up to `reached` is kept. */
  private floor: LogPosition = { xid: 0, id: 0 }
  private reached: LogPosition = { xid: 0, id: 0 }

  constructor(options: KernelTailOptions) {
    this.options = options
    this.unsubscribe = options.hints.subscribe('events', () => this.poller?.hint())
  }

  /** Begins at `from` unless it runs already. */
  run(from: LogPosition): void {
    if (this.poller !== undefined) return
    this.runs++
    this.kept = []
    this.bytes = 0
    this.floor = from
    this.reached = from
    this.poller = startPoller({
      what: 'event log tail',
      work: () => this.advance(),
      everyMs: pollEveryMs,
      pauseMs: pollPauseMs,
      logger: this.options.logger,
    })
  }

  /** Until there is a reader again. */
  rest(): void {
    const { poller } = this
    if (poller === undefined) return
    this.poller = undefined
    this.runs++
    this.kept = []
    this.stopping = Promise.all([this.stopping, poller.stop()]).then(() => undefined)
  }

  async close(): Promise<void> {
    this.unsubscribe()
    this.rest()
    await this.stopping
  }

  /** The newest event that was kept. */
  get end(): LogPosition {
    return this.reached
  }

  /** Made once for all readers of the tenant, of an event that `after` gave just now. */
  tenantFrameOf(event: TailedEvent): string {
    if (event.tenantFrame === undefined) {
      event.tenantFrame = tenantFrame(event, this.options.idKey)
      this.bytes += event.tenantFrame.length
    }
    return event.tenantFrame
  }

  /** What follows a place, at most `limit`; null when that place is not covered. */
  after(position: LogPosition, limit: number): TailedEvent[] | null {
    if (this.poller === undefined || comparePositions(position, this.floor) < 0) return null
    let low = 0
    let high = this.kept.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (comparePositions(this.kept[middle] as TailedEvent, position) <= 0) low = middle + 1
      else high = middle
    }
    return this.kept.slice(low, low + limit)
  }

  private async advance(): Promise<void> {
    const { runs } = this
    for (;;) {
      const events = await readKernelEvents(this.options.db, this.reached, batchEvents)
      if (this.runs !== runs) return
      for (const event of events) {
        if (erasing.has(event.type)) this.blank(event)
        const tailed = { ...event, frame: kernelFrame(event) }
        this.kept.push(tailed)
        this.bytes += bytesOf(tailed)
        this.reached = { xid: event.xid, id: event.id }
      }
      this.drop()
      if (events.length > 0) this.options.onAdvance(new Set(events.map(event => event.tenantId)))
      if (events.length < batchEvents) return
    }
  }

  private blank(erasure: KernelEvent): void {
    const isConcerned = concernedBy(erasure)
    for (const [index, event] of this.kept.entries()) {
      if (event.isBlank || !isConcerned(event)) continue
      this.bytes -= bytesOf(event)
      const { tenantFrame: _, ...rest } = event
      this.kept[index] = { ...rest, subject: null, data: '', frame: '', isBlank: true }
    }
  }

  private drop(): void {
    let dropped = 0
    while (this.kept.length - dropped > keptEvents || this.bytes > keptBytes) {
      const event = this.kept[dropped++] as TailedEvent
      this.bytes -= bytesOf(event)
      this.floor = { xid: event.xid, id: event.id }
    }
    if (dropped > 0) this.kept = this.kept.slice(dropped)
  }
}

/** All events of the tenant, or of the scope: those of a scope may repeat words of any of its documents. */
function concernedBy({ type, tenantId, scopeNo, scopeId, data }: KernelEvent): (event: KernelEvent) => boolean {
  if (type === 'tenant.removed') {
    const removed = JSON.parse(data) as { tenant_id?: string } | null
    return event => event.tenantId === removed?.tenant_id
  }
  // `scope.created` has no number of the scope, and `scope.deleted` may be the last to have its name.
  return event => event.tenantId === tenantId && (event.scopeNo === scopeNo || event.scopeId === scopeId)
}

function bytesOf({ frame, tenantFrame: ofTenant = '', data }: TailedEvent): number {
  return frame.length + ofTenant.length + data.length
}
