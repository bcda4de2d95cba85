/**
 * A port for a server that is started again at the same place. It lies below those the system hands out by itself: of these
 * another connection could have taken it before it is used, or while the server is away.
 */

import { once } from 'node:events'
import { createServer } from 'node:net'

const lowest = 20_000
const highest = 32_000

export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    const server = createServer()
    const isFree = await once(server.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
