/**
 * Keeps the workers of this process to the desired state: polls the scopes they hold, at once after a hint, and tells
 * the holder of a scope that was paused, stopped or taken away. One statement for all holds, none while there are none.
 */

import type { Hints } from '../events/hints.js'
import { startLoop } from '../platform/bounded-loop.js'
import type { Clock } from '../platform/clock.js'
import type { Logger } from '../platform/logger.js'
import {
  type HeldScope,
  type LeasedRef,
  type RuntimeHold,
  type RuntimeState,
  type RuntimeWatch,
  readHeldScopes,
} from '../store/runtime/runtime.js'
import type { ScopeKey } from '../store/scopes/scopes.js'
import type { Database } from '../store/server/database.js'

export interface RuntimeWatchOptions {
  db: Database
  hints: Hints
  clock: Clock
  logger: Logger
}

/** Time between polls. Together with `trustMs` it stays below the second within which a pause must hold. */
const pollMs = 250
/** How long a confirmation counts. */
const trustMs = 700

export interface RunningRuntimeWatch extends RuntimeWatch {
  stop(): Promise<void>
}

interface Entry {
  lease: LeasedRef
  state: RuntimeState
  lost: boolean
  confirmedAtMs: number
  abort: AbortController
  /** Waiters for the next confirmation. */
  waiting: (() => void)[]
}

export function startRuntimeWatch({ db, hints, clock, logger }: RuntimeWatchOptions): RunningRuntimeWatch {
  const entries = new Set<Entry>()
  const poll = async (): Promise<'idle'> => {
    const asked = [...entries]
    if (asked.length === 0) return 'idle'
    const askedAtMs = clock.monotonicMs()
    const leases = asked.map(entry => entry.lease)
    const found = await db.engine(tx => readHeldScopes(tx, leases), { readOnly: true, statementTimeoutMs: 2000 })
    const byScope = new Map(found.map(scope => [keyOf(scope), scope]))
    for (const entry of asked) confirm(entry, byScope.get(keyOf(entry.lease)), askedAtMs)
    return 'idle'
  }
  const loop = startLoop({ name: 'runtime watch', run: poll, pollMs, failurePauseMs: 50, maxFailurePauseMs: pollMs, logger })
  const unsubscribe = hints.subscribe('runtime', () => loop.wake())

  const hold = (lease: LeasedRef): RuntimeHold => {
    const entry: Entry = {
      lease,
      state: 'running',
      lost: false,
      confirmedAtMs: clock.monotonicMs(),
      abort: new AbortController(),
      waiting: [],
    }
    entries.add(entry)
    const mayBegin = async (): Promise<boolean> => {
      while (entries.has(entry) && !entry.lost && clock.monotonicMs() - entry.confirmedAtMs > trustMs) {
        await new Promise<void>(resolve => {
          entry.waiting.push(resolve)
          loop.wake()
        })
      }
      return entries.has(entry) && !entry.lost && entry.state === 'running'
    }
    const release = () => {
      entries.delete(entry)
      wakeAll(entry)
    }
    return { mayBegin, signal: entry.abort.signal, release }
  }

  return {
    hold,
    stop: async () => {
      unsubscribe()
      await loop.stop()
      for (const entry of entries) wakeAll(entry)
      entries.clear()
    },
  }
}

function confirm(entry: Entry, found: HeldScope | undefined, askedAtMs: number): void {
  entry.confirmedAtMs = askedAtMs
  entry.state = found?.state ?? 'stopped'
  const { fence, owner } = entry.lease
  const lost = found === undefined || found.fence !== fence || found.owner !== owner || found.state === 'stopped'
  if (lost && !entry.lost) {
    entry.lost = true
    entry.abort.abort(new Error(found?.state === 'stopped' ? 'the scope is stopped' : 'the lease of the scope was taken away'))
  }
  wakeAll(entry)
}

function wakeAll(entry: Entry): void {
  for (const wake of entry.waiting.splice(0)) wake()
}

function keyOf(scope: ScopeKey): string {
  return `${scope.tenantId} ${scope.scopeNo}`
}
