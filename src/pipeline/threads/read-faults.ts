/**
 * Poison on purpose: with FAULTS=poison a document whose text begins with `poison:` and a kind misbehaves as named while
 * it is read. It exists to prove that one bad document harms no other.
 */

import { isPoisoned } from '../../platform/faults.js'

const kinds: Record<string, () => void> = {
  throw: () => {
    throw new Error('poison: thrown on purpose')
  },
  hang: () => {
    const never = new Int32Array(new SharedArrayBuffer(4))
    while (Atomics.load(never, 0) === 0);
  },
  exit: () => process.exit(9),
  memory: () => {
    const hoard: unknown[] = []
    for (;;) hoard.push(new Array(1_000_000).fill(hoard.length))
  },
  /** Takes the whole process along, not only the thread. */
  kill: () => process.kill(process.pid, 'SIGKILL'),
}

export function injectFault(text: string, faults: string): void {
  if (!isPoisoned(faults)) return
  const kind = /^poison:([a-z]+)/.exec(text)?.[1]
  if (kind !== undefined) kinds[kind]?.()
}
