import { expect, it } from 'vitest'
import { systemClock } from '../platform/clock.js'
import type { Logger } from '../platform/logger.js'
import { runChores } from './chores.js'

it('logs ever fewer of the failures of a chore, and begins anew when it succeeded', async () => {
  const logged: number[] = []
  const logger = { debug: () => undefined, warn: ({ failures }: { failures: number }) => void logged.push(failures) }
  const end = new AbortController()
  let runs = 0
  const run = async () => {
    runs++
    if (runs === 12) end.abort()
    if (runs !== 10) throw new Error('on purpose')
    return undefined
  }
  await runChores([{ name: 'test', everyMs: 0, run }], { logger: logger as unknown as Logger, clock: systemClock }, end.signal)
  expect(logged).toEqual([1, 2, 4, 8, 1])
})
