/** Asks before what cannot be undone. Without a person at the terminal, --yes is the only yes. */

import { createInterface } from 'node:readline/promises'
import { CommandError, exitCodes } from './command-error.js'

export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new CommandError(`${question} needs confirmation`, { next: 'add --yes', exitCode: exitCodes.usage })
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await asking.question(`${question}? [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('nothing was done')
  } finally {
    asking.close()
  }
}
