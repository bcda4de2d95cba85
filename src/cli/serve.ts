/** `concord serve`: runs the service until it is told to stop. */

import type { Command } from 'commander'
import { type Config, faultLines, loadConfig } from '../platform/config.js'
import { createLogger } from '../platform/logger.js'
import { configFault, readIfThere } from './local-config.js'
import type { CommandContext } from './shell.js'

export function addServe(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run the service with its embedded PostgreSQL, or the one in DATABASE_URL')
    .option('--role <role>', 'all, api or worker')
    .action(async (options: { role?: string }) => {
      const env = options.role === undefined ? context.env : { ...context.env, ROLE: options.role }
      const loaded = loadConfig(env, { readFile: readIfThere })
      if (!loaded.ok) {
        for (const line of faultLines(loaded.faults)) console.error(`concord: ${line}`)
        context.exitCode = configFault
        return
      }
      context.exitCode = await serve(loaded.config)
    })
}

/** What is left to say before the process ends. */
const lastWordsMs = 2000

async function serve(config: Config): Promise<number> {
  const logger = createLogger({ level: config.logLevel })
  // Loaded here: the other commands should not wait a second for what only the service needs.
  const { compose } = await import('../compose.js')
  const service = compose({ config, logger })
  service.lifecycle.onSignals({ on: (s, f) => process.on(s, f), off: (s, f) => process.off(s, f), exit: code => process.exit(code) })
  await service.lifecycle.start()
  for (const line of service.greeting()) console.log(line)
  const { failed } = await service.lifecycle.stopped
  const exitCode = failed.length === 0 ? 0 : 1
  // A part that did not stop in its time must not keep the process alive.
  setTimeout(() => process.exit(exitCode), lastWordsMs).unref()
  return exitCode
}
