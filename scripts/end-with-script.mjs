/** A program that a script started ends with it, also where the script fails or is ended itself: a service left running keeps its port and its database. */

/**
 * @param {() => import('node:child_process').ChildProcess} current
 * @param {readonly NodeJS.Signals[]} signals
 */
export function endWithScript(current, signals = ['SIGTERM', 'SIGHUP']) {
  process.on('exit', () => {
    const child = current()
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  })
  // Without a listener no `exit` comes before the end. Where there is another one, the script ends in order by itself.
  for (const signal of signals)
    process.once(signal, () => {
      if (process.listenerCount(signal) === 0) process.exit(1)
    })
}
