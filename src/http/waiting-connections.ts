/**
 * Ends connections on which nothing is under way, while the server closes. Node's own list knows those that have had an
 * answer; clients also open connections ahead and send nothing, and each would keep the server open for a minute.
 */

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface WaitingConnections {
  end(): void
}

export function watchConnections(server: Server): WaitingConnections {
  const open = new Set<Socket>()
  server.on('connection', socket => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  return {
    end() {
      server.closeIdleConnections()
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}
