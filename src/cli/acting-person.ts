/**
 * Who decides: --by, or the person whose key or session it is where that speaks for nobody else, or the account at this
 * machine. Decisions are signed with a name, never anonymous.
 */

import type { Client } from '../client/index.js'
import { CommandError, exitCodes } from './command-error.js'
import type { CommandContext } from './shell.js'

export async function actingPerson(by: string | undefined, client: Pick<Client, 'me'>, env: CommandContext['env']): Promise<string> {
  if (by) return by
  const { person, speak_for: speaksForAnybody } = await client.me()
  if (!speaksForAnybody && person !== null) return person
  const name = env['CONCORD_BY'] ?? env['USER'] ?? env['USERNAME']
  if (name) return name
  throw new CommandError('who decides is not known', { next: 'add --by <name>', exitCode: exitCodes.usage })
}
