/**
 * What is used of the queues we measure against. They are installed for the benchmarks alone (`bench/package.json`), and
 * the checks run without them.
 */

declare module 'bullmq' {
  interface Connection {
    host: string
    port: number
    enableAutoPipelining?: boolean
  }
  export class Queue {
    constructor(name: string, options: { connection: Connection })
    waitUntilReady(): Promise<unknown>
    add(name: string, data: unknown): Promise<unknown>
    addBulk(jobs: readonly { name: string; data: unknown }[]): Promise<unknown>
    close(): Promise<void>
  }
  export class Worker {
    constructor(
      name: string,
      handle: (job: { data: unknown }) => Promise<unknown>,
      options: { connection: Connection; concurrency: number },
    )
    close(force?: boolean): Promise<void>
  }
}

declare module 'graphile-worker' {
  import type { Pool } from 'pg'
  export class Logger {
    constructor(make: () => (level: string, message: string) => void)
  }
  export function makeWorkerUtils(options: { pgPool: Pool }): Promise<{
    migrate(): Promise<void>
    addJob(identifier: string, payload: unknown): Promise<unknown>
    addJobs(jobs: readonly { identifier: string; payload: unknown }[]): Promise<unknown>
    release(): Promise<void>
  }>
  export function run(options: {
    pgPool: Pool
    concurrency: number
    noHandleSignals: boolean
    logger: Logger
    taskList: Record<string, (payload: unknown) => Promise<void>>
    preset: { worker: { localQueue: { size: number } } }
  }): Promise<{ stop(): Promise<void> }>
}

declare module 'pg-boss' {
  // biome-ignore lint/style/noDefaultExport: it is what the package exports
  export default class PgBoss {
    constructor(options: object)
    on(event: 'error', hear: (error: Error) => void): this
    start(): Promise<unknown>
    stop(options: { graceful: boolean; wait: boolean }): Promise<void>
    createQueue(name: string): Promise<void>
    send(name: string, data: object): Promise<string | null>
    insert(jobs: readonly { name: string; data: object }[]): Promise<void>
    work<Data>(
      name: string,
      options: { batchSize: number; pollingIntervalSeconds: number },
      handle: (jobs: { data: Data }[]) => Promise<void>,
    ): Promise<string>
  }
}
