/** The service as its users start it, with data and profiles in a temporary folder that is gone after `stop`. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '../test/support/free-port.js'
// @ts-expect-error: a script without types
import { endWithScript } from './end-with-script.mjs'

export interface ThrowawayService {
  folder: string
  /** What commands on the same machine need. */
  env: NodeJS.ProcessEnv
  /** Resolves when the service says where it answers. */
  url(): Promise<string>
  /** Kills it and starts it again on the same data and at the same address, once what is to happen without it has happened. */
  restart(whileAway?: () => Promise<unknown>): Promise<void>
  stop(): Promise<void>
}

export interface ThrowawayOptions {
  name: string
  user: string
  settings?: Record<string, string>
  /** Ctrl-C does not reach the service: whoever started it hears it and stops it, once. A second signal would end it at once, without its PostgreSQL. */
  apart?: boolean
}

export async function startThrowawayService({ name, user, settings = {}, apart = false }: ThrowawayOptions): Promise<ThrowawayService> {
  const folder = mkdtempSync(join(tmpdir(), `concord-${name}-`))
  const places = { DATA_DIR: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'config') }
  const env = { ...process.env, ...places, PORT: String(await freePort()), LOG_LEVEL: 'warn', USER: user, ...settings }
  const program = fileURLToPath(new URL('../bin/concord.mjs', import.meta.url))
  const start = () => spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'], detached: apart })
  let service = start()
  endWithScript(() => service)
  const address = addressOf(service)
  return {
    folder,
    env,
    url: () => address,
    async restart(whileAway) {
      service.kill('SIGKILL')
      await once(service, 'exit')
      await whileAway?.()
      service = start()
      await addressOf(service)
    },
    async stop() {
      if (service.exitCode === null && service.signalCode === null) {
        service.kill('SIGTERM')
        await once(service, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  return new Promise((resolve, reject) => {
    lines.on('line', line => {
      // It names the desk too: a person who starts it should find the page.
      const url = /answers at (\S+) +\(desk: \1\/desk,/.exec(line)?.[1]
      if (url !== undefined) resolve(url)
      // What it warns of explains what goes wrong in a check.
      else if (line.startsWith('{')) console.error(line)
    })
    lines.on('close', () => reject(new Error('the service did not start')))
  })
}
