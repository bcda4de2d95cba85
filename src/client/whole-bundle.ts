/** A bundle to its end, however often the line breaks: it goes on where it broke, and begins anew when the case changed meanwhile. */

import type { Client } from './client.js'
import { ProblemError } from './problem-error.js'

/** A transfer that breaks off this often without a byte in between is given up. */
const attempts = 5

export interface BundlePiece {
  /** Where it lies. At 0 whatever came before belongs to another bundle. */
  at: number
  bytes: Uint8Array
}

export async function* wholeBundle(client: Pick<Client, 'bundle'>, scopeId: string): AsyncGenerator<BundlePiece> {
  let at = 0
  let etag: string | null = null
  for (let failed = 0; ; ) {
    const before = at
    try {
      const { stream, etag: given, isRest } = await client.bundle(scopeId, { from: at, etag })
      if (!isRest) at = 0
      etag = given
      // Not iterated: not every browser can.
      const reader = stream.getReader()
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        yield { at, bytes: piece.value }
        // Counted once it is kept: what breaks off in between is asked for again.
        at += piece.value.length
      }
      return
    } catch (error) {
      failed = at > before ? 1 : failed + 1
      if (error instanceof ProblemError || failed >= attempts) throw error
    }
  }
}
