/**
 * Under which account the embedded server runs. PostgreSQL refuses root, so root hands it to an unprivileged account
 * (`postgres`, else `nobody`) where that account can reach the data folder, and otherwise to a user namespace in which
 * root appears as `nobody`. Anyone else runs it as themselves.
 */

import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartupError } from '../../platform/errors.js'

export type Account = { kind: 'self' } | { kind: 'account'; name: string; uid: number; gid: number } | { kind: 'namespace' }

export interface Command {
  file: string
  args: string[]
  options: { uid?: number; gid?: number }
}

const namespaceArgs = ['--user', '--map-user=65534', '--map-group=65534', '--']

/** Makes the data folder and chooses the account that can use it. */
export function chooseAccount(dataDir: string): Account {
  const isRoot = process.getuid?.() === 0
  makeFolder(dataDir, isRoot ? 0o711 : 0o700)
  if (!isRoot) return { kind: 'self' }
  const found = findAccount()
  if (found) {
    openForPassage(dataDir, found)
    if (canReach(dataDir, found)) return found
  }
  if (canReach(dataDir, { uid: 0, gid: 0 }) && namespacesWork()) return { kind: 'namespace' }
  throw new StartupError(
    `PostgreSQL does not run as root, and no other account can reach ${dataDir}. Set DATA_DIR to a folder whose parents everyone may pass through, or start Concord as an ordinary user.`,
  )
}

export function commandAs(account: Account, file: string, args: string[]): Command {
  if (account.kind === 'namespace') return { file: 'unshare', args: [...namespaceArgs, file, ...args], options: {} }
  return { file, args, options: account.kind === 'account' ? { uid: account.uid, gid: account.gid } : {} }
}

/** A folder that belongs to the account and to nobody else. */
export function makePrivateFolder(path: string, account: Account): void {
  makeFolder(path, 0o700)
  chmodSync(path, 0o700)
  giveTo(account, path)
}

/** Changes the owner of a tree to the account, unless it is already. */
export function giveTo(account: Account, path: string): void {
  if (account.kind === 'self') return
  const { uid, gid } = account.kind === 'account' ? account : { uid: 0, gid: 0 }
  if (lstatSync(path).uid === uid) return
  chownTree(path, uid, gid)
}

/** Whether the account may read a file or enter a folder, by the permission bits of the whole path. */
export function accountCanReach(account: Account, path: string): boolean {
  if (account.kind === 'self') return true
  return canReach(path, account.kind === 'account' ? account : { uid: 0, gid: 0 })
}

/** Folder by folder: below /proc, `mkdir` with `recursive` tries for ever. */
function makeFolder(path: string, mode: number): void {
  try {
    for (const folder of missingFolders(path)) makeOrFind(folder, mode)
  } catch (error) {
    throw new StartupError(
      `The folder ${path} cannot be made (${(error as NodeJS.ErrnoException).code}). Set DATA_DIR to a folder this account may write to.`,
      { cause: error },
    )
  }
}

/** Another process that starts at the same moment may have made it. */
function makeOrFind(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (!isFolder(folder)) throw error
  }
}

/** Outermost first. */
function missingFolders(path: string): string[] {
  return isFolder(path) || dirname(path) === path ? [] : [...missingFolders(dirname(path)), path]
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function findAccount(): Extract<Account, { kind: 'account' }> | undefined {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const fields = lines.find(line => line.startsWith(`${name}:`))?.split(':')
    const uid = Number(fields?.[2])
    const gid = Number(fields?.[3])
    if (uid > 0 && gid > 0) return { kind: 'account', name, uid, gid }
  }
  return undefined
}

/** Adds passage, and nothing else, to a data folder that an earlier version or a person made too narrow. */
function openForPassage(dataDir: string, who: { uid: number; gid: number }): void {
  const { mode } = statSync(dataDir)
  if (!canReach(dataDir, who) && canReach(dirname(dataDir), who)) chmodSync(dataDir, (mode & 0o7777) | 0o011)
}

function canReach(path: string, who: { uid: number; gid: number }): boolean {
  const stat = statSync(path)
  const shift = stat.uid === who.uid ? 6 : stat.gid === who.gid ? 3 : 0
  const needed = stat.isDirectory() ? 0o1 : 0o4
  if (((stat.mode >> shift) & needed) !== needed) return false
  return dirname(path) === path || canReach(dirname(path), who)
}

function namespacesWork(): boolean {
  return spawnSync('unshare', [...namespaceArgs, 'true'], { stdio: 'ignore' }).status === 0
}

function chownTree(path: string, uid: number, gid: number): void {
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) chownTree(join(path, name), uid, gid)
  if (!lstatSync(path).isSymbolicLink()) chownSync(path, uid, gid)
}
