/**
 * Work that a pause or a drain ends: asking a model, waiting in a line. Nothing announces a pause, so it is looked for. To look is a sign of
 * life, so this is only for work with a deadline of its own: a worker that hung in it would never be found.
 */

const lookMs = 200

/** Null when it was ended because the scope may not go on. */
export async function unlessPaused<T>(
  { mayGoOn, signal }: { mayGoOn: () => Promise<boolean>; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const paused = new AbortController()
  let looking = false
  const look = setInterval(() => {
    if (looking) return
    looking = true
    void mayGoOn()
      .then(may => {
        if (!may) paused.abort(new Error('the scope is paused'))
      })
      .finally(() => {
        looking = false
      })
  }, lookMs)
  try {
    return await work(AbortSignal.any([signal, paused.signal]))
  } catch (error) {
    if (paused.signal.aborted && !signal.aborted) return null
    throw error
  } finally {
    clearInterval(look)
  }
}
