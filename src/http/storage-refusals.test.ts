import { expect, it } from 'vitest'
import { AppError } from '../platform/errors.js'
import { createLogger } from '../platform/logger.js'
import { createStorageRefusals } from './storage-refusals.js'

it('says why once a second, with how many were refused since, and nothing of other failures', () => {
  let now = 0
  const lines: string[] = []
  const logger = createLogger({ level: 'warn', destination: { write: line => void lines.push(line) } })
  const note = createStorageRefusals({ logger, clock: { now: () => new Date(now), monotonicMs: () => now } })
  const away = new AppError('STORAGE_UNAVAILABLE', { cause: new Error('timeout expired') })
  note(new AppError('OVERLOADED'), { operation: 'listTenants' })
  for (now of [10, 20, 1009, 1010, 1500]) note(away, { operation: 'createTenant' })
  now = 5000
  note(new AppError('STORAGE_UNAVAILABLE', { detail: 'Not stored in time.' }), {})
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { level: 'warn', msg: 'storage unavailable', operation: 'createTenant', refused: 1, err: { message: 'timeout expired' } },
    { refused: 3, err: { message: 'timeout expired' } },
    { refused: 2, err: { code: 'STORAGE_UNAVAILABLE' } },
  ])
})
