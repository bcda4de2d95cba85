/** The command line of this process. The only file that reads the process's environment and arguments. */

import { runCommandLine } from './cli/command-line.js'

/** `parent` is the process that started this one. Answers the exit code. */
export function main({ parent }: { parent: number }): Promise<number> {
  return runCommandLine({ args: process.argv.slice(2), env: process.env, program: process.argv[1], parent })
}
