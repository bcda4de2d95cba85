/** A receiver of webhooks on this machine: keeps what it is sent, and answers as it is told. */

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface Received {
  id: string
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every kind
  event: any
  path: string
}

/** Answers a request, or leaves it open. */
export type Behave = (received: Received, response: ServerResponse) => void

export interface Receiver {
  url: string
  received: Received[]
  behave(how: Behave): void
  /** What was received, once `enough` says so. */
  until(enough: (received: readonly Received[]) => boolean): Promise<readonly Received[]>
  close(): Promise<void>
}

export const accept: Behave = (_received, response) => response.writeHead(204).end()
export const answer =
  (status: number): Behave =>
  (_received, response) =>
    response.writeHead(status).end()

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const watchers = new Set<() => void>()
  const state = { behave: accept }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const one = {
      id: String(request.headers['webhook-id']),
      headers: request.headers,
      text,
      event: JSON.parse(text),
      path: request.url ?? '',
    }
    received.push(one)
    state.behave(one, response)
    for (const watcher of [...watchers]) watcher()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    behave: how => {
      state.behave = how
    },
    until: enough =>
      new Promise(resolve => {
        const look = () => {
          if (!enough(received)) return
          watchers.delete(look)
          resolve(received)
        }
        watchers.add(look)
        look()
      }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Throws unless the message was signed with the secret, as the package of the specification checks it. */
export function verify(secret: string, { text, headers }: Pick<Received, 'text' | 'headers'>): void {
  new Webhook(secret).verify(text, headers as Record<string, string>)
}
