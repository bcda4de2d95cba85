/**
 * Streams of scopes. One poll asks for the heads of all watched scopes of the process and wakes the readers of those
 * that moved; pages are read once for all readers that stand at the same place. A feed promises every event after its
 * start once and in order of `seq`, or says what is missing.
 */

import { AppError } from '../platform/errors.js'
import { type LogEnd, readLogEnds, readScopeEvents, readScopeHead, type ScopeHead } from '../store/events/events-reading.js'
import type { ScopeKey } from '../store/scopes/scopes.js'
import { type Feed, type FeedDependencies, PagedFeed } from './feed.js'
import { gapFrame, scopeFrame } from './frame.js'
import { type Poller, startPoller } from './poller.js'

const pageEvents = 100
const pollEveryMs = 500
const pollPauseMs = 10
/** Scopes asked for in one statement. */
const pollScopes = 2000
const pageKeptMs = 1000

interface ScopePage {
  frames: string[]
  lastSeq: number
}

interface Channel {
  readonly scope: ScopeKey
  readonly scopeId: string
  nextSeq: number
  /** The scope was deleted: its readers end when they have read what there is. */
  over: boolean
  readonly readers: Set<ScopeFeed>
  /** Pages by the seq they come after. */
  readonly pages: Map<number, { page: Promise<ScopePage>; readAt: number }>
}

export function createScopeFeeds(deps: FeedDependencies) {
  const channels = new Map<number, Channel>()
  let poller: Poller | undefined
  let closed = false
  const unsubscribe = deps.hints.subscribe('events', () => poller?.hint())

  const leave = (channel: Channel, feed: ScopeFeed) => {
    channel.readers.delete(feed)
    if (channel.readers.size === 0 && channels.get(channel.scope.scopeNo) === channel) channels.delete(channel.scope.scopeNo)
  }
  return {
    /** `after` null: from what is committed after this call. */
    async open({ tenantId, scopeId, after }: { tenantId: string; scopeId: string; after: number | null }): Promise<Feed> {
      const head = await readScopeHead(deps.db, tenantId, scopeId)
      if (head === null) throw new AppError('SCOPE_NOT_FOUND')
      if (closed) throw new AppError('OVERLOADED', { detail: 'The service is stopping.', retryAfterSeconds: 1 })
      const channel = channels.get(head.scopeNo) ?? newChannel(head, scopeId)
      channels.set(head.scopeNo, channel)
      advance(channel, { nextSeq: head.nextSeq, over: false })
      poller ??= startPoller({
        what: 'scope log poll',
        work: () => poll(deps, channels),
        everyMs: pollEveryMs,
        pauseMs: pollPauseMs,
        logger: deps.logger,
      })
      const feed = new ScopeFeed(deps, channel, startOf(head, after), () => leave(channel, feed))
      channel.readers.add(feed)
      return feed
    },
    watchedScopes: () => channels.size,
    async close() {
      closed = true
      unsubscribe()
      for (const channel of channels.values()) for (const reader of [...channel.readers]) reader.close()
      await poller?.stop()
    },
  }
}

function newChannel(head: ScopeHead, scopeId: string): Channel {
  const scope = { tenantId: head.tenantId, scopeNo: head.scopeNo }
  return { scope, scopeId, nextSeq: head.nextSeq, over: false, readers: new Set(), pages: new Map() }
}

interface Start {
  position: number
  gap: { requested: number; oldest: number; newest: number | null } | null
}

/** A cursor ahead of the log goes on live; one that is too old goes on from the oldest. */
function startOf(head: ScopeHead, after: number | null): Start {
  const newest = head.nextSeq - 1
  if (after === null) return { position: newest, gap: null }
  const gap = { requested: after, oldest: head.oldestSeq, newest: newest < 0 ? null : newest }
  if (after > newest) return { position: newest, gap }
  if (after + 1 < head.oldestSeq) return { position: head.oldestSeq - 1, gap }
  return { position: after, gap: null }
}

async function poll(deps: FeedDependencies, channels: ReadonlyMap<number, Channel>): Promise<void> {
  const all = [...channels.values()]
  for (let from = 0; from < all.length; from += pollScopes) {
    const some = all.slice(from, from + pollScopes)
    const ends = await readLogEnds(
      deps.db,
      some.map(channel => channel.scope),
    )
    for (const [index, channel] of some.entries()) advance(channel, ends[index])
  }
  forgetPages(all, deps.clock.monotonicMs())
}

function advance(channel: Channel, end: LogEnd | undefined): void {
  if (end === undefined) {
    // The scope is gone, and its tenant with it.
    for (const reader of [...channel.readers]) reader.close()
    return
  }
  if (end.nextSeq <= channel.nextSeq && end.over === channel.over) return
  channel.nextSeq = Math.max(channel.nextSeq, end.nextSeq)
  channel.over = end.over
  // What is new may be that a document was erased: its words may be in pages read before.
  channel.pages.clear()
  for (const reader of channel.readers) reader.wake()
}

function forgetPages(channels: readonly Channel[], now: number): void {
  for (const { pages } of channels) {
    for (const [after, { readAt }] of pages) if (now - readAt > pageKeptMs) pages.delete(after)
  }
}

class ScopeFeed extends PagedFeed {
  private readonly deps: FeedDependencies
  private readonly channel: Channel
  private position: number

  constructor(deps: FeedDependencies, channel: Channel, { position, gap }: Start, onClose: () => void) {
    const first = gap === null ? null : gapFrame(`/scopes/${channel.scopeId}`, gap, deps.clock.now())
    super({ what: 'scope stream', first, logger: deps.logger, onClose })
    this.deps = deps
    this.channel = channel
    this.position = position
  }

  protected async turnPage(): Promise<void> {
    if (this.channel.nextSeq > this.position + 1) {
      const page = await sharedPage(this.deps, this.channel, this.position)
      this.show(page.frames)
      this.position = page.lastSeq
    } else if (this.channel.over) this.close()
    else await this.signal.wait()
  }
}

function sharedPage(deps: FeedDependencies, channel: Channel, after: number): Promise<ScopePage> {
  const known = channel.pages.get(after)
  if (known !== undefined) return known.page
  const page = readPage(deps, channel, after)
  channel.pages.set(after, { page, readAt: deps.clock.monotonicMs() })
  page.catch(() => channel.pages.delete(after))
  return page
}

async function readPage(deps: FeedDependencies, channel: Channel, after: number): Promise<ScopePage> {
  // Asked before reading: what is missing below it was removed by retention, not yet to come.
  const newest = channel.nextSeq - 1
  const events = await readScopeEvents(deps.db, channel.scope, after, pageEvents)
  const frames = events.map(event => scopeFrame(channel.scopeId, event))
  const oldest = events[0]?.seq ?? newest + 1
  if (oldest > after + 1) {
    frames.unshift(gapFrame(`/scopes/${channel.scopeId}`, { requested: after, oldest, newest }, deps.clock.now()))
  }
  return { frames, lastSeq: events.at(-1)?.seq ?? newest }
}
