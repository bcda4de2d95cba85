/**
 * Tells when the process that started this one has ended. npm runs a script in a shell and sends its signals to that
 * shell, which ends without passing them on: `kill` of `npm start` would leave the service behind. The system tells
 * nobody that a parent is gone; it only gives the process another one, so that has to be looked at.
 */

import { readFileSync } from 'node:fs'

export interface ParentWatch {
  /** The number of the parent when this process began: it may be gone before anybody looks. */
  first: number
  /** The number of the parent as it is now. */
  parent: () => number
  onGone: () => void
}

/** Short enough that nobody waits for it, and the look itself is one system call. */
const lookEveryMs = 200

/** Gives back how to stop looking. Does not keep the process alive. */
export function watchParent({ first, parent, onGone }: ParentWatch): () => void {
  const timer = setInterval(() => {
    if (parent() === first) return
    clearInterval(timer)
    onGone()
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Whether the parent this process met at its first line is only who took it over: npm was killed while Node.js itself
 * started. npm, its shell and what they run are one process group; the process that takes orphans is of another one.
 */
export function isTakenOver({ self, parent, groupOf = processGroup }: TakenOver): boolean {
  const [own, theirs] = [groupOf(self), groupOf(parent)]
  // Whoever leads a group of its own was given it by a living parent.
  return own !== undefined && own !== self && theirs !== undefined && own !== theirs
}

export interface TakenOver {
  self: number
  parent: number
  /** Undefined where it is not known, which is held against nobody. */
  groupOf?: (pid: number) => number | undefined
}

/** As Linux tells it; elsewhere it takes another program to know. */
function processGroup(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name comes before it, in brackets, and may hold anything.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
  } catch {
    return undefined
  }
}

/** Only what npm runs in the foreground as the service itself: other scripts may leave it behind on purpose. */
export function isRunByNpm(env: Readonly<Record<string, string | undefined>>): boolean {
  return env['npm_lifecycle_event'] === 'start' || env['npm_lifecycle_event'] === 'npx'
}
