import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchParent } from './parent-watch.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('tells once that the parent is gone', () => {
  let parent = 7
  const onGone = vi.fn()
  watchParent({ first: 7, parent: () => parent, onGone })
  vi.advanceTimersByTime(1000)
  expect(onGone).not.toHaveBeenCalled()
  parent = 1
  vi.advanceTimersByTime(1000)
  expect(onGone).toHaveBeenCalledTimes(1)
})

it('tells it of a parent that was gone before anybody looked', () => {
  const onGone = vi.fn()
  watchParent({ first: 7, parent: () => 1, onGone })
  vi.advanceTimersByTime(1000)
  expect(onGone).toHaveBeenCalledTimes(1)
})

it('the command notes its parent before it builds', () => {
  const [noted, built] = ['process.ppid', 'refresh()'].map(said =>
    readFileSync(new URL('../../bin/concord.mjs', import.meta.url), 'utf8').indexOf(said),
  ) as [number, number]
  expect(noted).toBeGreaterThan(0)
  expect(noted).toBeLessThan(built)
})
