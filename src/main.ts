/** Starts the command line. The only file that reads the process's environment and arguments. */

import { runCommandLine } from './cli/command-line.js'

process.exitCode = await runCommandLine({ args: process.argv.slice(2), env: process.env, program: process.argv[1] })
