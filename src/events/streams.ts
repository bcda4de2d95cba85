/**
 * The event streams of a process, by what a client asks for: cursors as text, `Last-Event-ID` before `after`.
 */

import { readTailLagSeconds } from '../store/events/events-reading.js'
import { parseKernelCursor, parseScopeCursor } from './cursor.js'
import type { Feed, FeedDependencies } from './feed.js'
import { createKernelFeeds, type KernelFilter, type TenantFilter } from './kernel-feeds.js'
import { createScopeFeeds } from './scope-feeds.js'

/** As the request gave them; undefined or null when it did not. */
export interface CursorRequest {
  lastEventId?: string | null | undefined
  after?: string | null | undefined
}

export interface EventStreams {
  /** Throws `SCOPE_NOT_FOUND` and `CURSOR_INVALID`. */
  subscribeScope(request: CursorRequest & { tenantId: string; scopeId: string }): Promise<Feed>
  subscribeTenant(filter: TenantFilter): Promise<Feed>
  subscribeKernel(request: CursorRequest & { filter?: KernelFilter }): Promise<Feed>
  stats(): { watchedScopes: number; kernelReaders: number }
  /** For health: how long committed events have waited to become visible on the kernel stream. */
  tailLagSeconds(): Promise<number>
  close(): Promise<void>
}

export function createEventStreams(deps: FeedDependencies): EventStreams {
  const scopes = createScopeFeeds(deps)
  const kernel = createKernelFeeds(deps)
  return {
    subscribeScope: async ({ tenantId, scopeId, ...cursor }) =>
      scopes.open({ tenantId, scopeId, after: parseScopeCursor(cursorOf(cursor)) }),
    subscribeTenant: filter => kernel.openTenant(filter),
    subscribeKernel: async ({ filter, ...cursor }) => kernel.open({ after: parseKernelCursor(cursorOf(cursor)), filter: filter ?? {} }),
    stats: () => ({ watchedScopes: scopes.watchedScopes(), kernelReaders: kernel.readers() }),
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
