/**
 * The embedded server's files below the data folder: the cluster in `postgres`, its socket in `run`, the superuser's
 * password in `postgres-password` (readable by the owner alone) and its log. A new cluster is made aside and moved into
 * place, so that a crash never leaves half of one.
 */

import { execFile } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { StartupError } from '../../platform/errors.js'
import { randomBase62 } from '../../platform/ids.js'
import { type Account, commandAs, giveTo, makePrivateFolder } from './embedded-account.js'
import type { Binaries } from './embedded-binaries.js'

export interface ClusterFiles {
  dataDir: string
  cluster: string
  socketFolder: string
  passwordFile: string
  log: string
  pidFile: string
}

export const superuser = 'concord'
const run = promisify(execFile)
const initdbMs = 120_000
const largestLogBytes = 16 * 1024 * 1024

export function clusterFiles(dataDirSetting: string): ClusterFiles {
  const dataDir = resolve(dataDirSetting)
  const cluster = join(dataDir, 'postgres')
  return {
    dataDir,
    cluster,
    socketFolder: join(dataDir, 'run'),
    passwordFile: join(dataDir, 'postgres-password'),
    log: join(dataDir, 'postgres.log'),
    pidFile: join(cluster, 'postmaster.pid'),
  }
}

/** Makes what is missing, checks what is there, and gives the superuser's password. */
export async function prepareCluster(
  files: ClusterFiles,
  binaries: Binaries,
  account: Account,
): Promise<{ password: string; created: boolean }> {
  const exists = existsSync(join(files.cluster, 'PG_VERSION'))
  if (exists) requireMajor(files, binaries.major)
  const password = readOrMakePassword(files, exists)
  if (!exists) await makeCluster(files, binaries, account, password)
  giveTo(account, files.cluster)
  makePrivateFolder(files.socketFolder, account)
  turnLog(files.log)
  return { password, created: !exists }
}

function requireMajor(files: ClusterFiles, major: number): void {
  const found = readFileSync(join(files.cluster, 'PG_VERSION'), 'utf8').trim()
  if (found === String(major)) return
  throw new StartupError(
    `${files.cluster} was made by PostgreSQL ${found}, and this version of Concord brings PostgreSQL ${major}. Start the version of Concord that made it, or upgrade the folder with pg_upgrade, or set DATA_DIR to another folder.`,
  )
}

function readOrMakePassword(files: ClusterFiles, clusterExists: boolean): string {
  if (!existsSync(files.passwordFile)) {
    if (clusterExists)
      throw new StartupError(
        `${files.passwordFile} is missing, and ${files.cluster} cannot be opened without it. Restore the file from the backup of the data folder.`,
      )
    writeOnce(files.passwordFile, randomBase62(43))
  }
  try {
    return readFileSync(files.passwordFile, 'utf8').trim()
  } catch (error) {
    throw new StartupError(`${files.passwordFile} cannot be read. Start Concord as the account that owns ${files.dataDir}.`, {
      cause: error,
    })
  }
}

/** All or nothing, and never over an existing file: of two processes that start at once, one makes it and both read it. */
function writeOnce(path: string, content: string): void {
  const draft = `${path}.${process.pid}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, `${content}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}

async function makeCluster(files: ClusterFiles, binaries: Binaries, account: Account, password: string): Promise<void> {
  removeOldDrafts(files)
  const draft = `${files.cluster}.new-${process.pid}`
  const passwordDraft = `${draft}.password`
  makePrivateFolder(draft, account)
  writeOnce(passwordDraft, password)
  if (account.kind === 'account') chownSync(passwordDraft, account.uid, account.gid)
  try {
    await runInitdb(binaries, account, draft, passwordDraft)
    renameSync(draft, files.cluster)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process that started at the same moment has put its cluster into place: use that.
    if (!existsSync(join(files.cluster, 'PG_VERSION'))) throw error
  } finally {
    rmSync(passwordDraft, { force: true })
  }
}

async function runInitdb(binaries: Binaries, account: Account, folder: string, passwordFile: string): Promise<void> {
  // Sorting by code point is the same everywhere; letters keep their upper and lower case in every language.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = [`--username=${superuser}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  // All is on disk before it is used. One call for the whole file system takes a third of the time of one for each of a thousand
  // files; other systems have no such call.
  const sync = process.platform === 'linux' ? ['--sync-method=syncfs'] : []
  const { file, args, options } = commandAs(account, binaries.initdb, ['--pgdata', folder, ...access, ...locale, ...sync])
  try {
    await run(file, args, { ...options, cwd: '/', timeout: initdbMs, env: serverEnvironment() })
  } catch (error) {
    const output = String((error as { stderr?: string }).stderr ?? '').trim()
    throw new StartupError(`A new database cannot be made in ${folder}: ${output || (error as Error).message}`, { cause: error })
  }
}

/** Nothing of ours is handed on: variables such as PGPORT or LC_ALL would change what the server does. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

/** What a crash during the first start left behind; drafts of processes that live are not touched. */
function removeOldDrafts(files: ClusterFiles): void {
  for (const name of readdirSync(files.dataDir)) {
    const pid = Number(/^postgres\.new-(\d+)/.exec(name)?.[1])
    if (Number.isInteger(pid) && (pid === process.pid || !isAlive(pid))) rmSync(join(files.dataDir, name), { recursive: true, force: true })
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The server writes little (no statements, no row values); what it writes is kept for two turns. */
function turnLog(path: string): void {
  if (existsSync(path) && statSync(path).size > largestLogBytes) renameSync(path, `${path}.1`)
}
