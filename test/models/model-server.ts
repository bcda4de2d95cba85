/** A real HTTP server that speaks the chat completions protocol, one scripted behaviour per request; the last one repeats. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SeenRequest {
  path: string
  authorization: string | undefined
  body: Record<string, unknown>
}

export type Behaviour = (response: ServerResponse, request: SeenRequest) => void

export interface ModelServer {
  url: string
  requests: SeenRequest[]
  /** Resolves when so many requests have come in, in all. */
  seen(count: number): Promise<void>
  /** Resolves when so many answers were cut off by the client, in all. */
  cutOff(count: number): Promise<void>
  close(): Promise<void>
}

export async function startModelServer(behaviours: readonly Behaviour[]): Promise<ModelServer> {
  const requests: SeenRequest[] = []
  const requestCount = counter()
  const cutOffCount = counter()
  const server = createServer((request, response) => {
    void readBody(request).then(body => {
      const seen = {
        path: request.url ?? '',
        authorization: request.headers.authorization,
        body: JSON.parse(body) as Record<string, unknown>,
      }
      requests.push(seen)
      response.on('close', () => {
        if (!response.writableFinished) cutOffCount.add()
      })
      behaviours[Math.min(requests.length, behaviours.length) - 1]?.(response, seen)
      requestCount.add()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    seen: requestCount.reaches,
    cutOff: cutOffCount.reaches,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export function completion(content: string, finishReason = 'stop'): Behaviour {
  return response => {
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        id: 'c1',
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finishReason }],
        usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
      }),
    )
  }
}

export function status(code: number, headers: Record<string, string> = {}, body = '{"error":{"message":"no"}}'): Behaviour {
  return response => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }
}

/** Takes the request and never says anything. */
export const hang: Behaviour = () => undefined

/** Starts an answer and lets one byte follow another, for ever. */
export const drip: Behaviour = response => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 5)
  response.on('close', () => clearInterval(timer))
}

/** An answer without end, as fast as the client takes it. */
export const flood: Behaviour = response => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = ' '.repeat(64 * 1024)
  const pour = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', pour)
  }
  pour()
}

export const reset: Behaviour = response => {
  response.socket?.resetAndDestroy()
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function counter() {
  let count = 0
  const waiting: { at: number; resolve: () => void }[] = []
  return {
    add(): void {
      count++
      for (const entry of waiting) if (entry.at <= count) entry.resolve()
    },
    reaches: (at: number): Promise<void> =>
      new Promise(resolve => {
        if (count >= at) resolve()
        else waiting.push({ at, resolve })
      }),
  }
}
