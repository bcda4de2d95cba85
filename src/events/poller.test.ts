import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLogger } from '../platform/logger.js'
import { startPoller } from './poller.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('runs at once when it is hinted at, unless the last run failed', async () => {
  const work = vi.fn<() => Promise<void>>()
  const logger = createLogger({ level: 'silent' })
  const poller = startPoller({ what: 'test', work, everyMs: 250, pauseMs: 10, logger })
  await vi.advanceTimersByTimeAsync(10)
  work.mockRejectedValue(new Error('database away'))
  poller.hint()
  await vi.advanceTimersByTimeAsync(0)
  expect(work).toHaveBeenCalledTimes(2)
  for (let hints = 0; hints < 10; hints++) {
    poller.hint()
    await vi.advanceTimersByTimeAsync(24)
  }
  expect(work).toHaveBeenCalledTimes(2)
  work.mockResolvedValue()
  await vi.advanceTimersByTimeAsync(10)
  expect(work).toHaveBeenCalledTimes(3)
  poller.hint()
  await vi.advanceTimersByTimeAsync(10)
  expect(work).toHaveBeenCalledTimes(4)
  await poller.stop()
})
