/**
 * A backup of a database of one's own (DATABASE_URL): every row of every table as of one moment, read by the role that may
 * see all rows. It needs neither a superuser nor the tools of the server, and can be restored into another cluster and a
 * newer PostgreSQL. Rows are kept as PostgreSQL writes them (`row::text`), a batch a line, compressed.
 */

import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { invariant } from '../../platform/errors.js'
import { logEnd } from '../events/events-reading.js'
import { clientConfig } from '../server/connection.js'
import type { Transaction } from '../server/database.js'
import type { ExistingServer } from '../server/existing-storage.js'
import { logIn } from '../server/login.js'
import { selectSchema } from '../server/migrate.js'
import { type BackupManifest, digestsOf, requireEmpty, writeManifest } from './backup.js'
import { batchesOf, inOrderOfReferences } from './table-rows.js'

export interface RowsManifest extends Omit<BackupManifest, 'format'> {
  format: 'concord-rows-1'
  /** Rows by table, in the order they are restored. */
  tables: Record<string, number>
  /** Last values of sequences: numbers of rows that are gone are not given again. */
  sequences: Record<string, number>
  /** Where the log of everything ended: no reader was given a cursor behind it. Missing in backups of versions before. */
  log_end?: number
}

export interface RowsLine {
  table: string
  rows: string[]
}

export const rowsFile = 'rows.jsonl.gz'
/** A table may take as long as it takes. */
const hourMs = 3_600_000
/** What a restored service writes anew, and what the restore itself brings: usage is counted as the heads of scopes come in,
 * sums of lists are made with the next certificate. */
const leftOut = ['nodes', 'schema_migrations', 'tenant_usage', 'certificate_lists', 'certificate_changes']
/** Empty after a restore: people sign in again. */
const forgotten = ['sessions']

export async function backUpRows({ server, target }: { server: ExistingServer; target: string }): Promise<RowsManifest> {
  await requireEmpty(target)
  const engine = await logIn(clientConfig(server.address, 'engine', { ...server.limits, statementTimeoutMs: hourMs }))
  try {
    await engine.query('begin isolation level repeatable read read only')
    const { now: started_at, ...about } = await describe(engine)
    const tables: Record<string, number> = {}
    const file = createWriteStream(join(target, rowsFile), { flags: 'wx', mode: 0o600 })
    await pipeline(Readable.from(linesOf(engine, await listTables(engine), tables)), createGzip(), file)
    const finished_at = new Date().toISOString()
    const manifest: RowsManifest = { format: 'concord-rows-1', ...about, started_at, finished_at, tables, files: await digestsOf(target) }
    await writeManifest(target, manifest)
    return manifest
  } finally {
    await engine.end()
  }
}

async function describe(engine: pg.Client) {
  const { rows } = await engine.query<Pick<RowsManifest, 'schema' | 'postgres' | 'sequences' | 'log_end'> & { now: string }>(
    `select now() as now, (${selectSchema}) as schema, current_setting('server_version') as postgres, ${logEnd}::text::bigint as log_end,
       (select coalesce(json_object_agg(sequencename, last_value), '{}') from pg_sequences
        where schemaname = 'public' and last_value is not null) as sequences`,
  )
  invariant(rows[0] !== undefined, 'the database does not describe itself')
  return rows[0]
}

/** Tables that others refer to come first. */
async function listTables(engine: pg.Client): Promise<string[]> {
  const { rows } = await engine.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> all ($1) order by tablename",
    [leftOut],
  )
  const names = rows.map(row => row.name)
  return (await inOrderOfReferences(asReader(engine), names)).reverse()
}

function asReader(engine: pg.Client): Pick<Transaction, 'query'> {
  return { query: async statement => engine.query({ ...statement, values: [...(statement.values ?? [])] }) as never }
}

async function* linesOf(engine: pg.Client, tables: readonly string[], counts: Record<string, number>): AsyncGenerator<string> {
  for (const table of tables) {
    counts[table] = 0
    if (forgotten.includes(table)) continue
    const select = { text: `select t::text as row from ${pg.escapeIdentifier(table)} t` }
    for await (const rows of batchesOf(asReader(engine), table, select)) {
      counts[table] += rows.length
      yield `${JSON.stringify({ table, rows } satisfies RowsLine)}\n`
    }
  }
}
