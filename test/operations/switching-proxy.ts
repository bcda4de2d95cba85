/** An address that can be pointed at another server, as a virtual address or a name that follows the primary can. */

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface SwitchingProxy {
  readonly port: number
  /** Cuts every connection; new ones go to this port, or are refused while it is null. */
  pointAt(port: number | null): void
  close(): Promise<void>
}

export async function startProxy(first: number): Promise<SwitchingProxy> {
  let target: number | null = first
  const open = new Set<Socket>()
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  const server = createServer(client => {
    open.add(client)
    client.on('close', () => open.delete(client))
    client.on('error', () => client.destroy())
    if (target === null) return void client.destroy()
    const upstream = connect(target, '127.0.0.1')
    open.add(upstream)
    upstream.on('close', () => {
      open.delete(upstream)
      client.destroy()
    })
    client.on('close', () => upstream.destroy())
    upstream.on('error', () => upstream.destroy())
    client.setNoDelay(true)
    upstream.setNoDelay(true)
    client.pipe(upstream)
    upstream.pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    pointAt: port => {
      target = port
      cut()
    },
    close: async () => {
      target = null
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}
