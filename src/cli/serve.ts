/** `concord serve`: runs the service until SIGTERM, SIGINT or SIGHUP, or until the npm that runs it has ended. */

import { type Config, type Environment, faultLines, loadConfig, misspeltLines } from '../platform/config.js'
import { requireFreePorts } from '../platform/free-ports.js'
import { createLogger } from '../platform/logger.js'
import { isRunByNpm, isTakenOver, watchParent } from '../platform/parent-watch.js'
import { leaveClosed, openTerminals } from '../platform/terminals.js'
import type { AddCommand } from './command.js'
import { configFault, readIfThere } from './local-config.js'

export const addServe: AddCommand = program => {
  program
    .command('serve')
    .description('run the service with its embedded PostgreSQL, or the one in DATABASE_URL')
    .option('--role <role>', 'all, api or worker (ROLE)')
    .option('--host <address>', 'address to listen on (HOST)')
    .option('--port <port>', 'port to listen on, 0 for a free one (PORT)')
    .examples('concord serve', 'concord serve --port 8080 --data-dir /var/lib/concord')
    .runs(async ({ flags, env, command, parent }, options: ServeFlags) => {
      const loaded = loadConfig(environmentOf({ ...flags, ...options }, env), { readFile: readIfThere })
      for (const line of misspeltLines(loaded.misspelt)) console.error(`concord: ${line}`)
      if (loaded.ok) return serve(loaded.config, { command, endsWith: isRunByNpm(env) ? parent : undefined })
      for (const line of faultLines(loaded.faults)) console.error(`concord: ${line}`)
      return configFault
    })
}

interface ServeFlags {
  role?: string
  host?: string
  port?: string
  dataDir?: string
}

/** Flags are settings said on the command line, before those of the environment. */
function environmentOf({ role, host, port, dataDir }: ServeFlags, env: Environment): Environment {
  const given = Object.entries({ ROLE: role, HOST: host, PORT: port, DATA_DIR: dataDir }).filter(([, value]) => value !== undefined)
  return { ...env, ...Object.fromEntries(given) }
}

/** One line about a model that runs here already; nobody waits for it. */
async function nameLocalModel(): Promise<void> {
  const { findLocalModels, useLocalModel } = await import('../models/local-servers.js')
  const [first] = await findLocalModels()
  if (first !== undefined) console.log(useLocalModel(first))
}

/** What is left to say before the process ends. */
const lastWordsMs = 2000

/** `endsWith` is the parent whose end ends the service. */
async function serve(config: Config, { command, endsWith }: { command: string; endsWith: number | undefined }): Promise<number> {
  if (endsWith !== undefined && isTakenOver({ self: process.pid, parent: endsWith })) {
    console.error('concord: npm ended before the service was started; nothing was started')
    return 1
  }
  await requireFreePorts(config)
  const terminals = openTerminals()
  goOnWithoutReader()
  const logger = createLogger({ level: config.logLevel })
  // Loaded here: the other commands should not wait a second for what only the service needs.
  const { compose } = await import('../compose.js')
  const service = compose({ config, logger, command })
  service.lifecycle.onSignals({ on: (s, f) => process.on(s, f), off: (s, f) => process.off(s, f), exit: code => process.exit(code) })
  if (endsWith !== undefined)
    watchParent({ first: endsWith, parent: () => process.ppid, onGone: () => void service.lifecycle.stop('npm ended') })
  if (await service.lifecycle.start()) {
    for (const line of service.greeting()) console.log(line)
    if (config.modelUrl === undefined) void nameLocalModel()
  }
  const { failed } = await service.lifecycle.stopped
  const exitCode = failed.length === 0 ? 0 : 1
  leaveClosed(terminals)
  // A part that did not stop in its time must not keep the process alive.
  setTimeout(() => process.exit(exitCode), lastWordsMs).unref()
  return exitCode
}

/** `concord serve | head` reads the address and leaves: the service stays, and ends when it is told to. */
function goOnWithoutReader(): void {
  process.stdout.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}
