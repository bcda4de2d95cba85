/** SHA-256 in one call where Node.js has it (20.12): half the cost of an object that is fed, for what is hashed per request. And secrets compared. */

import * as crypto from 'node:crypto'

export const sha256 =
  typeof crypto.hash === 'function'
    ? (text: string): Buffer => crypto.hash('sha256', text, 'buffer')
    : (text: string): Buffer => crypto.createHash('sha256').update(text).digest()

/** Takes as long whichever character differs: how long it took tells a guesser nothing. */
export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && crypto.timingSafeEqual(a, b)
}
