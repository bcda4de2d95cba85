/**
 * What to do once a client has gone. It may have gone while its credential was looked up, before anybody listened: `close`
 * comes once, so that a listener added later never hears of it.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'

type Socket = IncomingMessage['socket']

/** The body will not arrive any more. */
export function whenBodyEnds(message: IncomingMessage, then: () => void): void {
  if (message.destroyed) then()
  else message.once('close', then)
}

/**
 * The answer is out, or nobody is there to take it. Of requests that one connection sent without waiting for answers, only the
 * first one's response hears of its end: the others are told by the socket.
 */
export function whenGone(response: ServerResponse, then: () => void): void {
  const { socket } = response.req
  if (response.destroyed || socket.destroyed) {
    then()
    return
  }
  const forget = onceClosed(socket, then)
  response.once('close', () => {
    forget()
    then()
  })
}

const waiting = new WeakMap<Socket, Set<() => void>>()

/** One listener a socket, however many requests came over it. */
function onceClosed(socket: Socket, then: () => void): () => void {
  let callbacks = waiting.get(socket)
  if (callbacks === undefined) {
    const made = new Set<() => void>()
    callbacks = made
    waiting.set(socket, made)
    socket.once('close', () => {
      for (const callback of made) callback()
    })
  }
  callbacks.add(then)
  return () => callbacks.delete(then)
}
