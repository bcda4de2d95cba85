/**
 * The event streams of a process, by what a client asks for: cursors as text, `Last-Event-ID` before `after`.
 */

import { readTailLagSeconds } from '../store/events/events-reading.js'
import { parseKernelCursor, parseScopeCursor } from './cursor.js'
import type { Feed, FeedDependencies } from './feed.js'
import { createKernelFeeds, type KernelFilter } from './kernel-feeds.js'
import { createScopeFeeds } from './scope-feeds.js'

/** As the request gave them; undefined or null when it did not. */
export interface CursorRequest {
  lastEventId?: string | null | undefined
  after?: string | null | undefined
}

export type EventStreams = ReturnType<typeof createEventStreams>

export function createEventStreams(deps: FeedDependencies) {
  const scopes = createScopeFeeds(deps)
  const kernel = createKernelFeeds(deps)
  return {
    /** Throws `SCOPE_NOT_FOUND` and `CURSOR_INVALID`. */
    subscribeScope: async ({ tenantId, scopeId, ...cursor }: CursorRequest & { tenantId: string; scopeId: string }): Promise<Feed> =>
      scopes.open({ tenantId, scopeId, after: parseScopeCursor(cursorOf(cursor)) }),
    subscribeTenant: kernel.openTenant,
    subscribeKernel: async ({ filter, ...cursor }: CursorRequest & { filter?: KernelFilter }): Promise<Feed> =>
      kernel.open({ after: parseKernelCursor(cursorOf(cursor)), filter: filter ?? {} }),
    stats: () => ({ watchedScopes: scopes.watchedScopes(), kernelReaders: kernel.readers() }),
    /** For health: how long committed events have waited to become visible on the kernel stream. */
    tailLagSeconds: () => readTailLagSeconds(deps.db),
    close: async () => {
      await Promise.all([scopes.close(), kernel.close()])
    },
  }
}

/** An empty `Last-Event-ID` is what a client sends that has seen no event: the same as none. */
function cursorOf({ lastEventId, after }: CursorRequest): string | null {
  if (lastEventId !== undefined && lastEventId !== null && lastEventId !== '') return lastEventId
  return after ?? null
}
