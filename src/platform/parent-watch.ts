/**
 * Tells when the process that started this one has ended. npm runs a script in a shell and sends its signals to that
 * shell, which ends without passing them on: `kill` of `npm start` would leave the service behind. The system tells
 * nobody that a parent is gone; it only gives the process another one, so that has to be looked at.
 */

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

/** Only what npm runs in the foreground as the service itself: other scripts may leave it behind on purpose. */
export function isRunByNpm(env: Readonly<Record<string, string | undefined>>): boolean {
  return env['npm_lifecycle_event'] === 'start' || env['npm_lifecycle_event'] === 'npx'
}
