/** The command line of this process. The only file that reads the process's environment and arguments. */

import { existsSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from './cli/command-line.js'

/** `parent` is the process that started this one. Answers the exit code. */
export function main({ parent }: { parent: number }): Promise<number> {
  return runCommandLine({ args: process.argv.slice(2), env: process.env, program: process.argv[1], parent })
}

// `node dist/main.js` is the same command, without looking for what is newer in `src/`.
const started = process.argv[1]
const isStarted = started !== undefined && existsSync(started) && realpathSync(started) === fileURLToPath(import.meta.url)
if (isStarted) process.exitCode = await main({ parent: process.ppid })
