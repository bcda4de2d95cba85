/**
 * The server process itself: how it is started, found again through `postmaster.pid`, and stopped. It is started in a
 * session of its own, so that a signal to our group (Ctrl-C, npm) does not reach it before our connections are gone.
 */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, isAbsolute } from 'node:path'
import { pause } from '../../platform/deadline.js'
import { StartupError } from '../../platform/errors.js'
import { type Account, commandAs } from './embedded-account.js'
import type { Binaries } from './embedded-binaries.js'
import { type ClusterFiles, isAlive, serverEnvironment } from './embedded-cluster.js'

/** A unix socket in a private folder, or 127.0.0.1 where the path would be too long for one. Both ask for a password. */
export interface Endpoint {
  host: string
  port: number
}

export interface PidFile {
  pid: number
  port: number
  socketFolder: string
  listenAddress: string
  status: string
}

export interface PostmasterOptions {
  files: ClusterFiles
  binaries: Binaries
  account: Account
  endpoint: Endpoint
  settings: Readonly<Record<string, string>>
}

const socketPort = 5432
/** The system allows 107 bytes; some count less. */
const longestSocketPath = 100
const pollMs = 10

export async function chooseEndpoint(files: ClusterFiles): Promise<Endpoint> {
  const socketPath = `${files.socketFolder}/.s.PGSQL.${socketPort}.lock`
  if (process.platform !== 'win32' && Buffer.byteLength(socketPath) <= longestSocketPath)
    return { host: files.socketFolder, port: socketPort }
  return { host: '127.0.0.1', port: await freePort() }
}

export function endpointOf(running: PidFile): Endpoint {
  return running.socketFolder === ''
    ? { host: running.listenAddress, port: running.port }
    : { host: running.socketFolder, port: running.port }
}

/** The content of `postmaster.pid`, if it is there and complete enough to tell who runs. */
export function readPidFile(files: ClusterFiles): PidFile | undefined {
  let content: string
  try {
    content = readFileSync(files.pidFile, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const lines = content.split('\n').map(line => line.trim())
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, port: Number(lines[3]), socketFolder: lines[4] ?? '', listenAddress: lines[5] ?? '', status: lines[7] ?? '' }
}

/**
 * The server that runs on this cluster. A number in `postmaster.pid` that has gone to another program meanwhile
 * (usual after a restart of a container) would keep PostgreSQL from starting, so that file is removed; but not while a
 * process of a dead server still holds the old shared memory, which only that file tells the next server about, nor
 * where it cannot be told what a process is: the file may be of a server that lives.
 */
export function findRunning(files: ClusterFiles): PidFile | undefined {
  const found = readPidFile(files)
  if (found === undefined || !isAlive(found.pid)) return undefined
  const owner = belonging(found.pid, files)
  if (owner === 'ours') return found
  const mayLive =
    owner === 'unclear' ||
    (process.platform === 'linux' && readdirSync('/proc').some(name => /^\d+$/.test(name) && belonging(Number(name), files) !== 'not ours'))
  if (!mayLive && readPidFile(files)?.pid === found.pid) rmSync(files.pidFile, { force: true })
  return undefined
}

export interface Postmaster {
  pid: number
  /** It has ended, or could not be started. */
  over: boolean
}

/** Starts the server and gives its process; says nothing about when it is ready. */
export function spawnPostmaster(options: PostmasterOptions): Postmaster {
  const { files, binaries, account, endpoint } = options
  const settings = Object.entries({ ...serverSettings(endpoint), ...options.settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const command = commandAs(account, binaries.postgres, ['-D', files.cluster, ...settings])
  const log = openSync(files.log, 'a', 0o600)
  try {
    const child = spawn(command.file, command.args, {
      ...command.options,
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
      env: serverEnvironment(),
      windowsHide: true,
    })
    const postmaster = { pid: child.pid ?? 0, over: false }
    for (const end of ['exit', 'error']) {
      child.once(end, () => {
        postmaster.over = true
      })
    }
    child.unref()
    return postmaster
  } finally {
    closeSync(log)
  }
}

/** Durability is never traded; the rest fits a machine with two cores that it shares with us. */
function serverSettings(endpoint: Endpoint): Record<string, string> {
  const overTcp = !endpoint.host.startsWith('/')
  return {
    listen_addresses: overTcp ? endpoint.host : '',
    unix_socket_directories: overTcp ? '' : endpoint.host,
    unix_socket_permissions: '0700',
    port: String(endpoint.port),
    cluster_name: 'concord',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    max_connections: '100',
    shared_buffers: '256MB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    effective_cache_size: '1GB',
    wal_buffers: '16MB',
    wal_compression: 'on',
    min_wal_size: '256MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '10min',
    random_page_cost: '1.1',
    max_parallel_workers_per_gather: '0',
    jit: 'off',
    autovacuum_naptime: '15s',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_analyze_scale_factor: '0.05',
    timezone: 'UTC',
    log_timezone: 'UTC',
    password_encryption: 'scram-sha-256',
    // Statements and row values are tenants' data and stay out of the log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
  }
}

/** Fast shutdown, then an immediate one: the latter loses nothing, the next start recovers from the log. */
export async function stopPostmaster(files: ClusterFiles, pid: number, fastMs: number): Promise<'stopped' | 'forced'> {
  signal(pid, 'SIGINT')
  if (await gone(files, pid, fastMs)) return 'stopped'
  signal(pid, 'SIGQUIT')
  if (!(await gone(files, pid, fastMs))) signal(pid, 'SIGKILL')
  return 'forced'
}

/** Waits until this server has ended. A zombie still answers signals, so its file counts too. */
export async function gone(files: ClusterFiles, pid: number, ms: number): Promise<boolean> {
  const end = performance.now() + ms
  while (isAlive(pid) && readPidFile(files)?.pid === pid) {
    if (performance.now() > end) return false
    await pause(pollMs)
  }
  return true
}

/** The last lines the server wrote, for an error that has to explain itself. */
export function logTail(files: ClusterFiles): string {
  try {
    return readFileSync(files.log, 'utf8').trimEnd().split('\n').slice(-5).join('\n')
  } catch (error) {
    return `(no log: ${(error as Error).message})`
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

type Belonging = 'ours' | 'not ours' | 'unclear'

/** Whether a process is a PostgreSQL of this cluster: its program and, where it can be seen, its working folder. */
function belonging(pid: number, files: ClusterFiles): Belonging {
  if (process.platform === 'win32') return 'ours'
  try {
    if (process.platform !== 'linux')
      return basename(execFileSync('ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' }).trim()) === 'postgres'
        ? 'ours'
        : 'not ours'
    const program = basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ''))
    return program === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(files.cluster) ? 'ours' : 'not ours'
  } catch (error) {
    if (isForbidden(error)) return belongingByWords(pid, files)
    if (isGone(error)) return 'not ours'
    throw error
  }
}

/**
 * What everybody may read of a process. Its links are closed to root without CAP_SYS_PTRACE, as in a container, when it runs
 * under another account, as our own server does. Processes of a server carry no folder in their title; their parent does.
 */
function belongingByWords(pid: number, files: ClusterFiles): Belonging {
  const read = (of: number, what: string) => readFileSync(`/proc/${of}/${what}`, 'utf8')
  const folderOf = (of: number) => /^[^\0]+\0-D\0([^\0]+)/.exec(read(of, 'cmdline'))?.[1]
  try {
    // One that has ended and was not yet reaped keeps its name, but no words.
    if (read(pid, 'comm').trim() !== 'postgres' || read(pid, 'cmdline') === '') return 'not ours'
    const folder = folderOf(pid) ?? folderOf(Number(/^PPid:\s+(\d+)/m.exec(read(pid, 'status'))?.[1]))
    if (folder === undefined || !isAbsolute(folder)) return 'unclear'
    return realpathSync(folder) === realpathSync(files.cluster) ? 'ours' : 'not ours'
  } catch (error) {
    if (isForbidden(error)) return 'unclear'
    if (isGone(error)) return isAlive(pid) ? 'unclear' : 'not ours'
    throw error
  }
}

/** Gone, or not yet reaped. */
function isGone(error: unknown): boolean {
  return ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new StartupError('No free port on 127.0.0.1.')
  return address.port
}
