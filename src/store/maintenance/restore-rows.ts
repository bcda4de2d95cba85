/**
 * Puts a backup of rows into a database without data: the schema the rows belong to is made, the rows are written in one
 * transaction, and later migrations follow. An interrupted restore leaves an empty database.
 */

import { join } from 'node:path'
import pg from 'pg'
import { StartupError } from '../../platform/errors.js'
import { linesOf } from '../../platform/file-lines.js'
import type { Logger } from '../../platform/logger.js'
import type { DatabaseAddress, SessionLimits } from '../server/connection.js'
import { connectAsOwner, knownMigrations, migrate } from '../server/migrate.js'
import { type RowsLine, type RowsManifest, rowsFile } from './backup-rows.js'
import { rereadsWaiting } from './rereads-waiting.js'
import { readManifest, requireIntact } from './restore.js'

export interface RestoreRowsOptions {
  source: string
  address: DatabaseAddress
  limits: SessionLimits
  logger: Logger
}

export async function restoreRows({ source, address, limits, logger }: RestoreRowsOptions): Promise<RowsManifest> {
  const manifest = (await readManifest(source, 'concord-rows-1')) as RowsManifest
  await requireIntact(source, manifest)
  const known = knownMigrations()
  if (!known.some(({ number }) => number === manifest.schema)) {
    throw new StartupError(
      `The backup is of schema ${manifest.schema}, which this version does not know. Restore it with a version that knows it.`,
    )
  }
  const { version } = await migrate({ address, limits, logger, migrations: known.filter(({ number }) => number <= manifest.schema) })
  // Later migrations change rows that are there: they follow the rows.
  if (version > manifest.schema) {
    throw new StartupError(
      `The database is at schema ${version} already, and the backup is of schema ${manifest.schema}. Name an empty one in DATABASE_URL.`,
    )
  }
  const owner = await connectAsOwner(address, limits)
  try {
    await owner.query('begin')
    await writeRows(owner, source, manifest)
    await owner.query('commit')
  } finally {
    await owner.end()
  }
  await migrate({ address, limits, logger })
  return manifest
}

async function writeRows(owner: pg.Client, source: string, manifest: RowsManifest): Promise<void> {
  const tables = Object.keys(manifest.tables)
  const forced = await listForced(owner)
  // The owner is bound by forced row-level security too, and may not even count the rows.
  for (const table of forced) await owner.query(`alter table ${pg.escapeIdentifier(table)} no force row level security`)
  await requireNoTenants(owner)
  // The rows a fresh schema begins with are in the backup as well.
  await owner.query(`truncate ${tables.map(table => pg.escapeIdentifier(table)).join(', ')}`)
  for await (const line of linesOf(join(source, rowsFile))) {
    const { table, rows } = JSON.parse(line) as RowsLine
    const name = pg.escapeIdentifier(table)
    await owner.query(`insert into ${name} overriding system value select * from unnest($1::${name}[])`, [rows])
  }
  // The rows of backlogs were counted as they came, on top of what the heads had counted.
  await owner.query(`update scope_heads h set rereads = ${rereadsWaiting} where rereads > 0`)
  await hashSubjects(owner)
  await raiseSequences(owner, manifest)
  await keepCursors(owner, manifest)
  for (const table of forced) await owner.query(`alter table ${pg.escapeIdentifier(table)} force row level security`)
}

/** The server the rows come from may write other letters in lower case. */
async function hashSubjects(owner: pg.Client): Promise<void> {
  await owner.query('update claims set subject_hash = concord_subject_hash(subject) where subject_hash <> concord_subject_hash(subject)')
}

async function listForced(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relforcerowsecurity",
  )
  return rows.map(row => row.name)
}

async function requireNoTenants(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ tenants: number }>("select count(*)::integer as tenants from tenants where tenant_id <> '-'")
  if (rows[0]?.tenants === 0) return
  throw new StartupError('The database holds tenants already. Name an empty database in DATABASE_URL: a restore never replaces data.')
}

/** Readers have cursors up to the end of the log, which may lie far behind its newest event. `raiseLogBase` takes the base from here. */
async function keepCursors(owner: pg.Client, { log_end: end = 0 }: RowsManifest): Promise<void> {
  await owner.query(
    'update event_horizon set xid_base = greatest(xid_base, $1::bigint - pg_snapshot_xmin(pg_current_snapshot())::text::bigint)',
    [end],
  )
}

async function raiseSequences(owner: pg.Client, manifest: RowsManifest): Promise<void> {
  const { rows } = await owner.query<{ table: string; column: string }>(
    "select table_name as table, column_name as column from information_schema.columns where table_schema = 'public' and is_identity = 'YES'",
  )
  for (const { table, column } of rows) {
    const [name, counted] = [pg.escapeIdentifier(table), pg.escapeIdentifier(column)]
    await owner.query(`select setval(pg_get_serial_sequence($1, $2), max(${counted})) from ${name}`, [table, column])
  }
  // Never back: rows that are counted as they come in may be more than those that were there.
  for (const [sequence, last] of Object.entries(manifest.sequences)) {
    if (last === 0) continue
    await owner.query('select setval($1::regclass, greatest($2, pg_sequence_last_value($1::regclass)))', [sequence, last])
  }
}
