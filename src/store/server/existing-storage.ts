/**
 * The database of a data folder or of DATABASE_URL, for commands beside the service: a server that runs is used as it is,
 * one on its way up or down is waited for, and one that is stopped is started for the time of the work and stopped again.
 * Nothing is migrated.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config.js'
import { pause } from '../../platform/deadline.js'
import { StartupError } from '../../platform/errors.js'
import type { Logger } from '../../platform/logger.js'
import { addressesFrom, type DatabaseAddress, type DatabaseConfig, limitsOf, type SessionLimits } from './connection.js'
import { type Database, openDatabase } from './database.js'
import { type EmbeddedServer, startEmbedded } from './embedded.js'
import { type ClusterFiles, clusterFiles, superuser } from './embedded-cluster.js'
import { endpointOf, findRunning, type PidFile } from './embedded-postmaster.js'

export interface ExistingServer {
  address: DatabaseAddress
  limits: SessionLimits
  /** Whether it ran before we came. */
  running: boolean
  /** Stops it again when we started it. */
  release(): Promise<void>
}

/** As long as the owner waits for a recovery. */
const settleWaitMs = 300_000
const pollMs = 15

type ExistingConfig = DatabaseConfig & Pick<Config, 'dataDir'>

export async function findServer({ config, logger }: { config: ExistingConfig; logger: Logger }): Promise<ExistingServer> {
  const limits = limitsOf(config)
  if (config.databaseUrl !== undefined) {
    const { sessions: address } = addressesFrom({ ...config, databaseUrl: config.databaseUrl })
    return { address, limits, running: true, release: async () => undefined }
  }
  const files = clusterFiles(config.dataDir)
  if (!existsSync(join(files.cluster, 'PG_VERSION'))) {
    throw new StartupError(
      `${files.dataDir} holds no database. Set DATA_DIR to the data folder of the service, or start it once with \`concord serve\`.`,
    )
  }
  const running = await findSettled(files)
  if (running !== undefined) {
    const password = readFileSync(files.passwordFile, 'utf8').trim()
    const address = { ...endpointOf(running), database: 'concord', user: superuser, password, roleSecret: password }
    return { address, limits, running: true, release: async () => undefined }
  }
  const { address, stop } = await startForNow(config.dataDir, logger)
  return { address, limits, running: false, release: stop }
}

/**
 * A server that is on its way up or down has an owner, who may be waiting for it with us: whoever came first would have the folder, and
 * a service that lost it ends. So it is waited for here, and used without being owned.
 */
async function findSettled(files: ClusterFiles): Promise<PidFile | undefined> {
  const end = performance.now() + settleWaitMs
  for (;;) {
    const running = findRunning(files)
    if (running === undefined || running.status === 'ready') return running
    if (performance.now() > end) {
      throw new StartupError(
        `The embedded PostgreSQL in ${files.cluster} is ${running.status || 'starting'} for too long. See ${files.log}.`,
      )
    }
    await pause(pollMs)
  }
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A server in a session of its own, which no signal to us reaches: one that ends us ends the server first, and a second one us at once. */
async function startForNow(dataDir: string, logger: Logger): Promise<Pick<EmbeddedServer, 'address' | 'stop'>> {
  const ending = new AbortController()
  const starting = startEmbedded({ dataDir, logger, signal: ending.signal })
  let stopping: Promise<void> | undefined
  const end = () => {
    stopping ??= starting.then(
      server => server.stop(),
      () => undefined,
    )
    return stopping
  }
  const forget = () => {
    for (const name of endings) process.off(name, onSignal)
  }
  const onSignal = (name: NodeJS.Signals) => {
    forget()
    ending.abort(new Error('interrupted'))
    void end().finally(() => process.kill(process.pid, name))
  }
  /** What was interrupted fails, which is nothing to tell of: the signal is about to end this process. */
  const unlessEnding = async () => {
    if (ending.signal.aborted) await new Promise<never>(() => undefined)
    forget()
  }
  for (const name of endings) process.on(name, onSignal)
  try {
    const { address } = await starting
    return { address, stop: () => end().then(unlessEnding) }
  } catch (error) {
    await unlessEnding()
    throw error
  }
}

/** Runs `work` with both pools open, small ones. */
export async function withExistingDatabase<T>(
  options: { config: ExistingConfig; logger: Logger },
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const server = await findServer(options)
  try {
    const db = await openDatabase({ ...server, tenantPool: 2, enginePool: 2, logger: options.logger })
    return await work(db).finally(() => db.close())
  } finally {
    await server.release()
  }
}
