/**
 * The stream of what is on the screen. Views are notified of the kinds of events that came and read again what they show. A lost
 * connection is made again by the client after the last event that arrived, so nothing is missed; until then the desk
 * says that it is not live.
 */

import { signal } from '@preact/signals'
import type { ServiceEvent } from '../src/client/index.js'
import { client, sayFailure } from './session'

/** `polled`: no stream serves the view, which is read again every few seconds. */
export type LiveState = 'off' | 'connecting' | 'live' | 'polled' | 'lost'
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

/** Gives how to stop. `isAgain`: its views are on the screen already and were not told what happened while nobody was signed in. */
export function followCase(scopeId: string, isAgain: boolean): () => void {
  recentEvents.value = []
  return follow(signal => readCase(scopeId, isAgain, signal))
}

/** What happens in all cases of the tenant. */
export function followCases(): () => void {
  return follow(async signal => {
    for await (const event of client.value.allEvents({ signal, ...connection, onOpen: openedNow })) tell(event.type)
  })
}

/** Everything that happens: for those who hold an internals key. */
export function followKernel(): () => void {
  return follow(async signal => {
    for await (const event of client.value.internals.events({ signal, ...connection, onOpen: openedNow })) tell(event.type)
  })
}

const connection = {
  onOpen: () => {
    const wasLost = liveState.value === 'lost'
    liveState.value = 'live'
    // What could not be read meanwhile is read now, whether or not something happened.
    if (wasLost) tell('stream.gap')
  },
  onReconnect: () => {
    liveState.value = 'lost'
  },
}

/** Of a stream that begins now: what happened since the view was read and before it was open is read again. */
function openedNow(): void {
  liveState.value = 'live'
  tell('stream.gap')
}

function follow(read: (signal: AbortSignal) => Promise<void>): () => void {
  const stop = new AbortController()
  liveState.value = 'connecting'
  liveFault.value = undefined
  void read(stop.signal).catch((error: unknown) => {
    if (stop.signal.aborted) return
    liveState.value = 'lost'
    liveFault.value = sayFailure(error)
  })
  return () => {
    stop.abort()
    liveState.value = 'off'
  }
}

function tell(type: string): void {
  for (const listener of listeners) listener(type)
}

async function readCase(scopeId: string, isAgain: boolean, signal: AbortSignal): Promise<void> {
  const { last_seq: newest } = await client.value.summary(scopeId, { signal })
  const known = newest ?? -1
  // Only what comes after this one is told: what is on the screen has to be as new.
  if (isAgain) tell('stream.gap')
  let arrived: ServiceEvent[] = []
  for await (const event of client.value.events(scopeId, { after: Math.max(-1, known - keptEvents), signal, ...connection })) {
    arrived.push(event)
    // Events come in bursts; the list changes once for each.
    if (arrived.length === 1) {
      queueMicrotask(() => {
        recentEvents.value = [...recentEvents.value, ...arrived].slice(-keptEvents)
        arrived = []
      })
    }
    if (event.type === 'stream.gap' || Number(event.id) > known) tell(event.type)
  }
}

/** How often a view is read again that no stream serves. */
export const pollMs = 4000

/** For operators whose key opens no stream: reads again every few seconds and says so, and whether that works. */
export function poll(read: () => Promise<boolean>): () => void {
  let isOver = false
  liveFault.value = undefined
  const turn = async () => {
    const works = document.hidden || (await read())
    if (isOver) return
    liveState.value = works ? 'polled' : 'lost'
    timer = window.setTimeout(turn, pollMs)
  }
  let timer = window.setTimeout(turn, pollMs)
  liveState.value = 'polled'
  return () => {
    isOver = true
    window.clearTimeout(timer)
    liveState.value = 'off'
  }
}
