/**
 * A backup of the embedded database: an exact copy of its cluster, taken while the service works. PostgreSQL is told that
 * a backup begins, the files are copied as they change, and the write-ahead log of that time makes the copy consistent at
 * the moment the backup ends. A database of one's own is backed up by its rows (`backup-rows`).
 * Every file is listed with its SHA-256 in `manifest.json`, which is written last: without it there is no backup.
 */

import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type pg from 'pg'
import { StartupError } from '../../platform/errors.js'
import { withDatabase } from '../server/connection.js'
import { clusterFiles } from '../server/embedded-cluster.js'
import type { ExistingServer } from '../server/existing-storage.js'
import { connectAsOwner, selectSchema } from '../server/migrate.js'

export interface BackupManifest {
  format: 'concord-backup-1'
  /** Version of PostgreSQL. */
  postgres: string
  /** Number of the newest migration. */
  schema: number
  started_at: string
  finished_at: string
  /** Path in the backup → SHA-256 and size. */
  files: Record<string, { sha256: string; bytes: number }>
}

export interface BackupOptions {
  server: ExistingServer
  dataDir: string
  /** A folder that does not exist yet, or is empty. */
  target: string
}

/** What the server makes anew, or what belongs to the running server alone. The log is copied at the end. */
const leftOut =
  /^(postmaster\.(pid|opts)|backup_label|tablespace_map|(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.*|.*\/?pgsql_tmp.*|(.*\/)?pg_internal\.init.*)$/
/** What is kept beside the cluster and belongs to it. */
export const besideCluster = ['postgres-password', 'keys.json'] as const
const slot = 'concord_backup'
const atATime = 8
const smallBytes = 1_000_000

export async function backUp({ server, dataDir, target }: BackupOptions): Promise<BackupManifest> {
  await requireEmpty(target)
  const files = clusterFiles(dataDir)
  const owner = await connectAsOwner(withDatabase(server.address, 'postgres'), server.limits)
  try {
    const startedAt = new Date().toISOString()
    const { start, label, end } = await copyCluster(owner, files.cluster, join(target, 'postgres'))
    await copyLog(files.cluster, join(target, 'postgres'), { from: start, to: end })
    await writeFile(join(target, 'postgres', 'backup_label'), label)
    for (const name of besideCluster) {
      if (existsSync(join(dataDir, name))) await copyFile(join(dataDir, name), join(target, name))
    }
    const manifest: BackupManifest = {
      format: 'concord-backup-1',
      postgres: (await readFile(join(files.cluster, 'PG_VERSION'), 'utf8')).trim(),
      schema: await schemaOf(server),
      started_at: startedAt,
      finished_at: new Date().toISOString(),
      files: await digestsOf(target),
    }
    await writeManifest(target, manifest)
    return manifest
  } finally {
    // Ends a backup that failed in the middle, and drops the slot.
    await owner.end()
  }
}

export async function requireEmpty(target: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 })
  if ((await readdir(target)).length > 0) throw new StartupError(`${target} is not empty. Name a new folder for the backup.`)
}

async function copyCluster(owner: pg.Client, from: string, to: string) {
  // The slot keeps the log that the copy needs from being recycled while it is made; it dies with this connection.
  await owner.query('select pg_create_physical_replication_slot($1, true, true)', [`${slot}_${process.pid}`])
  const begun = await owner.query<{ file: string }>("select pg_walfile_name(pg_backup_start('concord', true)) as file")
  const folders = await readdir(from, { recursive: true, withFileTypes: true })
  const paths = folders.map(entry => ({ path: relative(from, join(entry.parentPath, entry.name)), isFolder: entry.isDirectory() }))
  for (const { path, isFolder } of paths) if (isFolder && !leftOut.test(path)) await mkdir(join(to, path), { recursive: true, mode: 0o700 })
  const wanted = paths.filter(({ path, isFolder }) => !isFolder && !leftOut.test(path) && path !== 'global/pg_control')
  await someAtATime(wanted, ({ path }) => copyIfThere(join(from, path), join(to, path)))
  // Last, so that it is not older than any page in the copy.
  await copyFile(join(from, 'global/pg_control'), join(to, 'global/pg_control'))
  const ended = await owner.query<{ label: string; file: string }>(
    'select labelfile as label, pg_walfile_name(lsn) as file from pg_backup_stop(false)',
  )
  const [first, last] = [begun.rows[0], ended.rows[0]]
  return { start: first?.file ?? '', label: last?.label ?? '', end: last?.file ?? '' }
}

/** A table dropped in the meantime takes its files with it; the log knows. */
async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

async function copyLog(from: string, to: string, range: { from: string; to: string }): Promise<void> {
  await mkdir(join(to, 'pg_wal', 'archive_status'), { recursive: true, mode: 0o700 })
  const names = (await readdir(join(from, 'pg_wal'))).filter(name => /^[0-9A-F]{24}$/.test(name) && name >= range.from && name <= range.to)
  for (const name of names) await copyFile(join(from, 'pg_wal', name), join(to, 'pg_wal', name))
}

async function schemaOf(server: ExistingServer): Promise<number> {
  const owner = await connectAsOwner(server.address, server.limits)
  try {
    const { rows } = await owner.query<{ version: number }>(selectSchema)
    return rows[0]?.version ?? 0
  } finally {
    await owner.end()
  }
}

export async function digestsOf(folder: string): Promise<BackupManifest['files']> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile() && entry.name !== 'manifest.json').map(entry => join(entry.parentPath, entry.name))
  const digests: BackupManifest['files'] = {}
  for (const path of paths.sort()) digests[relative(folder, path).replaceAll('\\', '/')] = { sha256: '', bytes: 0 }
  await someAtATime(paths, async path => {
    digests[relative(folder, path).replaceAll('\\', '/')] = await digestOf(path)
  })
  return digests
}

/** Most files of a cluster are of a few pages, for which a stream takes longer than the page. */
async function digestOf(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  const { size } = await stat(path)
  if (size <= smallBytes) {
    const content = await readFile(path)
    return { sha256: hash.update(content).digest('hex'), bytes: content.length }
  }
  let bytes = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { sha256: hash.digest('hex'), bytes }
}

/** A cluster has a thousand small files: one after the other, most of the time goes into waiting for each. */
async function someAtATime<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all].values()
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const one of left) await work(one)
    }),
  )
}

export async function writeManifest(target: string, manifest: { format: string }): Promise<void> {
  await writeFile(join(target, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`, { flag: 'wx', mode: 0o600, flush: true })
}
