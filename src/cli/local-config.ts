/** The settings of the service on this machine, for commands that work on its data without it. */

import { readFileSync } from 'node:fs'
import { type Config, type ConfigResult, faultLines, loadConfig } from '../platform/config.js'
import { createLogger, type Logger } from '../platform/logger.js'
import type { Command } from './command.js'
import { CommandError } from './command-error.js'
import { type CommandContext, dataDirOf, type GlobalFlags } from './shell.js'

/** EX_CONFIG of sysexits: a supervisor should not restart the process. */
export const configFault = 78

export interface LocalShell {
  config: Config
  /** Quiet unless something is wrong: what a command has to say, it prints. */
  logger: Logger
}

export function readLocalConfig(command: Command, context: CommandContext): ConfigResult {
  const dataDir = dataDirOf(command.optsWithGlobals<GlobalFlags>(), context.env)
  return loadConfig(dataDir === undefined ? context.env : { ...context.env, DATA_DIR: dataDir }, { readFile: readIfThere })
}

export function localShellOf(command: Command, context: CommandContext): LocalShell {
  const loaded = readLocalConfig(command, context)
  if (!loaded.ok) throw new CommandError(faultLines(loaded.faults).join('; '), { next: 'correct the environment', exitCode: configFault })
  return { config: loaded.config, logger: createLogger({ level: 'error' }) }
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
