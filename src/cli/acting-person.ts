/** Who decides: --by, or the account at this machine. Decisions are signed with a name, never anonymous. */

import { CommandError, exitCodes } from './command-error.js'
import type { CommandContext } from './shell.js'

export function actingPerson(by: string | undefined, env: CommandContext['env']): string {
  const name = by ?? env['CONCORD_BY'] ?? env['USER'] ?? env['USERNAME']
  if (name) return name
  throw new CommandError('who decides is not known', { next: 'add --by <name>', exitCode: exitCodes.usage })
}
