/** The database of a process, ready for use: the embedded server started or the given one found, migrated, pools open. */

import { resolve } from 'node:path'
import type { Config } from '../../platform/config.js'
import { createFaultInjector, type FaultPlan, parseFaults } from '../../platform/faults.js'
import type { Logger } from '../../platform/logger.js'
import { addressesFrom, type DatabaseAddress, type DatabaseConfig, limitsOf, type SessionLimits } from './connection.js'
import { type Database, openDatabase } from './database.js'
import { type EmbeddedServer, startEmbedded } from './embedded.js'
import { withFaults } from './faulty-database.js'
import { migrate } from './migrate.js'

export interface Storage {
  db: Database
  /** For what needs a session of its own. */
  address: DatabaseAddress
  limits: SessionLimits
  schemaVersion: number
  /** Null when the database is given by DATABASE_URL. */
  embedded: EmbeddedServer | null
  close(): Promise<void>
}

type StorageConfig = DatabaseConfig & Pick<Config, 'dataDir' | 'databaseTenantPool' | 'databaseEnginePool' | 'faults'>

interface StorageOptions {
  config: StorageConfig
  logger: Logger
  onLost: (error: Error) => void
  /** Gives it up while it is being opened: rejects, and nothing of it runs on. */
  signal?: AbortSignal
}

export async function openStorage({ config, logger, onLost, signal }: StorageOptions): Promise<Storage> {
  const limits = limitsOf(config)
  const embedded =
    config.databaseUrl === undefined ? await startEmbedded({ dataDir: resolve(config.dataDir), logger, onLost, signal }) : null
  try {
    signal?.throwIfAborted()
    const { requests, sessions: address } =
      embedded === null
        ? addressesFrom({ ...config, databaseUrl: config.databaseUrl as string })
        : { requests: embedded.address, sessions: embedded.address }
    const { version } = await migrate({ address, limits, logger, pooled: requests.pooled ?? false })
    const opened = await openDatabase({
      address: requests,
      limits,
      tenantPool: config.databaseTenantPool,
      enginePool: config.databaseEnginePool,
      logger,
    })
    const plan = config.faults === undefined ? null : parseFaults(config.faults)
    const db = plan ? faulty(opened, plan, logger) : opened
    const close = async () => {
      await opened.close()
      await embedded?.stop()
    }
    return { db, address, limits, schemaVersion: version, embedded, close }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

function faulty(db: Database, plan: FaultPlan, logger: Logger): Database {
  logger.warn({ faults: plan }, 'FAULTS set, injecting database faults')
  return withFaults(db, createFaultInjector(plan), () => process.kill(process.pid, 'SIGKILL'))
}
