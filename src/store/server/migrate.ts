/**
 * Brings a database to the schema this version knows: login roles, then `migrations/NNNN_name.sql` in order, each in
 * its own transaction or in steps, forward only. Any number of processes may do it at once; one works, the others wait. The first file
 * is the baseline, the whole schema as a reader wants it.
 * Refused: a schema of another baseline, an applied migration that was edited, a new one numbered before an applied one, and a schema
 * newer than known unless every file it is ahead by says that it only expands: on such a one older versions start, too.
 * Needs an owner that may connect, create in schema public (owning the database is enough) and create roles
 * (CREATEROLE). No superuser: extensions are not used. A migration that must read or change rows of a table with
 * forced row-level security has to allow its own owner first.
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { pause } from '../../platform/deadline.js'
import { StartupError } from '../../platform/errors.js'
import type { Logger } from '../../platform/logger.js'
import { raiseLogBase } from '../events/log-base.js'
import { clientConfig, type DatabaseAddress, loginRoles, type SessionLimits } from './connection.js'
import { across, type Database } from './database.js'
import { isRepeatable, isStorageUnavailable, isTableTaken } from './failures.js'
import { logIn } from './login.js'
import { applySteps, isInSteps } from './migration-steps.js'
import { ensureRoles, giveRolesSettings } from './roles.js'

export interface Migration {
  number: number
  name: string
  checksum: string
  sql: string
}

export interface MigrateOptions {
  address: DatabaseAddress
  limits: SessionLimits
  logger: Logger
  /** What to bring the database to; the files in `migrations/` by default. */
  migrations?: readonly Migration[]
  /** Whether sessions are opened by a pooler. */
  pooled?: boolean
  /** How to wait before a migration is tried again. */
  wait?: (ms: number) => Promise<void>
}

export interface MigrateResult {
  applied: Migration[]
  version: number
}

/** First half of the key of our session locks; the two-number form never meets the scopes' one-number locks. */
export const lockSpace = 0x636f6e63
const migrateLock = 1
/** As long as an index of a large table may take to build. */
const lockWaitMs = 6 * 3_600_000
const lockPollMs = 250
/** A migration that nodes at work were in a circle with did nothing, and is tried this often. */
const attempts = 10
/** Whoever needs a table waits behind a migration that waits for it: it makes way, and tries again. */
const tableWait = '2s'
/** Much longer than that wait: during a backup of an hour, the service works most of the time. */
const tablePauseMs = 10_000
const oldestServer = 15

export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const { address, limits, logger, migrations = knownMigrations() } = options
  const owner = await connectAsOwner(address, limits)
  try {
    await requireServerVersion(owner)
    await takeLock(owner, logger)
    await ensureRoles(owner, address, limits)
    if (options.pooled) await giveRolesSettings(owner, address, limits)
    await createRegister(owner)
    const applied = await appliedMigrations(owner)
    const pending = pendingMigrations(migrations, applied)
    for (const migration of pending) {
      await applyMigration(owner, migration, options)
      logger.info({ migration: migration.name }, 'migration applied')
    }
    await raiseLogBase(owner, options)
    const version = Math.max(migrations.at(-1)?.number ?? 0, applied.at(-1)?.number ?? 0)
    if (applied.length > migrations.length) logger.warn({ schema: version }, 'the database schema is newer than this process')
    return { applied: pending, version }
  } finally {
    await owner.end()
  }
}

/** The migrations shipped with this version, in order. */
export function knownMigrations(folder = fileURLToPath(new URL('../../../migrations/', import.meta.url))): Migration[] {
  const files = readdirSync(folder)
    .filter(file => file.endsWith('.sql'))
    .sort()
  const migrations = files.map(file => {
    const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1])
    if (Number.isNaN(number)) throw new StartupError(`migrations/${file} should be called NNNN_<name>.sql.`)
    const sql = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')
    return { number, name: file.slice(0, -4), sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
  const twice = migrations.find((migration, index) => migrations[index + 1]?.number === migration.number)
  if (twice) throw new StartupError(`Two files in migrations/ have the number of ${twice.name}.`)
  return migrations
}

/** The number of the last migration applied. */
export const selectSchema = 'select coalesce(max(number), 0) as version from schema_migrations'

/** For health. */
export async function schemaVersion(db: Database): Promise<number> {
  return across(db).value<number>(selectSchema)
}

/** A connection as the owner of the database: migrations, listings and backups only, never requests. */
export async function connectAsOwner(address: DatabaseAddress, limits: SessionLimits): Promise<pg.Client> {
  try {
    return await logIn(clientConfig(address, 'owner', limits))
  } catch (error) {
    const what = isStorageUnavailable(error) ? 'does not answer or refuses the login' : 'refuses the connection'
    throw new StartupError(
      `The database ${address.database} at ${address.host}:${address.port} ${what} (${(error as Error).message}). Check DATABASE_URL.`,
      {
        cause: error,
      },
    )
  }
}

async function requireServerVersion(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ version: number }>("select current_setting('server_version_num')::int as version")
  const major = Math.floor((rows[0]?.version ?? 0) / 10_000)
  if (major >= oldestServer) return
  throw new StartupError(
    `The database server is PostgreSQL ${major}; Concord needs ${oldestServer} or newer. Upgrade it, or unset DATABASE_URL to use the embedded one.`,
  )
}

async function createRegister(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ exists: boolean }>("select to_regclass('schema_migrations') is not null as exists")
  if (rows[0]?.exists) return
  await owner.query(`create table schema_migrations (
    number integer primary key,
    name text not null,
    checksum text not null,
    expands boolean not null,
    applied_at timestamptz not null default clock_timestamp()
  )`)
  await owner.query(`grant select on schema_migrations to ${loginRoles.engine}`)
}

/** Asks again and again: a statement that waits for the lock keeps a snapshot, for which an index built concurrently would wait in turn. */
async function takeLock(owner: pg.Client, logger: Logger): Promise<void> {
  const end = performance.now() + lockWaitMs
  for (let logged = false; ; logged = true) {
    const { rows } = await owner.query<{ mine: boolean }>('select pg_try_advisory_lock($1, $2) as mine', [lockSpace, migrateLock])
    if (rows[0]?.mine) return
    if (performance.now() > end) throw new StartupError('Another process has been migrating the database for hours. See what it waits for.')
    if (!logged) logger.info('waiting for another process to migrate')
    await pause(lockPollMs)
  }
}

interface AppliedMigration extends Pick<Migration, 'number' | 'name' | 'checksum'> {
  expands: boolean
}

/** Whether its first lines, all of them comments, promise that versions which do not know it work on what it makes. */
function expands({ sql }: Pick<Migration, 'sql'>): boolean {
  return /^(--.*\n)*-- Expands\b/.test(sql)
}

async function appliedMigrations(owner: pg.Client): Promise<AppliedMigration[]> {
  // Registers of 0.1.0, whose schema is refused, do not have the column.
  const { rows } = await owner.query<AppliedMigration>(
    "select number, name, checksum, coalesce((to_json(m) ->> 'expands')::boolean, false) as expands from schema_migrations m order by number",
  )
  return rows
}

/** What is left to do; throws when what was done does not fit what is known. */
export function pendingMigrations(known: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const [first, baseline] = [applied[0], known[0]]
  if (first && first.number === baseline?.number && first.name !== baseline.name) {
    throw new StartupError(
      `The database was made by an older version of Concord (its schema begins with ${first.name}, not ${baseline.name}) and cannot be taken over. Start with an empty database, or go on with the version that made it.`,
    )
  }
  const unknown = applied.filter(({ number }) => number > (known.at(-1)?.number ?? 0))
  const unbearable = unknown.find(migration => !migration.expands)
  if (unbearable) {
    throw new StartupError(
      `The database is at migration ${unbearable.name}, but this version of Concord knows none after ${known.at(-1)?.name}. Start the newer version instead.`,
    )
  }
  const familiar = applied.slice(0, applied.length - unknown.length)
  for (const [index, done] of familiar.entries()) {
    const migration = known[index]
    if (migration?.number === done.number && migration.checksum === done.checksum) continue
    throw new StartupError(
      migration?.number === done.number
        ? `Migration ${done.name} was edited after it was applied. Applied migrations are never edited: restore the file.`
        : `Migration ${done.name} was applied, but ${migration?.name ?? 'nothing'} stands in its place now. Migrations are only ever added at the end.`,
    )
  }
  const pending = known.slice(familiar.length)
  if (unknown[0] === undefined || pending[0] === undefined) return pending
  throw new StartupError(`Migration ${unknown[0].name} was applied without ${pending[0].name}. Migrations are only ever added at the end.`)
}

async function applyMigration(owner: pg.Client, migration: Migration, { logger, wait = pause }: MigrateOptions): Promise<void> {
  const onTableTaken = () => logger.info({ migration: migration.name }, 'migration waits for a table in use')
  const makingWay = <T>(work: () => Promise<T>) => inRepeatedTransaction(owner, { wait, onTableTaken }, work)
  try {
    if (isInSteps(migration)) {
      await applySteps(owner, migration, makingWay)
      await recordMigration(owner, migration)
    } else {
      await makingWay(async () => {
        await owner.query(migration.sql)
        await recordMigration(owner, migration)
      })
    }
  } catch (error) {
    throw new StartupError(`Migration ${migration.name} failed: ${(error as Error).message}${positionIn(migration.sql, error)}`, {
      cause: error,
    })
  }
}

async function recordMigration(owner: pg.Client, migration: Migration): Promise<void> {
  const { number, name, checksum } = migration
  await owner.query('insert into schema_migrations (number, name, checksum, expands) values ($1, $2, $3, $4)', [
    number,
    name,
    checksum,
    expands(migration),
  ])
}

async function inTransaction<T>(owner: pg.Client, work: () => Promise<T>): Promise<T> {
  try {
    await owner.query('begin')
    const result = await work()
    await owner.query('commit')
    return result
  } catch (error) {
    await owner.query('rollback').catch((failure: Error) => failure)
    throw error
  }
}

interface Repetition {
  wait(ms: number): Promise<void>
  /** Called the first time. */
  onTableTaken(): void
}

async function inRepeatedTransaction<T>(owner: pg.Client, { wait, onTableTaken }: Repetition, work: () => Promise<T>): Promise<T> {
  const end = performance.now() + lockWaitMs
  const met = { taken: 0, deadlocks: 0 }
  for (;;) {
    try {
      return await inTransaction(owner, async () => {
        await owner.query(`set local lock_timeout = '${tableWait}'`)
        return work()
      })
    } catch (error) {
      const isTaken = isTableTaken(error)
      const again = isTaken ? performance.now() < end : isRepeatable(error) && ++met.deadlocks < attempts
      if (!again) throw error
      if (isTaken && ++met.taken === 1) onTableTaken()
      await wait(isTaken ? tablePauseMs : lockPollMs)
    }
  }
}

function positionIn(sql: string, error: unknown): string {
  const position = Number((error as { position?: string }).position)
  return Number.isInteger(position) ? ` (line ${sql.slice(0, position).split('\n').length})` : ''
}
