/**
 * Node.js gives the terminals of a process their settings back at the very end, and dies of one that was closed meanwhile
 * unless it was let go before. `openTerminals` at the beginning, `leaveClosed` when nothing is left to say.
 */

import { closeSync } from 'node:fs'
import { isatty } from 'node:tty'

const standardStreams = [0, 1, 2]

export function openTerminals(): number[] {
  return standardStreams.filter(isatty)
}

export function leaveClosed(terminals: readonly number[]): void {
  for (const terminal of terminals) if (!isatty(terminal)) closeSync(terminal)
}
