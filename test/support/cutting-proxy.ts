/**
 * A line to the database that can be cut, in the ways lines are:
 *
 * open       everything passes
 * held       nothing passes, nothing is lost: it arrives when the line is open again, as after a short outage
 * half-open  what is sent vanishes, on connections of that time for ever, and nobody is told; new ones are not answered
 * slow       everything passes, each time after a delay
 */

import { EventEmitter, once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { DatabaseAddress } from '../../src/store/server/connection.js'

export type LineState = 'open' | 'held' | 'half-open' | 'slow'

export interface CuttingProxy {
  /** The same database, through the line. */
  readonly address: DatabaseAddress
  become(state: LineState): void
  /** Resolves when so many connections were begun on the line while it was half-open, since it became so. */
  swallowed(connections: number): Promise<void>
  close(): Promise<void>
}

interface Line {
  client: Socket
  upstream: Socket
  dead: boolean
  waiting: (() => void)[]
}

const slowMs = 150

export async function startCuttingProxy(target: DatabaseAddress): Promise<CuttingProxy> {
  const lines = new Set<Line>()
  let state: LineState = 'open'
  let swallowed = 0
  const begun = new EventEmitter()
  const server = createServer(client => {
    const path = `${target.host}/.s.PGSQL.${target.port}`
    const upstream = target.host.startsWith('/') ? connect({ path }) : connect(target.port, target.host)
    const line: Line = { client, upstream, dead: state === 'half-open', waiting: [] }
    lines.add(line)
    if (line.dead) {
      swallowed++
      begun.emit('swallowed')
    }
    const end = () => {
      lines.delete(line)
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true)
      socket.on('error', end)
      // The end of a connection is a message too, and does not pass a cut line.
      socket.on('close', () => pass(line, end))
    }
    client.on('data', chunk => pass(line, () => upstream.write(chunk)))
    upstream.on('data', chunk => pass(line, () => client.write(chunk)))
  })
  const pass = (line: Line, act: () => void) => {
    if (line.dead) return
    if (state === 'held' || line.waiting.length > 0) line.waiting.push(act)
    else if (state === 'slow') setTimeout(act, slowMs)
    else act()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    address: { ...target, host: '127.0.0.1', port },
    become(next) {
      state = next
      if (next === 'half-open') swallowed = 0
      for (const line of lines) {
        if (next === 'half-open') line.dead = true
        if (next === 'open') for (const act of line.waiting.splice(0)) act()
      }
    },
    async swallowed(connections) {
      while (swallowed < connections) await once(begun, 'swallowed')
    },
    async close() {
      server.close()
      for (const { client, upstream } of lines) {
        client.destroy()
        upstream.destroy()
      }
      await once(server, 'close')
    },
  }
}
