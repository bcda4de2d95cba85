/** The commands of `concord`, and how a failure ends: one line that says what to do, no stack trace. */

import { Command, CommanderError } from 'commander'
import { StartupError } from '../platform/errors.js'
import { addServe } from './serve.js'

export interface Invocation {
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
}

/** What a command is given: the environment, and the exit code it may change. */
export interface CommandContext {
  env: Invocation['env']
  exitCode: number
}

/** Answers the exit code. */
export async function runCommandLine({ args, env }: Invocation): Promise<number> {
  const context: CommandContext = { env, exitCode: 0 }
  const program = new Command('concord').description('Documents in; contradictions, decisions and certificates out.').exitOverride()
  addServe(program, context)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return context.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    console.error(error instanceof StartupError ? `concord: ${error.message}` : error)
    return 1
  }
}
