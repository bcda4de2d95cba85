/** How the sockets a process may have open are divided: what it needs itself, streams, other requests, a reserve. */

import type { Config } from '../platform/config.js'
import type { ConnectionLimits } from './connections.js'
import { mostRequests } from './requests-in-progress.js'

export interface SocketLimits extends ConnectionLimits {
  /** Readers of streams and those who wait for a document. */
  readers: number
}

/** Program files, log, threads, the port of metrics with its 64 connections, the embedded server's files. */
const ownFiles = 192
const fewest = 64

export function socketLimits(
  config: Pick<Config, 'sseMaxReaders' | 'databaseTenantPool' | 'databaseEnginePool'>,
  openFiles: number | undefined,
): SocketLimits {
  const wanted = config.sseMaxReaders + mostRequests
  const possible = (openFiles ?? Number.POSITIVE_INFINITY) - ownFiles - config.databaseTenantPool - config.databaseEnginePool
  const most = Math.max(fewest, Math.min(wanted, possible))
  const reserve = Math.max(16, Math.min(512, Math.floor(most / 8)))
  return { most, reserve, readers: Math.min(config.sseMaxReaders, Math.floor(((most - reserve) * 7) / 8)) }
}
