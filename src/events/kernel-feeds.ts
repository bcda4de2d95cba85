/**
 * The kernel stream: everything, in commit order. One tail per process keeps the newest events for all readers; who is
 * further behind reads pages from the database until it has caught up. The tail runs while there are readers.
 *
 * A tenant's own stream is the same for the scopes of one tenant. It has no cursor, because a place in the log of all
 * tenants tells how much the others do: it begins with what is committed from now on, and ends where it would have a gap.
 * Its readers sleep through what the others do.
 */

import type { Clock } from '../platform/clock.js'
import { AppError } from '../platform/errors.js'
import {
  isVisibleIn,
  type KernelEvent,
  type LogBounds,
  type LogPosition,
  type LogSnapshot,
  readKernelEvents,
  readLogBounds,
  readLogSnapshot,
} from '../store/events/events-reading.js'
import type { Database } from '../store/server/database.js'
import { comparePositions, formatKernelCursor } from './cursor.js'
import { type Feed, type FeedDependencies, PagedFeed } from './feed.js'
import { type Gap, gapFrame, kernelFrame, tenantFrame } from './frame.js'
import { KernelTail, type TailedEvent } from './kernel-tail.js'

const pageEvents = 200

export interface KernelFilter {
  tenantId?: string | null
  scopeId?: string | null
  /** Any of these; none or empty: all. */
  types?: readonly string[] | null
}

/** The scopes of a tenant; `within` null: all of them. */
export interface TenantFilter {
  tenantId: string
  within: readonly string[] | null
}

/** What a feed shows of the log, and how. */
interface View {
  /** Events of other tenants are nothing to it; null: of all. */
  tenantId: string | null
  wants(event: KernelEvent): boolean
  frameOf(event: KernelEvent | TailedEvent): string
  /** Undefined: the feed ends instead. */
  gapFrame?(gap: Gap): string
}

export type KernelFeeds = ReturnType<typeof createKernelFeeds>

export function createKernelFeeds(deps: FeedDependencies) {
  const readers = new Set<KernelFeed>()
  const tail: KernelTail = new KernelTail({
    ...deps,
    onAdvance: tenants => {
      for (const reader of readers) reader.notice(tenants)
    },
  })
  let closed = false
  const open = async (after: LogPosition | null, view: View): Promise<Feed> => {
    const snapshot = await readLogSnapshot(deps.db)
    const start = after === null ? liveStart(snapshot) : await startAt(deps.db, after, snapshot)
    if (closed) throw new AppError('OVERLOADED', { detail: 'The service is stopping.', retryAfterSeconds: 1 })
    const feed = new KernelFeed(deps, tail, { ...start, view }, () => {
      readers.delete(feed)
      if (readers.size === 0) tail.rest()
    })
    readers.add(feed)
    tail.run(liveStart(snapshot).position)
    return feed
  }
  return {
    /** `after` null: from what is committed after this call. */
    open: ({ after, filter }: { after: LogPosition | null; filter: KernelFilter }) => open(after, kernelView(filter, deps.clock)),
    openTenant: (filter: TenantFilter) => open(null, tenantView(filter, tail, deps.idKey)),
    readers: () => readers.size,
    async close() {
      closed = true
      for (const reader of [...readers]) reader.close()
      await tail.close()
    },
  }
}

function kernelView({ tenantId, scopeId, types }: KernelFilter, clock: Clock): View {
  return {
    tenantId: null,
    wants: event =>
      (tenantId == null || event.tenantId === tenantId) &&
      (scopeId == null || event.scopeId === scopeId) &&
      (types == null || types.length === 0 || types.includes(event.type)),
    frameOf: event => ('frame' in event ? event.frame : kernelFrame(event)),
    gapFrame: gap => gapFrame('/service', gap, clock.now()),
  }
}

function tenantView({ tenantId, within }: TenantFilter, tail: KernelTail, idKey: string): View {
  return {
    tenantId,
    wants: event => event.tenantId === tenantId && event.scopeId !== null && (within === null || within.includes(event.scopeId)),
    frameOf: event => ('frame' in event ? tail.tenantFrameOf(event) : tenantFrame(event, idKey)),
  }
}

interface Start {
  position: LogPosition
  /** Events of transactions visible here are old news, even when the tail shows them later. */
  since: LogSnapshot | null
  gap: Gap | null
  /** What retention had removed when the reader came, or last got a gap event. */
  removed: LogPosition | null
}

function liveStart(snapshot: LogSnapshot): Start {
  return { position: { xid: snapshot.xmin - 1, id: Number.MAX_SAFE_INTEGER }, since: snapshot, gap: null, removed: null }
}

/** A cursor was read below `xmin` of its time, and `xmin` only grows: at or above it now, nobody has ever been there. */
async function startAt(db: Database, after: LogPosition, snapshot: LogSnapshot): Promise<Start> {
  const bounds = await readLogBounds(db)
  const gap = gapAt(after, bounds)
  if (after.xid >= snapshot.xmin) return { ...liveStart(snapshot), gap }
  return { position: after, since: null, gap: comparePositions(after, bounds.removed) < 0 ? gap : null, removed: bounds.removed }
}

function gapAt(position: LogPosition, { oldest, newest }: LogBounds): Gap {
  return {
    requested: position.xid === 0 ? '-1' : formatKernelCursor(position),
    oldest: oldest && formatKernelCursor(oldest),
    newest: newest && formatKernelCursor(newest),
  }
}

class KernelFeed extends PagedFeed {
  private readonly deps: FeedDependencies
  private readonly tail: KernelTail
  private readonly view: View
  private readonly since: LogSnapshot | null
  private position: LogPosition
  private removed: LogPosition | null

  constructor(deps: FeedDependencies, tail: KernelTail, start: Start & { view: View }, onClose: () => void) {
    const { view, gap } = start
    super({ what: 'kernel stream', first: gap && (view.gapFrame?.(gap) ?? null), logger: deps.logger, onClose })
    this.deps = deps
    this.tail = tail
    this.position = start.position
    this.since = start.since
    this.removed = start.removed
    this.view = view
  }

  /**
   * The tail has more events, of these tenants. One that waits has seen everything before them: what is nothing to it is
   * behind it at once, so that it never has to read up on the others.
   */
  notice(tenants: ReadonlySet<string>): void {
    const { tenantId } = this.view
    if (tenantId === null || tenants.has(tenantId)) this.signal.wake()
    else if (this.signal.isWaiting && comparePositions(this.position, this.tail.end) < 0) this.position = this.tail.end
  }

  protected async turnPage(): Promise<void> {
    const recent = this.tail.after(this.position, pageEvents)
    if (recent === null) return this.readBehind()
    const last = recent.at(-1)
    if (last === undefined) return this.signal.wait()
    const wanted = recent.filter(event => this.wants(event))
    if (wanted.some(event => event.isBlank)) return this.readBehind()
    // Made before they count as read: where one cannot be, the reader comes back to it.
    const frames = wanted.map(this.view.frameOf)
    this.position = { xid: last.xid, id: last.id }
    this.show(frames)
  }

  /** A page from the database, for a reader that the tail has left behind, or that wants what is blank there. */
  private async readBehind(): Promise<void> {
    const events = await readKernelEvents(this.deps.db, this.position, pageEvents)
    const frames = events.filter(event => this.wants(event)).map(this.view.frameOf)
    if (events.length > 0) await this.noticeRemoval(frames)
    const last = events.at(-1)
    if (last !== undefined) this.position = { xid: last.xid, id: last.id }
    else await this.signal.wait()
    this.show(frames)
  }

  /** Retention may have overtaken a slow reader since it was last looked at. */
  private async noticeRemoval(frames: string[]): Promise<void> {
    const bounds = await readLogBounds(this.deps.db)
    const fresh = this.removed !== null && comparePositions(this.removed, bounds.removed) < 0
    if (fresh && comparePositions(this.position, bounds.removed) < 0) {
      if (this.view.gapFrame === undefined) return this.close()
      frames.unshift(this.view.gapFrame(gapAt(this.position, bounds)))
    }
    this.removed = bounds.removed
  }

  private wants(event: KernelEvent): boolean {
    return !(this.since !== null && isVisibleIn(this.since, event.xid)) && this.view.wants(event)
  }
}
