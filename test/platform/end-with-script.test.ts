/** Programs that scripts start end with them. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'

const helper = new URL('../../scripts/end-with-script.mjs', import.meta.url).href

it.each([
  ['fails', 'throw new Error("on purpose")'],
  ['is ended', 'process.kill(process.pid, "SIGTERM")'],
  [
    'ends in order when it is asked to',
    'process.on("SIGTERM", () => setImmediate(() => process.exit())); process.kill(process.pid, "SIGTERM")',
  ],
])('a program ends with the script that %s', async (_how, then) => {
  const script = `import { spawn } from 'node:child_process'
    import { endWithScript } from '${helper}'
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'])
    endWithScript(() => child)
    child.on('spawn', () => { console.log(child.pid); ${then} })`
  const started = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [pid] = (await once(started.stdout, 'data')) as [Buffer]
  await once(started, 'exit')
  const lives = () => {
    try {
      return process.kill(Number(pid), 0)
    } catch (error) {
      return (error as NodeJS.ErrnoException).code
    }
  }
  await expect.poll(lives).toBe('ESRCH')
})
