/** What a support person would ask about this machine: Node, settings, data folder, disk, embedded database. */

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { freemem } from 'node:os'
import { join, resolve } from 'node:path'
import { type ConfigResult, faultLines, misspeltLines } from '../platform/config.js'
import { findPackage } from '../store/server/embedded-binaries.js'
import { examine, type Finding } from './doctor-finding.js'
import { examineModel } from './doctor-model.js'

const oldestNode = 20
const lowDiskBytes = 1e9
const lowMemoryBytes = 256e6

export async function examineMachine(loaded: ConfigResult): Promise<Finding[]> {
  const general = [await examine('node', nodeVersion), await examine('settings', () => settings(loaded)), await examine('memory', memory)]
  if (!loaded.ok) return general
  const { config } = loaded
  const dataDir = resolve(config.dataDir)
  const model = await examineModel(config)
  if (config.databaseUrl !== undefined)
    return [...general, await examine('database', () => externalDatabase(config.databaseUrl as string)), ...model]
  return [
    ...general,
    // Where it is missing, the failure says what to do.
    await examine('embedded PostgreSQL', () => ({ status: 'ok', detail: findPackage().folder })),
    await examine('data folder', () => dataFolder(dataDir)),
    await examine('disk', () => disk(dataDir)),
    await examine('first keys', () => firstKeys(dataDir, config.adminApiKeys.length + config.internalsApiKeys.length > 0)),
    ...model,
  ]
}

function nodeVersion(): Omit<Finding, 'check'> {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= oldestNode) return { status: 'ok', detail: process.versions.node }
  return { status: 'fault', detail: process.versions.node, next: `install Node.js ${oldestNode} or newer` }
}

function settings(loaded: ConfigResult): Omit<Finding, 'check'> {
  if (loaded.ok && loaded.misspelt.length > 0)
    return { status: 'warning', detail: misspeltLines(loaded.misspelt).join(' '), next: 'correct the name, or unset it' }
  if (loaded.ok) return { status: 'ok', detail: 'all allowed' }
  return {
    status: 'fault',
    detail: faultLines(loaded.faults).join('; '),
    next: 'correct the environment; `concord config --list` says what is allowed',
  }
}

function memory(): Omit<Finding, 'check'> {
  const detail = `${(freemem() / 1e9).toFixed(1)} GB free`
  return freemem() > lowMemoryBytes
    ? { status: 'ok', detail }
    : { status: 'warning', detail, next: 'give the machine more memory, or set WORKER_THREADS=1' }
}

function dataFolder(dataDir: string): Omit<Finding, 'check'> {
  if (!existsSync(dataDir))
    return {
      status: 'skipped',
      detail: `looked for ${dataDir}, which does not exist`,
      next: 'where the service runs: start it there with `concord serve`, or set DATA_DIR; elsewhere nothing is needed',
    }
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  const hasCluster = existsSync(join(dataDir, 'postgres', 'PG_VERSION'))
  return hasCluster
    ? { status: 'ok', detail: dataDir }
    : { status: 'warning', detail: `${dataDir} holds no database yet`, next: 'start the service once with `concord serve`' }
}

function disk(dataDir: string): Omit<Finding, 'check'> {
  const { bavail, bsize } = statfsSync(existsSync(dataDir) ? dataDir : '.')
  const detail = `${((bavail * bsize) / 1e9).toFixed(1)} GB free`
  return bavail * bsize > lowDiskBytes ? { status: 'ok', detail } : { status: 'fault', detail, next: 'free space on the disk of DATA_DIR' }
}

function firstKeys(dataDir: string, given: boolean): Omit<Finding, 'check'> {
  const path = join(dataDir, 'keys.json')
  if (given) return { status: 'ok', detail: 'keys come from the environment' }
  if (!existsSync(path)) return { status: 'skipped', detail: `looked for ${path}, which the first \`concord serve\` makes` }
  const open = (statSync(path).mode & 0o077) !== 0
  return open
    ? { status: 'fault', detail: `${path} can be read by others`, next: `chmod 600 ${path}` }
    : { status: 'ok', detail: `${path}, readable by its owner alone` }
}

function externalDatabase(url: string): Omit<Finding, 'check'> {
  const { hostname, port, pathname } = new URL(url)
  return {
    status: 'ok',
    detail: `DATABASE_URL names ${pathname.slice(1)} at ${hostname}:${port || 5432}; the service says below whether it answers`,
  }
}
