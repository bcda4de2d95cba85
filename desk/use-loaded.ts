/**
 * What a view shows, read from the service: again when what it depends on changes, and when events say that it moved. A hidden
 * tab is read again when somebody looks at it.
 */

import { useEffect, useRef, useState } from 'preact/hooks'
import { ProblemError } from '../src/client/index.js'
import { onEvent } from './live'
import { sayFailure, timesSignedIn } from './session'

export interface Loaded<T> {
  data: T | undefined
  failure: string | undefined
  /** Whether it failed because there is no such thing, or no longer. */
  isMissing: boolean
  /** Tells whether it worked. */
  reload: () => Promise<boolean>
}

/** Nothing has come yet, neither an answer nor a failure. */
export function isBeingRead({ data, failure }: Loaded<unknown>): boolean {
  return data === undefined && failure === undefined
}

/** Events arrive in bursts: reading again waits for the end of one, but not for long. */
const settleMs = 250
/** Least time between two reads of what is large and moves with everything. */
export const listRestMs = 2000

/** Follows a text that changes with every event, as seldom as lists are read: at the end of a burst, and then at most so often. */
export function useRested(value: string, restMs: number): string {
  const [rested, setRested] = useState(value)
  const place = useRef({ value, timer: undefined as number | undefined, setMs: Number.NEGATIVE_INFINITY })
  useEffect(() => {
    const { current } = place
    current.value = value
    if (value === rested) return
    current.timer ??= window.setTimeout(
      () => {
        Object.assign(current, { timer: undefined, setMs: performance.now() })
        setRested(current.value)
      },
      Math.max(settleMs, current.setMs + restMs - performance.now()),
    )
  }, [value])
  useEffect(() => () => window.clearTimeout(place.current.timer), [])
  return rested
}

const unread = { data: undefined, failure: undefined, isMissing: false }

export function useLoaded<T>(load: () => Promise<T>, deps: readonly unknown[], refreshOn?: RegExp, restMs = 0): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>(unread)
  const current = useRef({ run: 0, load, isLoading: false, again: false, readMs: 0 })
  current.current.load = load

  const reload = async (): Promise<boolean> => {
    const place = current.current
    if (place.isLoading) {
      place.again = true
      return true
    }
    const { run } = place
    place.isLoading = true
    place.readMs = performance.now()
    let works = true
    try {
      const data = await place.load()
      if (place.run === run) setState({ ...unread, data })
    } catch (error) {
      works = false
      if (place.run === run) setState(before => ({ ...before, failure: sayFailure(error), isMissing: isMissing(error) }))
    } finally {
      place.isLoading = false
    }
    if (place.again) {
      place.again = false
      return reload()
    }
    return works
  }

  useEffect(() => {
    const place = current.current
    place.run++
    setState(unread)
    void reload()
    let timer: number | undefined
    let isStale = false
    const refresh = () => {
      timer = undefined
      isStale = document.hidden
      if (!isStale) void reload()
    }
    const look = () => {
      if (isStale && timer === undefined) refresh()
    }
    const stop =
      refreshOn &&
      onEvent(type => {
        if (!refreshOn.test(type) && type !== 'stream.gap') return
        timer ??= window.setTimeout(refresh, Math.max(settleMs, place.readMs + restMs - performance.now()))
      })
    document.addEventListener('visibilitychange', look)
    return () => {
      place.run++
      window.clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
      stop?.()
    }
  }, deps)

  // What could not be read without a session is read once there is one again, also by views that follow no events.
  useEffect(() => {
    if (state.failure !== undefined) void reload()
  }, [timesSignedIn.value])

  return { ...state, reload }
}

function isMissing(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 404
}
