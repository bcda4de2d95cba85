/**
 * Puts a backup into a data folder that holds no database. Every file is checked against the manifest before anything is
 * written, and the copy is made aside and moved into place, so that an interrupted restore leaves no half of one. The next
 * start recovers it to the moment the backup ended.
 */

import { existsSync } from 'node:fs'
import { chmod, constants, copyFile, cp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../platform/errors.js'
import { clusterFiles } from '../server/embedded-cluster.js'
import { type BackupManifest, besideCluster, digestsOf } from './backup.js'

export async function restore({ source, dataDir }: { source: string; dataDir: string }): Promise<BackupManifest> {
  const manifest = (await readManifest(source, 'concord-backup-1')) as BackupManifest
  await requireIntact(source, manifest)
  const files = clusterFiles(dataDir)
  if (existsSync(files.cluster)) {
    throw new StartupError(
      `${files.cluster} exists already. Move it away first, or set DATA_DIR to another folder: a restore never replaces data.`,
    )
  }
  const beside = besideCluster.filter(name => manifest.files[name] !== undefined)
  for (const name of beside) await requireSameOrNone(join(source, name), join(files.dataDir, name))
  const draft = `${files.cluster}.restore-${process.pid}`
  await mkdir(files.dataDir, { recursive: true, mode: 0o711 })
  try {
    await cp(join(source, 'postgres'), draft, { recursive: true })
    await chmod(draft, 0o700)
    // Before the cluster, which cannot be opened without them.
    for (const name of beside) {
      const to = join(files.dataDir, name)
      // Never over what a start has made meanwhile.
      if (!existsSync(to)) await copyFile(join(source, name), to, constants.COPYFILE_EXCL)
      await chmod(to, 0o600)
    }
    await rename(draft, files.cluster)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return manifest
}

/** What belongs to a cluster that was moved away without it would be lost for good. */
async function requireSameOrNone(from: string, to: string): Promise<void> {
  if (!existsSync(to) || (await readFile(from)).equals(await readFile(to))) return
  throw new StartupError(
    `${to} is of another database. Move it to where that one was moved, or set DATA_DIR to another folder: a restore never replaces data.`,
  )
}

const kinds = { 'concord-backup-1': 'the embedded database', 'concord-rows-1': 'a database of DATABASE_URL' } as const
type Manifest = Pick<BackupManifest, 'files'> & { format: keyof typeof kinds }

export async function readManifest(source: string, format: Manifest['format']): Promise<Manifest> {
  const manifest = await readAnyManifest(source)
  if (manifest.format === format) return manifest
  const of = kinds[manifest.format]
  if (of === undefined) throw new StartupError(`${source} is not a backup that this version understands.`)
  throw new StartupError(`${source} is a backup of ${of}; this is where one of ${kinds[format]} goes.`)
}

async function readAnyManifest(source: string): Promise<Manifest> {
  try {
    return JSON.parse(await readFile(join(source, 'manifest.json'), 'utf8')) as Manifest
  } catch (error) {
    throw new StartupError(`${source} is not a finished backup: its manifest.json cannot be read.`, { cause: error })
  }
}

export async function requireIntact(source: string, manifest: Pick<BackupManifest, 'files'>): Promise<void> {
  const found = await digestsOf(source)
  for (const [path, { sha256 }] of Object.entries(manifest.files)) {
    if (found[path] === undefined) throw new StartupError(`The backup is not complete: ${path} is missing.`)
    if (found[path].sha256 !== sha256) throw new StartupError(`The backup is damaged: ${path} has changed since it was made.`)
  }
}
