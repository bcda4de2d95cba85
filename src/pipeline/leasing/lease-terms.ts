/** What work on a lease is given, what bounds it, and what it came to. */

import type { Logger } from '../../platform/logger.js'
import type { RuntimeHold } from '../../store/runtime/runtime.js'
import type { Certify } from '../../store/scopes/rounds.js'
import type { Database } from '../../store/server/database.js'
import type { ModelStage } from '../asking/model-stage.js'
import type { FileText } from '../texts/file-text.js'
import type { Waits } from '../threads/fair-turns.js'
import type { Reader } from '../threads/reader.js'
import type { PipelineObserver } from './observer.js'
import type { RetryLimits } from './retry-policy.js'
import type { StageClock } from './stages.js'

export interface LeaseWorkDeps {
  db: Database
  reader: Reader
  /** Comes before reading, for documents that came as files. */
  fileText?: FileText
  /** Asked about each document after the one before it is committed; absent without a model. */
  model?: ModelStage
  certify: Certify
  retry: RetryLimits
  leaseMs: number
  random: () => number
  now: () => number
  stages: StageClock
  logger: Logger
  observer?: PipelineObserver
}

export interface LeaseResult {
  committed: number
  failed: number
  givenBack: number
  lost: boolean
  /** Time of threads, of the processes that read files and of a place at the model, whatever came of it. */
  usedMs: number
}

export interface LeaseBounds {
  hold: RuntimeHold
  stop: AbortSignal
  /** If not, the lease ends at the first document the model is to be asked about. */
  mayAsk: boolean
  /** Counts what the worker waits for: a thread, the extractor, storage that is away. */
  waits: Waits
}
