/** A command whose help can end with examples, as they can be run from where the reader stands. */

import { Command as PlainCommand } from 'commander'

export class Command extends PlainCommand {
  override createCommand(name?: string): Command {
    return new Command(name)
  }

  examples(...lines: readonly string[]): this {
    return this.addHelpText('after', ({ command }) => {
      const named = lines.map(line => `  $ ${line.replace(/\bconcord(?= )/, () => rootOf(command).name())}`)
      return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${named.join('\n')}`
    })
  }
}

function rootOf(command: PlainCommand): PlainCommand {
  return command.parent === null ? command : rootOf(command.parent)
}
