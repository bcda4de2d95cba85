import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { isTakenOver, watchParent } from './parent-watch.js'

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

it('knows a parent that only took an orphan over by its process group', () => {
  const groups = new Map([
    [1, 1],
    [40, 40],
    [41, 40],
    [42, 40],
    [50, 50],
  ])
  const isOver = (self: number, parent: number) => isTakenOver({ self, parent, groupOf: pid => groups.get(pid) })
  // npm is 40, its shell 41, the service 42.
  expect(isOver(42, 41)).toBe(false)
  expect(isOver(42, 40)).toBe(false)
  expect(isOver(42, 1)).toBe(true)
  // In a group of its own, which a runner gave it; and where groups are not known.
  expect(isOver(50, 41)).toBe(false)
  expect(isOver(42, 99)).toBe(false)
})

it('is not taken over where its parent lives', () => {
  expect(isTakenOver({ self: process.pid, parent: process.ppid })).toBe(false)
})
