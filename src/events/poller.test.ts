import { expect, it } from 'vitest'
import { createLogger } from '../platform/logger.js'
import { startPoller } from './poller.js'

it('runs at once when it is hinted at, unless the last run failed', async () => {
  let runs = 0
  let fail: () => void = () => undefined
  const failed = new Promise<void>(resolve => {
    fail = resolve
  })
  const work = async () => {
    if (++runs === 1) return
    fail()
    throw new Error('database away')
  }
  const poller = startPoller({ what: 'test', work, everyMs: 3_600_000, pauseMs: 1, logger: createLogger({ level: 'silent' }) })
  poller.hint()
  await failed
  for (let hints = 0; hints < 10; hints++) {
    poller.hint()
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  expect(runs).toBe(2)
  await poller.stop()
})
