/**
 * Wakes those who wait for documents, each when its own has an outcome. One look asks for all documents waited for,
 * after a hint or half a second, so that thousands who wait for a document that does not move cost two queries a
 * second. Hints come with every event anywhere: looks keep a distance from each other that grows with what they cost.
 */

import { pause } from '../../platform/deadline.js'
import { messageOf } from '../../platform/errors.js'
import { findOutcomes, type WaitedDocument } from '../../store/documents/document-waits.js'
import type { ScopesDeps } from '../deps.js'

export interface DocumentWaits {
  /** Resolves when the document may have an outcome, or the signal or the end of all waits ends this one. */
  outcomeOf(document: WaitedDocument, signal: AbortSignal): Promise<void>
  isClosed(): boolean
  /** Ends every wait, also those that would begin: the service is stopping. */
  close(): void
}

const pollMs = 500
const least = { betweenMs: 10, timesCost: 4 }

interface Waited {
  document: WaitedDocument
  wake: Set<() => void>
}

export function createDocumentWaits(deps: Pick<ScopesDeps, 'db' | 'hints' | 'clock' | 'logger'>): DocumentWaits {
  const waited = new Map<string, Waited>()
  let hint = new AbortController()
  let isLooking = false
  let isClosed = false

  const look = async (): Promise<number> => {
    const began = deps.clock.monotonicMs()
    const all = [...waited.values()]
    const places = await findOutcomes(
      deps.db,
      all.map(each => each.document),
    )
    for (const place of places) for (const wake of all[place]?.wake ?? []) wake()
    return deps.clock.monotonicMs() - began
  }
  /** Runs while anybody waits. */
  const keepLooking = async (): Promise<void> => {
    const unsubscribe = deps.hints.subscribe('events', () => hint.abort())
    while (waited.size > 0) {
      hint = new AbortController()
      const cost = await look().catch((error: unknown) => {
        // A waiter reads again when its own timeout is over.
        deps.logger.debug({ error: messageOf(error) }, 'long-poll query for document status failed')
        return pollMs
      })
      await pause(Math.min(pollMs, Math.max(least.betweenMs, least.timesCost * cost)))
      await pause(pollMs, hint.signal)
    }
    unsubscribe()
    isLooking = false
  }
  return {
    outcomeOf(document, signal) {
      return new Promise(resolve => {
        if (isClosed || signal.aborted) return resolve()
        const name = JSON.stringify(document)
        const entry = waited.get(name) ?? { document, wake: new Set() }
        waited.set(name, entry)
        const wake = () => {
          signal.removeEventListener('abort', wake)
          entry.wake.delete(wake)
          if (entry.wake.size === 0) waited.delete(name)
          resolve()
        }
        entry.wake.add(wake)
        signal.addEventListener('abort', wake, { once: true })
        // What happened since the caller read the document must not wait for the next hint.
        hint.abort()
        if (!isLooking) {
          isLooking = true
          void keepLooking()
        }
      })
    },
    isClosed: () => isClosed,
    close() {
      isClosed = true
      hint.abort()
      for (const { wake } of [...waited.values()]) for (const each of [...wake]) each()
    },
  }
}
