/**
 * The connections of the server, bounded by what the process may have open. When they become scarce, those on which
 * nothing is under way are ended first, answers end theirs, and nothing that would hold one for long is begun; beyond
 * the bound a connection is answered 503 and closed. While the server closes, connections that wait for nothing are ended:
 * Node's own list knows those that have had an answer, but clients also open connections ahead and send nothing.
 */

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import { AppError } from '../platform/errors.js'
import { bareAnswer } from './client-errors.js'
import { mostRequests } from './requests-in-progress.js'

export interface ConnectionLimits {
  most: number
  /** How many of them are kept from requests that last. */
  reserve: number
}

/** Long enough for a client that has just connected to send its request. */
const silentMs = 1000
const tidyEveryMs = 100

interface Dependencies {
  clock: Clock
  limits: ConnectionLimits
  requestId(given: undefined): string
}

export type Connections = ReturnType<typeof watchConnections>

export function watchConnections(server: Server, { clock, limits, requestId }: Dependencies) {
  const open = new Map<Socket, number>()
  let tidiedAt = 0
  /** True when only the connections reserved for health, operators and ingest remain. */
  const areScarce = () => open.size > limits.most - limits.reserve
  /** Ends those on which nothing is under way. */
  const endWaiting = (forMs: number) => {
    server.closeIdleConnections()
    const before = clock.monotonicMs() - forMs
    for (const [socket, since] of open) if (socket.bytesRead === 0 && since <= before) socket.destroy()
  }
  server.on('connection', socket => {
    const now = clock.monotonicMs()
    open.set(socket, now)
    socket.on('close', () => open.delete(socket))
    if (areScarce() && now - tidiedAt >= tidyEveryMs) {
      tidiedAt = now
      endWaiting(silentMs)
    }
    if (open.size > limits.most) refuse(socket, requestId(undefined))
  })
  return { count: () => open.size, areScarce, endWaiting: () => endWaiting(0) }
}

function refuse(socket: Socket, id: string): void {
  const error = new AppError('OVERLOADED', { detail: 'Too many open connections.' })
  // The client may be gone already, which is as good.
  socket.on('error', () => undefined)
  socket.end(bareAnswer(error, id), () => socket.destroy())
}

export interface SocketLimits extends ConnectionLimits {
  /** Readers of streams and those who wait for a document. */
  readers: number
}

/** Program files, log, threads, the port of metrics with its 64 connections, the embedded server's files. */
const ownFiles = 192
const fewest = 64

/** How the sockets a process may have open are divided: what it needs itself, streams, other requests, a reserve. */
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
