/** Examples at the end of a command's help, as they can be run from where the reader stands. */

import type { AddHelpTextContext, Command } from 'commander'

export function examples(...lines: readonly string[]): (help: AddHelpTextContext) => string {
  return ({ command }) => {
    const named = lines.map(line => `  $ ${line.replace(/\bconcord(?= )/, () => rootOf(command).name())}`)
    return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${named.join('\n')}`
  }
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent)
}
