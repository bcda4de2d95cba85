/** Makes the workers of a process, and holds what they share: reading threads, the finder of leases, compiled policies. */

import type { Config } from '../platform/config.js'
import { createLeaseFinder } from './lease-finder.js'
import { createPolicySource } from './policy-source.js'
import { createReader, type ReaderOptions } from './reader.js'
import { createWorker, type Worker, type WorkerDeps } from './worker.js'

export interface WorkerFactory {
  readonly threads: number
  create(id: string): Worker
  /** Ends the threads; workers must have ended before. */
  close(): Promise<void>
}

export interface WorkerFactoryDeps extends Omit<WorkerDeps, 'id' | 'config' | 'finder' | 'reader' | 'policy'> {
  config: WorkerDeps['config'] & Pick<Config, 'batchDocuments' | 'documentTimeoutMs' | 'workerThreads' | 'faults'>
  /** Beyond the settings: for tests. */
  readerOptions?: Partial<ReaderOptions>
}

export function createWorkerFactory(deps: WorkerFactoryDeps): WorkerFactory {
  const { config, db, clock, readerOptions, ...rest } = deps
  const reader = createReader({
    threads: config.workerThreads,
    timeoutMs: config.documentTimeoutMs,
    faults: config.faults,
    ...readerOptions,
  })
  const finder = createLeaseFinder({ db, clock, leaseMs: config.leaseMs, batch: config.batchDocuments })
  const policy = createPolicySource()
  return {
    threads: reader.threads,
    create: id => createWorker({ ...rest, id, db, clock, config, reader, finder, policy }),
    close: () => reader.close(),
  }
}
