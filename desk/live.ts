/**
 * The stream of the case on the screen. Views are told what kinds of events came and read again what they show. A lost
 * connection is made again by the client after the last event that arrived, so nothing is missed; until then the desk
 * says that it is not live.
 */

import { signal } from '@preact/signals'
import type { ServiceEvent } from '../src/client/index.js'
import { client, sayFailure } from './session'

export type LiveState = 'off' | 'connecting' | 'live' | 'lost'
export const liveState = signal<LiveState>('off')
export const liveFault = signal<string | undefined>(undefined)

/** The newest events of the case, oldest first. */
export const recentEvents = signal<readonly ServiceEvent[]>([])

const keptEvents = 400
type Listener = (type: string) => void
const listeners = new Set<Listener>()

export function onEvent(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Gives how to stop. */
export function followCase(scopeId: string): () => void {
  const stop = new AbortController()
  recentEvents.value = []
  liveState.value = 'connecting'
  liveFault.value = undefined
  void follow(scopeId, stop.signal).catch((error: unknown) => {
    if (stop.signal.aborted) return
    liveState.value = 'lost'
    liveFault.value = sayFailure(error)
  })
  return () => {
    stop.abort()
    liveState.value = 'off'
  }
}

async function follow(scopeId: string, signal: AbortSignal): Promise<void> {
  const { last_seq: newest } = await client.value.summary(scopeId, { signal })
  const known = newest ?? -1
  const events = client.value.events(scopeId, {
    after: Math.max(-1, known - keptEvents),
    signal,
    onOpen: () => {
      liveState.value = 'live'
    },
    onReconnect: () => {
      liveState.value = 'lost'
    },
  })
  let arrived: ServiceEvent[] = []
  for await (const event of events) {
    arrived.push(event)
    // Events come in bursts; the list changes once for each.
    if (arrived.length === 1) {
      queueMicrotask(() => {
        recentEvents.value = [...recentEvents.value, ...arrived].slice(-keptEvents)
        arrived = []
      })
    }
    if (event.type === 'stream.gap' || Number(event.id) > known) for (const listener of listeners) listener(event.type)
  }
}

/** For views that no stream serves: reads again every few seconds and says whether that works. */
export function pollEvery(everyMs: number, read: () => Promise<unknown>): () => void {
  liveState.value = 'connecting'
  let isOver = false
  const turn = async () => {
    try {
      if (!document.hidden) await read()
      if (!isOver) liveState.value = 'live'
    } catch (error) {
      if (!isOver) {
        liveState.value = 'lost'
        liveFault.value = sayFailure(error)
      }
    }
    if (!isOver) timer = window.setTimeout(turn, everyMs)
  }
  let timer = window.setTimeout(turn, everyMs)
  liveState.value = 'live'
  return () => {
    isOver = true
    window.clearTimeout(timer)
    liveState.value = 'off'
  }
}
