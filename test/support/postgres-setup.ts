/**
 * Once per run: a PostgreSQL with a migrated template database for each worker of the run, because what one test has under
 * way in a server (open transactions, locks, connections) is seen by all others in it. By default embedded ones in
 * temporary folders; TEST_DATABASE_URL names one for all of them (its user needs CREATEDB and CREATEROLE). All of it is
 * removed at the end, and what a killed run left behind is removed by the next one.
 */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createLogger } from '../../src/platform/logger.js'
import { addressFromUrl, type DatabaseAddress, withDatabase } from '../../src/store/server/connection.js'
import { startEmbedded } from '../../src/store/server/embedded.js'
import { clusterFiles } from '../../src/store/server/embedded-cluster.js'
import { findRunning, stopPostmaster } from '../../src/store/server/embedded-postmaster.js'
import { connectAsOwner, migrate } from '../../src/store/server/migrate.js'
import { copyFolder } from './copy-folder.js'
import { testLimits } from './limits.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** One for each worker, by its number; see `test-server.ts`. */
    servers: DatabaseAddress[]
    template: string
    /** A data folder of the service with nothing in it; see `data-dir.ts`. */
    dataDir: string
  }
}

const logger = createLogger({ level: 'error' })
/**
 * Nothing here outlives the run, and cloning databases is mostly waiting for the disk. Tests of durability start servers of their own.
 * A connection of a test lives for seconds, of which to plan each statement anew for its first five times was a third of the server's
 * work, and to tidy tables that are dropped at once a tenth. Tests of plans say by which values they plan, and tidy before.
 */
const throwAway = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  plan_cache_mode: 'force_generic_plan',
  max_connections: '200',
}
const folderPrefix = 'concord-test-'

const template = `concord_template_${process.pid}`

/** Projects of one run share the servers: the first starts them, the last ends them. */
interface SharedServers {
  users: number
  starting: Promise<Started>
}
interface Started {
  servers: Server[]
  /** The folder of which theirs are copies. */
  dataDir: string
}
const shared = globalThis as { concordTestServers?: SharedServers | undefined }

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.concordTestServers ??= { users: 0, starting: startServers(project.vitest.config.maxWorkers) }
  const own = shared.concordTestServers
  own.users++
  const { servers, dataDir } = await own.starting
  const addresses = servers.map(server => server.address)
  project.provide('servers', addresses)
  project.provide('template', template)
  project.provide('dataDir', dataDir)
  return async () => {
    if (--own.users > 0) return
    shared.concordTestServers = undefined
    await Promise.all(servers.map(server => server.stop()))
    rmSync(dirname(dataDir), { recursive: true, force: true })
  }
}

async function startServers(count: number): Promise<Started> {
  await removeLeftOvers()
  const dataDir = await makeDataDir()
  const url = process.env['TEST_DATABASE_URL']
  if (url !== undefined) return { dataDir, servers: [await withTemplate(externalServer(url))] }
  const servers = await Promise.all(Array.from({ length: count }, () => startOwnServer(dataDir)))
  return { dataDir, servers }
}

/** To make a cluster and its schema takes some seconds of the processor, to copy both a part of one. */
async function makeDataDir(): Promise<string> {
  const dataDir = newFolder()
  const server = await startEmbedded({ dataDir, logger, settings: throwAway })
  try {
    await migrate({ address: server.address, limits: testLimits, logger })
  } finally {
    await server.stop()
  }
  return dataDir
}

async function withTemplate(server: Server): Promise<Server> {
  try {
    await runAsOwner(server.address, `create database ${template}`)
    await migrate({ address: withDatabase(server.address, template), limits: testLimits, logger })
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}

interface Server {
  address: DatabaseAddress
  stop(): Promise<void>
}

async function startOwnServer(from: string): Promise<Server> {
  const dataDir = newFolder()
  copyFolder(from, dataDir)
  const server = await startEmbedded({ dataDir, logger, settings: throwAway })
  const address = withDatabase(server.address, 'postgres')
  await runAsOwner(address, `create database ${template} template ${server.address.database} strategy file_copy`)
  const stop = async () => {
    await server.stop()
    rmSync(dirname(dataDir), { recursive: true, force: true })
  }
  return { address, stop }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), folderPrefix))
  writeFileSync(join(folder, 'run-by'), String(process.pid))
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir, { mode: 0o711 })
  return dataDir
}

function externalServer(url: string): Server {
  const address = addressFromUrl(url, process.env['TEST_DATABASE_ROLE_SECRET'])
  return { address, stop: () => runAsOwner(address, `drop database if exists ${template} with (force)`) }
}

async function runAsOwner(address: DatabaseAddress, sql: string): Promise<void> {
  const owner = await connectAsOwner(address, testLimits)
  try {
    await owner.query(sql)
  } finally {
    await owner.end()
  }
}

async function removeLeftOvers(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter(entry => entry.startsWith(folderPrefix))) {
    const folder = join(tmpdir(), name)
    if (runnerLives(folder)) continue
    const files = clusterFiles(join(folder, 'data'))
    const running = findRunning(files)
    if (running) await stopPostmaster(files, running.pid, 5000)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A folder without its note is either being made at this moment or another account's; both are left alone. */
function runnerLives(folder: string): boolean {
  try {
    process.kill(Number(readFileSync(join(folder, 'run-by'), 'utf8')), 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
