/**
 * The embedded PostgreSQL. `startEmbedded` makes or finds the cluster of a data folder, starts its server or attaches
 * to one that a killed Concord left running, and keeps it alive until `stop`.
 *
 * One Concord owns a data folder: the owner holds an advisory lock on one connection for as long as it lives, so a
 * dead owner frees it by dying and a second one is refused. The end of that connection is also how the death of the
 * server is noticed:  up → (connection ends) → healing → up;  any → stopping → stopped;  healing → lost, when another
 * Concord has taken the folder meanwhile.
 */

import pg from 'pg'
import { pause } from '../../platform/deadline.js'
import { StartupError } from '../../platform/errors.js'
import type { Logger } from '../../platform/logger.js'
import { clientConfig, type DatabaseAddress } from './connection.js'
import { chooseAccount } from './embedded-account.js'
import { prepareBinaries } from './embedded-binaries.js'
import { clusterFiles, prepareCluster, superuser } from './embedded-cluster.js'
import {
  chooseEndpoint,
  endpointOf,
  findRunning,
  logTail,
  type PidFile,
  type Postmaster,
  type PostmasterOptions,
  spawnPostmaster,
  stopPostmaster,
} from './embedded-postmaster.js'
import { failureCode, isStorageUnavailable } from './failures.js'
import { lockSpace } from './migrate.js'

export interface EmbeddedServer {
  /** The service's database, as its owner. Stays the same when the server is started again. */
  readonly address: DatabaseAddress
  /** Whether a server left over by another process was taken over. */
  readonly attached: boolean
  /** Whether the cluster was made by this start. */
  readonly created: boolean
  /** Process id of the server, as of now. */
  pid(): number
  /** How often the server died and was started again. */
  restarts(): number
  /** Fast shutdown. Close every pool before. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  logger: Logger
  /** Called when the data folder was lost to another Concord; there is nothing left to do but to stop. */
  onLost?: (error: Error) => void
  /** Server settings in place of ours, for servers whose data is thrown away. */
  settings?: Readonly<Record<string, string>>
  /** Gives the start up: rejects once the server that was being started has ended. */
  signal?: AbortSignal
}

/** Its endpoint is where a server that is started listens; one that runs already listens where its file says. */
interface Launch extends PostmasterOptions {
  password: string
  logger: Logger
}

interface Up {
  owner: pg.Client
  running: PidFile
  spawned: boolean
}

const database = 'concord'
const ownerLock = 2
const ownerLockWaitMs = 3000
/** Recovery after a crash reads the write-ahead log since the last checkpoint; this is far more than 2 GB of it take. */
const readyWaitMs = 300_000
const stopWaitMs = 30_000
const mostSpawns = 20
const spawnPauseMs = 250
const pollMs = 15
const limits = { connectTimeoutMs: 5000, statementTimeoutMs: 60_000 }

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { logger } = options
  const files = clusterFiles(options.dataDir)
  const account = chooseAccount(files.dataDir)
  const binaries = prepareBinaries(files.dataDir, account)
  const { password, created } = await prepareCluster(files, binaries, account)
  const first: Launch = {
    files,
    binaries,
    account,
    endpoint: await chooseEndpoint(files),
    password,
    logger,
    settings: options.settings ?? {},
  }
  const up = await takeOwnership(first, await bringUp(first, options.signal ?? new AbortController().signal))
  const launch = { ...first, endpoint: endpointOf(up.running) }
  await createDatabase(up.owner)
  logger.info(
    { pid: up.running.pid, attached: !up.spawned, account: account.kind === 'account' ? account.name : account.kind },
    'embedded PostgreSQL started',
  )
  return supervise(launch, up, { created, onLost: options.onLost })
}

/** Starts the server unless it runs, and waits until it lets us in. Concurrent starts are fine. */
async function bringUp(launch: Launch, signal: AbortSignal): Promise<Up> {
  const own: { server?: Postmaster } = {}
  try {
    return await untilReady(launch, own, signal)
  } catch (error) {
    // It may be recovering for minutes, and whoever started it will be gone by then.
    if (signal.aborted && own.server) await takeDown(launch, own.server)
    throw error
  }
}

/** Before a server has written its file, only its end tells that it heard the signal. */
async function takeDown(launch: Launch, server: Postmaster): Promise<void> {
  const end = performance.now() + stopWaitMs
  while (!server.over && performance.now() < end) {
    await stopPostmaster(launch.files, server.pid, stopWaitMs)
    await pause(pollMs)
  }
}

async function untilReady(launch: Launch, own: { server?: Postmaster }, signal: AbortSignal): Promise<Up> {
  const end = performance.now() + readyWaitMs
  for (let spawns = 0; ; ) {
    const running = findRunning(launch.files)
    if (running === undefined && (own.server === undefined || own.server.over)) {
      if (spawns === mostSpawns || performance.now() > end) throw startFailure(launch)
      if (spawns > 0) await pause(spawnPauseMs, signal)
      signal.throwIfAborted()
      own.server = spawnPostmaster(launch)
      spawns++
    }
    // Its file says where it listens line by line, and all of it only once it is ready.
    const owner = running?.status === 'ready' ? await connect({ ...launch, endpoint: endpointOf(running) }) : undefined
    if (signal.aborted) await owner?.end()
    else if (running && owner) return { owner, running, spawned: own.server?.pid === running.pid }
    if (performance.now() > end) throw startFailure(launch)
    await pause(pollMs, signal)
    signal.throwIfAborted()
  }
}

function startFailure(launch: Launch): StartupError {
  return new StartupError(
    `The embedded PostgreSQL in ${launch.files.cluster} does not start. Its log (${launch.files.log}) ends with:\n${logTail(launch.files)}`,
  )
}

/** Undefined while the server is starting, stopping or gone again. */
async function connect(launch: Launch): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...clientConfig(addressOf(launch, 'postgres'), 'owner', limits),
    application_name: `concord owner ${process.pid}`,
  })
  client.on('error', error => launch.logger.debug({ err: error }, 'owner connection failed'))
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end()
    if (failureCode(error) === '28P01') {
      throw new StartupError(
        `The password in ${launch.files.passwordFile} is not the one of ${launch.files.cluster}. Restore the file that belongs to it.`,
      )
    }
    if (isStorageUnavailable(error)) return undefined
    throw error
  }
}

function addressOf(launch: Launch, name: string): DatabaseAddress {
  return { ...launch.endpoint, database: name, user: superuser, password: launch.password, roleSecret: launch.password }
}

/** The lock of an owner killed a moment ago lasts until its connection is noticed to be gone, so wait a little. */
async function takeOwnership(launch: Launch, up: Up): Promise<Up> {
  const end = performance.now() + ownerLockWaitMs
  for (;;) {
    const { rows } = await up.owner.query<{ mine: boolean }>('select pg_try_advisory_lock($1, $2) as mine', [lockSpace, ownerLock])
    if (rows[0]?.mine) return up
    if (performance.now() > end) {
      const holder = await lockHolder(up.owner)
      await up.owner.end()
      throw new StartupError(
        `${launch.files.dataDir} is in use by another Concord (${holder}). Stop that one, or set DATA_DIR to another folder.`,
      )
    }
    await pause(50)
  }
}

async function lockHolder(owner: pg.Client): Promise<string> {
  const { rows } = await owner.query<{ name: string }>(
    `select activity.application_name as name from pg_locks locks join pg_stat_activity activity on activity.pid = locks.pid
     where locks.locktype = 'advisory' and locks.granted and locks.classid = $1 and locks.objid = $2 limit 1`,
    [lockSpace, ownerLock],
  )
  return rows[0]?.name.replace('concord owner', 'process') ?? 'it has just let go'
}

async function createDatabase(owner: pg.Client): Promise<void> {
  const { rowCount } = await owner.query('select from pg_database where datname = $1', [database])
  if (rowCount === 0) await owner.query(`create database ${database}`)
}

function supervise(launch: Launch, first: Up, about: { created: boolean; onLost: EmbeddedOptions['onLost'] }): EmbeddedServer {
  const stopping = new AbortController()
  const state = { up: first, restarts: 0, healing: Promise.resolve() }
  const watch = () => {
    state.up.owner.once('end', () => {
      if (!stopping.signal.aborted) state.healing = heal()
    })
  }
  const heal = async () => {
    launch.logger.error({ pid: state.up.running.pid }, 'embedded PostgreSQL died, restarting')
    try {
      state.up = await bringBack(launch, stopping.signal)
    } catch (error) {
      if (!stopping.signal.aborted) about.onLost?.(error as Error)
      return
    }
    state.restarts++
    watch()
    launch.logger.info({ pid: state.up.running.pid }, 'embedded PostgreSQL restarted')
  }
  const stop = async () => {
    if (stopping.signal.aborted) return state.healing
    stopping.abort(new Error('stopping'))
    await state.healing
    const running = findRunning(launch.files)
    if (running) {
      const how = await stopPostmaster(launch.files, running.pid, stopWaitMs)
      launch.logger.info({ pid: running.pid, how }, 'embedded PostgreSQL stopped')
    }
    await state.up.owner.end()
  }
  watch()
  return {
    address: addressOf(launch, database),
    attached: !first.spawned,
    created: about.created,
    pid: () => state.up.running.pid,
    restarts: () => state.restarts,
    stop,
  }
}

/** Does not give up: a full disk or missing memory may end at any time. Only a new owner of the folder ends it. */
async function bringBack(launch: Launch, signal: AbortSignal): Promise<Up> {
  for (let failures = 0; ; failures++) {
    const up = await bringUp(launch, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      launch.logger.error({ err: error }, 'embedded PostgreSQL failed to start')
      return undefined
    })
    if (up) return takeOwnership(launch, up)
    await pause(Math.min(5000, 250 * 2 ** failures), signal)
  }
}
