/** A program that a script started ends with it, also where the script fails or is ended itself: a service left running keeps its port and its database. */

/**
 * @param {() => import('node:child_process').ChildProcess} current
 * @param {{ hearsSignals?: boolean }} options `hearsSignals`: the script ends in order by itself when it is asked to.
 */
export function endWithScript(current, { hearsSignals = false } = {}) {
  process.on('exit', () => {
    const child = current()
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  })
  // Without a listener no `exit` comes before the end.
  if (!hearsSignals) for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
}
