/** The settings of the service on this machine, for commands that work on its data without it. */

import { readFileSync } from 'node:fs'
import { type Config, type ConfigResult, faultLines, loadConfig } from '../platform/config.js'
import { createLogger, type Logger } from '../platform/logger.js'
import { CommandError } from './command-error.js'
import { dataDirOf, type Shell } from './shell.js'

/** EX_CONFIG of sysexits: a supervisor should not restart the process. */
export const configFault = 78

export interface LocalShell {
  config: Config
  /** Quiet unless something is wrong: what a command has to say, it prints. */
  logger: Logger
}

export function readLocalConfig({ flags, env }: Shell): ConfigResult {
  const dataDir = dataDirOf(flags, env)
  return loadConfig(dataDir === undefined ? env : { ...env, DATA_DIR: dataDir }, { readFile: readIfThere })
}

export function localShellOf(shell: Shell): LocalShell {
  const loaded = readLocalConfig(shell)
  if (!loaded.ok) throw new CommandError(faultLines(loaded.faults).join('; '), { next: 'correct the environment', exitCode: configFault })
  return { config: loaded.config, logger: createLogger({ level: 'error' }) }
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    // A name that no file system takes is the name of no file.
    if (['ENOENT', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
