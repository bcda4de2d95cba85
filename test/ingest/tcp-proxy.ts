/** A way to the database that can be closed, or go silent, and come back. */

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { DatabaseAddress } from '../../src/store/server/connection.js'
import { freePort } from '../support/free-port.js'

export interface TcpProxy {
  /** The database as seen through the proxy. */
  address: DatabaseAddress
  /** Connections are cut and refused. */
  close(): Promise<void>
  /** Connections stay, and nothing travels any more. */
  silence(): void
  open(): Promise<void>
}

export async function startProxy(target: DatabaseAddress): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>()
  const port = await freePort()
  const state: { server: Server | undefined; silent: boolean } = { server: undefined, silent: false }
  const accept = (client: Socket) => {
    const socketPath = target.host.startsWith('/')
      ? { path: join(target.host, `.s.PGSQL.${target.port}`) }
      : { host: target.host, port: target.port }
    const upstream = connect(socketPath)
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      upstream.destroy()
    }
    for (const socket of pair) socket.on('error', end).on('close', end)
    client.pipe(upstream)
    upstream.pipe(client)
    if (state.silent) hush(pair)
  }
  const hush = ([client, upstream]: [Socket, Socket]) => {
    for (const socket of [client, upstream]) socket.unpipe().pause()
  }
  const open = async () => {
    if (state.silent) {
      state.silent = false
      for (const [client, upstream] of pairs) {
        client.pipe(upstream)
        upstream.pipe(client)
      }
      return
    }
    state.server = createServer(accept).listen(port, '127.0.0.1')
    await once(state.server, 'listening')
  }
  await open()
  return {
    address: { ...target, host: '127.0.0.1', port, ssl: false },
    open,
    silence() {
      state.silent = true
      for (const pair of pairs) hush(pair)
    },
    async close() {
      const { server } = state
      state.server = undefined
      const closed = server && once(server, 'close')
      server?.close()
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      await closed
    },
  }
}
