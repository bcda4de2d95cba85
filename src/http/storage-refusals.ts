/**
 * Why requests are answered that storage is not available. One line a second at most, which says how many there were: when the database
 * is away, every request fails, and the first one says why as well as the others.
 */

import type { Clock } from '../platform/clock.js'
import type { AppError } from '../platform/errors.js'
import type { Logger } from '../platform/logger.js'

const everyMs = 1000

export type NoteStorageRefusal = (failure: AppError, about: Record<string, unknown>) => void

export function createStorageRefusals({ logger, clock }: { logger: Logger; clock: Clock }): NoteStorageRefusal {
  let refused = 0
  let loggedMs = Number.NEGATIVE_INFINITY
  return (failure, about) => {
    if (failure.code !== 'STORAGE_UNAVAILABLE') return
    refused++
    const now = clock.monotonicMs()
    if (now - loggedMs < everyMs) return
    logger.warn({ ...about, err: failure.cause ?? failure, refused }, 'storage unavailable')
    refused = 0
    loggedMs = now
  }
}
