/** The real service as a process of its own, to be killed: start, readiness, and hard ends of it and of its database. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { clusterFiles } from '../../src/store/server/embedded-cluster.js'
import { readPidFile } from '../../src/store/server/embedded-postmaster.js'
import { freePort } from '../support/free-port.js'

const command = fileURLToPath(new URL('../../bin/concord.mjs', import.meta.url))
const readyMs = 180_000

export const adminKey = 'chaos-admin-key-0123456789abcdef'

export interface ServiceProcess {
  readonly url: string
  pid(): number
  start(): Promise<void>
  /** SIGKILL: nothing is finished, nothing is said. */
  killService(): Promise<void>
  /** All processes of the database at once, as when the power of its machine fails. */
  killDatabase(): Promise<void>
  /** Asked by SIGTERM or another signal, until it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** What it wrote, for when a run fails. */
  output(): string
}

export async function prepareService(dataDir: string, env: Record<string, string> = {}): Promise<ServiceProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let output = ''
  const start = async () => {
    const settings = {
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ADMIN_API_KEY: adminKey,
      INTERNALS_API_KEY: `${adminKey}-internals`,
    }
    const started = spawn(process.execPath, [command, 'serve'], {
      env: { ...process.env, ...settings, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output = (output + chunk).slice(-20_000)
      })
    }
    child = started
    await answers(
      url,
      () => started.exitCode !== null,
      () => output,
    )
  }
  return {
    url,
    pid: () => child?.pid ?? 0,
    start,
    killService: async () => {
      const killed = child as ChildProcess
      const ended = once(killed, 'exit')
      killed.kill('SIGKILL')
      await ended
    },
    killDatabase: async () => killServer(dataDir),
    stop: async (signal = 'SIGTERM') => {
      const stopped = child
      if (stopped === undefined || stopped.exitCode !== null || stopped.signalCode !== null) return
      const ended = once(stopped, 'exit')
      stopped.kill(signal)
      await ended
    },
    output: () => output,
  }
}

async function answers(url: string, isOver: () => boolean, output: () => string): Promise<void> {
  const end = performance.now() + readyMs
  while (performance.now() < end && !isOver()) {
    const ready = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(20_000) }).then(
      response => response.ok,
      () => false,
    )
    if (ready) return
    await wait(25)
  }
  throw new Error(`the service does not answer:\n${output()}`)
}

/**
 * The postmaster is frozen first: it would otherwise notice its dying children and begin to recover, and they would
 * notice its death and end in good order.
 */
function killServer(dataDir: string): void {
  const running = readPidFile(clusterFiles(dataDir))
  if (running === undefined) return
  try {
    process.kill(running.pid, 'SIGSTOP')
    for (const pid of childrenOf(running.pid)) process.kill(pid, 'SIGKILL')
    process.kill(running.pid, 'SIGKILL')
  } catch (error) {
    // Killed before, and not yet started again.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number)
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch (error) {
    // Processes end while we look.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
