/** What the workers of a process share, and how one of them is made for the hatchery. */

import type { Hints } from './events/hints.js'
import { createFileExtractor } from './files/extractor.js'
import { createOcr, type Ocr } from './files/ocr.js'
import { createWalls } from './files/walls.js'
import type { SupervisedWorker } from './hatchery/supervisor.js'
import { createModelReader, type ModelReader } from './models/model-reader.js'
import { createModelStage, type ModelStage } from './pipeline/asking/model-stage.js'
import { createLeaseFinder } from './pipeline/leasing/lease-finder.js'
import type { PipelineObserver } from './pipeline/leasing/observer.js'
import { Worker, type WorkerDeps, type WorkerFigures } from './pipeline/leasing/worker.js'
import { createFileText } from './pipeline/texts/file-text.js'
import { createScans } from './pipeline/texts/scans.js'
import { createReader, type Reader } from './pipeline/threads/reader.js'
import type { Clock } from './platform/clock.js'
import type { Config } from './platform/config.js'
import { isPoisoned } from './platform/faults.js'
import type { Logger } from './platform/logger.js'
import { chargesAtOnce, createTurnCharges } from './store/leases/turn-charges.js'
import type { RuntimeWatch } from './store/runtime/runtime.js'
import type { Database } from './store/server/database.js'
import { fewConnections } from './store/server/few-connections.js'

export interface Workers {
  create(id: string): SupervisedWorker
  /** Figures of the workers alive now. */
  figures(): WorkerFigures[]
  /** Undefined without a model. */
  model: ModelStage | undefined
  close(): Promise<void>
}

export interface WorkersOptions {
  db: Database
  config: Config
  clock: Clock
  logger: Logger
  hints: Hints
  watch: RuntimeWatch
  certify: WorkerDeps['certify']
  observer?: PipelineObserver
  /** Threads of a process with several services; whoever made them closes them. */
  reader?: Reader | undefined
}

export function createWorkers({ db, config, clock, logger, hints, watch, certify, observer, reader: shared }: WorkersOptions): Workers {
  if (isPoisoned(config.faults)) logger.warn({ faults: config.faults }, 'FAULTS set, poisoned documents misbehave')
  const reader = shared ?? createReader({ threads: config.workerThreads, timeoutMs: config.documentTimeoutMs, faults: config.faults })
  const asks = config.modelUrl !== undefined
  const { leaseMs } = config
  // With a model a turn is one document, since one may take minutes and other scopes wait for the place.
  const batch = asks ? 1 : config.batchDocuments
  // Enough to keep the threads busy while others of its leases are written, or the model; at least one worker is left to others.
  const wanted = Math.max(2 * reader.threads, asks ? askersOf(config) : 0)
  const leasesPerTenant = Math.max(1, Math.min(wanted, config.workers - 1))
  const finder = createLeaseFinder({ db, clock, logger, leaseMs, batch, leasesPerTenant })
  const charges = createTurnCharges({ db: fewConnections(db, chargesAtOnce(config.databaseEnginePool)), logger })
  const walls = createWalls(logger)
  const extractors = Array.from({ length: config.fileProcesses }, () =>
    createFileExtractor({
      timeoutMs: config.documentTimeoutMs,
      memoryMb: config.fileMemoryMb,
      maxChars: config.maxExtractedChars,
      walls,
      logger,
    }),
  )
  const scanner = createFileExtractor({
    timeoutMs: config.scanPageTimeoutMs,
    memoryMb: config.scanMemoryMb,
    maxChars: config.maxExtractedChars,
    walls,
    logger,
  })
  const scans = createScans({ db, charges, holdMs: leaseMs, notify: () => hints.notify('backlog'), logger })
  const fileText = createFileText({ db, extractors, scanner, scans, languages: config.scanLanguages, ocr: ocrOf(config), logger })
  const model = config.modelUrl === undefined ? undefined : createStage(createModel(config, config.modelUrl), { db, config, logger })
  const alive = new Set<Worker>()
  return {
    create(id) {
      const common = {
        db,
        config,
        clock,
        logger,
        hints,
        finder,
        charges,
        reader,
        watch,
        certify,
        observer,
        fileText,
        model,
      }
      const worker = new Worker({ ...common, id })
      if (alive.size === 0) void reader.warm()
      const run = async (signal: AbortSignal) => {
        alive.add(worker)
        try {
          await worker.run(signal)
        } finally {
          alive.delete(worker)
        }
      }
      return { id, run, drain: () => worker.drain(), state: () => worker.state(), figures: () => worker.figures() }
    },
    figures: () => [...alive].map(worker => worker.figures()),
    model,
    close: async () => {
      await scans.close()
      await charges.close()
      await Promise.all([...extractors, scanner].map(extractor => extractor.close()))
      if (shared === undefined) await reader.close()
    },
  }
}

function ocrOf(config: Config): Ocr | undefined {
  const { ocrCommand: command, commandEnv: env, maxExtractedChars: maxChars } = config
  return command === undefined ? undefined : createOcr({ command, env, timeoutMs: scanTimeoutMs(config), maxChars })
}

type Timeout = Pick<Config, 'documentTimeoutMs'>

/** Recognising a page takes seconds, so a scan has longer than a text. */
export function scanTimeoutMs({ documentTimeoutMs }: Timeout): number {
  return 10 * documentTimeoutMs
}

/** Longer than any step of a worker that shows no sign of life, and than a scan that a command reads. */
export function stuckAfterMs(config: Timeout): number {
  return Math.max(300_000, scanTimeoutMs(config)) + 60_000
}

/** At least one worker is left to documents that need no model. */
function askersOf(config: Config): number {
  return Math.max(1, Math.min(config.modelConcurrency, config.workers - 1))
}

export function createModel(config: Config, url: string): ModelReader {
  return createModelReader({
    url,
    preset: config.modelPreset,
    name: config.modelName as string,
    apiKey: config.modelApiKey ?? null,
    timeoutMs: config.modelTimeoutMs,
    retries: 2,
    concurrency: askersOf(config),
    maxTokens: config.modelMaxTokens,
  })
}

function createStage(model: ModelReader, { db, config, logger }: Pick<WorkersOptions, 'db' | 'config' | 'logger'>): ModelStage {
  return createModelStage({
    db,
    logger,
    model,
    leases: askersOf(config),
    budgets: {
      tokensPerDocument: config.modelTokensPerDocument,
      tokensPerDay: config.modelTokensPerDay,
      whenSpent: config.modelWhenSpent,
      maxTokens: config.modelMaxTokens,
      contextTokens: config.modelContextTokens,
    },
    thresholds: { contradicts: config.modelContradictsAt, replaces: config.modelReplacesAt, compatible: config.modelCompatibleAt },
  })
}
