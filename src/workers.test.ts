import { expect, it } from 'vitest'
import { scanTimeoutMs, stuckAfterMs } from './workers.js'

it.each([100, 30_000, 60_000, 3_600_000])('a worker that reads a scan is not given up before the scan is, at %i ms a document', ms => {
  expect(stuckAfterMs({ documentTimeoutMs: ms })).toBeGreaterThan(scanTimeoutMs({ documentTimeoutMs: ms }))
})
