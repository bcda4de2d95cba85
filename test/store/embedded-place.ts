/**
 * Data folders for tests of the embedded server, each a copy of one with an empty cluster, and servers on them, in this
 * process or in another. What is left running is ended after each test.
 */

import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterEach, beforeEach } from 'vitest'
import { createLogger } from '../../src/platform/logger.js'
import type { DatabaseAddress } from '../../src/store/server/connection.js'
import { type EmbeddedServer, startEmbedded } from '../../src/store/server/embedded.js'
import { connectAsOwner } from '../../src/store/server/migrate.js'
import { type EmbeddedChild, startChild } from '../support/child.js'
import { copyDataDir } from '../support/data-dir.js'
import { testLimits } from '../support/limits.js'

const logger = createLogger({ level: 'silent' })
/** No test takes the power away: to wait for the disk would take most of the time. */
const impatient = { fsync: 'off' }

export interface EmbeddedPlace {
  readonly folder: string
  readonly dataDir: string
  start(at?: string, signal?: AbortSignal): Promise<EmbeddedServer>
  /** On a folder that is not filled first, with the settings of the service. */
  startAsItIs(at?: string): Promise<EmbeddedServer>
  startOther(): Promise<EmbeddedChild>
  startOtherAsItIs(at?: string, as?: { uid: number; gid: number }): Promise<EmbeddedChild>
}

export function useEmbeddedPlace(): EmbeddedPlace {
  const place = { folder: '', dataDir: '' }
  const servers: EmbeddedServer[] = []
  const children: EmbeddedChild[] = []
  beforeEach(() => {
    place.folder = mkdtempSync(join(tmpdir(), 'concord-embedded-'))
    chmodSync(place.folder, 0o755)
    place.dataDir = join(place.folder, 'data')
  })
  afterEach(async () => {
    for (const child of children.splice(0))
      if (child.process.exitCode === null && child.process.signalCode === null) await child.end('SIGTERM')
    for (const server of servers.splice(0)) await server.stop()
    rmSync(place.folder, { recursive: true, force: true })
  })

  const fill = (at: string) => {
    if (!existsSync(at)) copyDataDir(at)
  }
  const startIn = async (at: string, settings: Record<string, string>, signal?: AbortSignal) => {
    const server = await startEmbedded({ dataDir: at, logger, settings, signal })
    servers.push(server)
    return server
  }
  const startOtherAsItIs = async (at = place.dataDir, as?: { uid: number; gid: number }) => {
    const child = await startChild(at, as)
    children.push(child)
    return child
  }
  return Object.assign(place, {
    start: async (at = place.dataDir, signal?: AbortSignal) => {
      fill(at)
      return startIn(at, impatient, signal)
    },
    startAsItIs: (at = place.dataDir) => startIn(at, {}),
    startOther: async () => {
      fill(place.dataDir)
      return startOtherAsItIs()
    },
    startOtherAsItIs,
  })
}

export async function asOwner<T>(address: DatabaseAddress, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = await connectAsOwner(address, testLimits)
  owner.on('error', () => undefined)
  return work(owner).finally(() => owner.end())
}

export const write = (address: DatabaseAddress) =>
  asOwner(address, owner => owner.query("create table if not exists kept (note text); insert into kept values ('acknowledged')"))
export const readBack = (address: DatabaseAddress) => asOwner(address, async owner => (await owner.query('select note from kept')).rows)
