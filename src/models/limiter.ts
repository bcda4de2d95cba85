/** Lets so many calls run at once, so many more wait in line, and refuses the rest at once instead of letting the line grow. */

export function limiter(options: { concurrency: number; queueLimit: number }) {
  let running = 0
  const line = new Set<() => void>()

  const turn = (signal: AbortSignal | undefined): Promise<boolean> => {
    if (running < options.concurrency) {
      running++
      return Promise.resolve(true)
    }
    if (line.size >= options.queueLimit || signal?.aborted) return Promise.resolve(false)
    return new Promise(resolve => {
      const leave = (): void => {
        line.delete(enter)
        resolve(false)
      }
      const enter = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve(true)
      }
      line.add(enter)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  /** A finished call hands its place to the first in the queue, so `running` stays the same. */
  const handOver = (): void => {
    const [next] = line
    if (next === undefined) running--
    else {
      line.delete(next)
      next()
    }
  }

  return {
    /** Resolves with what the work gave, or with null, without starting it, when the line is full or the signal ended the wait. */
    async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T | null> {
      if (!(await turn(signal))) return null
      try {
        return await work()
      } finally {
        handOver()
      }
    },
    running: () => running,
    waiting: () => line.size,
  }
}
