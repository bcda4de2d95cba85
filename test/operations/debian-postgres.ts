/**
 * PostgreSQL servers from the system's own packages, for what needs two of them: a primary, a standby that follows it,
 * promotion, and deaths without a word. Each runs below a temporary folder, under an account that is not root.
 */

import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { DatabaseAddress } from '../../src/store/server/connection.js'
import { type Account, chooseAccount, commandAs, giveTo } from '../../src/store/server/embedded-account.js'
import { connectAsOwner } from '../../src/store/server/migrate.js'
import { freePort } from '../support/free-port.js'

export const superuser = { name: 'keeper', password: 'keeper-password' }
const limits = { connectTimeoutMs: 2000, statementTimeoutMs: 30_000 }
const readyMs = 60_000

export interface PostgresServer {
  readonly port: number
  readonly dataDir: string
  address(database: string): DatabaseAddress
  /** One statement as the superuser; gives its rows. */
  run(sql: string, database?: string): Promise<Record<string, unknown>[]>
  promote(): Promise<void>
  /** Every process at once, as when the power of its machine fails. */
  kill(): Promise<void>
  /** In good order. */
  stop(): Promise<void>
}

/** The folder with `initdb` and `postgres`; undefined when the system has none. */
export function findBinaries(root = '/usr/lib/postgresql'): string | undefined {
  if (!existsSync(root)) return undefined
  const versions = readdirSync(root).filter(name => Number(name) >= 15 && existsSync(join(root, name, 'bin/initdb')))
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0]
  return newest === undefined ? undefined : join(root, newest, 'bin')
}

export interface ServerOptions {
  binaries: string
  folder: string
  settings?: Record<string, string>
}

export async function startPrimary({ binaries, folder, settings = {} }: ServerOptions): Promise<PostgresServer> {
  const account = chooseAccount(folder)
  const dataDir = join(folder, 'primary')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, superuser.password, { mode: 0o644 })
  makeFor(account, dataDir)
  await runAs(account, join(binaries, 'initdb'), ['-D', dataDir, '-U', superuser.name, '--pwfile', passwordFile, '-A', 'scram-sha-256'])
  return start({ binaries, account, dataDir, settings })
}

/** A copy of the primary, which answers at the port, that follows it under the name `standby`. */
export async function startStandby(primaryPort: number, { binaries, folder, settings = {} }: ServerOptions): Promise<PostgresServer> {
  const account = chooseAccount(folder)
  const dataDir = join(folder, 'standby')
  makeFor(account, dataDir)
  const from = `host=127.0.0.1 port=${primaryPort} user=${superuser.name} password=${superuser.password} application_name=standby`
  await runAs(account, join(binaries, 'pg_basebackup'), ['-D', dataDir, '-d', from, '-R', '-X', 'stream', '-c', 'fast'])
  return start({ binaries, account, dataDir, settings })
}

interface StartOptions {
  binaries: string
  account: Account
  dataDir: string
  settings: Record<string, string>
}

async function start({ binaries, account, dataDir, settings }: StartOptions): Promise<PostgresServer> {
  const port = await freePort()
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = commandAs(account, join(binaries, 'postgres'), ['-D', dataDir, '-p', String(port), ...flags])
  const log = openSync(`${dataDir}.log`, 'a', 0o666)
  const child = spawn(command.file, command.args, { ...command.options, stdio: ['ignore', log, log], cwd: '/' })
  const address = (database: string): DatabaseAddress => ({
    host: '127.0.0.1',
    port,
    database,
    user: superuser.name,
    password: superuser.password,
    roleSecret: '',
  })
  const run = async (sql: string, database = 'postgres') => {
    const client = await connectAsOwner(address(database), limits)
    try {
      return (await client.query(sql)).rows as Record<string, unknown>[]
    } finally {
      await client.end()
    }
  }
  await untilReady(run, child, `${dataDir}.log`)
  return {
    port,
    dataDir,
    address,
    run,
    promote: async () => {
      await run('select pg_promote(true, 60)')
    },
    kill: () => killAll(child),
    stop: () => stopServer(child),
  }
}

async function untilReady(run: (sql: string) => Promise<unknown>, child: ChildProcess, log: string): Promise<void> {
  const end = performance.now() + readyMs
  for (;;) {
    const failure = await run('select 1').then(
      () => undefined,
      (error: Error) => error,
    )
    if (failure === undefined) return
    if (child.exitCode !== null || performance.now() > end) {
      throw new Error(`the server does not start: ${failure.message}\n${readFileSync(log, 'utf8').slice(-2000)}`)
    }
    await wait(50)
  }
}

/** The postmaster is frozen first: it would notice its dying children and begin to recover. */
async function killAll(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  const pid = child.pid as number
  process.kill(pid, 'SIGSTOP')
  for (const each of childrenOf(pid)) process.kill(each, 'SIGKILL')
  process.kill(pid, 'SIGKILL')
  await exited
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGINT')
  await exited
}

function childrenOf(parent: number): number[] {
  return execLines('ps', ['-o', 'pid=', '--ppid', String(parent)]).map(Number)
}

function execLines(command: string, args: string[]): string[] {
  try {
    return execFileSync(command, args, { encoding: 'utf8' })
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '')
  } catch {
    // `ps` fails when it finds nobody.
    return []
  }
}

function makeFor(account: Account, folder: string): void {
  mkdirSync(folder, { mode: 0o700 })
  giveTo(account, folder)
}

/** Not in step with this process: what it connects to may be one of its own proxies. */
async function runAs(account: Account, file: string, args: string[]): Promise<void> {
  const command = commandAs(account, file, args)
  await promisify(execFile)(command.file, command.args, { ...command.options, cwd: '/', timeout: readyMs })
}
