/** Starts the embedded server in a process of its own, and waits for the line it prints. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { DatabaseAddress } from '../../src/store/server/connection.js'

export interface ChildReport {
  up?: number
  address?: DatabaseAddress
  attached?: boolean
  uid?: number
  failed?: string
}

export interface EmbeddedChild {
  process: ChildProcess
  report: ChildReport
  /** Sends a signal and waits until the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** `as` runs it under another account, which needs root. */
export async function startChild(dataDir: string, as?: { uid: number; gid: number }): Promise<EmbeddedChild> {
  const script = fileURLToPath(new URL('./embedded-child.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, dataDir], {
    ...as,
    stdio: ['ignore', 'pipe', 'inherit'],
    // The test runner's own variables would change how the child runs; its home may belong to another account.
    env: { PATH: process.env['PATH'], HOME: '/', TMPDIR: dataDir.slice(0, dataDir.lastIndexOf('/')) },
  })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    exited.then(() => '{"failed":"ended without a word"}'),
  ])
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await exited
  }
  return { process: child, report: JSON.parse(first) as ChildReport, end }
}
