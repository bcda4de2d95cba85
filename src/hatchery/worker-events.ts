/**
 * The hatchery's events on their way to the log: kept in memory for a moment, written together, bounded. What exceeds
 * the bound is counted in the next event instead of filling the log.
 */

import { appendServiceEvents, type EventDraft, serviceTenant } from '../store/events/events.js'
import type { Database } from '../store/server/database.js'

export type WorkerEventType = 'worker.spawned' | 'worker.drained' | 'worker.restarted' | 'worker.circuit'

/** Between two flushes. */
const most = 20

export type WorkerEvents = ReturnType<typeof createWorkerEvents>

export function createWorkerEvents({ db, nodeId }: { db: Database; nodeId: string }) {
  const kept: EventDraft[] = []
  let suppressed = 0
  return {
    add(type: WorkerEventType, data: Record<string, unknown>): void {
      // The loud one is never the one left out.
      if (kept.length >= most && type !== 'worker.circuit') {
        suppressed++
        return
      }
      if (kept.length >= 2 * most) kept.shift()
      kept.push({ type, data: { node_id: nodeId, ...data } })
    },
    /** Writes what has gathered; on failure it stays for the next time. Answers how many were written. */
    async flush(): Promise<number> {
      if (kept.length === 0) return 0
      const [written, told] = [new Set(kept), suppressed]
      const drafts = kept.map((draft, i) => (i === 0 && told > 0 ? { ...draft, data: { ...draft.data, suppressed: told } } : draft))
      await db.engine(tx => appendServiceEvents(tx, serviceTenant, drafts))
      // What came meanwhile is for the next time, and so is what was left out meanwhile.
      const since = kept.filter(draft => !written.has(draft))
      kept.splice(0, kept.length, ...since)
      suppressed -= told
      return drafts.length
    },
  }
}
