/**
 * Once per run: a PostgreSQL with a migrated template database. By default the embedded one in a temporary folder;
 * TEST_DATABASE_URL names another server (its user needs CREATEDB and CREATEROLE). All of it is removed at the end,
 * and what a killed run left behind is removed by the next one.
 */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createLogger } from '../../src/platform/logger.js'
import { addressFromUrl, type DatabaseAddress, withDatabase } from '../../src/store/server/connection.js'
import { startEmbedded } from '../../src/store/server/embedded.js'
import { clusterFiles } from '../../src/store/server/embedded-cluster.js'
import { findRunning, stopPostmaster } from '../../src/store/server/embedded-postmaster.js'
import { connectAsOwner, migrate } from '../../src/store/server/migrate.js'
import { testLimits } from './limits.js'

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: DatabaseAddress
    template: string
  }
}

const logger = createLogger({ level: 'error' })
/** Nothing here outlives the run, and cloning databases is mostly waiting for the disk. Tests of durability start servers of their own. */
const throwAway = { fsync: 'off', full_page_writes: 'off', max_connections: '200' }
const folderPrefix = 'concord-test-'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env['TEST_DATABASE_URL'] === undefined ? await startOwnServer() : externalServer(process.env['TEST_DATABASE_URL'])
  const template = `concord_template_${process.pid}`
  try {
    await runAsOwner(server.address, `create database ${template}`)
    await migrate({ address: withDatabase(server.address, template), limits: testLimits, logger })
  } catch (error) {
    await server.stop(template)
    throw error
  }
  project.provide('postgres', server.address)
  project.provide('template', template)
  return () => server.stop(template)
}

interface Server {
  address: DatabaseAddress
  stop(template: string): Promise<void>
}

async function startOwnServer(): Promise<Server> {
  await removeLeftOvers()
  const folder = mkdtempSync(join(tmpdir(), folderPrefix))
  writeFileSync(join(folder, 'run-by'), String(process.pid))
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir, { mode: 0o711 })
  const server = await startEmbedded({ dataDir, logger, settings: throwAway })
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { address: withDatabase(server.address, 'postgres'), stop }
}

function externalServer(url: string): Server {
  const address = addressFromUrl(url, process.env['TEST_DATABASE_ROLE_SECRET'])
  return { address, stop: template => runAsOwner(address, `drop database if exists ${template} with (force)`) }
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
