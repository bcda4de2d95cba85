/**
 * A database of its own for a test file: cloned from the migrated template, opened as the service opens it, dropped by
 * `close`. Call it in `beforeAll` and close it in `afterAll`.
 */

import type pg from 'pg'
import { inject } from 'vitest'
import { randomBase62 } from '../../src/platform/ids.js'
import { createLogger, type Logger } from '../../src/platform/logger.js'
import { type DatabaseAddress, withDatabase } from '../../src/store/server/connection.js'
import { type Database, openDatabase } from '../../src/store/server/database.js'
import { connectAsOwner } from '../../src/store/server/migrate.js'
import { testLimits } from './limits.js'
import { testServer } from './test-server.js'

export interface TestDatabase {
  db: Database
  address: DatabaseAddress
  logger: Logger
  /** A connection as the owner, for looking at what the service's roles may not see; closed by `close`. */
  owner: pg.Client
  close(): Promise<void>
}

export interface CloneOptions {
  tenantPool?: number
  enginePool?: number
  /** What new scopes ask for before they settle: `none` for tests that are about something else than who examines a scope. */
  examination?: 'none'
}

export async function cloneDatabase(options: CloneOptions = {}): Promise<TestDatabase> {
  const logger = createLogger({ level: 'error' })
  const address = await createMigratedDatabase()
  const db = await openDatabase({
    address,
    limits: testLimits,
    tenantPool: options.tenantPool ?? 4,
    enginePool: options.enginePool ?? 4,
    logger,
  })
  const owner = oneAtATime(await connectAsOwner(address, testLimits))
  if (options.examination === 'none') {
    await owner.query(`alter table scopes alter column settings set default '{"finality": {"examination": "none"}}'`)
  }
  const close = async () => {
    await db.close()
    await owner.end()
    await dropDatabase(address)
  }
  return { db, address, logger, owner, close }
}

/** A connection takes a statement when it has answered the one before; tests need not care. */
function oneAtATime(client: pg.Client): pg.Client {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
  let last: Promise<unknown> = Promise.resolve()
  const queued = (...args: unknown[]) => {
    const next = last.then(() => query(...args))
    last = next.catch(() => undefined)
    return next
  }
  return Object.assign(client, { query: queued })
}

/** A database as the service finds it at its second start. */
export function createMigratedDatabase(): Promise<DatabaseAddress> {
  return createEmptyDatabase(inject('template'))
}

/** A database without our schema, or a copy of another that nobody is connected to: as files, which takes half as long as by its log. */
export async function createEmptyDatabase(template = 'template0'): Promise<DatabaseAddress> {
  const address = withDatabase(testServer(), `test_${randomBase62(12).toLowerCase()}`)
  await asServerOwner(owner => owner.query(`create database ${address.database} template ${template} strategy file_copy`))
  return address
}

export async function dropDatabase(address: DatabaseAddress): Promise<void> {
  await asServerOwner(owner => owner.query(`drop database if exists ${address.database} with (force)`))
}

async function asServerOwner(work: (owner: pg.Client) => Promise<unknown>): Promise<void> {
  const owner = await connectAsOwner(testServer(), testLimits)
  try {
    await work(owner)
  } finally {
    await owner.end()
  }
}
