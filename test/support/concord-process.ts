/** The service as real processes: `concord serve` in the role given, on a database made for the test. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { DatabaseAddress } from '../../src/store/server/connection.js'

export const processKeys = { admin: 'journey-admin-key-0123456789abcdef', internals: 'journey-internals-key-0123456789abcdef' }

export interface ConcordProcess {
  child: ChildProcess
  /** Where it answers; empty for a worker. */
  url: string
  /** Sends a signal and waits until the process has ended; gives its exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export interface ConcordProcessOptions {
  address: DatabaseAddress
  role: 'all' | 'api' | 'worker'
  env?: Record<string, string>
  /** Another version's program than this one's. */
  program?: string | undefined
}

const ownProgram = fileURLToPath(new URL('../../bin/concord.mjs', import.meta.url))

/** A warning of Node.js in a process we started is one of ours. */
const processWarning = /^\(node:\d+\) /

/** Resolves when the process says that it is up. */
export async function startConcord({ address, role, env = {}, program = ownProgram }: ConcordProcessOptions): Promise<ConcordProcess> {
  const child = spawn(process.execPath, [program, 'serve', '--role', role], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The test runner's own variables would change how the process behaves.
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TMPDIR: process.env['TMPDIR'],
      DATABASE_URL: urlOf(address),
      DATABASE_ROLE_SECRET: address.roleSecret,
      DATABASE_CONNECT_TIMEOUT_MS: '20000',
      DATABASE_TENANT_POOL: '6',
      DATABASE_ENGINE_POOL: '8',
      PORT: '0',
      LOG_LEVEL: 'error',
      PUBLIC_AUTH: 'id',
      ADMIN_API_KEY: processKeys.admin,
      INTERNALS_API_KEY: processKeys.internals,
      ...env,
    },
  })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', line => {
    console.error(line)
    if (processWarning.test(line)) process.emitWarning(line, 'ProcessWarning')
  })
  const up = new Promise<string>(resolve => {
    lines.on('line', line => {
      if (line.startsWith('Concord ')) resolve(line)
      // Faults that are reported in the log belong into the test's output.
      else if (line.startsWith('{')) console.error(line)
    })
  })
  const first = await Promise.race([up, exited.then(code => Promise.reject(new Error(`the process ended with ${code} before it was up`)))])
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  return { child, url: /https?:\/\/[^\s]+/.exec(first)?.[0] ?? '', end }
}

export function urlOf(address: DatabaseAddress): string {
  const password = address.password === undefined ? '' : `:${encodeURIComponent(address.password)}`
  const place = address.host.startsWith('/')
    ? `localhost/${address.database}?host=${encodeURIComponent(address.host)}&port=${address.port}`
    : `${address.host}:${address.port}/${address.database}`
  return `postgres://${encodeURIComponent(address.user)}${password}@${place}`
}
